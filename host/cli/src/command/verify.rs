//! `weir verify`: a run's decisions, taken again.

use crate::command::report::Document;
use crate::common::{Operator, Outcome, print, print_json};
use crate::progress::Bar;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use weir_leaderboard::submission;
use weir_suite::share::Share;
use weir_suite::store::Store;
use weir_suite::verify::verify;

/// Findings that are printed.
const SHOWN: usize = 10;

/// Arguments.
#[derive(Args)]
pub struct Verify {
    /// A run's folder
    run: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Verify {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let store = Store::open(&self.run)?;
        // A role that the run granted harms nobody here: its answers come from the traces.
        let roles = store.manifest()?.roles();
        let plugins = self.operator.plugins_for(self.operator.jobs(), &roles)?;
        let mut found = verify(&store, &plugins, &Share::all(), self.operator.jobs(), &Bar::default())?;
        // What people read is the report, in whichever form, so each of them must follow from the results too.
        // An entry of a leaderboard has none: it can be written of it at any time.
        if found.findings.is_empty() && store.read(submission::FILE)?.is_none() {
            for (name, wanted) in Document::of(&store)?.files()? {
                match store.read(&name)? {
                    Some(text) if text == wanted.into_bytes() => {}
                    Some(_) => found.whole(format!("{name} does not follow from the results")),
                    None => found.whole(format!("{name} is missing: `weir report` writes it again")),
                }
            }
        }
        let good = found.findings.is_empty();
        if self.json {
            print_json(&found)?;
            return Ok(good);
        }
        let mut text = String::new();
        for finding in found.findings.iter().take(SHOWN) {
            let place = finding.unit.map_or_else(|| "run".to_owned(), |unit| format!("unit {unit}"));
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{place}: {}", finding.what);
        }
        if found.findings.len() > SHOWN {
            let _ = writeln!(text, "... and {} more", found.findings.len() - SHOWN);
        }
        let verdict = if good { "all equal" } else { "NOT verified" };
        let _ = writeln!(text, "{} decisions in {} traces re-executed: {verdict}", found.decisions, found.traces);
        print(&text)?;
        Ok(good)
    }
}
