//! The programs that people analyse with read what is written: DuckDB and pandas, where Python has them.
//! `WEIR_PYTHON` names an interpreter that does; without it, `python3` is tried.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

#[path = "support/read.rs"]
mod read;
mod support;

use serde_json::{Value, json};
use std::env;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use support::{METRICS, SEED, TEXTS, run, write};
use weir_export::{Format, What};

/// What the script's exit says where a package is missing.
const MISSING: i32 = 3;

/// Tells the person who runs the tests why one was skipped, even where output is captured.
fn tell(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}

/// What Python sees in a folder of exports; none where it cannot look. An interpreter that was named must be able to.
fn seen(folder: &Path) -> Option<Value> {
    let named = env::var_os("WEIR_PYTHON");
    let python = named.clone().unwrap_or_else(|| "python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interoperability.py");
    let ran = match Command::new(&python).arg(script).arg(folder).output() {
        Ok(ran) => ran,
        Err(e) if named.is_none() => {
            tell(&format!("skipped: no python3 to read exports with: {e}"));
            return None;
        }
        Err(e) => panic!("{}: {e}", python.display()),
    };
    let said = String::from_utf8_lossy(&ran.stderr);
    if ran.status.code() == Some(MISSING) && named.is_none() {
        tell(&format!("skipped: python3 cannot read exports: {}", said.trim()));
        return None;
    }
    assert!(ran.status.success(), "{said}");
    Some(serde_json::from_slice(&ran.stdout).expect("the script prints JSON"))
}

#[test]
fn duckdb_and_pandas_read_every_table_and_see_what_was_written() {
    let home = tempfile::tempdir().unwrap();
    let store = run(&home.path().join("run"), &METRICS);
    for what in What::ALL {
        for format in Format::ALL {
            write(&store, home.path(), what, format);
        }
    }
    let Some(seen) = seen(home.path()) else { return };
    for what in What::ALL {
        let table = &seen[what.name()];
        let ours = read::parquet(&home.path().join(format!("{}.parquet", what.name())));
        assert_eq!(table["duckdb"], json!(ours), "{what:?}");
        let rows = json!(ours.len());
        for other in ["pandas_csv_rows", "duckdb_jsonl_rows", "pandas_jsonl_rows"] {
            assert_eq!(table[other], rows, "{what:?} {other}");
        }
        assert_eq!(table["pandas"], json!(ours), "{what:?}");
        assert_eq!(table["about"]["weir.table"], what.name());
    }
    let events = &seen["events"];
    let csv = events["duckdb_csv"].as_array().unwrap();
    for (row, text) in csv.iter().zip(TEXTS) {
        let read = row["text"].as_str().unwrap_or_default();
        assert_eq!(read.strip_prefix('\'').unwrap_or(read), text);
    }
    for (what, column, kind) in [
        ("rollouts", "seed", "UBIGINT"),
        ("rollouts", "simulated", "BOOLEAN"),
        ("rollouts", "faults", "BIGINT"),
        ("rollouts", "harm_rate.denominator", "DOUBLE"),
        ("events", "labels", "VARCHAR[]"),
        ("events", "edge_parents", "BIGINT[]"),
        ("decisions", "fuel", "UBIGINT"),
        ("decisions", "arguments", "VARCHAR"),
    ] {
        assert_eq!(seen[what]["duckdb_types"][column], kind, "{what} {column}");
    }
    assert_eq!(seen["rollouts"]["duckdb"][0]["seed"], json!(SEED));
}
