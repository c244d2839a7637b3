//! `weir run`: a suite's scenarios under its policies, models and seeds.

use crate::cases::{Case, Variant, cases, reference, writing};
use crate::error::Error;
use crate::executor::{Progress, Settings, execute};
use crate::frozen::{self, Frozen};
use crate::grid::{Asked, Parts, Place, Setup, WriterEntry};
use crate::manifest::Manifest;
use crate::models::{self, Known, RealModels};
use crate::names::{check_models, check_plugins, distinct};
use crate::noise::Noise;
use crate::perturb::Condition;
use crate::plan::{Identities, Plan};
use crate::plugins::Plugins;
use crate::replay::{all_policies, all_reducers, finished, scored, unplanned};
use crate::row::Row;
use crate::store::Store;
use crate::suite_file::Suite;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::json;
use weir_rollout::Infra;
use weir_rollout::live::ledger_of;
use weir_rollout::models::{Roles, Source};
use weir_rollout::reduce::Reducers;
use weir_runtime::Kind;
use weir_runtime::wit::domains::Info;
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{DomainPlugin, SceneFactory, WriterPlugin};
use weir_trace::PluginRef;
use weir_trace::codec::{Frame, Toolsets};

/// A suite with everything loaded and planned.
pub struct Prepared {
    setup: Setup,
    conditions: Vec<Condition>,
    policies: Vec<(PluginRef, Box<dyn DefenceFactory>)>,
    models: Vec<Known>,
    roles: Roles,
    writers: Vec<(PluginRef, WriterPlugin)>,
    domains: Vec<(PluginRef, Box<dyn SceneFactory>)>,
    /// With the position of each one's domain.
    cases: Vec<(usize, Case)>,
    reducers: Reducers,
    components: Vec<(String, Vec<u8>)>,
    toolsets: Toolsets,
    identities: Identities,
    /// What the results will depend on.
    pub manifest: Manifest,
}

/// One scenario under one condition, policy, model and seed.
struct Unit<'a> {
    condition: Condition,
    policy: &'a (PluginRef, Box<dyn DefenceFactory>),
    model: &'a Known,
    model_digest: &'a str,
    writer: Option<&'a (PluginRef, WriterPlugin)>,
    domain: &'a (PluginRef, Box<dyn SceneFactory>),
    case: &'a Case,
    seed: u64,
}

/// The plan's line about a unit.
#[derive(Serialize)]
struct Line<'a> {
    unit: &'a str,
    condition: &'a str,
    policy: &'a str,
    model: &'a str,
    domain: &'a str,
    scenario: &'a str,
    scenario_digest: &'a str,
    seed: u64,
}

/// Loads plugins, generates scenarios and plans the units: condition by condition, policy by policy, model by model, in
/// the order of the scenarios, each with all its seeds. `more_reducers` are measured with beside the built-in ones.
///
/// # Errors
/// What the suite has wrong.
pub fn prepare(
    suite: &Suite,
    more_reducers: &[String],
    plugins: &Plugins,
    real: &dyn RealModels,
) -> Result<Prepared, Error> {
    let mut manifest = Manifest::new("run", plugins.loader().grants());
    let mut components = Vec::new();
    let models = suite.models.iter().map(|model| models::find(model, real)).collect::<Result<Vec<_>, _>>()?;
    let policies = all_policies(&suite.policies, plugins, &mut manifest, &mut components)?;
    let mut toolsets = Toolsets::default();
    let (domains, cases, requests) = scenarios(suite, plugins, &mut manifest, &mut components, &mut toolsets)?;
    let writers = writers(suite, plugins, &mut manifest, &mut components)?;
    let reducers = all_reducers(more_reducers, plugins, &mut manifest, &mut components)?;
    let roles = real.roles()?;
    let named = writers.iter().map(|(known, _)| WriterEntry { name: known.name.clone(), digest: known.digest.clone() });
    let setup = Setup::new(suite, &models, models::real::entries(&roles), named.collect(), requests);
    let conditions = setup.conditions();
    let domain = |at: usize| domains.get(at).map_or("", |domain| domain.component().name());
    check_plugins(&manifest)?;
    check_models(&models)?;
    distinct("seed", setup.seeds.iter().map(ToString::to_string))?;
    distinct("condition", conditions.iter().map(|condition| setup.name(*condition)))?;
    distinct("scenario", cases.iter().map(|(at, case)| format!("{}/{}", domain(*at), case.scenario.id)))?;
    manifest.settings = setup.settings();
    for (name, value) in [
        ("suite", json!(suite.name)),
        ("title", json!(suite.title)),
        ("conditions", json!(conditions.iter().map(|condition| setup.name(*condition)).collect::<Vec<_>>())),
        ("scenarios", json!(frozen::digest(cases.iter().map(|(_, case)| case)))),
    ] {
        manifest.settings.insert(name.into(), value);
    }
    let identities = manifest.identities();
    let policies = policies
        .into_iter()
        .map(|policy| -> (_, Box<dyn DefenceFactory>) { (reference(policy.component()), Box::new(policy)) });
    let domains = domains
        .into_iter()
        .map(|domain| -> (_, Box<dyn SceneFactory>) { (reference(domain.component()), Box::new(domain)) });
    let mut prepared = Prepared {
        setup,
        conditions,
        policies: policies.collect(),
        models,
        roles: models::real::for_rollouts(&roles),
        writers,
        domains: domains.collect(),
        cases,
        reducers,
        components,
        toolsets,
        identities,
        manifest,
    };
    prepared.manifest = finished(prepared.manifest.clone(), &prepared, &prepared.reducers);
    Ok(prepared)
}

impl Prepared {
    /// Runs the suite into `store`, or finishes the run that is there.
    ///
    /// # Errors
    /// The first unit that could not be scored, or a folder that holds another run.
    pub fn execute(&self, store: &Store, settings: Settings, progress: &dyn Progress) -> Result<(), Error> {
        let begun = store.begin(&self.manifest, self, &self.components, &self.toolsets)?;
        let Some(mut writing) = begun else { return Ok(()) };
        execute(self, &mut writing, settings, progress, |position| self.one(position, 0))?;
        store.finish(writing)
    }

    /// Runs a share of the rollouts of real models once more under the same seeds, and compares verdicts. Which ones follows from
    /// their identities; at least one is among them.
    ///
    /// # Errors
    /// The first rollout that could not be scored.
    pub fn noise(&self, share: f64, settings: Settings) -> Result<Noise, Error> {
        let is_real = |at: &usize| self.at(*at).is_some_and(|unit| matches!(unit.model, Known::Real(_)));
        let mut drawn: Vec<(u64, usize)> =
            (0..self.len()).filter(is_real).filter_map(|at| Some((drawn(&self.unit(at)?), at))).collect();
        drawn.sort_unstable();
        let wanted = (drawn.len() as f64 * share).ceil();
        let repeated: Vec<usize> = drawn
            .into_iter()
            .map(|(_, at)| at)
            .zip(1_u32..)
            .take_while(|(_, n)| f64::from(*n) <= wanted)
            .map(|(at, _)| at)
            .collect();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(settings.jobs)
            .build()
            .map_err(|e| Error::Input(format!("cannot start {} threads: {e}", settings.jobs)))?;
        let both = |at: &usize| Ok::<_, Infra>((self.one(*at, 0)?.0, self.one(*at, 1)?.0));
        let rows: Vec<(Row, Row)> = pool.install(|| repeated.par_iter().map(both).collect::<Result<_, _>>())?;
        let mut noise = Noise::default();
        rows.iter().for_each(|(first, second)| noise.add(&first.measurements, &second.measurements));
        Ok(noise)
    }

    /// The same plan with other plugins behind the same names, in the same order: the components' code linked natively, so
    /// that a bench can tell what the sandbox costs.
    #[must_use]
    pub fn linked(
        mut self,
        policies: Vec<Box<dyn DefenceFactory>>,
        domains: Vec<Box<dyn SceneFactory>>,
        reducers: Reducers,
    ) -> Self {
        for ((_, known), linked) in self.policies.iter_mut().zip(policies) {
            *known = linked;
        }
        for ((_, known), linked) in self.domains.iter_mut().zip(domains) {
            *known = linked;
        }
        self.reducers = reducers;
        self
    }

    /// The frozen list of these scenarios, as its file has it.
    #[must_use]
    pub fn frozen(&self) -> String {
        let name = |at: usize| self.domains.get(at).map_or("", |(domain, _)| domain.name.as_str());
        frozen::list(self.cases.iter().map(|(domain, case)| Frozen::of(name(*domain), case)))
    }

    fn at(&self, position: usize) -> Option<Unit<'_>> {
        let place = Place::at(position, self.sizes())?;
        let (domain, case) = self.cases.get(place.case)?;
        let condition = *self.conditions.get(place.condition)?;
        Some(Unit {
            writer: condition.writer.and_then(|writer| self.writers.get(writer)),
            condition,
            policy: self.policies.get(place.policy)?,
            model: self.models.get(place.model)?,
            model_digest: &self.setup.models.get(place.model)?.digest,
            domain: self.domains.get(*domain)?,
            case,
            seed: *self.setup.seeds.get(place.seed)?,
        })
    }

    /// How many there are of each.
    fn sizes(&self) -> Place {
        Place {
            condition: self.conditions.len(),
            policy: self.policies.len(),
            model: self.models.len(),
            case: self.cases.len(),
            seed: self.setup.seeds.len(),
        }
    }

    fn identity(&self, unit: &Unit<'_>) -> String {
        let parts = Parts {
            scenario: &unit.case.digest,
            domain: &unit.domain.0.digest,
            policy: &unit.policy.0.digest,
            model: unit.model_digest,
            seed: unit.seed,
            ledger: &self.setup.ledger,
            confirmation: self.setup.confirmation,
            turns: self.setup.turns,
            condition: unit.condition,
            writer: self.setup.writer(unit.condition).map(|writer| writer.digest.as_str()),
        };
        parts.identity(&self.identities)
    }

    fn one(&self, position: usize, repeat: u32) -> Result<(Row, Frame), Infra> {
        let unit = self.at(position).ok_or_else(|| unplanned(position))?;
        let scenario = &unit.case.scenario;
        let ledger = ledger_of(scenario, &self.setup.ledger)?;
        let with = Variant {
            domain: unit.domain.1.as_ref(),
            domain_reference: unit.domain.0.clone(),
            policy: unit.policy.1.as_ref(),
            policy_reference: unit.policy.0.clone(),
            ledger: unit.condition.ledger(ledger, &scenario.id, &scenario.script, &unit.case.tools),
            confirmation: unit.condition.confirmation(self.setup.confirmation),
            turns: self.setup.turns,
            seed: unit.seed,
            unit: self.identity(&unit),
            models: Source::Live(&self.roles, unit.seed),
            writer: unit.writer.map(|(reference, writer)| writing(writer, reference)),
        };
        let trace = unit.case.run(with, unit.model, repeat)?;
        let (mut row, frame) = scored(&trace, &unit.policy.0.name, &self.setup.ledger, &self.reducers)?;
        row.condition = self.setup.name(unit.condition);
        Ok((row, frame))
    }
}

impl Plan for Prepared {
    fn len(&self) -> usize {
        self.sizes().product()
    }

    fn unit(&self, position: usize) -> Option<String> {
        Some(self.identity(&self.at(position)?))
    }

    fn line(&self, position: usize) -> Option<String> {
        let unit = self.at(position)?;
        let line = Line {
            unit: &self.identity(&unit),
            condition: &self.setup.name(unit.condition),
            policy: &unit.policy.0.name,
            model: unit.model.name(),
            domain: &unit.domain.0.name,
            scenario: &unit.case.scenario.id,
            scenario_digest: &unit.case.digest,
            seed: unit.seed,
        };
        serde_json::to_string(&line).ok()
    }
}

/// Where a unit stands in a draw.
fn drawn(unit: &str) -> u64 {
    u64::from_str_radix(unit.get(..16).unwrap_or_default(), 16).unwrap_or(u64::MAX)
}

/// Memory writers of a suite.
fn writers(
    suite: &Suite,
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
) -> Result<Vec<(PluginRef, WriterPlugin)>, Error> {
    let one = |wanted: &String| {
        let (writer, found) = plugins.writer(wanted)?;
        manifest.add(Kind::Writer, writer.component());
        components.push((writer.component().digest().to_owned(), found.bytes));
        Ok((reference(writer.component()), writer))
    };
    suite.writers.iter().map(one).collect()
}

type Cases = Vec<(usize, Case)>;

fn scenarios(
    suite: &Suite,
    plugins: &Plugins,
    manifest: &mut Manifest,
    components: &mut Vec<(String, Vec<u8>)>,
    toolsets: &mut Toolsets,
) -> Result<(Vec<DomainPlugin>, Cases, Vec<Asked>), Error> {
    let mut requests = Vec::new();
    let mut domains: Vec<(String, DomainPlugin, Info)> = Vec::new();
    let mut all = Vec::new();
    for wanted in &suite.scenarios {
        let position = match domains.iter().position(|(name, ..)| *name == wanted.domain) {
            Some(position) => position,
            None => {
                let (domain, found) = plugins.domain(&wanted.domain)?;
                manifest.add(Kind::Domain, domain.component());
                components.push((domain.component().digest().to_owned(), found.bytes));
                let info = domain.describe()?;
                domains.push((wanted.domain.clone(), domain, info));
                domains.len() - 1
            }
        };
        let Some((_, domain, info)) = domains.get(position) else { continue };
        let digest = domain.component().digest().to_owned();
        let asked = Asked {
            domain: digest,
            stage: wanted.stage.clone(),
            count: wanted.count,
            seed: wanted.seed,
            several_sessions: wanted.several_sessions,
        };
        for case in cases(domain, info, &asked.request(), toolsets)? {
            ledger_of(&case.scenario, &suite.ledger)?;
            if asked.takes(&case.scenario) {
                all.push((position, case));
            }
        }
        requests.push(asked);
    }
    if let Some(list) = suite.frozen {
        let name = |at: usize| domains.get(at).map_or("", |(name, ..)| name.as_str());
        frozen::check(&suite.name, list, all.iter().map(|(domain, case)| Frozen::of(name(*domain), case)))?;
    }
    Ok((domains.into_iter().map(|(_, domain, _)| domain).collect(), all, requests))
}
