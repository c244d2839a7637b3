//! `weir inspect`: what a component is, without compiling or running it.

use crate::common::{Failure, Operator, Outcome, print, print_json, report_fault};
use clap::Args;
use std::fmt::Write;
use weir_runtime::check::imports::Class;
use weir_runtime::load::Report;
use weir_runtime::{Kind, Limits};
use weir_suite::Plugins;
use weir_suite::plugins::Found;

/// Arguments.
#[derive(Args)]
pub struct Inspect {
    /// A built-in plugin's name, or a file
    plugin: String,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Inspect {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let found = find(&self.plugin)?;
        let plugins = self.operator.plugins()?;
        let report = match plugins.loader().inspect(&found.name, &found.bytes) {
            Ok(report) => report,
            Err(fault) => {
                report_fault(&fault, self.json)?;
                return Err(fault.into());
            }
        };
        let limits = &plugins.loader().grants().limits;
        if self.json {
            print_json(&serde_json::json!({ "component": report, "manifest": found.manifest, "limits": limits }))?;
        } else {
            print(&readable(&report, &found, limits))?;
        }
        Ok(true)
    }
}

/// Finds a plugin of any kind.
pub fn find(wanted: &str) -> Result<Found, Failure> {
    let built_in = Kind::ALL.into_iter().find(|kind| Plugins::names(*kind).any(|name| name == wanted));
    if let Some(kind) = built_in {
        return Ok(Plugins::find(kind, wanted)?);
    }
    if Plugins::is_path(wanted) {
        return Ok(Plugins::read(wanted)?);
    }
    let names: Vec<&str> = Kind::ALL.into_iter().flat_map(Plugins::names).collect();
    Err(Plugins::unknown("plugin", wanted, &names).into())
}

/// A version of the contract, and what becomes of its components.
fn contract_line(number: &str) -> String {
    let package = weir_runtime::contract::PACKAGE;
    let current = weir_runtime::contract::CURRENT.package();
    match weir_runtime::contract::Version::find(number) {
        Some(version) if version.package() == current => current,
        Some(version) => format!("{} (adapted to {current})", version.package()),
        None => {
            format!("{package}@{} (not loaded: rebuild it against {current})", weir_runtime::fault::printable(number))
        }
    }
}

fn readable(report: &Report, found: &Found, limits: &Limits) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name:<12} {value}");
    };
    line("name", report.name.clone());
    line("kind", report.kind.map_or("none: it exports no interface of weir:plugin".into(), |k| k.name().to_owned()));
    if let Some(number) = &report.contract {
        line("contract", contract_line(number));
    }
    line("sha256", report.digest.clone());
    line("size", format!("{} bytes (limit {})", report.size, limits.component_bytes));
    let s = &report.structure;
    line(
        "structure",
        format!(
            "{} modules, {} functions, largest body {} bytes, most locals {}",
            s.modules, s.functions, s.largest_function, s.most_locals
        ),
    );
    for import in &report.imports {
        let class = match import.class {
            Class::Types => "types only",
            Class::Capability => "capability",
            Class::Wasi => "WASI: needs the compat profile",
            Class::Unknown => "not offered",
        };
        line("import", format!("{} ({class})", import.name));
    }
    for export in &report.exports {
        line("export", export.clone());
    }
    let asks: Vec<String> = found.manifest.asks.iter().map(ToString::to_string).collect();
    line("asks for", asks.join(", "));
    let optional: Vec<String> = found.manifest.optional.iter().map(ToString::to_string).collect();
    if !optional.is_empty() {
        line("uses if granted", optional.join(", "));
    }
    line(
        "limits",
        format!(
            "{} fuel a hook, {} fuel a call, {} bytes of memory, {} bytes of output a call",
            limits.hook_fuel, limits.call_fuel, limits.memory_bytes, limits.output_bytes
        ),
    );
    text
}
