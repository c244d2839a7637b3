use super::*;
use crate::figures::samples::trace;
use crate::page::Block;
use crate::testing::{Synthetic, Unit, manifest};
use std::convert::Infallible;
use weir_suite::{Manifest, Row};

/// A run of three policies, one of them somebody's own.
fn run(measure: impl Fn(&Unit) -> Vec<(&'static str, Option<f64>)>) -> (Manifest, Vec<Row>) {
    let rows = Synthetic::new(&["mine", "none", "tool-boundary"], &["active-tainted", "security"], 12, 2).rows(measure);
    let mut manifest = manifest(rows.len());
    let plugin = |name: &str| serde_json::json!({ "kind": "policy", "name": name, "digest": "d", "version": null });
    let plugins = ["mine", "none", "tool-boundary"].map(plugin);
    manifest.plugins = serde_json::from_value(serde_json::Value::from(plugins.to_vec())).unwrap();
    (manifest, rows)
}

/// What is said of `mine`, where the first rollout's trace is of a call that was blocked, or let through.
fn own(manifest: &Manifest, rows: Vec<Row>, allowed: bool) -> Own {
    let read = |row: &Row| Ok(trace(&row.policy, allowed));
    let found = gather(manifest, &[], rows.into_iter().map(Ok::<_, Infallible>), read).unwrap();
    let [one] = <[Own; 1]>::try_from(found).unwrap();
    one
}

/// Work is completed by everyone, but for what `mine` loses.
fn works(lost: impl Fn(&Unit) -> bool) -> impl Fn(&Unit) -> Vec<(&'static str, Option<f64>)> {
    move |unit| {
        let metric = if unit.stage == "security" { "benign_completion" } else { "authorized_tainted_action_success" };
        vec![(metric, Some(f64::from(!(unit.policy == "mine" && lost(unit)))))]
    }
}

#[test]
fn work_is_lost_by_rule_and_scenario_the_worst_first() {
    let (manifest, mut rows) = run(works(|unit| {
        unit.stage == "active-tainted" && (unit.scenario == 3 || unit.seed == 2 && unit.scenario == 1)
    }));
    for row in rows.iter_mut().filter(|row| row.policy == "mine" && row.scenario == "active-tainted/3") {
        row.lost.insert("block_b".into(), 1);
        row.lost.insert("block_a".into(), 2);
    }
    let own = own(&manifest, rows, false);
    let against = |policy: &str| Against { policy: policy.into(), completes: 48, lost: 3, violations: 0 };
    assert_eq!(own.against, [against("none"), against("tool-boundary")]);
    let told: Vec<_> =
        own.lost.shown.iter().map(|one| (one.what.as_str(), one.scenario.as_str(), one.rollouts, one.unit)).collect();
    let no_call = crate::tables::losses::NO_CALL_STOPPED;
    // Rows stand in the order of policy, stage, scenario and seed: the fourth scenario's first is the seventh.
    assert_eq!(told, [("block_a + block_b", "active-tainted/3", 2, 7), (no_call, "active-tainted/1", 1, 4)]);
    assert_eq!((own.lost.shown[0].seeds.clone(), own.lost.shown[1].seeds.clone()), (vec![1, 2], vec![2]));
    assert_eq!((own.lost.more, own.violations, own.faulted), (0, 0, 0));
    assert_eq!(own.lost.shown[0].event, Some(8), "the decision on the authorised call");
}

#[test]
fn work_that_only_one_of_both_completes_is_lost_against_that_one_alone() {
    let (manifest, rows) = run(|unit| {
        let done = unit.policy == "none" || unit.policy == "tool-boundary" && unit.scenario > 0;
        vec![("authorized_tainted_action_success", Some(f64::from(done))), ("benign_completion", None)]
    });
    let own = own(&manifest, rows, false);
    let lost: Vec<_> = own.against.iter().map(|one| (one.policy.as_str(), one.completes, one.lost)).collect();
    assert_eq!(lost, [("none", 24, 24), ("tool-boundary", 22, 22)]);
    assert_eq!((own.lost.shown.len(), own.lost.more), (SHOWN, 4), "the rest is counted");
}

#[test]
fn what_gets_through_names_its_seeds_and_the_decision_that_let_it() {
    let harm = |unit: &Unit| {
        vec![
            (
                "committed_harm",
                Some(f64::from(unit.stage == "security" && (unit.policy == "none" || unit.scenario == 5))),
            ),
            ("secret_leakage", Some(f64::from(unit.policy == "mine" && unit.scenario == 5 && unit.seed == 2))),
        ]
    };
    let (manifest, rows) = run(harm);
    let own = own(&manifest, rows, true);
    let told: Vec<_> =
        own.through.shown.iter().map(|one| (one.what.as_str(), one.stage.as_str(), one.seeds.clone())).collect();
    assert_eq!(
        told,
        [
            ("a secret", "active-tainted", vec![2]),
            ("a violation", "security", vec![1]),
            ("a violation, and a secret", "security", vec![2]),
        ]
    );
    assert_eq!(own.violations, 3);
    assert_eq!(own.against.iter().map(|one| one.violations).collect::<Vec<_>>(), [24, 2]);
    assert!(own.through.shown.iter().all(|one| one.event.is_none()), "the sample's call was against nobody's task");
}

#[test]
fn a_fault_is_told_in_the_plugins_own_place_and_built_in_policies_have_no_section() {
    let (manifest, mut rows) = run(works(|_| false));
    for row in rows.iter_mut().filter(|row| row.scenario == "security/7") {
        row.faults = 2;
    }
    let own = own(&manifest, rows.clone(), true);
    assert_eq!((own.faulted, own.faults.shown.len(), own.faults.shown[0].rollouts), (2, 1, 2));
    let mut built_in = manifest;
    built_in.plugins.retain(|plugin| plugin.name != "mine");
    let none =
        gather(&built_in, &[], rows.into_iter().map(Ok::<_, Infallible>), |row| Ok(trace(&row.policy, true))).unwrap();
    assert!(none.is_empty());
}

#[test]
fn the_section_says_it_in_three_sentences_and_shows_commands_that_a_shell_takes() {
    let (manifest, rows) = run(works(|unit| unit.stage == "active-tainted" && unit.scenario == 3));
    let section = section("my run", &own(&manifest, rows, false));
    let [Block::Text(work), Block::Text(through), Block::Text(faults), Block::Table(table), Block::Verbatim(commands)] =
        section.blocks.as_slice()
    else {
        panic!("{:?}", section.blocks)
    };
    assert_eq!(
        work,
        "Authorised work: mine does not complete 2 of the 48 rollouts that none completes, nor 2 of the 48 rollouts that tool-boundary completes."
    );
    assert_eq!(through, "Violations: they get through in 0 of its 48 rollouts (none 0, tool-boundary 0).");
    assert_eq!(faults, "Faults: the plugin failed in 0 of its 48 rollouts.");
    assert_eq!(
        table.rows[0][1..],
        ["active-tainted", "email/active-tainted/3", "2", "1, 2", "7", "8"].map(str::to_owned)
    );
    assert_eq!(commands, "$ weir trace 'my run' --unit 7\n$ weir trace 'my run' --unit 7 --as-case 8");
}

#[test]
fn a_model_on_which_no_policies_are_compared_is_left_out_and_said_to_be() {
    let (manifest, rows) = run(works(|unit| unit.scenario == 3));
    let without = ["sim:m".to_owned()];
    let read = |row: &Row| Ok(trace(&row.policy, false));
    let found = gather(&manifest, &without, rows.into_iter().map(Ok::<_, Infallible>), read).unwrap();
    assert_eq!((found[0].rollouts, found[0].against.len(), found[0].lost.shown.len()), (0, 0, 0));
    let said = section("out", &found[0]);
    assert!(said.blocks.iter().any(|block| matches!(block, Block::Text(text) if text.ends_with("run with sim:m."))));
}

#[test]
fn a_script_gets_the_commands_too() {
    let (manifest, rows) = run(works(|unit| unit.stage == "active-tainted" && unit.scenario == 3));
    let value = json("out", &[own(&manifest, rows, false)]);
    let first = &value[0]["lost"]["shown"][0];
    assert_eq!(
        (&first["trace"], &first["case"]),
        (&"weir trace out --unit 7".into(), &"weir trace out --unit 7 --as-case 8".into())
    );
    assert_eq!((&first["scenario"], &value[0]["lost"]["more"]), (&"active-tainted/3".into(), &0.into()));
}
