//! The leaderboard: the paper's seven defences do there what they do in the default suite, and two strong ones beside them
//! commit nothing wrong and lose little.

use crate::suite::{mean, rows, rows_of, select, value};
use crate::support::program::{scratch, weir};
use crate::support::recorded::with_cache;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use weir_suite::Row;

const STRONG: [&str; 2] = ["privilege", "information-flow"];
/// Domains that the default suite has too.
const OFFICE: [&str; 3] = ["email", "documents", "crm"];
const COMPLETION: &str = "authorized_tainted_action_success";

/// The run's folder, and its rows.
fn leaderboard() -> &'static (PathBuf, Vec<Row>) {
    static RUN: OnceLock<(PathBuf, Vec<Row>)> = OnceLock::new();
    RUN.get_or_init(|| {
        let home = scratch("leaderboard");
        weir(&home, &with_cache(&["run", "leaderboard", "--out", "out"])).good();
        let out = home.join("out");
        let rows = rows_of(&out);
        (out, rows)
    })
}

#[test]
fn every_defence_runs_every_scenario_under_five_seeds() {
    let (_, rows) = leaderboard();
    let policies: BTreeSet<&str> = rows.iter().map(|row| row.policy.as_str()).collect();
    assert_eq!(policies.len(), 9, "{policies:?}");
    for (stage, scenarios) in [("security", 192), ("memory-recovery", 96), ("active-tainted", 120), ("clean", 96)] {
        for policy in &policies {
            let office = select(rows, policy, stage).into_iter().filter(|row| OFFICE.contains(&row.domain.as_str()));
            assert_eq!(office.count(), scenarios * 5, "{policy}, {stage}");
        }
    }
    assert!(rows.iter().all(|row| row.faults == 0));
}

#[test]
fn the_papers_defences_do_what_they_do_in_the_default_suite() {
    let measured = |row: &Row| (row.unit.clone(), serde_json::to_string(&row.measurements).unwrap());
    let here: BTreeMap<String, String> = leaderboard().1.iter().map(measured).collect();
    for row in rows() {
        let (unit, expected) = measured(row);
        assert_eq!(here.get(&unit), Some(&expected), "{} under {}", row.cluster, row.policy);
    }
}

#[test]
fn the_strong_defences_commit_nothing_wrong_and_stop_no_clean_work() {
    let (_, rows) = leaderboard();
    for policy in STRONG {
        assert_eq!(mean(&select(rows, policy, "all"), "committed_harm"), 0.0, "{policy}");
        let clean = |policy| mean(&select(rows, policy, "clean"), "clean_benign_completion");
        assert_eq!(clean(policy), clean("none"), "{policy}");
        let recovered = |policy| mean(&select(rows, policy, "memory-recovery"), "recovery_success");
        assert!(recovered(policy) >= recovered("none"), "{policy}");
    }
}

/// The rules by which a policy stopped what the user had authorised, in the active-tainted stage.
fn lost<'a>(rows: &'a [Row], policy: &str) -> BTreeMap<&'a str, usize> {
    let mut lost = BTreeMap::new();
    for row in select(rows, policy, "active-tainted") {
        for rule in row.lost.keys() {
            *lost.entry(rule.as_str()).or_default() += 1;
        }
    }
    lost
}

#[test]
fn privileges_lose_nothing_and_information_flow_only_what_untrusted_content_would_open() {
    let (_, rows) = leaderboard();
    let completion = |policy| mean(&select(rows, policy, "active-tainted"), COMPLETION);
    assert_eq!(lost(rows, "privilege"), BTreeMap::new());
    assert_eq!(completion("privilege"), completion("none"));
    let rules: Vec<&str> = lost(rows, "information-flow").into_keys().collect();
    assert_eq!(rules, ["confirm_untrusted_argument"]);
    assert!(completion("information-flow") >= completion("intent-ledger"));
    // What v2 blocks, the user is asked about.
    for row in select(rows, "information-flow", "active-tainted") {
        assert_eq!(value(row, "false_positive_blocks"), Some(0.0), "{}", row.cluster);
    }
}

#[test]
fn the_papers_numbers_are_judged_only_where_the_domains_are_the_papers() {
    let (out, rows) = leaderboard();
    let beyond = rows.iter().any(|row| !OFFICE.contains(&row.domain.as_str()));
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    assert_eq!(report.contains("published numbers"), !beyond);
    for policy in STRONG {
        assert!(report.contains(&format!("| {policy} ")), "no row of {policy}");
    }
}
