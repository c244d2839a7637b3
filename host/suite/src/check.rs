//! `weir check`: the whole load path on one component, then whether it answers, and the same each time.

use crate::cases::Case;
use crate::error::Error;
use crate::plugins::{Found, Plugins};
use crate::sample::{MODELS, all_cases, rollouts, stage_cases};
use serde::Serialize;
use weir_rollout::Infra;
use weir_rollout::reduce::Reducers;
use weir_runtime::contract::PACKAGE;
use weir_runtime::wit::memory::{Speaker, Turn};
use weir_runtime::wit::writers::{Method, Task, View};
use weir_runtime::world::{DomainPlugin, PolicyPlugin, ReducerPlugin, WriterPlugin};
use weir_runtime::{Fault, Kind};
use weir_trace::codec::encode;
use weir_trace::{Trace, fact};

/// One demand and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The demand.
    pub demand: String,
    /// Whether it holds.
    pub holds: bool,
    /// What was found.
    pub detail: String,
    /// The fault report, where a fault is why it does not hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Box<Fault>>,
}

/// Checks a component, up to the first demand of the load path that does not hold.
///
/// # Errors
/// Where the host itself fails, so that nothing is known.
pub fn check(plugins: &Plugins, found: &Found) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let report = match plugins.loader().inspect(&found.name, &found.bytes) {
        Ok(report) => report,
        Err(fault) => return Ok(vec![failed("size, structure and validity", fault)]),
    };
    lines.push(holds("size, structure and validity", format!("{} bytes, sha256 {}", report.size, report.digest)));
    let Some(kind) = report.kind else {
        // Loading as a policy says in full what is missing.
        let loaded = plugins.loader().load(&found.name, Kind::Policy, &found.bytes);
        lines.extend(loaded.err().map(|fault| failed("world", fault)));
        return Ok(lines);
    };
    let component = match plugins.loader().load(&found.name, kind, &found.bytes) {
        Ok(component) => component,
        Err(fault) => {
            lines.push(failed("world, imports, grants and compilation", fault));
            return Ok(lines);
        }
    };
    let imports: Vec<&str> = report.imports.iter().map(|import| import.name.as_str()).collect();
    let number = report.contract.as_deref().unwrap_or("an unknown version");
    let detail = format!("{} of {PACKAGE}@{number}; imports {}", kind.name(), imports.join(", "));
    lines.push(holds("world, imports, grants and compilation", detail));
    let behaviour = match kind {
        Kind::Policy => PolicyPlugin::new(component).map_err(Error::from).and_then(|p| policy(plugins, &p)),
        Kind::Domain => DomainPlugin::new(component).map_err(Error::from).and_then(|d| domain(plugins, &d)),
        Kind::Reducer => ReducerPlugin::new(component).map_err(Error::from).and_then(|r| reducer(plugins, r)),
        Kind::Writer => WriterPlugin::new(component).map_err(Error::from).map(|w| writer(&w)),
    };
    match behaviour {
        Ok(more) => lines.extend(more),
        Err(Error::Plugin(fault) | Error::Infra(Infra::Domain(fault) | Infra::Reducer(fault) | Infra::Host(fault))) => {
            lines.push(failed("answers", fault));
        }
        Err(other) => return Err(other),
    }
    Ok(lines)
}

fn holds(demand: &str, detail: String) -> Line {
    Line { demand: demand.into(), holds: true, detail, fault: None }
}

fn failed(demand: &str, fault: Box<Fault>) -> Line {
    Line { demand: demand.into(), holds: false, detail: fault.to_string(), fault: Some(fault) }
}

fn equal(demand: &str, same: bool, detail: String) -> Line {
    Line { demand: demand.into(), holds: same, detail, fault: None }
}

/// Rollouts twice, the second time in the opposite order: neither time nor an earlier rollout may matter.
fn policy(plugins: &Plugins, policy: &PolicyPlugin) -> Result<Vec<Line>, Error> {
    let (email, _) = plugins.domain("email")?;
    let cases = all_cases(&email)?;
    let first = rollouts(&email, policy, &cases)?;
    let backwards: Vec<Case> = cases.into_iter().rev().collect();
    let second = rollouts(&email, policy, &backwards)?;
    let second: Vec<&Trace> = second.chunks(MODELS.len()).rev().flatten().collect();
    let faults = first.iter().filter(|t| t.events.iter().any(|e| e.is(fact::PLUGIN_FAULT))).count();
    let unequal = digests(&first)?.iter().zip(digests(second)?).filter(|(a, b)| *a != b).count();
    let n = first.len();
    Ok(vec![
        equal("answers every hook", faults == 0, format!("{faults} of {n} rollouts with a fault")),
        equal(
            "deterministic, and no state between rollouts",
            unequal == 0,
            format!("{unequal} of {n} traces differ when run again in the opposite order"),
        ),
    ])
}

fn reducer(plugins: &Plugins, reducer: ReducerPlugin) -> Result<Vec<Line>, Error> {
    let (email, _) = plugins.domain("email")?;
    let (none, _) = plugins.policy("none")?;
    let traces = rollouts(&email, &none, &all_cases(&email)?)?;
    let reducers = Reducers::new(vec![Box::new(reducer)])?;
    let metrics = reducers.metrics().count();
    let mut unequal = 0;
    for trace in &traces {
        unequal += usize::from(reducers.measure(trace)? != reducers.measure(trace)?);
    }
    Ok(vec![
        equal("has metrics", metrics > 0, format!("{metrics} metrics")),
        equal(
            "deterministic",
            unequal == 0,
            format!("{unequal} of {} traces measured otherwise the second time", traces.len()),
        ),
    ])
}

fn domain(plugins: &Plugins, domain: &DomainPlugin) -> Result<Vec<Line>, Error> {
    let info = domain.describe()?;
    let mut lines = vec![equal("describes itself the same each time", info == domain.describe()?, info.title.clone())];
    let (none, _) = plugins.policy("none")?;
    for stage in &info.stages {
        let demand = format!("stage `{stage}`");
        match stage_cases(domain, &info, stage) {
            Ok(cases) if cases.is_empty() => lines.push(equal(&demand, false, "has no scenario".into())),
            Ok(cases) => {
                let again = stage_cases(domain, &info, stage)?;
                let same_scenarios = cases.iter().zip(&again).all(|(a, b)| a.scenario == b.scenario);
                let first = digests(&rollouts(domain, &none, &cases)?)?;
                let same = same_scenarios && first == digests(&rollouts(domain, &none, &again)?)?;
                lines.push(equal(&demand, same, format!("{} scenarios, generated and run twice", cases.len())));
            }
            // A domain of recorded runs has no scenarios without a record.
            Err(Error::Plugin(fault)) if matches!(fault.cause, weir_runtime::Cause::Refused { .. }) => {
                lines.push(holds(&demand, format!("needs parameters: {}", fault.cause)));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(lines)
}

fn writer(writer: &WriterPlugin) -> Vec<Line> {
    let turn = |index, speaker, text: &str| Turn { index, speaker, text: text.into(), calls: vec![], call_id: None };
    let history = [
        turn(0, Speaker::User, "I always fly from Zurich."),
        turn(1, Speaker::Assistant, "Noted. Shall I book the usual seat?"),
        turn(2, Speaker::User, "Yes, the aisle."),
    ];
    let task = Task {
        history: history.into(),
        marks: Vec::new(),
        existing: Vec::new(),
        limit: 16,
        view: View::Full,
        method: Method::Rules,
    };
    match (writer.consolidate(&task), writer.consolidate(&task)) {
        (Ok(a), Ok(b)) => vec![equal("deterministic", a == b, format!("{} memories, written twice", a.value.len()))],
        (Err(fault), _) | (_, Err(fault)) => vec![failed("answers", fault)],
    }
}

fn digests<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Result<Vec<String>, Error> {
    let digest =
        |trace: &Trace| encode(&trace.header, &trace.events).map(|f| f.sha256).map_err(|e| Error::Input(e.to_string()));
    traces.into_iter().map(digest).collect()
}
