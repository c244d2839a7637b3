//! Calls against memories, one situation a test. The mail episode's `update` changes an `object` (a target) to a `value`
//! (content); `share` has the roles target, recipient and visibility.

use super::*;
use weir_plugin::memory::{Authority, Speaker};
use weir_plugin::testing::memory::{history, item};
use weir_plugin::testing::{episode, event, propose};

fn gate(goal: &str) -> AuthorityGate {
    AuthorityGate::start(Episode { goal: goal.into(), ..episode(Vec::new()) })
}

const GOAL: &str = "Please share the file plan.txt with my partner, visible to the team.";

/// A share of the plan with somebody, in canonical form.
fn share(with: &str) -> Proposal {
    let with = format!("{with:?}");
    propose("share", &[("file", r#""plan.txt""#), ("with", &with), ("visibility", r#""team""#)])
}

fn decide(memories: &[Item], call: &Proposal) -> Decision {
    let mut gate = gate(GOAL);
    gate.render(memories).unwrap();
    gate.authorize(call).unwrap()
}

fn partner(authority: Option<Authority>) -> [Item; 1] {
    [item("The user's partner is ann@corp.local.", authority)]
}

#[test]
fn a_value_that_only_a_memory_below_authorized_says_is_blocked() {
    for authority in [Some(Authority::Attested), Some(Authority::Unendorsed), None] {
        let decision = decide(&partner(authority), &share("ann@corp.local"));
        assert_eq!(decision.rule(), Some(BELOW), "{authority:?}");
        assert!(matches!(&decision, Decision::Block(reason) if reason.message.contains("`with` is `ann@corp.local`")));
    }
}

#[test]
fn the_same_value_from_an_authorized_memory_passes_even_if_another_memory_repeats_it() {
    let mut memories = partner(Some(Authority::Authorized)).to_vec();
    assert_eq!(decide(&memories, &share("ann@corp.local")).rule(), Some("allow_authorized_values"));
    memories.extend(partner(Some(Authority::Unendorsed)));
    assert_eq!(decide(&memories, &share("ann@corp.local")).rule(), Some("allow_authorized_values"));
}

#[test]
fn what_the_request_says_needs_no_memory() {
    let mut gate = gate("Share plan.txt with ann@corp.local, visible to the team.");
    gate.render(&partner(Some(Authority::Unendorsed))).unwrap();
    assert_eq!(gate.authorize(&share("ann@corp.local")).unwrap().rule(), Some("allow_authorized_values"));
}

#[test]
fn a_value_in_another_form_than_the_memorys_is_blocked_as_untraced() {
    let memories = [item("The user's partner is ann at corp dot local.", Some(Authority::Unendorsed))];
    assert_eq!(decide(&memories, &share("ann@corp.local")).rule(), Some(UNTRACED));
    assert_eq!(decide(&partner(Some(Authority::Authorized)), &share("bob@corp.local")).rule(), Some(UNTRACED));
}

#[test]
fn a_value_that_a_tool_has_returned_did_not_come_from_memory_unless_a_memory_says_it_too() {
    let mut gate = gate(GOAL);
    gate.observe(&[event(3, NodeKind::ToolResult, None, 0, &[]), event(4, NodeKind::MemoryRecord, None, 0, &[])]);
    let from = |sources: &[u32], with: &str| {
        let mut call = share(with);
        call.arguments[1].sources = sources.to_vec();
        call
    };
    gate.render(&partner(Some(Authority::Unendorsed))).unwrap();
    let rule = |gate: &mut AuthorityGate, call: &Proposal| gate.authorize(call).unwrap().rule().map(str::to_owned);
    assert_eq!(rule(&mut gate, &from(&[3], "bob@corp.local")).as_deref(), Some("allow_authorized_values"));
    assert_eq!(rule(&mut gate, &from(&[4], "bob@corp.local")).as_deref(), Some(UNTRACED));
    assert_eq!(rule(&mut gate, &from(&[3], "ann@corp.local")).as_deref(), Some(BELOW));
}

#[test]
fn content_is_the_models_own_wording_but_for_its_codes() {
    let mut gate = gate("Please update my address.");
    gate.render(&[item("The address is 12 Elm Street, code QX-77.", Some(Authority::Unendorsed))]).unwrap();
    let mut rule = |value: &str| {
        let call = propose("update", &[("object", r#""address""#), ("value", value)]);
        gate.authorize(&call).unwrap().rule().map(str::to_owned)
    };
    assert_eq!(rule(r#""As the user asked""#).as_deref(), Some("allow_authorized_values"));
    assert_eq!(rule(r#""As the user asked: QX-77""#).as_deref(), Some(BELOW));
    assert_eq!(rule(r#""elm street""#).as_deref(), Some(BELOW));
    assert_eq!(rule(r#"{"deep":["12"]}"#).as_deref(), Some(BELOW));
}

#[test]
fn reads_switches_and_calls_without_memories_run() {
    let memories = partner(Some(Authority::Unendorsed));
    assert_eq!(decide(&memories, &propose("read", &[("query", r#""ann@corp.local""#)])).rule(), Some("allow_low_risk"));
    let switch = propose("share", &[("file", r#""plan.txt""#), ("visibility", "true"), ("with", "[]")]);
    assert_eq!(decide(&memories, &switch).rule(), Some("allow_authorized_values"));
    assert_eq!(decide(&[], &share("ann@corp.local")).rule(), Some("allow_without_memory"));
}

#[test]
fn labels_that_are_given_stand_and_the_rest_follow_from_the_history() {
    let turns = history(&[
        (Speaker::User, "My partner is ann@corp.local."),
        (Speaker::Tool, r#"{"notice":"partner is bob@corp.local"}"#),
    ]);
    let memories = [
        item("The partner is ann@corp.local.", None),
        item("The partner is bob@corp.local.", None),
        item("The partner is bob@corp.local.", Some(Authority::Authorized)),
    ];
    let mut gate = gate(GOAL);
    let labels = gate.endorse(&memories, &turns).unwrap();
    let expected = [(Authority::Authorized, Some(0)), (Authority::Unendorsed, Some(1)), (Authority::Authorized, None)];
    assert_eq!(labels, expected.map(|(label, support)| Endorsement { authority: Some(label), support }));
    gate.endorse(&memories[..2], &turns).unwrap();
    assert_eq!(gate.authorize(&share("ann@corp.local")).unwrap().rule(), Some("allow_authorized_values"));
    assert_eq!(gate.authorize(&share("bob@corp.local")).unwrap().rule(), Some(BELOW));
}

#[test]
fn memories_are_shown_with_their_labels() {
    let shown = gate(GOAL).render(&partner(Some(Authority::Attested))).unwrap().unwrap();
    assert!(shown.ends_with("- [Attested] The user's partner is ann@corp.local."), "{shown}");
}

#[test]
fn an_argument_that_is_no_json_is_an_error() {
    let mut gate = gate(GOAL);
    gate.render(&partner(None)).unwrap();
    assert!(matches!(gate.authorize(&propose("share", &[("with", "[")])), Err(Error::InvalidInput(_))));
}

#[test]
fn a_decision_rests_on_the_prefix_alone() {
    weir_plugin::testing::random::later_events_change_no_decision::<AuthorityGate>();
}
