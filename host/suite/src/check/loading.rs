//! The demands of the load path, in its order.

use crate::check::{Line, failed, line};
use crate::error::Error;
use crate::plugins::{Found, Plugins};
use weir_metadata::Surface;
use weir_runtime::check::imports::Class;
use weir_runtime::fault::printable;
use weir_runtime::grants::Asks;
use weir_runtime::load::Report;
use weir_runtime::{Cause, Component, Kind, Metadata};

const WELL_FORMED: &str = "size, structure and validity";
const METADATA: &str = "metadata";
const WORLD: &str = "kind and contract version";
const IMPORTS: &str = "imports and grants";
const LIMITS: &str = "limits";
const COMPILE: &str = "cost of compiling";

/// Checks what can be known before anything runs, and loads the component. None where the last line says why not.
pub(super) fn check(
    plugins: &Plugins,
    found: &Found,
    lines: &mut Vec<Line>,
) -> Result<Option<(Kind, Component)>, Error> {
    let loader = plugins.loader();
    let report = match loader.inspect(&found.name, &found.bytes) {
        Ok(report) => report,
        Err(fault) if fault.cause.is_infrastructure() => return Err(fault.into()),
        Err(fault) => {
            let demand = if matches!(fault.cause, Cause::Metadata { .. }) { METADATA } else { WELL_FORMED };
            lines.push(failed(demand, fault));
            return Ok(None);
        }
    };
    lines.push(line(WELL_FORMED, true, format!("{} bytes, sha256 {}", report.size, report.digest)));
    // Loading as a policy says in full what a component lacks that is of no kind.
    let kind = report.kind.unwrap_or(Kind::Policy);
    let loaded = loader.load(&found.name, kind, &found.bytes);
    if let Err(fault) = &loaded
        && fault.cause.is_infrastructure()
    {
        return Err(fault.clone().into());
    }
    let fault = loaded.as_ref().err();
    let stopped_at = fault.map(|fault| demand(&fault.cause));
    for demand in [WORLD, METADATA, IMPORTS, LIMITS, COMPILE] {
        if let Some(fault) = fault
            && stopped_at == Some(demand)
        {
            lines.push(failed(demand, fault.clone()));
            return Ok(None);
        }
        lines.push(match demand {
            WORLD => line(WORLD, true, contract(&found.bytes)),
            METADATA => metadata(&report, &found.bytes),
            IMPORTS => line(IMPORTS, true, imports(&report)),
            LIMITS => line(LIMITS, true, limits(report.metadata.as_ref())),
            _ => line(COMPILE, true, cost(&report)),
        });
    }
    Ok(loaded.ok().map(|component| (kind, component)))
}

/// The demand that a fault of the load path is about.
fn demand(cause: &Cause) -> &'static str {
    match cause {
        Cause::UnknownImport { .. } | Cause::WasiImport { .. } | Cause::NotGranted { .. } => IMPORTS,
        Cause::LimitWanted { .. } => LIMITS,
        Cause::Compile { .. } | Cause::CompileLimit { .. } => COMPILE,
        _ => WORLD,
    }
}

fn contract(component: &[u8]) -> String {
    let kind = Surface::read(component).ok().and_then(|surface| surface.kind());
    kind.map_or_else(String::new, |(kind, contract)| format!("{} of {contract}", kind.name()))
}

/// Whether the component says what it is, and nothing that its own imports and exports contradict.
fn metadata(report: &Report, component: &[u8]) -> Line {
    let Some(said) = &report.metadata else {
        let what = "it says nothing of itself: `weir build` writes that, or `weir annotate FILE --name NAME --version VERSION`";
        return line(METADATA, false, what.into());
    };
    let surface = Surface::read(component).unwrap_or_default();
    let mut wrong = Vec::new();
    if let Some((kind, contract)) = surface.kind() {
        if kind != said.kind {
            wrong.push(format!("it says that it is a {}, and exports a {}", said.kind.name(), kind.name()));
        }
        if contract != said.contract {
            wrong.push(format!("it says that it was built against {}, and exports {contract}", said.contract));
        }
    }
    let asks = Asks::of(Some(said));
    let imported = surface.capabilities();
    for capability in asks.needed.iter().chain(&asks.optional) {
        let imports = match capability {
            weir_runtime::Capability::Model(_) => surface.asks_models(),
            plain => imported.contains(plain),
        };
        if !imports {
            wrong.push(format!("it asks for `{}`, which it does not import", printable(&capability.to_string())));
        }
    }
    if wrong.is_empty() {
        return line(METADATA, true, format!("{} {}", printable(&said.name), printable(&said.version)));
    }
    let advice = "`weir annotate FILE` with what is right, or `weir build`, writes it anew";
    line(METADATA, false, format!("{}\n      {advice}", wrong.join("\n      ")))
}

fn imports(report: &Report) -> String {
    let capabilities: Vec<&str> =
        report.imports.iter().filter(|i| i.class == Class::Capability).map(|i| i.name.as_str()).collect();
    let wasi = report.imports.iter().filter(|import| import.class == Class::Wasi).count();
    let mut text = if capabilities.is_empty() { "no capability".to_owned() } else { capabilities.join(", ") };
    if wasi > 0 {
        text.push_str(&format!(", and {wasi} interfaces of WASI, which only the compat profile offers"));
    }
    text
}

fn limits(said: Option<&Metadata>) -> String {
    let wanted: Vec<String> =
        said.map(|said| said.limits.iter().map(|(limit, n)| format!("{limit} {n}")).collect()).unwrap_or_default();
    if wanted.is_empty() {
        "those of every plugin".into()
    } else {
        format!("wants {}, which is allowed", wanted.join(", "))
    }
}

/// Compiling is more than linear in the largest function, and otherwise goes by the bytes of code.
fn cost(report: &Report) -> String {
    let s = &report.structure;
    format!(
        "{} functions, {} bytes of code, {} in the largest, most locals {}",
        s.functions, s.code_bytes, s.largest_function, s.most_locals
    )
}
