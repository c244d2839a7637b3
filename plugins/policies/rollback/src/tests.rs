//! Rollouts in which a call commits and a later one shows what it was part of.

use super::*;
use weir_plugin::UNTRUSTED;
use weir_plugin::policy::Edge;
use weir_plugin::testing::random::{Dice, later_events_change_no_decision, ledger, proposal};
use weir_plugin::testing::{allow, episode, event, propose, tool_index};

const ANN: &str = r#""ann@corp.local""#;
const MALLORY: &str = r#""mallory@evil.local""#;

/// A rollout that grows event by event, as the host would show it.
struct Scene {
    policy: Rollback,
    unseen: Vec<Event>,
    next: u32,
    calls: u32,
}

impl Scene {
    fn new() -> Self {
        let ledger = vec![
            allow("send", &["ann@corp.local"]),
            allow("update", &["note", "plan.txt"]),
            allow("remember", &["note"]),
            allow("scrub", &["note"]),
        ];
        Scene { policy: Rollback::start(episode(ledger)), unseen: Vec::new(), next: 0, calls: 0 }
    }

    fn push(&mut self, kind: NodeKind, tool: Option<u32>, labels: u64, parents: &[u32]) -> u32 {
        self.unseen.push(event(self.next, kind, tool, labels, parents));
        self.next += 1;
        self.next - 1
    }

    fn untrusted(&mut self) -> u32 {
        self.push(NodeKind::ToolResult, None, UNTRUSTED, &[])
    }

    fn state(&mut self, read: &[u32]) -> u32 {
        self.push(NodeKind::AgentState, None, if read.is_empty() { 0 } else { UNTRUSTED }, read)
    }

    /// Proposes a call in a state, its last argument found in `sources`. Returns its identifier and the deciding rule.
    fn propose(&mut self, tool: &str, arguments: &[(&str, &str)], state: u32, sources: &[u32]) -> (u32, String) {
        let mut proposal = Proposal { event: self.next, call_id: self.calls, ..propose(tool, arguments) };
        self.calls += 1;
        if let (Some(argument), false) = (proposal.arguments.last_mut(), sources.is_empty()) {
            argument.sources = sources.to_vec();
            argument.labels = UNTRUSTED;
        }
        self.policy.observe(&mem::take(&mut self.unseen));
        let decision = self.policy.authorize(&proposal).unwrap();
        let node = self.push(NodeKind::Proposal, Some(proposal.tool), 0, &[state]);
        let ruling = self.push(NodeKind::Decision, None, 0, &[]);
        if matches!(decision, Decision::Allow(_)) {
            self.policy.observe(&mem::take(&mut self.unseen));
            assert_eq!(self.policy.precommit(&proposal).unwrap(), Decision::allow());
            self.push(NodeKind::Commit, Some(tool_index(tool)), 0, &[node, ruling]);
        }
        (proposal.call_id, decision.rule().unwrap().to_owned())
    }

    fn update(&mut self, object: &str, state: u32, sources: &[u32]) -> u32 {
        let (call, rule) = self.propose("update", &[("object", object), ("value", r#""new""#)], state, sources);
        assert_eq!(rule, "allow_ledger_match");
        call
    }

    fn expansion(&mut self, state: u32, sources: &[u32]) {
        let (_, rule) = self.propose("send", &[("to", MALLORY)], state, sources);
        assert_eq!(rule, "block_tainted_authority_expansion");
    }

    fn recover(&mut self) -> Vec<u32> {
        self.policy.observe(&mem::take(&mut self.unseen));
        let asked = self.policy.recover().unwrap();
        asked.into_iter().map(|one| if let Recovery::Rollback(call) = one { call } else { panic!("{one:?}") }).collect()
    }
}

#[test]
fn a_committed_change_from_the_source_of_a_blocked_send_is_undone() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    let change = scene.update(r#""note""#, state, &[mail]);
    scene.expansion(state, &[mail]);
    assert_eq!(scene.recover(), [change]);
}

#[test]
fn the_blocked_calls_context_counts_even_where_its_arguments_were_found_nowhere() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    let change = scene.update(r#""note""#, state, &[mail]);
    let later = scene.state(&[state]);
    let mut invented = Proposal { event: scene.next, call_id: 9, ..propose("send", &[("to", MALLORY)]) };
    invented.arguments[0].labels = UNTRUSTED;
    scene.policy.observe(&mem::take(&mut scene.unseen));
    let decision = scene.policy.authorize(&invented).unwrap();
    assert_eq!(decision.rule(), Some("block_tainted_authority_expansion"));
    scene.push(NodeKind::Proposal, Some(invented.tool), UNTRUSTED, &[later]);
    assert_eq!(scene.recover(), [change]);
}

#[test]
fn what_merely_came_before_a_blocked_call_is_not_its_context() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    scene.update(r#""note""#, state, &[mail]);
    let other = scene.state(&[]);
    for edge in [EdgeKind::Structural, EdgeKind::Temporal, EdgeKind::Audit] {
        scene.unseen.last_mut().unwrap().edges.push(Edge { parent: mail, kind: edge });
    }
    let hostile = scene.untrusted();
    scene.expansion(other, &[hostile]);
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn a_privilege_jump_counts_as_an_expansion_does() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    let change = scene.update(r#""note""#, state, &[mail]);
    let write = [("key", r#""note""#), ("scope", r#""persistent""#)];
    assert_eq!(scene.propose("remember", &write, state, &[mail]).1, "block_low_to_high_privilege_jump");
    assert_eq!(scene.recover(), [change]);
}

#[test]
fn several_changes_are_undone_newest_first_and_each_once() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    let first = scene.update(r#""note""#, state, &[mail]);
    let second = scene.update(r#""plan.txt""#, state, &[mail]);
    scene.expansion(state, &[mail]);
    scene.expansion(state, &[mail]);
    assert_eq!(scene.recover(), [second, first]);
    scene.expansion(state, &[mail]);
    assert_eq!(scene.recover(), [0_u32; 0], "in a later session too");
}

#[test]
fn a_change_of_an_earlier_session_is_undone_when_a_later_one_shows_its_source() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    let change = scene.update(r#""note""#, state, &[mail]);
    assert_eq!(scene.recover(), [0_u32; 0]);
    scene.expansion(state, &[mail]);
    assert_eq!(scene.recover(), [change]);
}

#[test]
fn a_change_from_another_untrusted_event_stays() {
    let mut scene = Scene::new();
    let (hostile, harmless) = (scene.untrusted(), scene.untrusted());
    let state = scene.state(&[harmless]);
    scene.update(r#""note""#, state, &[harmless]);
    let other = scene.state(&[hostile]);
    scene.expansion(other, &[hostile]);
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn a_trusted_event_that_both_quote_is_no_reason() {
    let mut scene = Scene::new();
    let trusted = scene.push(NodeKind::ToolResult, None, 0, &[]);
    let mail = scene.untrusted();
    let state = scene.state(&[mail, trusted]);
    let (_, rule) = scene.propose("update", &[("object", r#""note""#), ("value", r#""new""#)], state, &[trusted]);
    assert_eq!(rule, "allow_ledger_match");
    scene.expansion(state, &[trusted, mail]);
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn a_change_that_came_after_the_blocked_call_stays() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    scene.expansion(state, &[mail]);
    scene.update(r#""note""#, state, &[mail]);
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn a_block_by_another_rule_undoes_nothing() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    scene.update(r#""note""#, state, &[mail]);
    assert_eq!(scene.propose("share", &[], state, &[]).1, "block_action_outside_ledger");
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn a_call_that_was_let_through_and_did_not_commit_is_not_undone() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    scene.update(r#""note""#, state, &[mail]);
    let commit = scene.unseen.pop();
    assert_eq!(commit.map(|event| event.kind), Some(NodeKind::Commit));
    scene.next -= 1;
    scene.expansion(state, &[mail]);
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn a_clean_up_is_never_undone() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    assert_eq!(scene.propose("scrub", &[("key", r#""note""#)], state, &[mail]).1, "allow_ledger_match");
    scene.expansion(state, &[mail]);
    assert_eq!(scene.recover(), [0_u32; 0]);
}

#[test]
fn it_decides_exactly_as_the_intent_ledger() {
    for seed in 0..2_000 {
        let mut dice = Dice::new(seed);
        let entries = ledger(&mut dice);
        let asked = proposal(&mut dice, 9, 0);
        let expected = Firewall::new(episode(entries.clone())).decide(&asked);
        assert_eq!(Rollback::start(episode(entries)).authorize(&asked), expected, "seed {seed}");
    }
}

#[test]
fn a_decision_rests_on_the_prefix_alone() {
    later_events_change_no_decision::<Rollback>();
}

#[test]
fn an_authorised_send_after_all_this_still_passes() {
    let mut scene = Scene::new();
    let mail = scene.untrusted();
    let state = scene.state(&[mail]);
    scene.expansion(state, &[mail]);
    scene.recover();
    assert_eq!(scene.propose("send", &[("to", ANN)], state, &[]).1, "allow_ledger_match");
}
