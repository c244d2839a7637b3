//! Runs with texts that break formats, as other tools have them: read by these tools, which `make tools` installs.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{METRICS, SEED, TEXTS, authority, names, run};
use weir_export::{Record, Spans, Times, every_eval_ever, inspect, otlp};
use weir_suite::Progress;

/// Nobody waits.
struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _: usize, _: usize) {}
    fn advance(&self, _: usize) {}
    fn end(&self) {}
}

fn seen(how: &str, what: &Path) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let python = root.join("target/tools/interop/bin/python");
    assert!(python.is_file(), "{} is missing: run `make tools`", python.display());
    let ran = Command::new(python).arg(root.join("tests/interop/read.py")).arg(how).arg(what).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).expect("the script prints JSON")
}

fn record() -> Record {
    Record { content: true, times: Times::default(), organisation: TEXTS.concat() }
}

#[test]
fn inspect_reads_every_text_as_it_was_and_no_metric_takes_the_place_of_a_score() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &["security", "committed_harm", "recall"]);
    let out = home.path().join("logs");
    let exported = inspect(&store, Some(out.clone()), Times::default(), &Quiet).unwrap();
    assert_eq!((exported.rollouts, exported.files), (2, 1));
    let seen = seen("inspect", &out);
    assert_eq!(seen["warnings"], json!([]));
    for sample in seen["samples"].as_array().unwrap() {
        assert_eq!(sample["messages"], json!(TEXTS));
        let approval = &sample["approvals"][0];
        assert_eq!((&approval[0], &approval[1]), (&json!("reject"), &json!("send")));
        assert_eq!(approval[2], json!({ "to": "=cmd", "body": { "n": 1 } }));
    }
    let rows = seen["samples_df"].as_array().unwrap();
    let row = |unit: &str| rows.iter().find(|row| row["unit"] == unit).unwrap();
    // The reducer's own `security` has another name; ours is 1 - committed_harm.
    assert_eq!(
        row("unit-one")["scores"],
        json!({ "metric.security": 0.1, "committed_harm": -1e300, "security": 1e300 })
    );
    assert_eq!(row("unit-two")["scores"], json!({ "committed_harm": 0.0, "recall": 1.0, "security": 1.0 }));
    assert_eq!(row("unit-one")["seed"], SEED.to_string(), "all 64 bits");
}

#[test]
fn opentelemetry_s_protocol_takes_every_text() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let out = home.path().join("spans.jsonl");
    let spans = Spans { content: true, times: Times { seconds: u32::MAX } };
    otlp(&store, Some(out.clone()), false, spans, &Quiet).unwrap();
    let seen = seen("otlp", &out);
    assert_eq!(seen.as_array().unwrap().len(), 2);
    assert_eq!(seen[0]["calls"], json!([["send", "block", "blocked"]]));
    assert_eq!(seen[0]["attributes"]["weir.seed"], SEED.to_string(), "a seed beyond 63 bits is text");
    let text = fs::read_to_string(out).unwrap();
    assert!(text.lines().count() == 2 && text.contains("attacker.example"));
}

#[test]
fn every_eval_ever_takes_every_text_and_what_it_cannot_say_is_told() {
    let home = tempfile::tempdir().unwrap();
    let store = authority(&home.path().join("authority"));
    let out = home.path().join("records");
    let exported = every_eval_ever(&store, Some(out.clone()), &record(), &Quiet).unwrap();
    // What a writer keeps is neither security nor utility; what an agent did with it is.
    assert_eq!((exported.rollouts, exported.left_out, exported.files), (1, 1, 2));
    let seen = seen("eee", &out);
    assert_eq!(seen["exit"], 0, "{}", seen["said"]);
    let store = run(&home.path().join("run"), &METRICS);
    let error = every_eval_ever(&store, Some(home.path().join("none")), &record(), &Quiet).unwrap_err().to_string();
    assert!(error.contains("no rollout has a security or a utility"), "{error}");
    assert_eq!(names(home.path()), ["authority", "records", "run"].map(PathBuf::from), "nothing is left behind");
}
