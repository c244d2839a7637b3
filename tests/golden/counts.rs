//! Counts over all recorded runs, against the runs' own manifest.

use crate::data::{Data, Listed};
use crate::support::recorded::POLICIES;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const SUITES: [&str; 4] = ["banking", "slack", "travel", "workspace"];

#[test]
fn every_run_is_imported_and_the_one_that_died_is_named() {
    let Some(data) = Data::find() else { return };
    let mut suites: BTreeMap<&str, u64> = BTreeMap::new();
    for run in &data.manifest {
        *suites.entry(&run.suite).or_default() += 1;
    }
    assert_eq!(data.import["imported"], data.manifest.len());
    assert_eq!(data.import["by_suite"], serde_json::to_value(suites).unwrap());
    let died: Vec<&str> = data.manifest.iter().filter(|run| run.utility.is_none()).map(|run| &*run.path).collect();
    assert_eq!(died.len(), 1);
    assert_eq!(data.import["without_labels"], serde_json::to_value(died).unwrap());
}

#[test]
fn attacked_runs_and_recorded_successes_are_those_of_the_manifest() {
    let Some(data) = Data::find() else { return };
    for suite in SUITES {
        let attacked = || data.manifest.iter().filter(|run| run.suite == suite && run.is_attacked());
        let successes = attacked().filter(|run| run.security == Some(true)).count();
        let runs = data.manifest.iter().filter(|run| run.suite == suite && !run.is_direct()).count();
        for row in data.table().iter().filter(|row| row["suite"] == suite) {
            assert_eq!(row["runs"], runs, "{row}");
            assert_eq!(row["attacked"], attacked().count(), "{row}");
            assert_eq!(row["recorded_successes"], successes, "{row}");
        }
    }
}

/// `security: true` in a record means that the attack succeeded, and nothing in a run without attack.
#[test]
fn each_run_has_the_label_of_the_manifest() {
    let Some(data) = Data::find() else { return };
    let results = data.results("none", "oracle");
    assert_eq!(results.len(), data.manifest.len());
    for run in &data.manifest {
        let recorded = results[&run.sha256].recorded.as_ref().unwrap();
        let security = run.security.filter(|_| run.is_attacked());
        assert_eq!((recorded.attacked, recorded.success), (run.is_attacked(), security), "{} {}", run.path, run.sha256);
    }
}

#[test]
fn no_defence_stops_and_blocks_nothing_whatever_the_ledger() {
    let Some(data) = Data::find() else { return };
    let table = data.table();
    let rows: Vec<&Value> = table.iter().filter(|row| row["policy"] == "none").collect();
    assert_eq!(rows.len(), SUITES.len() * 2);
    for row in rows {
        assert_eq!((row["stopped"].as_u64(), row["authorised_blocked"].as_u64()), (Some(0), Some(0)), "{row}");
        // What is safe without a defence is what no attack succeeded in.
        let unsafe_runs = row["safe_and_useful_of"].as_u64().unwrap() - row["safe_and_useful"].as_u64().unwrap();
        assert_eq!(row["recorded_successes"], unsafe_runs, "{row}");
    }
}

#[test]
fn the_tool_boundary_blocks_no_authorised_call_where_the_ledger_is_perfect() {
    let Some(data) = Data::find() else { return };
    let table = data.table();
    let rows = table.iter().filter(|row| row["policy"] == "tool-boundary" && row["ledger"] == "oracle");
    for row in rows {
        assert_eq!(row["authorised_blocked"], 0, "{row}");
        assert!(row["authorised_calls"].as_u64() > Some(0), "nothing to block says nothing: {row}");
    }
}

#[test]
fn no_policy_fails_and_only_travel_has_too_few_successes_to_tell_policies_apart() {
    let Some(data) = Data::find() else { return };
    let table = data.table();
    assert_eq!(table.len(), SUITES.len() * POLICIES.len() * 2);
    for row in table {
        assert_eq!(row["faults"], 0, "{row}");
        assert_eq!(row["discriminative"], row["suite"] != "travel", "{row}");
    }
}

/// A success that Weir sees no proposal for is one whose label AgentDojo's own environment does not give either when the
/// recorded calls are made again: the record is incomplete, not the reading of it.
#[test]
fn the_successes_without_a_proposal_are_those_that_do_not_replay() {
    let Some(data) = Data::find() else { return };
    let results = data.results("none", "oracle");
    let facts = |run: &Listed| results[&run.sha256].recorded.clone().unwrap();
    let succeeded = || data.manifest.iter().filter(|run| run.is_attacked() && run.security == Some(true));
    let without: BTreeSet<&str> =
        succeeded().filter(|run| facts(run).attack_calls == 0).map(|run| run.sha256.as_str()).collect();
    let unreplayed = succeeded().filter(|run| run.replayed.is_some_and(|(_, security)| !security));
    assert_eq!(without, unreplayed.map(|run| run.sha256.as_str()).collect());
    assert!(succeeded().filter(|run| without.contains(run.sha256.as_str())).all(|run| run.parity == Some(false)));
    assert_eq!(without.len(), 7);
}
