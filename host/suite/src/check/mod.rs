//! `weir check`: everything that the leaderboard demands of a component, a line each.
//!
//! Demands of the load path come first, in its order, and the first that does not hold is the last line: what follows could
//! not be asked. A plugin that loads is then asked what rollouts ask, twice and in two orders, and what no rollout would
//! ([`corpus`]): malformed, huge and empty. It may refuse that with an error of its own; it may not trap, run out of what it
//! is allowed, or break the contract.
//!
//! Nothing here is measured in seconds: cost is judged by the limits and by structure, which are the same everywhere.

pub mod corpus;
mod domain;
mod loading;
mod policy;
mod reducer;
mod rollouts;
mod unreadable;
mod writer;

use crate::error::Error;
use crate::plugins::{Found, Plugins};
use serde::Serialize;
use weir_rollout::Infra;
use weir_runtime::fault::printable;
use weir_runtime::world::{DomainPlugin, PolicyPlugin, ReducerPlugin, WriterPlugin};
use weir_runtime::{Cause, Fault, Kind};

/// One demand and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The demand.
    pub demand: String,
    /// Whether it holds.
    pub holds: bool,
    /// What was found, and what to do where it does not hold.
    pub detail: String,
    /// The fault report, where a fault is why it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Box<Fault>>,
}

/// Checks a component.
///
/// # Errors
/// Where the host itself fails, so that nothing is known.
pub fn check(plugins: &Plugins, found: &Found) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let Some((kind, component)) = loading::check(plugins, found, &mut lines)? else { return Ok(lines) };
    let behaviour = match kind {
        Kind::Policy => PolicyPlugin::new(component).map_err(Error::from).and_then(|p| policy::check(plugins, &p)),
        Kind::Domain => DomainPlugin::new(component).map_err(Error::from).and_then(|d| domain::check(plugins, &d)),
        Kind::Reducer => ReducerPlugin::new(component).map_err(Error::from).and_then(|r| reducer::check(plugins, r)),
        Kind::Writer => WriterPlugin::new(component).map_err(Error::from).and_then(|w| writer::check(&w)),
    };
    match behaviour {
        Ok(more) => lines.extend(more),
        Err(Error::Plugin(fault) | Error::Infra(Infra::Domain(fault) | Infra::Reducer(fault)))
            if !fault.cause.is_infrastructure() =>
        {
            lines.push(failed("answers", fault));
        }
        Err(other) => return Err(other),
    }
    Ok(lines)
}

fn failed(demand: &str, fault: Box<Fault>) -> Line {
    Line { demand: demand.into(), holds: false, detail: fault.to_string(), fault: Some(fault) }
}

fn line(demand: &str, holds: bool, detail: String) -> Line {
    Line { demand: demand.into(), holds, detail, fault: None }
}

/// What was wrong, by the name of the case in which it was.
#[derive(Default)]
struct Wrongs {
    found: Vec<String>,
}

/// Cases that are told in full.
const TOLD: usize = 3;

impl Wrongs {
    fn add(&mut self, case: &str, what: impl Into<String>) {
        self.found.push(format!("`{}`: {}", printable(case), what.into()));
    }

    /// A line that holds where nothing was wrong, and otherwise tells the first cases and what to do.
    fn line(self, demand: &str, good: String, advice: &str) -> Line {
        if self.found.is_empty() {
            return line(demand, true, good);
        }
        let mut detail = format!("{} of them:", self.found.len());
        for one in self.found.iter().take(TOLD) {
            detail.push_str("\n      ");
            detail.push_str(one);
        }
        if self.found.len() > TOLD {
            detail.push_str(&format!("\n      and {} more", self.found.len() - TOLD));
        }
        line(demand, false, format!("{detail}\n      {advice}"))
    }
}

/// A fault in a few words: where and why.
fn told(fault: &Fault) -> String {
    let export = fault.export.as_deref().unwrap_or("start");
    let guest = fault.stderr_tail.last().map(|words| format!(" ({words})")).unwrap_or_default();
    format!("{export}: {}{guest}", fault.cause)
}

/// Whether a fault is a refusal in the plugin's own words, which any input may get.
fn is_refusal(fault: &Fault) -> bool {
    matches!(fault.cause, Cause::Refused { .. })
}

/// A host failure is no result of a check.
fn not_the_hosts<T>(result: Result<T, Box<Fault>>) -> Result<Result<T, Box<Fault>>, Error> {
    match result {
        Err(fault) if fault.cause.is_infrastructure() => Err(Error::Plugin(fault)),
        other => Ok(other),
    }
}

/// Demand of every kind.
const NO_STATE: &str = "keeps no state outside its session";

/// What to do where it does.
const NO_STATE_ADVICE: &str =
    "keep state in the session: no static, and no order that depends on an address or on what came before";

/// Demand of every kind.
const HOSTILE: &str = "hostile inputs";

/// What to do where it traps.
const HOSTILE_ADVICE: &str =
    "answer with an error of the contract in place of a panic, and bound loops and memory by the input";
