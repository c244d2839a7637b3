//! What is not written, and that nothing is left behind.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::Path;
use support::{METRICS, names, run, try_write};
use weir_export::{Format, What};
use weir_suite::store::Store;

#[track_caller]
fn refused(store: &Store, file: &Path, what: What, said: &str) {
    let error = try_write(store, file, what, Format::Csv, true).unwrap_err().to_string();
    assert!(error.contains(said), "{error}");
    let home: Vec<_> = names(file.parent().unwrap());
    assert_eq!(home, [Path::new("run")], "something was left behind");
}

#[test]
fn a_file_that_exists_is_replaced_only_by_force() {
    let home = tempfile::tempdir().unwrap();
    let (store, file) = (run(&home.path().join("run"), &METRICS), home.path().join("mine.csv"));
    fs::write(&file, "mine").unwrap();
    let error = try_write(&store, &file, What::Rollouts, Format::Csv, false).unwrap_err().to_string();
    assert!(error.contains("exists already") && error.contains("--force"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    try_write(&store, &file, What::Rollouts, Format::Csv, true).unwrap();
    assert!(fs::read_to_string(&file).unwrap().starts_with("\"unit\","));
    assert_eq!(names(home.path()), [Path::new("mine.csv"), Path::new("run")]);
}

#[test]
fn the_runs_own_folder_is_left_alone_even_by_force() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let results = home.path().join("run/results.jsonl");
    let before = fs::read(&results).unwrap();
    let error = try_write(&store, &results, What::Rollouts, Format::Jsonl, true).unwrap_err().to_string();
    assert!(error.contains("run's own folder"), "{error}");
    assert_eq!(fs::read(&results).unwrap(), before);
}

#[test]
fn a_folder_that_is_not_there_is_not_made() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let error = try_write(&store, &home.path().join("no/file.csv"), What::Rollouts, Format::Csv, false).unwrap_err();
    assert!(error.to_string().contains("there is no folder"), "{error}");
    assert_eq!(names(home.path()), [Path::new("run")]);
}

#[test]
fn a_run_that_lacks_a_row_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let results = home.path().join("run/results.jsonl");
    let text = fs::read_to_string(&results).unwrap();
    fs::write(&results, text.split_inclusive('\n').next().unwrap()).unwrap();
    for what in What::ALL {
        refused(&store, &home.path().join("out.csv"), what, "it has 1 rows, its plan has 2 units");
    }
}

#[test]
fn rows_in_another_order_than_the_plans_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let results = home.path().join("run/results.jsonl");
    let text = fs::read_to_string(&results).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').rev().collect();
    fs::write(&results, lines.concat()).unwrap();
    refused(
        &store,
        &home.path().join("out.csv"),
        What::Measurements,
        "row 1 is not of the unit that the plan has there",
    );
}

#[test]
fn a_trace_that_its_row_does_not_know_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    let results = home.path().join("run/results.jsonl");
    let text = fs::read_to_string(&results).unwrap();
    let row: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let digest = row["trace"]["sha256"].as_str().unwrap();
    fs::write(&results, text.replace(digest, &"0".repeat(64))).unwrap();
    for what in [What::Events, What::Decisions] {
        refused(&store, &home.path().join("out.csv"), what, "the trace of unit unit-one is not the one of its row");
    }
}

#[test]
fn a_metric_with_the_name_of_another_column_is_refused_and_can_be_had_in_the_long_form() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &["policy", "spread"]);
    refused(&store, &home.path().join("out.csv"), What::Rollouts, "a reducer calls a metric `policy`");
    try_write(&store, &home.path().join("out.csv"), What::Measurements, Format::Csv, false).unwrap();
}

#[test]
fn a_metrics_name_is_no_formula_in_the_head_of_a_csv_file() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &["=1+1"]);
    let file = home.path().join("out.csv");
    try_write(&store, &file, What::Rollouts, Format::Csv, false).unwrap();
    let head = fs::read_to_string(&file).unwrap().lines().next().unwrap().to_owned();
    assert!(head.contains(",\"'=1+1\","), "{head}");
}
