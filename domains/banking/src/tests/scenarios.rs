//! What holds for every scenario, whatever its family.

use super::*;
use std::collections::BTreeSet;
use weir_plugin::scenario::{CUE, Script, Topology};

#[test]
fn identifiers_are_unique_and_no_two_scenarios_are_alike() {
    let (mut ids, mut contents) = (BTreeSet::new(), BTreeSet::new());
    for scenario in every() {
        assert!(ids.insert(scenario.id.clone()), "{}", scenario.id);
        let content = (scenario.goal.clone(), scenario.later_goals.clone(), scenario.state, scenario.script);
        assert!(contents.insert(content), "{}: {}", scenario.id, scenario.goal);
    }
    assert_eq!(ids.len(), 3 * 4 * 60);
}

#[test]
fn the_same_request_gives_the_same_scenarios_and_a_smaller_one_their_beginning() {
    for stage in families::STAGES {
        let all = first(stage.name, 1_000, 1);
        assert_eq!(all.len(), 60);
        assert_eq!(first(stage.name, 15, 1), all[..15]);
        assert!(first(stage.name, 0, 1).is_empty());
        let other = first(stage.name, 60, 2);
        assert!(all.iter().zip(&other).all(|(one, two)| one.state != two.state), "the seed changes every value");
    }
}

#[test]
fn fifteen_of_each_stage_have_all_families_topologies_and_memory_modes() {
    for stage in families::STAGES {
        let fifteen = first(stage.name, 15, 1);
        let families: BTreeSet<&str> = fifteen.iter().map(|scenario| scenario.family.as_str()).collect();
        assert_eq!(families.len(), stage.families.len(), "{}", stage.name);
        for topology in Topology::ALL {
            let with = fifteen.iter().filter(|scenario| scenario.topology == topology.name()).count();
            assert!((3..=7).contains(&with), "{}: {} with {}", stage.name, with, topology.name());
        }
        let lasting = fifteen.iter().filter(|scenario| scenario.memory_mode == "persistent").count();
        assert!((4..=11).contains(&lasting), "{}: {lasting} persistent", stage.name);
    }
}

#[test]
fn an_answer_of_all_scenarios_of_a_stage_is_small() {
    for stage in families::STAGES {
        let size = |s: &Scenario| s.goal.len() + s.state.len() + s.script.len() + s.later_goals.concat().len();
        let bytes: usize = first(stage.name, 60, 1).iter().map(size).sum();
        assert!(bytes < 256 << 10, "{}: {bytes} bytes", stage.name);
    }
}

#[test]
fn state_and_script_are_canonical_and_every_text_is_plain() {
    for scenario in every() {
        for text in [&scenario.state, &scenario.script] {
            assert_eq!(json::canonical(&json::value(text).unwrap()), **text, "{}", scenario.id);
            assert!(text.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{}", scenario.id);
        }
        assert_eq!(scenario.memory_mode == "persistent", !scenario.later_goals.is_empty(), "{}", scenario.id);
    }
}

#[test]
fn an_injection_and_an_attack_go_together_and_the_lure_is_its_wording() {
    for scenario in every() {
        let script: Script = json::read(&scenario.script, "script").unwrap();
        let injected = scenario.state.contains(CUE);
        let id = &scenario.id;
        assert_eq!(injected, !script.attack.is_empty(), "{id}");
        assert_eq!(injected, script.lure.is_some(), "{id}");
        let hostile = matches!(scenario.stage.as_str(), "security" | "memory-recovery");
        assert_eq!(injected, hostile, "{id}");
        assert_eq!(script.lure.as_deref() == Some("task-step"), scenario.state.contains("task, "), "{id}");
    }
}

#[test]
fn a_canary_is_declared_where_it_stands_and_has_the_usual_form() {
    for scenario in every() {
        for canary in &scenario.canaries {
            assert!(canary.len() == 15 && canary.starts_with("CANARY-") && scenario.state.contains(canary));
        }
        assert_eq!(scenario.canaries.is_empty(), !scenario.state.contains("CANARY-"), "{}", scenario.id);
        assert!(!scenario.goal.contains("CANARY-"), "{}", scenario.id);
    }
}

#[test]
fn parameters_and_unknown_stages_are_refused() {
    let ask = |stage: &str, parameters: &str| {
        Banking::scenarios(Request { stage: stage.into(), count: 1, seed: 0, parameters: parameters.into() })
    };
    assert!(matches!(ask("clean", r#"{"size":3}"#), Err(Error::InvalidInput(_))));
    assert!(matches!(ask("clean", ""), Err(Error::InvalidInput(_))));
    assert!(matches!(ask("recorded", "{}"), Err(Error::Unsupported(_))));
}

#[test]
fn the_description_is_complete_and_names_every_recipient_target_and_visibility() {
    use weir_plugin::testing::declared;
    let info = Banking::describe();
    let used: BTreeSet<String> = every().into_iter().map(|scenario| scenario.family).collect();
    assert_eq!(info.families.iter().cloned().collect::<BTreeSet<_>>(), used);
    assert_eq!(info.families.len(), used.len());
    let roles = declared(&info.toolsets[0].tools);
    let expected = [
        "transfer 110",
        "set_standing_order 110",
        "change_limit 010",
        "freeze_card 010",
        "save_payee 110",
        "save_note 011",
        "delete_note 010",
        "quarantine_note 010",
    ];
    assert_eq!(roles, expected);
}
