//! The default suite's run, shared by all tests of this target.

use crate::support::program::{scratch, weir};
use crate::support::recorded::with_cache;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use weir_suite::Row;
use weir_suite::store::Store;

/// The folder of the run, on two threads.
pub fn run() -> &'static Path {
    static RUN: OnceLock<PathBuf> = OnceLock::new();
    RUN.get_or_init(|| {
        let home = scratch("default");
        weir(&home, &with_cache(&["run", "--out", "two", "--jobs", "2"])).good();
        home.join("two")
    })
}

/// All rows of the run.
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| rows_of(run()))
}

/// All rows of a run.
pub fn rows_of(folder: &Path) -> Vec<Row> {
    Store::open(folder).unwrap().rows().unwrap().map(Result::unwrap).collect()
}

/// Rows of a policy in a stage.
pub fn select<'a>(rows: &'a [Row], policy: &str, stage: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.policy == policy && (stage == "all" || row.stage == stage)).collect()
}

/// A metric's value in a row.
pub fn value(row: &Row, metric: &str) -> Option<f64> {
    row.measurements.get(metric).unwrap_or_else(|| panic!("there is no metric {metric}")).value
}

/// Equation 7: the mean over the rows where the metric applies.
pub fn mean(rows: &[&Row], metric: &str) -> f64 {
    let values: Vec<f64> = rows.iter().filter_map(|row| value(row, metric)).collect();
    assert!(!values.is_empty(), "{metric} applies nowhere");
    values.iter().sum::<f64>() / values.len() as f64
}
