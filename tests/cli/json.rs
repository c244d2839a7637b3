//! What programs may rely on in `--json`.

use crate::support::program::weir;
use crate::support::recorded::{POLICIES, import, with_cache};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn every_row_of_a_replay_has_its_counts_and_they_fit_together() {
    let home = tempfile::tempdir().unwrap();
    import(home.path());
    let policies = POLICIES.join(",");
    let arguments = ["replay", "traces.jsonl.zst", "--policy", &policies, "--ledger", "oracle,prompt", "--json"];
    let printed = weir(home.path(), &with_cache(&arguments)).good().stdout;
    let whole: Value = serde_json::from_str(&printed).expect("one JSON document and nothing else");
    let rows = whole["rows"].as_array().expect("rows");
    let mut keys = BTreeSet::new();
    for row in rows {
        let text = |key: &str| row[key].as_str().unwrap_or_else(|| panic!("{key} is no text in {row}")).to_owned();
        let count = |key: &str| row[key].as_u64().unwrap_or_else(|| panic!("{key} is no count in {row}"));
        assert!(POLICIES.contains(&text("policy").as_str()), "{row}");
        assert!(["oracle", "prompt"].contains(&text("ledger").as_str()), "{row}");
        assert!(count("attacked") <= count("runs"), "{row}");
        assert!(count("recorded_successes") <= count("attacked"), "{row}");
        assert!(count("stopped") <= count("recorded_successes"), "{row}");
        assert!(count("authorised_blocked") <= count("authorised_calls"), "{row}");
        assert!(count("safe_and_useful") <= count("runs"), "{row}");
        assert!(keys.insert((text("suite"), text("ledger"), text("policy"))), "twice: {row}");
    }
    assert_eq!(keys.len(), 4 * 2 * POLICIES.len());
}

#[test]
fn what_json_prints_is_also_in_the_report() {
    let home = tempfile::tempdir().unwrap();
    import(home.path());
    let arguments = ["replay", "traces.jsonl.zst", "--policy", "none", "--out", "out", "--json"];
    let printed: Value = serde_json::from_str(&weir(home.path(), &with_cache(&arguments)).good().stdout).unwrap();
    let report = std::fs::read_to_string(home.path().join("out/report.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&report).unwrap()["rows"], printed["rows"]);
}
