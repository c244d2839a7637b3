//! `weir replay`: recorded runs through policies.

use crate::cases::reference;
use crate::error::Error;
use crate::executor::{Progress, Settings, execute};
use crate::manifest::Manifest;
use crate::models::{self, RealModels};
use crate::names::check_plugins;
use crate::plan::{Identities, Plan};
use crate::plugins::Plugins;
use crate::row::Row;
use crate::store::Store;
use serde_json::json;
use std::sync::Arc;
use weir_rollout::Infra;
use weir_rollout::models::{Roles, Source};
use weir_rollout::reduce::Reducers;
use weir_rollout::replay::{Replay, effective_tools, replay};
use weir_runtime::world::{Measure, PolicyPlugin};
use weir_runtime::{Component, Kind};
use weir_trace::codec::{Frame, Toolsets, encode};
use weir_trace::contract::Tool;
use weir_trace::json::{canonical, sha256_of_pieces};
use weir_trace::{Origin, Trace};

/// What to replay.
pub struct Request<'a> {
    /// The recorded runs.
    pub recorded: &'a [Trace],
    /// The file that they came from, for messages.
    pub file: String,
    /// SHA-256 of that file.
    pub input: String,
    /// Policies, by name or path.
    pub policies: &'a [String],
    /// Ledger forms.
    pub ledgers: &'a [String],
    /// Treat egress reads as side effects.
    pub gate_egress: bool,
}

/// A replay with everything loaded and planned.
pub struct Prepared<'a> {
    request: Request<'a>,
    policies: Vec<PolicyPlugin>,
    reducers: Reducers,
    components: Vec<(String, Vec<u8>)>,
    toolsets: Toolsets,
    /// For each recorded run.
    tools: Vec<Digested>,
    units: Vec<Unit>,
    roles: Roles,
    /// What the results will depend on.
    pub manifest: Manifest,
}

/// One run through one policy with one ledger, by position.
struct Unit {
    recorded: usize,
    policy: usize,
    ledger: usize,
    id: String,
}

/// Loads plugins and plans the units: ledger by ledger, policy by policy, in the order of the recorded runs. `real` gives the
/// models that answer policies in their roles.
///
/// # Errors
/// What the user gave wrongly.
pub fn prepare<'a>(request: Request<'a>, plugins: &Plugins, real: &dyn RealModels) -> Result<Prepared<'a>, Error> {
    for trace in request.recorded {
        if trace.header.policy.is_some() || !matches!(trace.header.origin, Origin::Recorded { .. }) {
            return Err(Error::Input(format!(
                "{} holds decided traces, not recorded runs: replay the file that `weir import` wrote",
                request.file
            )));
        }
        if let Some(form) = request.ledgers.iter().find(|form| !trace.header.ledgers.iter().any(|l| l.form == **form)) {
            return Err(Error::Input(format!("{}: {} has no `{form}` ledger", request.file, trace.header.scenario)));
        }
    }
    let mut manifest = Manifest::new("replay", plugins.loader().grants());
    let mut components = Vec::new();
    let policies = all_policies(request.policies, plugins, &mut manifest, &mut components)?;
    let reducers = all_reducers(&[], plugins, &mut manifest, &mut components)?;
    check_plugins(&manifest)?;
    manifest.settings.insert("input".into(), json!(request.input));
    manifest.settings.insert("ledgers".into(), json!(request.ledgers));
    manifest.settings.insert("gate_egress".into(), json!(request.gate_egress));
    let roles = real.roles()?;
    if !roles.is_empty() {
        manifest.settings.insert("roles".into(), json!(models::real::entries(&roles)));
    }

    let (toolsets, tools) = tools(&request)?;
    let identities = manifest.identities();
    let mut units = Vec::new();
    for (ledger, form) in request.ledgers.iter().enumerate() {
        for (policy, plugin) in policies.iter().enumerate() {
            for (recorded, (trace, (_, toolset))) in request.recorded.iter().zip(&tools).enumerate() {
                let domain = &trace.header.domain.digest;
                let id = identity(&identities, &trace.header.unit, domain, plugin.component().digest(), form, toolset);
                units.push(Unit { recorded, policy, ledger, id });
            }
        }
    }
    let roles = models::real::for_rollouts(&roles);
    let mut prepared = Prepared { request, policies, reducers, components, toolsets, tools, units, roles, manifest };
    prepared.manifest = finished(prepared.manifest.clone(), &prepared, &prepared.reducers);
    Ok(prepared)
}

/// Identity of the unit of one recorded run.
pub(crate) fn identity(
    identities: &Identities,
    recorded: &str,
    domain: &str,
    policy: &str,
    ledger: &str,
    toolset: &str,
) -> String {
    identities.of(&canonical(&json!({
        "recorded": recorded,
        "domain": domain,
        "policy": policy,
        "ledger": ledger,
        "toolset": toolset,
    })))
}

impl Plan for Prepared<'_> {
    fn len(&self) -> usize {
        self.units.len()
    }

    fn unit(&self, position: usize) -> Option<String> {
        self.units.get(position).map(|unit| unit.id.clone())
    }

    fn line(&self, position: usize) -> Option<String> {
        let unit = self.units.get(position)?;
        let recorded = &self.request.recorded.get(unit.recorded)?.header;
        let line = json!({
            "unit": unit.id,
            "policy": self.policies.get(unit.policy)?.component().name(),
            "ledger": self.request.ledgers.get(unit.ledger)?,
            "scenario": recorded.scenario,
            "recorded": recorded.unit,
        });
        Some(line.to_string())
    }
}

impl Prepared<'_> {
    /// Runs the replay into `store`, or finishes the one that is there.
    ///
    /// # Errors
    /// The first unit that could not be scored, or a folder that holds another run.
    pub fn execute(&self, store: &Store, settings: Settings, progress: &dyn Progress) -> Result<(), Error> {
        let begun = store.begin(&self.manifest, self, &self.components, &self.toolsets)?;
        let Some(mut writing) = begun else { return Ok(()) };
        execute(self, &mut writing, settings, progress, |position| self.one(position))?;
        store.finish(writing)
    }

    fn one(&self, position: usize) -> Result<(Row, Frame), Infra> {
        let parts = (|| {
            let unit = self.units.get(position)?;
            let recorded = self.request.recorded.get(unit.recorded)?;
            let (tools, toolset) = self.tools.get(unit.recorded)?;
            Some((
                unit,
                recorded,
                tools,
                toolset,
                self.policies.get(unit.policy)?,
                self.request.ledgers.get(unit.ledger)?,
            ))
        })();
        let Some((unit, recorded, tools, toolset, policy, ledger)) = parts else { return Err(unplanned(position)) };
        let component = policy.component();
        let with = Replay {
            // A recorded run has no seed.
            models: Source::Live(&self.roles, 0),
            policy,
            reference: reference(component),
            ledger,
            unit: unit.id.clone(),
            gate_egress: self.request.gate_egress,
        };
        scored(&replay(recorded, tools, toolset, &with)?, component.name(), ledger, &self.reducers)
    }
}

/// A plan is made of positions in what was prepared with it, so this cannot happen; it is an error all the same.
pub(crate) fn unplanned(position: usize) -> Infra {
    Infra::Input(format!("unit {position} names something that was not prepared"))
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

/// Measures and encodes a trace.
pub(crate) fn scored(trace: &Trace, policy: &str, ledger: &str, reducers: &Reducers) -> Result<(Row, Frame), Infra> {
    let row = Row::new(trace, policy, ledger, reducers.measure(trace)?);
    let frame = encode(&trace.header, &trace.events).map_err(|e| Infra::Input(e.to_string()))?;
    Ok((row, frame))
}

/// Loads policies by name or path. A unit's identity rests on digests and not on names, so one component under two names would
/// be two policies with the same units.
pub(crate) fn all_policies(
    names: &[String],
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
) -> Result<Vec<PolicyPlugin>, Error> {
    let mut policies: Vec<PolicyPlugin> = Vec::new();
    for name in names {
        let (policy, found) = plugins.policy(name)?;
        let this = policy.component();
        // What is named twice is refused with everything else that is.
        let same = |known: &&Component| known.digest() == this.digest() && known.name() != this.name();
        if let Some(known) = policies.iter().map(PolicyPlugin::component).find(same) {
            return Err(Error::Input(format!(
                "policies `{}` and `{}` are one component (sha256 {}): what it does would be counted twice\n  leave one of them out",
                known.name(),
                this.name(),
                this.digest()
            )));
        }
        manifest.add(Kind::Policy, policy.component());
        components.push((policy.component().digest().to_owned(), found.bytes));
        policies.push(policy);
    }
    Ok(policies)
}

/// Loads every built-in reducer, and more by name or path.
pub(crate) fn all_reducers(
    more: &[String],
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
) -> Result<Reducers, Error> {
    let mut reducers: Vec<Box<dyn Measure>> = Vec::new();
    let built_in: Vec<&str> = Plugins::names(Kind::Reducer).collect();
    for name in built_in.into_iter().chain(more.iter().map(String::as_str)) {
        let (reducer, found) = plugins.reducer(name)?;
        manifest.add(Kind::Reducer, reducer.component());
        components.push((reducer.component().digest().to_owned(), found.bytes));
        reducers.push(Box::new(reducer));
    }
    Ok(Reducers::new(reducers)?)
}

/// Adds what is known only once the plan stands.
pub(crate) fn finished(mut manifest: Manifest, plan: &dyn Plan, reducers: &Reducers) -> Manifest {
    manifest.units = plan.len();
    manifest.plan = sha256_of_pieces(plan.pieces());
    manifest.metrics = reducers.metrics().cloned().collect();
    manifest
}
