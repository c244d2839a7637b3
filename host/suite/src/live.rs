//! `weir run`: a suite's scenarios under its policies, models and seeds.

use crate::error::{Error, nearest};
use crate::executor::{Progress, Settings, execute};
use crate::manifest::Manifest;
use crate::plugins::Plugins;
use crate::replay::{all_reducers, finish_manifest, scored};
use crate::row::Row;
use crate::store::Store;
use crate::suite_file::Suite;
use serde_json::json;
use std::sync::Arc;
use weir_agent::{Profile, SimulatedModel};
use weir_rollout::Infra;
use weir_rollout::live::Rollout;
use weir_rollout::reduce::Reducers;
use weir_rollout::scenario;
use weir_runtime::Kind;
use weir_runtime::wit::domains::{Info, Request, Scenario};
use weir_runtime::world::{DomainPlugin, PolicyPlugin};
use weir_trace::PluginRef;
use weir_trace::codec::{Frame, Toolsets};
use weir_trace::contract::Tool;

/// Simulated models; language models come with the HTTP client.
pub const MODELS: [&str; 2] = ["sim:smoke", "sim:compromised-oracle"];

/// A scenario with the tools of its toolset.
struct Prepared {
    domain: usize,
    scenario: Scenario,
    digest: String,
    tools: Arc<Vec<Tool>>,
    toolset: String,
}

/// One scenario under one policy, model and seed.
struct Unit<'a> {
    prepared: &'a Prepared,
    policy: &'a PolicyPlugin,
    model: &'a str,
    seed: u64,
    id: String,
}

/// Runs a suite into `store`, or finishes the run that is there.
///
/// # Errors
/// What the suite has wrong, or the first unit that could not be scored.
pub fn run(
    suite: &Suite,
    plugins: &Plugins,
    store: &Store,
    settings: Settings,
    progress: &mut dyn Progress,
) -> Result<(), Error> {
    let mut manifest = Manifest::new("run", plugins.loader().grants());
    let mut components = Vec::new();
    for model in &suite.models {
        known_model(model)?;
    }
    let mut policies = Vec::new();
    for name in &suite.policies {
        let (policy, found) = plugins.policy(name)?;
        manifest.add(Kind::Policy, policy.component(), &found.manifest);
        components.push((policy.component().digest().to_owned(), found.bytes));
        policies.push(policy);
    }
    let mut toolsets = Toolsets::default();
    let (domains, scenarios) = scenarios(suite, plugins, &mut manifest, &mut components, &mut toolsets)?;
    let reducers = all_reducers(plugins, &mut manifest, &mut components)?;
    manifest.settings.insert("suite".into(), json!(suite.name));
    manifest.settings.insert("title".into(), json!(suite.title));
    manifest.settings.insert("ledger".into(), json!(suite.ledger));
    manifest.settings.insert("models".into(), json!(suite.models));
    manifest.settings.insert("seeds".into(), json!(suite.seeds));

    let mut units = Vec::new();
    for policy in &policies {
        for model in &suite.models {
            for prepared in &scenarios {
                for &seed in &suite.seeds {
                    let id = manifest.unit(&json!({
                        "scenario": prepared.digest,
                        "domain": domains.get(prepared.domain).map(|d| d.component().digest()),
                        "policy": policy.component().digest(),
                        "model": model,
                        "seed": seed,
                        "ledger": suite.ledger,
                    }));
                    units.push(Unit { prepared, policy, model, seed, id });
                }
            }
        }
    }
    let plan: Vec<String> = units.iter().map(plan_line).collect();
    finish_manifest(&mut manifest, &plan, &reducers);
    let Some(mut writing) = store.begin(&manifest, &plan, &components, &toolsets)? else { return Ok(()) };
    execute(&units, &mut writing, settings, progress, |unit| one(unit, &domains, &suite.ledger, &reducers))?;
    store.finish(writing)
}

fn scenarios(
    suite: &Suite,
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
    toolsets: &mut Toolsets,
) -> Result<(Vec<DomainPlugin>, Vec<Prepared>), Error> {
    let mut domains: Vec<(String, DomainPlugin, Info)> = Vec::new();
    let mut prepared = Vec::new();
    for wanted in &suite.scenarios {
        let position = match domains.iter().position(|(name, ..)| *name == wanted.domain) {
            Some(position) => position,
            None => {
                let (domain, found) = plugins.domain(&wanted.domain)?;
                manifest.add(Kind::Domain, domain.component(), &found.manifest);
                components.push((domain.component().digest().to_owned(), found.bytes));
                let info = domain.describe()?;
                domains.push((wanted.domain.clone(), domain, info));
                domains.len() - 1
            }
        };
        let Some((name, domain, info)) = domains.get(position) else { continue };
        if !info.stages.contains(&wanted.stage) {
            return Err(Error::Input(format!(
                "domain `{name}` has no stage `{}`: it has {}",
                wanted.stage,
                info.stages.join(", ")
            )));
        }
        let request =
            Request { stage: wanted.stage.clone(), count: wanted.count, seed: wanted.seed, parameters: "{}".into() };
        for scenario in domain.scenarios(&request)? {
            let index = usize::try_from(scenario.toolset).ok();
            let toolset = index.and_then(|i| info.toolsets.get(i)).ok_or_else(|| {
                Error::Input(format!(
                    "scenario {} names toolset {}, which does not exist",
                    scenario.id, scenario.toolset
                ))
            })?;
            let tools: Arc<Vec<Tool>> = Arc::new(toolset.tools.iter().map(Into::into).collect());
            let digest = toolsets.insert(Arc::clone(&tools)).map_err(|e| Error::Input(e.to_string()))?;
            prepared.push(Prepared {
                domain: position,
                digest: scenario::digest(&scenario),
                scenario,
                tools,
                toolset: digest,
            });
        }
    }
    Ok((domains.into_iter().map(|(_, domain, _)| domain).collect(), prepared))
}

fn plan_line(unit: &Unit<'_>) -> String {
    json!({
        "unit": unit.id,
        "policy": unit.policy.component().name(),
        "model": unit.model,
        "scenario": unit.prepared.scenario.id,
        "scenario_digest": unit.prepared.digest,
        "seed": unit.seed,
    })
    .to_string()
}

fn one(unit: &Unit<'_>, domains: &[DomainPlugin], ledger: &str, reducers: &Reducers) -> Result<(Row, Frame), Infra> {
    let prepared = unit.prepared;
    let domain = domains
        .get(prepared.domain)
        .ok_or_else(|| Infra::Input(format!("scenario {} has no domain", prepared.scenario.id)))?;
    let component = unit.policy.component();
    let rollout = Rollout {
        domain,
        scenario: &prepared.scenario,
        tools: &prepared.tools,
        toolset: &prepared.toolset,
        ledger,
        policy: unit.policy,
        reference: PluginRef { name: component.name().into(), digest: component.digest().into() },
        seed: unit.seed,
        unit: unit.id.clone(),
    };
    let profile =
        Profile::built_in(unit.model).ok_or_else(|| Infra::Input(format!("there is no model `{}`", unit.model)))?;
    let mut model = SimulatedModel::new(profile, &prepared.scenario.script, &prepared.scenario.id, unit.seed)
        .map_err(|e| Infra::Input(format!("scenario {}: {e}", prepared.scenario.id)))?;
    scored(&rollout.run(&mut model)?, component.name(), ledger, reducers)
}

fn known_model(wanted: &str) -> Result<(), Error> {
    if Profile::built_in(wanted).is_some() {
        return Ok(());
    }
    let hint = nearest(wanted, MODELS).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    Err(Error::Input(format!("there is no model `{wanted}`{hint}\n  built in: {}", MODELS.join(", "))))
}
