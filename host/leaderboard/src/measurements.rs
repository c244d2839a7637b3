//! What a run's rows say, as a table: every metric with its denominators and its 95 % interval, as the report computes them.

use serde_json::Value;
use weir_report::authority::AuthorityReport;
use weir_report::collect::Collected;
use weir_report::stage_table;
use weir_suite::store::Store;
use weir_suite::{Error, authority};

/// The table of a run that is complete: for live rollouts a row for each condition, stage and model; for an authority suite
/// the rates of each module.
///
/// # Errors
/// Rows that cannot be aggregated, for instance since one is missing.
pub fn table(store: &Store) -> Result<Value, Error> {
    let manifest = store.manifest()?;
    let wrong = |what: String| Error::Input(format!("{}: {what}", store.path().display()));
    let rows = if manifest.kind == authority::KIND {
        let report = AuthorityReport::of(&manifest, store.rows()?, &[]).map_err(|e| wrong(e.to_string()))?;
        serde_json::to_value(report.rows)
    } else {
        let run = Collected::of(&manifest, store.rows()?).map_err(|e| wrong(e.to_string()))?;
        serde_json::to_value(stage_table::every(&run))
    };
    rows.map_err(|e| wrong(e.to_string()))
}
