//! `weir inspect`: what a component is, without compiling or running it.

use crate::common::{Failure, Operator, Outcome, print, print_json, report_fault};
use clap::Args;
use std::fmt::Write;
use weir_runtime::check::imports::Class;
use weir_runtime::fault::printable;
use weir_runtime::load::Report;
use weir_runtime::{Capability, Kind, Limits, Metadata};
use weir_suite::Plugins;
use weir_suite::plugins::Found;

/// Arguments.
#[derive(Args)]
pub struct Inspect {
    /// A built-in plugin's name, or a file
    plugin: String,
    /// Also print the world that it implements, as WIT
    #[arg(long)]
    wit: bool,
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
        let looked = plugins.loader().inspect(&found.name, &found.bytes).and_then(|report| {
            let wit = self.wit.then(|| plugins.loader().wit(&found.name, &found.bytes)).transpose()?;
            Ok((report, wit))
        });
        let (report, wit) = match looked {
            Ok(looked) => looked,
            Err(fault) => {
                report_fault(&fault, self.json)?;
                return Err(fault.into());
            }
        };
        let limits = &plugins.loader().grants().limits;
        if self.json {
            let mut all = serde_json::json!({ "component": report, "limits": limits });
            if let (Some(wit), Some(all)) = (wit, all.as_object_mut()) {
                all.insert("wit".into(), wit.into());
            }
            print_json(&all)?;
        } else {
            print(&readable(&report, limits, wit.as_deref()))?;
        }
        Ok(true)
    }
}

/// The kind of a built-in plugin of this name.
pub fn built_in(wanted: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| Plugins::names(*kind).any(|name| name == wanted))
}

/// Finds a plugin of any kind.
pub fn find(wanted: &str) -> Result<Found, Failure> {
    if let Some(kind) = built_in(wanted) {
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

fn readable(report: &Report, limits: &Limits, wit: Option<&str>) -> String {
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
    match &report.metadata {
        Some(said) => says(said, &mut line),
        None => line("says", "nothing of itself: `weir annotate` writes it into the component".into()),
    }
    line(
        "limits",
        format!(
            "{} fuel a hook, {} fuel a call, {} bytes of memory, {} bytes of output a call",
            limits.hook_fuel, limits.call_fuel, limits.memory_bytes, limits.output_bytes
        ),
    );
    if let Some(wit) = wit {
        text.push('\n');
        text.push_str(wit);
    }
    text
}

/// What a component says of itself.
fn says(said: &Metadata, line: &mut dyn FnMut(&str, String)) {
    let mut text = |name: &str, value: &str| line(name, printable(value));
    text("says", &format!("{} {}, a {} for {}", said.name, said.version, said.kind.name(), said.contract));
    for author in &said.authors {
        text("  author", author);
    }
    for (name, value) in [("  licence", &said.licence), ("  homepage", &said.homepage)] {
        if let Some(value) = value {
            text(name, value);
        }
    }
    let names = |list: &[Capability]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    text("  asks for", &if said.asks.is_empty() { "nothing".into() } else { names(&said.asks) });
    if !said.optional.is_empty() {
        text("  if granted", &names(&said.optional));
    }
    for (limit, number) in &said.limits {
        text("  wants", &format!("{limit} {number}"));
    }
}
