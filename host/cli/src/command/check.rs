//! `weir check`: everything that a component must satisfy before it may run in a suite.

use crate::command::inspect::find;
use crate::common::{Operator, Outcome, print, print_json};
use clap::Args;
use std::fmt::Write;
use weir_suite::check::check;

/// Arguments.
#[derive(Args)]
pub struct Check {
    /// A built-in plugin's name, or a file
    plugin: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Check {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let found = find(&self.plugin)?;
        let plugins = self.operator.plugins()?;
        let lines = check(&plugins, &found)?;
        let good = lines.iter().all(|line| line.holds);
        if self.json {
            print_json(&serde_json::json!({ "plugin": found.name, "holds": good, "demands": lines }))?;
            return Ok(good);
        }
        let mut text = String::new();
        for line in &lines {
            let mark = if line.holds { "pass" } else { "FAIL" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{mark}  {}: {}", line.demand, line.detail);
        }
        let _ = writeln!(text, "{} {}", found.name, if good { "may run" } else { "may not run" });
        print(&text)?;
        Ok(good)
    }
}
