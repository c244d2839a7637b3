//! Scenarios made ready to run: with their tools, and with what a simulated model is told, read once for all seeds,
//! policies and models.

use crate::error::Error;
use crate::grid::LIMIT;
use crate::models::{Chosen, Known};
use std::sync::Arc;
use weir_agent::{Model, Script, SimulatedModel, ToolSpec};
use weir_rollout::Infra;
use weir_rollout::live::{Confirmation, Rollout, tool_specs};
use weir_rollout::memory::{Consolidate, Writing};
use weir_rollout::models::Source;
use weir_rollout::scenario;
use weir_runtime::Component;
use weir_runtime::wit::domains::{Info, Request, Scenario};
use weir_runtime::wit::writers::{Method, View};
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{DomainPlugin, SceneFactory};
use weir_trace::codec::Toolsets;
use weir_trace::contract::{Ledger, Tool};
use weir_trace::{PluginRef, Trace};

/// A scenario with the tools of its toolset.
pub struct Case {
    /// The scenario.
    pub scenario: Scenario,
    /// SHA-256 of the scenario.
    pub digest: String,
    /// Its tools.
    pub tools: Arc<Vec<Tool>>,
    /// Its script.
    script: Arc<Script>,
    specs: Arc<Vec<ToolSpec>>,
    /// SHA-256 of its tools.
    pub toolset: String,
}

/// What differs between the rollouts of a case.
pub struct Variant<'a> {
    /// The domain.
    pub domain: &'a dyn SceneFactory,
    /// Who the domain is.
    pub domain_reference: PluginRef,
    /// The policy.
    pub policy: &'a dyn DefenceFactory,
    /// Who the policy is.
    pub policy_reference: PluginRef,
    /// The ledger that the policy is given.
    pub ledger: Ledger,
    /// Who confirms.
    pub confirmation: Confirmation,
    /// Turns after which a session is stopped, for each of its agents.
    pub turns: u32,
    /// The rollout seed.
    pub seed: u64,
    /// The unit's identity.
    pub unit: String,
    /// What answers plugins that ask a model.
    pub models: Source<'a>,
    /// The memory writer between the sessions, where there is one.
    pub writer: Option<Writing<'a>>,
}

/// How a memory writer works between the sessions of a live rollout: by rules, reading everything.
pub(crate) fn writing<'a>(writer: &'a dyn Consolidate, reference: &'a PluginRef) -> Writing<'a> {
    Writing { writer, reference, view: View::Full, method: Method::Rules, marks: false, limit: LIMIT }
}

/// A toolset: its tools, the same as a model is told of them, and its digest.
type Tools = (Arc<Vec<Tool>>, Arc<Vec<ToolSpec>>, String);

/// A domain's scenarios for a request, ready to run. Their toolsets are added to `toolsets`.
///
/// # Errors
/// The domain's fault or refusal, or a scenario that cannot be run.
pub fn cases(
    domain: &DomainPlugin,
    info: &Info,
    request: &Request,
    toolsets: &mut Toolsets,
) -> Result<Vec<Case>, Error> {
    let name = domain.component().name();
    if !info.stages.contains(&request.stage) {
        let known = info.stages.join(", ");
        return Err(Error::Input(format!("domain `{name}` has no stage `{}`: it has {known}", request.stage)));
    }
    // Parsed schemas and tools are shared by all scenarios of a toolset.
    let mut known: Vec<(u32, Tools)> = Vec::new();
    let mut cases = Vec::new();
    for scenario in domain.scenarios(request)? {
        scenario::check(&scenario)?;
        if scenario.stage != request.stage {
            return Err(Error::Input(format!(
                "domain `{name}` gives scenario {} of stage `{}` where `{}` was asked for",
                scenario.id, scenario.stage, request.stage
            )));
        }
        let found = known.iter().find(|(index, _)| *index == scenario.toolset);
        let (tools, specs, toolset) = match found {
            Some((_, found)) => found.clone(),
            None => {
                let index = usize::try_from(scenario.toolset).ok();
                let toolset = index.and_then(|i| info.toolsets.get(i)).ok_or_else(|| {
                    Error::Input(format!(
                        "scenario {} names toolset {}, which does not exist",
                        scenario.id, scenario.toolset
                    ))
                })?;
                let tools: Arc<Vec<Tool>> = Arc::new(toolset.tools.iter().map(Into::into).collect());
                let specs = Arc::new(tool_specs(&tools)?);
                let digest = toolsets.insert(Arc::clone(&tools)).map_err(|e| Error::Input(e.to_string()))?;
                known.push((scenario.toolset, (Arc::clone(&tools), Arc::clone(&specs), digest.clone())));
                (tools, specs, digest)
            }
        };
        let script = Script::parse(&scenario.script, &scenario.id).map_err(|e| Error::Input(e.to_string()))?;
        let digest = scenario::digest(&scenario);
        cases.push(Case { scenario, digest, tools, script: Arc::new(script), specs, toolset });
    }
    Ok(cases)
}

/// A plugin as a trace's header names it.
#[must_use]
pub fn reference(component: &Component) -> PluginRef {
    PluginRef {
        name: component.name().into(),
        digest: component.digest().into(),
        version: component.version().map(str::to_owned),
    }
}

impl Case {
    /// Its tools, as a model is told of them.
    #[must_use]
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// Digest of its tools.
    #[must_use]
    pub fn toolset(&self) -> &str {
        &self.toolset
    }

    /// Runs the case with a model. `repeat` is 0, or the number of the repetition where a run measures its own noise.
    ///
    /// # Errors
    /// A host, model or domain failure: nothing to score.
    pub fn run(&self, with: Variant<'_>, model: &Known, repeat: u32) -> Result<Trace, Infra> {
        let mut model = self.agent(model, with.seed, repeat);
        self.rollout(with).run(model.as_mut())
    }

    /// A model in this case; a simulated one follows its script.
    pub(crate) fn agent(&self, model: &Known, seed: u64, repeat: u32) -> Box<dyn Model> {
        match model {
            Chosen::Simulated { profile, .. } => {
                let (profile, script) = (Arc::clone(profile), Arc::clone(&self.script));
                Box::new(SimulatedModel::new(profile, script, &self.scenario.id, seed))
            }
            Chosen::Real(real) => Box::new(real.agent(repeat)),
        }
    }

    /// The rollout of one variant.
    pub(crate) fn rollout<'a>(&'a self, with: Variant<'a>) -> Rollout<'a> {
        Rollout {
            domain: with.domain,
            domain_reference: with.domain_reference,
            scenario: &self.scenario,
            digest: &self.digest,
            tools: &self.tools,
            specs: &self.specs,
            toolset: &self.toolset,
            ledger: with.ledger,
            policy: with.policy,
            reference: with.policy_reference,
            confirmation: with.confirmation,
            turns: with.turns,
            seed: with.seed,
            unit: with.unit,
            models: with.models,
            writer: with.writer,
        }
    }
}
