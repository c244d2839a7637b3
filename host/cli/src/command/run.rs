//! `weir run`: a suite.

use crate::common::{Operator, Outcome, print, print_json};
use crate::progress::Bar;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use weir_report::stage_table;
use weir_suite::store::Store;
use weir_suite::suite_file::Suite;
use weir_suite::{Error, Manifest, live};

/// Arguments.
#[derive(Args)]
pub struct Run {
    /// A built-in suite, or a suite file
    #[arg(default_value = "smoke")]
    suite: String,
    /// Policies instead of the suite's own: names or files, separated by commas; the first is the control
    #[arg(long, value_name = "P,...", value_delimiter = ',')]
    policy: Vec<String>,
    /// Folder of the run; the same command again finishes what is there [default: weir-out/SUITE-IDENTITY]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Run {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let mut suite = Suite::find(&self.suite)?;
        if !self.policy.is_empty() {
            suite.policies.clone_from(&self.policy);
        }
        let plugins = self.operator.plugins()?;
        let prepared = live::prepare(&suite, &plugins)?;
        let out = self.out.unwrap_or_else(|| default_out(&suite.name, &prepared.manifest));
        let store = Store::create(&out)?;
        prepared.execute(&store, self.operator.settings(), &mut Bar::default())?;
        let rows = stage_table::aggregate(&store.rows()?);
        let table = stage_table::render(&rows, &prepared.manifest);
        let title = format!("# {}: {}\n\n", suite.name, suite.title);
        let report = finish(&store, &(title + &table), &json!({ "rows": rows }))?;
        if self.json {
            print_json(&json!({ "rows": rows, "out": out, "report": report }))?;
        } else {
            print(&format!("{table}\nreport  {}\nverify  weir verify {}\n", report.display(), out.display()))?;
        }
        Ok(true)
    }
}

/// A folder of its own for each run that would give other results.
pub fn default_out(name: &str, manifest: &Manifest) -> PathBuf {
    PathBuf::from("weir-out").join(format!("{name}-{}", manifest.identity()))
}

/// Writes a run's report beside its results.
pub fn finish(store: &Store, markdown: &str, json: &serde_json::Value) -> Result<PathBuf, Error> {
    let text = serde_json::to_string_pretty(json).map_err(|e| Error::Input(e.to_string()))?;
    store.write("report.json", (text + "\n").as_bytes())?;
    store.write("report.md", markdown.as_bytes())?;
    Ok(store.path().join("report.md"))
}
