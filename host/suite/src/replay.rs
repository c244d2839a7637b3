//! `weir replay`: recorded runs through policies.

use crate::error::Error;
use crate::executor::{Progress, Settings, execute};
use crate::manifest::Manifest;
use crate::plugins::Plugins;
use crate::row::Row;
use crate::store::Store;
use serde_json::json;
use std::sync::Arc;
use weir_rollout::Infra;
use weir_rollout::reduce::Reducers;
use weir_rollout::replay::{Replay, effective_tools, replay};
use weir_runtime::Kind;
use weir_runtime::world::PolicyPlugin;
use weir_trace::codec::{Frame, Toolsets, encode};
use weir_trace::contract::Tool;
use weir_trace::{PluginRef, Trace};

/// What to replay.
pub struct Request<'a> {
    /// The recorded runs.
    pub recorded: &'a [Trace],
    /// SHA-256 of the file that they came from.
    pub input: String,
    /// Policies, by name or path.
    pub policies: &'a [String],
    /// Ledger forms.
    pub ledgers: &'a [String],
    /// Treat egress reads as side effects.
    pub gate_egress: bool,
}

/// One run through one policy with one ledger.
struct Unit<'a> {
    recorded: &'a Trace,
    tools: &'a Arc<Vec<Tool>>,
    toolset: &'a str,
    policy: &'a PolicyPlugin,
    ledger: &'a str,
    id: String,
}

/// Runs the replay into `store`, or finishes the one that is there.
///
/// # Errors
/// What the user gave wrongly, or the first unit that could not be scored.
pub fn run(
    request: &Request<'_>,
    plugins: &Plugins,
    store: &Store,
    settings: Settings,
    progress: &mut dyn Progress,
) -> Result<(), Error> {
    let mut manifest = Manifest::new("replay", plugins.loader().grants());
    let mut components = Vec::new();
    let mut policies = Vec::new();
    for name in request.policies {
        let (policy, found) = plugins.policy(name)?;
        manifest.add(Kind::Policy, policy.component(), &found.manifest);
        components.push((policy.component().digest().to_owned(), found.bytes));
        policies.push(policy);
    }
    let reducers = all_reducers(plugins, &mut manifest, &mut components)?;
    manifest.settings.insert("input".into(), json!(request.input));
    manifest.settings.insert("ledgers".into(), json!(request.ledgers));
    manifest.settings.insert("gate_egress".into(), json!(request.gate_egress));

    let (toolsets, effective) = tools(request)?;
    let mut units = Vec::new();
    for ledger in request.ledgers {
        for policy in &policies {
            for (recorded, (tools, toolset)) in request.recorded.iter().zip(&effective) {
                let id = manifest.unit(&json!({
                    "recorded": recorded.header.unit,
                    "domain": recorded.header.domain.digest,
                    "policy": policy.component().digest(),
                    "ledger": ledger,
                    "toolset": toolset,
                }));
                units.push(Unit { recorded, tools, toolset, policy, ledger, id });
            }
        }
    }
    let plan: Vec<String> = units.iter().map(plan_line).collect();
    finish_manifest(&mut manifest, &plan, &reducers);
    let Some(mut writing) = store.begin(&manifest, &plan, &components, &toolsets)? else { return Ok(()) };
    execute(&units, &mut writing, settings, progress, |unit| one(unit, &reducers, request.gate_egress))?;
    store.finish(writing)
}

/// Tools with their digest.
type Digested = (Arc<Vec<Tool>>, String);

/// The toolsets of a replay, and each run's own.
fn tools(request: &Request<'_>) -> Result<(Toolsets, Vec<Digested>), Error> {
    let mut toolsets = Toolsets::default();
    let mut known: Vec<(&str, Digested)> = Vec::new();
    let mut each = Vec::with_capacity(request.recorded.len());
    for trace in request.recorded {
        let found = known.iter().find(|(digest, _)| *digest == trace.header.toolset).map(|(_, tools)| tools.clone());
        let tools = match found {
            Some(tools) => tools,
            None => {
                let tools = effective_tools(&trace.tools, request.gate_egress);
                let digest = toolsets.insert(Arc::clone(&tools)).map_err(|e| Error::Input(e.to_string()))?;
                known.push((&trace.header.toolset, (Arc::clone(&tools), digest.clone())));
                (tools, digest)
            }
        };
        each.push(tools);
    }
    Ok((toolsets, each))
}

fn plan_line(unit: &Unit<'_>) -> String {
    json!({
        "unit": unit.id,
        "policy": unit.policy.component().name(),
        "ledger": unit.ledger,
        "scenario": unit.recorded.header.scenario,
        "recorded": unit.recorded.header.unit,
    })
    .to_string()
}

fn one(unit: &Unit<'_>, reducers: &Reducers, gate_egress: bool) -> Result<(Row, Frame), Infra> {
    let component = unit.policy.component();
    let with = Replay {
        policy: unit.policy,
        reference: PluginRef { name: component.name().into(), digest: component.digest().into() },
        ledger: unit.ledger,
        unit: unit.id.clone(),
        gate_egress,
    };
    let trace = replay(unit.recorded, unit.tools, unit.toolset, &with)?;
    scored(&trace, component.name(), unit.ledger, reducers)
}

/// Measures and encodes a trace.
pub(crate) fn scored(trace: &Trace, policy: &str, ledger: &str, reducers: &Reducers) -> Result<(Row, Frame), Infra> {
    let row = Row::new(trace, policy, ledger, reducers.measure(trace)?);
    let frame = encode(&trace.header, &trace.events).map_err(|e| Infra::Input(e.to_string()))?;
    Ok((row, frame))
}

/// Loads every built-in reducer.
pub(crate) fn all_reducers(
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
) -> Result<Reducers, Error> {
    let mut reducers = Vec::new();
    for name in Plugins::names(Kind::Reducer) {
        let (reducer, found) = plugins.reducer(name)?;
        manifest.add(Kind::Reducer, reducer.component(), &found.manifest);
        components.push((reducer.component().digest().to_owned(), found.bytes));
        reducers.push(reducer);
    }
    Ok(Reducers::new(reducers)?)
}

/// Adds what is known only once the plan stands.
pub(crate) fn finish_manifest(manifest: &mut Manifest, plan: &[String], reducers: &Reducers) {
    let lines: String = plan.iter().map(|line| format!("{line}\n")).collect();
    manifest.units = plan.len();
    manifest.plan = weir_trace::json::sha256(lines.as_bytes());
    manifest.metrics = reducers.metrics().cloned().collect();
}
