//! `weir run`: a suite's scenarios under its policies, models and seeds.

use crate::error::{Error, nearest};
use crate::executor::{Progress, Settings, execute};
use crate::manifest::Manifest;
use crate::plugins::Plugins;
use crate::replay::{all_policies, all_reducers, finish_manifest, scored, unplanned};
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
struct Case {
    domain: usize,
    scenario: Scenario,
    digest: String,
    tools: Arc<Vec<Tool>>,
    toolset: String,
}

/// One scenario under one policy, model and seed, by position.
struct Unit {
    case: usize,
    policy: usize,
    model: usize,
    seed: u64,
    id: String,
}

/// A suite with everything loaded and planned.
pub struct Prepared<'a> {
    suite: &'a Suite,
    policies: Vec<PolicyPlugin>,
    domains: Vec<DomainPlugin>,
    cases: Vec<Case>,
    reducers: Reducers,
    components: Vec<(String, Vec<u8>)>,
    toolsets: Toolsets,
    units: Vec<Unit>,
    plan: Vec<String>,
    /// What the results will depend on.
    pub manifest: Manifest,
}

/// Loads plugins, generates scenarios and plans the units: policy by policy, model by model, in the order of the scenarios.
///
/// # Errors
/// What the suite has wrong.
pub fn prepare<'a>(suite: &'a Suite, plugins: &Plugins) -> Result<Prepared<'a>, Error> {
    let mut manifest = Manifest::new("run", plugins.loader().grants());
    let mut components = Vec::new();
    for model in &suite.models {
        known_model(model)?;
    }
    let policies = all_policies(&suite.policies, plugins, &mut manifest, &mut components)?;
    let mut toolsets = Toolsets::default();
    let (domains, cases) = scenarios(suite, plugins, &mut manifest, &mut components, &mut toolsets)?;
    let reducers = all_reducers(plugins, &mut manifest, &mut components)?;
    manifest.settings.insert("suite".into(), json!(suite.name));
    manifest.settings.insert("title".into(), json!(suite.title));
    manifest.settings.insert("ledger".into(), json!(suite.ledger));
    manifest.settings.insert("models".into(), json!(suite.models));
    manifest.settings.insert("seeds".into(), json!(suite.seeds));

    let (mut units, mut plan) = (Vec::new(), Vec::new());
    for (policy, plugin) in policies.iter().enumerate() {
        for (model, model_name) in suite.models.iter().enumerate() {
            for (case, made) in cases.iter().enumerate() {
                for &seed in &suite.seeds {
                    let id = manifest.unit(&json!({
                        "scenario": made.digest,
                        "domain": domains.get(made.domain).map(|d| d.component().digest()),
                        "policy": plugin.component().digest(),
                        "model": model_name,
                        "seed": seed,
                        "ledger": suite.ledger,
                    }));
                    let line = json!({
                        "unit": id,
                        "policy": plugin.component().name(),
                        "model": model_name,
                        "scenario": made.scenario.id,
                        "scenario_digest": made.digest,
                        "seed": seed,
                    });
                    plan.push(line.to_string());
                    units.push(Unit { case, policy, model, seed, id });
                }
            }
        }
    }
    finish_manifest(&mut manifest, &plan, &reducers);
    Ok(Prepared { suite, policies, domains, cases, reducers, components, toolsets, units, plan, manifest })
}

impl Prepared<'_> {
    /// Runs the suite into `store`, or finishes the run that is there.
    ///
    /// # Errors
    /// The first unit that could not be scored, or a folder that holds another run.
    pub fn execute(&self, store: &Store, settings: Settings, progress: &mut dyn Progress) -> Result<(), Error> {
        let begun = store.begin(&self.manifest, &self.plan, &self.components, &self.toolsets)?;
        let Some(mut writing) = begun else { return Ok(()) };
        execute(&self.units, &mut writing, settings, progress, |unit| self.one(unit))?;
        store.finish(writing)
    }

    fn one(&self, unit: &Unit) -> Result<(Row, Frame), Infra> {
        let parts = (|| {
            let case = self.cases.get(unit.case)?;
            let model = self.suite.models.get(unit.model)?;
            Some((case, self.domains.get(case.domain)?, self.policies.get(unit.policy)?, model))
        })();
        let Some((case, domain, policy, model)) = parts else { return Err(unplanned(&unit.id)) };
        let component = policy.component();
        let rollout = Rollout {
            domain,
            scenario: &case.scenario,
            tools: &case.tools,
            toolset: &case.toolset,
            ledger: &self.suite.ledger,
            policy,
            reference: PluginRef { name: component.name().into(), digest: component.digest().into() },
            seed: unit.seed,
            unit: unit.id.clone(),
        };
        let profile = Profile::built_in(model).ok_or_else(|| Infra::Input(format!("there is no model `{model}`")))?;
        let mut model = SimulatedModel::new(profile, &case.scenario.script, &case.scenario.id, unit.seed)
            .map_err(|e| Infra::Input(format!("scenario {}: {e}", case.scenario.id)))?;
        scored(&rollout.run(&mut model)?, component.name(), &self.suite.ledger, &self.reducers)
    }
}

fn scenarios(
    suite: &Suite,
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
    toolsets: &mut Toolsets,
) -> Result<(Vec<DomainPlugin>, Vec<Case>), Error> {
    let mut domains: Vec<(String, DomainPlugin, Info)> = Vec::new();
    let mut cases = Vec::new();
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
            if !scenario.ledgers.iter().any(|ledger| ledger.form == suite.ledger) {
                return Err(Error::Input(format!("scenario {} has no `{}` ledger", scenario.id, suite.ledger)));
            }
            let index = usize::try_from(scenario.toolset).ok();
            let toolset = index.and_then(|i| info.toolsets.get(i)).ok_or_else(|| {
                Error::Input(format!(
                    "scenario {} names toolset {}, which does not exist",
                    scenario.id, scenario.toolset
                ))
            })?;
            let tools: Arc<Vec<Tool>> = Arc::new(toolset.tools.iter().map(Into::into).collect());
            let digest = toolsets.insert(Arc::clone(&tools)).map_err(|e| Error::Input(e.to_string()))?;
            cases.push(Case {
                domain: position,
                digest: scenario::digest(&scenario),
                scenario,
                tools,
                toolset: digest,
            });
        }
    }
    Ok((domains.into_iter().map(|(_, domain, _)| domain).collect(), cases))
}

fn known_model(wanted: &str) -> Result<(), Error> {
    if Profile::built_in(wanted).is_some() {
        return Ok(());
    }
    let hint = nearest(wanted, MODELS).map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
    Err(Error::Input(format!("there is no model `{wanted}`{hint}\n  built in: {}", MODELS.join(", "))))
}
