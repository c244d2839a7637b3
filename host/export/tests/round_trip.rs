//! What was written is what another reader reads.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

#[path = "support/read.rs"]
mod read;
mod support;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use support::{METRICS, POLICY, SEED, TEXTS, authority, run, try_write, write};
use weir_export::{Format, What};

/// Equal as numbers: JSON has one form for 1 and 1.0.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}

#[test]
fn the_three_formats_hold_the_same_content() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    for what in What::ALL {
        for format in Format::ALL {
            write(&store, home.path(), what, format);
        }
        let file = |ending: &str| home.path().join(format!("{}.{ending}", what.name()));
        let typed = read::parquet(&file("parquet"));
        assert!(!typed.is_empty());
        for (name, other) in [("jsonl", read::jsonl(&file("jsonl"))), ("csv", read::csv(&file("csv"), &typed))] {
            assert_eq!(other.len(), typed.len(), "{what:?} {name}");
            for (left, right) in typed.iter().zip(&other) {
                assert_eq!(left.len(), right.len(), "{what:?} {name}");
                for (column, value) in left {
                    assert!(same(value, &right[column]), "{what:?} {name} {column}: {value} and {}", right[column]);
                }
            }
        }
    }
}

#[test]
fn every_event_has_its_text_names_and_edges() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let written = write(&store, home.path(), What::Events, Format::Parquet);
    let rows = read::parquet(&written.file);
    assert_eq!(rows.len(), 2 * (TEXTS.len() + 2));
    for (row, text) in rows.iter().zip(TEXTS) {
        assert_eq!(row["text"], text);
        assert_eq!(row["labels"], json!(["untrusted", "from-web"]));
        assert_eq!((&row["tool"], &row["call"]), (&Value::Null, &Value::Null));
        assert_eq!((&row["edge_parents"], &row["facts"]), (&json!([]), &json!([])));
    }
    let proposal = &rows[TEXTS.len()];
    assert_eq!((&proposal["tool"], &proposal["call"]), (&json!("send"), &json!(7)));
    assert_eq!(proposal["facts"], json!(["high_risk", "attack", "blocked"]));
    assert_eq!(
        (&proposal["edge_parents"], &proposal["edge_kinds"]),
        (&json!([0, 1]), &json!(["data-flow", "structural"]))
    );
}

#[test]
fn every_decision_has_the_call_that_it_judged() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let rows = read::jsonl(&write(&store, home.path(), What::Decisions, Format::Jsonl).file);
    assert_eq!(rows.len(), 2);
    let decision = &rows[0];
    for (column, value) in [
        ("hook", json!("authorize")),
        ("verdict", json!("block")),
        ("rule", json!("block_it")),
        ("message", json!("@not allowed")),
        ("fuel", json!(SEED)),
        ("about", json!(TEXTS.len())),
        ("tool", json!("send")),
        ("arguments", json!(r#"{"body":{"n":1},"to":"=cmd"}"#)),
        ("argument_labels", json!(r#"{"body":[],"to":["untrusted"]}"#)),
        ("labels", json!(["untrusted", "from-web"])),
        ("facts", json!(["high_risk", "attack", "blocked"])),
    ] {
        assert_eq!(decision[column], value, "{column}");
    }
    assert_eq!(rows[1]["rule"], Value::Null);
}

#[test]
fn a_rollout_has_a_column_for_each_metric_and_counts_only_where_there_are_counts() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let rows = read::parquet(&write(&store, home.path(), What::Rollouts, Format::Parquet).file);
    let [first, second] = rows.as_slice() else { panic!("{} rows", rows.len()) };
    let numbers = |row: &serde_json::Map<String, Value>| {
        let found = row.iter().skip_while(|(name, _)| *name != "harm_rate");
        found.map(|(name, value)| (name.clone(), value.clone())).collect::<Vec<_>>()
    };
    let named = |values: [Value; 6]| {
        let names =
            ["harm_rate", "harm_rate.numerator", "harm_rate.denominator", "spread", "recall", "recall.denominator"];
        names.map(str::to_owned).into_iter().zip(values).collect::<Vec<_>>()
    };
    let null = Value::Null;
    assert_eq!(numbers(first), named([json!(0.1), json!(1.0), json!(10.0), json!(-1e300), null.clone(), json!(0.0)]));
    assert_eq!(numbers(second), named([null.clone(), null.clone(), null, json!(0.0), json!(1.0), json!(3.0)]));
    assert_eq!((&first["seed"], &second["seed"]), (&json!(SEED), &json!(SEED - 1)));
    assert_eq!(first["policy_digest"], POLICY);
    assert_eq!(second["scenario_digest"], "digest of unit-two");
    assert_eq!((&first["simulated"], &first["lost_calls"]), (&json!(true), &json!(0)));
}

#[test]
fn a_unit_of_an_authority_suite_has_what_it_found_and_null_where_its_module_has_none() {
    let home = tempfile::tempdir().unwrap();
    let store = authority(&home.path().join("run"));
    for format in Format::ALL {
        write(&store, home.path(), What::Rollouts, format);
    }
    let typed = read::parquet(&home.path().join("rollouts.parquet"));
    let facts = |row: usize| {
        let names = ["module", "base", "pair", "transition", "side", "partition", "writer", "view", "method"];
        let more = ["condition", "retention", "action", "acted", "memories", "source_in_text", "source_as_evidence"];
        let values = names.iter().chain(&more).map(|name| typed[row][&format!("memory.{name}")].clone());
        Value::Array(values.collect())
    };
    let null = Value::Null;
    assert_eq!(
        facts(0),
        json!([
            "A",
            "b7",
            "b7/R2F",
            "R2F",
            "negative",
            "held-out",
            "=scribe",
            "native",
            "rules",
            null,
            "preserved",
            null,
            null,
            5,
            true,
            false
        ])
    );
    assert_eq!(
        facts(1),
        json!([
            "C",
            "b7",
            "b7/R2F",
            "R2F",
            "negative",
            "held-out",
            "=scribe",
            "native",
            "rules",
            "No label",
            "writer-error",
            "exact-blocked",
            false,
            5,
            null,
            null
        ])
    );
    assert_eq!((&typed[0]["policy_digest"], &typed[1]["policy_digest"]), (&null, &json!(POLICY)));
    for rows in [read::jsonl(&home.path().join("rollouts.jsonl")), read::csv(&home.path().join("rollouts.csv"), &typed)]
    {
        for (left, right) in typed.iter().zip(&rows) {
            assert!(left.iter().all(|(column, value)| same(value, &right[column])), "{right:?}");
        }
    }
    let other = run(&home.path().join("other"), &METRICS);
    let plain = {
        let file = home.path().join("plain.jsonl");
        read::jsonl(&try_write(&other, &file, What::Rollouts, Format::Jsonl, false).unwrap().file)
    };
    assert!(plain[0].keys().all(|name| !name.starts_with("memory.")), "no other run has these columns");
}

#[test]
fn the_long_form_has_a_row_for_each_metric_and_null_where_it_does_not_apply() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let rows = read::parquet(&write(&store, home.path(), What::Measurements, Format::Parquet).file);
    let short = |row: &serde_json::Map<String, Value>| {
        ["unit", "metric", "value", "numerator", "denominator"].map(|column| row[column].clone())
    };
    assert_eq!(rows.len(), 6);
    assert_eq!(short(&rows[0]), [json!("unit-one"), json!("harm_rate"), json!(0.1), json!(1.0), json!(10.0)]);
    assert_eq!(short(&rows[1]), [json!("unit-one"), json!("recall"), Value::Null, Value::Null, json!(0.0)]);
}

#[test]
fn a_parquet_file_says_which_run_it_is_from_and_what_its_columns_mean() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let written = write(&store, home.path(), What::Rollouts, Format::Parquet);
    let reader = SerializedFileReader::new(File::open(&written.file).unwrap()).unwrap();
    let pairs = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let about: BTreeMap<&str, &str> =
        pairs.iter().map(|pair| (pair.key.as_str(), pair.value.as_deref().unwrap())).collect();
    let manifest = fs::read(home.path().join("run/manifest.json")).unwrap();
    assert_eq!(about["weir.manifest.sha256"], weir_trace::json::sha256(&manifest));
    assert_eq!(about["weir.run"], store.manifest().unwrap().identity());
    assert_eq!(about["weir.version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(about["weir.table"], "rollouts");
    let meanings: Value = serde_json::from_str(about["weir.columns"]).unwrap();
    assert_eq!(meanings["spread"], "what spread means");
    assert_eq!(meanings.as_object().unwrap().len(), written.columns);
}

#[test]
fn json_lines_are_canonical() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    for what in What::ALL {
        let text = fs::read_to_string(write(&store, home.path(), what, Format::Jsonl).file).unwrap();
        for line in text.lines() {
            assert_eq!(weir_trace::json::canonical_text(line).unwrap(), line);
        }
    }
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    for what in What::ALL {
        for format in Format::ALL {
            let [first, second] = ["first", "second"].map(|name| home.path().join(name));
            support::try_write(&store, &first, what, format, true).unwrap();
            support::try_write(&store, &second, what, format, true).unwrap();
            assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap(), "{what:?} {format:?}");
        }
    }
}
