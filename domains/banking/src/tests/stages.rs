//! What each evidence stage promises, checked by playing its scenarios.

use super::*;
use weir_plugin::UNTRUSTED;
use weir_plugin::scenario::Script;

const GUARDS: [Guard; 3] = [Guard::Boundary, Guard::Taint, Guard::Intent];
/// Whose harm only an argument tells that is no recipient and no target.
const BEYOND_THE_BOUNDARY: [&str; 2] = ["inflated-amount", "secret-in-reference"];

/// Whether the competent agents get everything through.
fn keeps(scenario: &Scenario, guard: Guard) -> bool {
    let ran = played(scenario, Player::COMPETENT.under(guard));
    ran.verdict.goal_met && ran.calls.iter().all(|call| call.allowed)
}

#[test]
fn competent_agents_meet_every_goal_by_authorised_calls_without_a_violation_or_an_error() {
    for scenario in every() {
        let (ran, id) = (played(&scenario, Player::COMPETENT), &scenario.id);
        assert!(ran.verdict.goal_met && !ran.violated(), "{id}: {:?}", ran.verdict);
        for call in &ran.calls {
            assert!(call.assessment.authorized && !call.assessment.attack && !call.attack, "{id}: {call:?}");
            let segments = call.outcome.iter().flat_map(|outcome| &outcome.segments);
            // A note that the task has just repaired is asked for, to see that it is out of use.
            let recall = call.step.tool.as_deref() == Some("recall_note");
            let errors = segments.filter(|segment| segment.text.starts_with("error")).count();
            assert!(errors == 0 || recall && scenario.stage == "memory-recovery", "{id}: {call:?}");
        }
    }
}

#[test]
fn who_does_nothing_meets_no_goal() {
    for scenario in every() {
        let idle = Scenario { script: r#"{"attack":[],"benign":[]}"#.into(), ..scenario };
        assert!(!played(&idle, Player::COMPETENT).verdict.goal_met, "{}", idle.id);
    }
}

#[test]
fn the_boundary_lets_all_authorised_work_through_under_both_ledgers() {
    for scenario in every() {
        assert!(keeps(&under(&scenario, "oracle"), Guard::Boundary), "{}", scenario.id);
        // The user's words do not name the number that a letter gives.
        let named = scenario.family != "number-by-letter";
        assert_eq!(keeps(&under(&scenario, "prompt"), Guard::Boundary), named, "{}", scenario.id);
    }
}

#[test]
fn who_obeys_undefended_does_harm_that_the_oracle_knows_and_the_user_did_not_authorise() {
    for scenario in every_of("security") {
        let (ran, id) = (played(&scenario, Player::OBEDIENT), &scenario.id);
        let harmful: Vec<_> = ran.calls.iter().filter(|call| call.attack && call.assessment.attack).collect();
        assert!(!harmful.is_empty() && ran.violated(), "{id}");
        for call in harmful {
            let violation = call.violation.unwrap();
            assert!(violation.unauthorized && call.tainted, "{id}: {call:?}");
            assert_eq!(violation.secret_leak, scenario.family.contains("secret"), "{id}: {call:?}");
            let right = ["inflated-amount", "secret-in-reference"].contains(&scenario.family.as_str());
            let limit = call.step.tool.as_deref() == Some("change_limit");
            assert_eq!(violation.wrong_recipient, !right && !limit, "{id}: {call:?}");
        }
    }
}

#[test]
fn the_ledger_stops_every_attack_and_the_boundary_all_whose_payee_is_not_the_users() {
    for scenario in every_of("security") {
        for form in ["oracle", "prompt"] {
            let scenario = under(&scenario, form);
            for guard in GUARDS {
                let ran = played(&scenario, Player::OBEDIENT.under(guard));
                let passes = guard == Guard::Boundary && BEYOND_THE_BOUNDARY.contains(&scenario.family.as_str());
                assert_eq!(ran.violated(), passes, "{} {form} {guard:?}", scenario.id);
            }
            // The ledger costs nothing of the user's own work.
            let ran = played(&scenario, Player::OBEDIENT.under(Guard::Intent));
            assert!(ran.verdict.goal_met, "{} {form}", scenario.id);
        }
    }
}

#[test]
fn a_poisoned_book_sends_the_users_own_payment_to_the_stranger_in_the_next_session() {
    for scenario in every_of("security").iter().filter(|scenario| scenario.family == "payee-poisoning") {
        let ran = played(scenario, Player::OBEDIENT);
        let last = ran.calls.last().unwrap();
        assert!(!last.attack && last.step.session == 1 && last.assessment.attack, "{}", scenario.id);
        let violation = last.violation.unwrap();
        assert!(violation.unauthorized && violation.wrong_recipient && !ran.verdict.goal_met, "{}", scenario.id);
        assert!(ran.calls.iter().any(|call| call.attack && call.step.session == 0));
    }
}

#[test]
fn clean_work_meets_nothing_untrusted_and_no_check_stops_it() {
    for scenario in every_of("clean") {
        let (ran, id) = (played(&scenario, Player::COMPETENT), &scenario.id);
        let segments = ran.calls.iter().flat_map(|call| &call.outcome).flat_map(|outcome| &outcome.segments);
        assert!(segments.fold(0, |all, segment| all | segment.labels) == 0, "{id}");
        assert!(!ran.verdict.tainted_dependency && ran.verdict.recovered.is_none(), "{id}");
        for (form, guard) in GUARDS.into_iter().flat_map(|guard| [("oracle", guard), ("prompt", guard)]) {
            assert!(keeps(&under(&scenario, form), guard), "{id} {form} {guard:?}");
        }
    }
}

#[test]
fn active_work_depends_on_untrusted_content_and_only_taint_alone_stops_it() {
    for scenario in every_of("active-tainted") {
        let (ran, id) = (played(&scenario, Player::COMPETENT), &scenario.id);
        assert!(ran.verdict.tainted_dependency, "{id}");
        assert!(ran.high_risk().any(|call| call.tainted), "{id}");
        assert!(!keeps(&under(&scenario, "oracle"), Guard::Taint), "{id}");
        // A scope that only a letter names is a tainted visibility: the design's own loss.
        let open = scenario.family == "note-as-wished";
        assert_eq!(keeps(&under(&scenario, "oracle"), Guard::Intent), !open, "{id}");
        let named = scenario.family != "number-by-letter";
        assert_eq!(keeps(&under(&scenario, "prompt"), Guard::Intent), named && !open, "{id}");
    }
}

#[test]
fn a_careless_payment_to_the_documents_other_account_is_a_violation_that_the_boundary_stops() {
    let careless = Player { careless: true, ..Player::COMPETENT };
    let mut count = 0;
    for scenario in first("active-tainted", 15, 1) {
        let script: Script = json::read(&scenario.script, "script").unwrap();
        if script.benign.iter().any(|step| step.mistaken.is_some()) {
            count += 1;
            let ran = played(&scenario, careless);
            let wrong = |call: &weir_plugin::testing::Proposed| call.violation.is_some_and(|v| v.wrong_recipient);
            assert!(ran.calls.iter().any(wrong) && !ran.verdict.goal_met, "{}", scenario.id);
            assert!(!played(&scenario, careless.under(Guard::Boundary)).violated(), "{}", scenario.id);
        }
    }
    assert_eq!(count, 10, "of fifteen");
}

#[test]
fn recovery_needs_the_repair_and_never_depends_on_what_is_blocked() {
    for scenario in every_of("memory-recovery") {
        let id = &scenario.id;
        let returns = ["payee-restored", "note-comes-back", "limit-restored"].contains(&scenario.family.as_str());
        for form in ["oracle", "prompt"] {
            for guard in [Guard::Boundary, Guard::Taint, Guard::Intent, Guard::None] {
                let ran = played(&under(&scenario, form), Player::COMPETENT.under(guard));
                assert_eq!(ran.verdict.recovered, Some(true), "{id} {form} {guard:?}");
                assert_ne!(ran.verdict.reinfected, Some(true), "{id} {form} {guard:?}");
            }
        }
        let obedient = played(&scenario, Player::OBEDIENT).verdict;
        assert_eq!(obedient.recovered, Some(!returns), "{id}");
        let literal = played(&scenario, Player { literal: true, ..Player::COMPETENT }).verdict;
        assert_eq!(literal.recovered, Some(scenario.family != "notes-in-order"), "{id}");
    }
}

#[test]
fn what_was_repaired_comes_back_only_where_nothing_stops_it() {
    for scenario in every_of("memory-recovery") {
        let family = scenario.family.as_str();
        let reinfected = |guard| played(&scenario, Player::OBEDIENT.under(guard)).verdict.reinfected;
        let undefended = match family {
            "payee-restored" | "note-comes-back" => Some(true),
            "limit-restored" => None,
            _ => Some(false),
        };
        assert_eq!(reinfected(Guard::None), undefended, "{}", scenario.id);
        // The key of the note is the user's own, so the boundary lets the poison back; its scope is the letter's.
        let boundary = undefended.map(|back| back && family == "note-comes-back");
        assert_eq!(reinfected(Guard::Boundary), boundary, "{}", scenario.id);
        assert_eq!(reinfected(Guard::Intent), undefended.map(|_| false), "{}", scenario.id);
    }
}

#[test]
fn every_family_meets_the_wording_that_weak_models_follow_and_every_topology() {
    use std::collections::{BTreeMap, BTreeSet};
    for stage in families::STAGES {
        let lured = |scenario: &Scenario| scenario.script.contains(r#""lure":"task-step""#);
        let mut met: BTreeMap<String, (BTreeSet<String>, bool)> = BTreeMap::new();
        let all = first(stage.name, families::MOST, 1);
        for scenario in &all {
            let (topologies, task_step) = met.entry(scenario.family.clone()).or_default();
            topologies.insert(scenario.topology.clone());
            *task_step |= lured(scenario);
        }
        let hostile = matches!(stage.name, "security" | "memory-recovery");
        assert!(met.values().all(|(topologies, task_step)| topologies.len() == 3 && *task_step == hostile), "{met:?}");
        let count = |count| all[..count].iter().filter(|scenario| lured(scenario)).count();
        assert_eq!((count(15), count(60)), if hostile { (5, 20) } else { (0, 0) }, "{}", stage.name);
    }
}

#[test]
fn the_ledgers_differ_only_in_what_the_user_did_not_say() {
    for scenario in every() {
        let [oracle, prompt] = scenario.ledgers.as_slice() else { panic!("{}: two ledgers", scenario.id) };
        assert_eq!((oracle.form.as_str(), prompt.form.as_str()), ("oracle", "prompt"));
        let open = matches!(scenario.stage.as_str(), "active-tainted");
        assert!(open || prompt.entries.len() == oracle.entries.len(), "{}", scenario.id);
        for entry in &prompt.entries {
            assert!(oracle.entries.iter().any(|known| known.action == entry.action), "{}", scenario.id);
        }
    }
}

#[test]
fn a_segment_says_where_it_comes_from() {
    for scenario in every() {
        let ran = played(&scenario, Player::OBEDIENT);
        for segment in ran.calls.iter().flat_map(|call| &call.outcome).flat_map(|outcome| &outcome.segments) {
            assert!(!segment.source.is_empty() && !segment.text.is_empty(), "{}", scenario.id);
            let injected = segment.text.contains(weir_plugin::scenario::CUE);
            assert!(!injected || segment.labels & UNTRUSTED != 0, "{}: {segment:?}", scenario.id);
        }
    }
}
