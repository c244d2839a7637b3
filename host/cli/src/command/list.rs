//! `weir list`: what is built in.

use crate::common::{Outcome, print, print_json};
use clap::Args;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use weir_suite::authority::AuthoritySuite;
use weir_suite::suite_file::Suite;
use weir_suite::{input, models};
use weir_trace::json::sha256;

/// Arguments.
#[derive(Args)]
pub struct List {
    /// Also write each built-in component to this folder, as KIND-NAME.wasm
    #[arg(long, value_name = "DIR")]
    save: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Plugin {
    kind: &'static str,
    name: &'static str,
    digest: String,
    bytes: usize,
}

impl List {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let plugins: Vec<Plugin> = weir_components::ALL
            .iter()
            .map(|one| Plugin { kind: one.kind, name: one.name, digest: sha256(one.bytes), bytes: one.bytes.len() })
            .collect();
        if let Some(folder) = &self.save {
            for one in weir_components::ALL {
                input::write(&folder.join(format!("{}-{}.wasm", one.kind, one.name)), one.bytes)?;
            }
        }
        let suites: Vec<&str> = Suite::names().chain(AuthoritySuite::names()).collect();
        let actors: Vec<&str> = models::actors().collect();
        if self.json {
            print_json(&serde_json::json!({
                "plugins": plugins,
                "suites": suites,
                "models": models::names().collect::<Vec<_>>(),
                "acting_models": actors,
            }))?;
            return Ok(true);
        }
        let mut text = String::new();
        for plugin in &plugins {
            let short = plugin.digest.get(..12).unwrap_or(&plugin.digest);
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{:<8} {:<19} {short}  {:>7} bytes", plugin.kind, plugin.name, plugin.bytes);
        }
        for suite in suites {
            let _ = writeln!(text, "{:<8} {suite}", "suite");
        }
        for model in models::names() {
            let _ = writeln!(text, "{:<8} {model} (simulated)", "model");
        }
        for model in actors {
            let _ = writeln!(text, "{:<8} {model} (simulated, for authority suites)", "model");
        }
        print(&text)?;
        Ok(true)
    }
}
