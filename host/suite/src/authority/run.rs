//! An authority run: loaded, planned and executed; and, from nothing but its folder, run again.

mod plan;

use super::cases::{self, AuthorityCase, BASES, Known};
use super::setup::{ArmEntry, Asked, ConditionEntry, Place, Setup, WriterEntry};
use super::suite_file::{AuthoritySuite, Bases, KIND, MethodName, ViewName};
use super::written::{Kept, Key};
use crate::cases::reference;
use crate::error::Error;
use crate::executor::{Progress, Settings, execute};
use crate::frozen::{self, Frozen};
use crate::grid::ModelEntry;
use crate::manifest::Manifest;
use crate::models::{self, Chosen, KnownActor, NoRealModels, RealModels};
use crate::names::{check_plugins, distinct};
use crate::plan::{Identities, Plan};
use crate::plugins::{Found, Plugins};
use crate::replay::{finished, unplanned};
use crate::row::Row;
use crate::store::Store;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use weir_agent::{Model, SimulatedActor};
use weir_memory::{Facts, History};
use weir_rollout::Infra;
use weir_rollout::memory::{Acting, Subject, Writing, Written};
use weir_rollout::models::{Roles, Source};
use weir_rollout::reduce::Reducers;
use weir_rollout::rerun::{Words, difference};
use weir_runtime::world::{DomainPlugin, PolicyPlugin, WriterPlugin};
use weir_runtime::{Component, Kind};
use weir_trace::codec::{Frame, Toolsets, encode};
use weir_trace::json::sha256;
use weir_trace::{PluginRef, Trace};

/// The role in which built-in writers ask a model.
const WRITER_ROLE: &str = "writer";

/// The name under which Module A's rows stand where others have a policy's.
const NO_POLICY: &str = "none";

/// Components by their digests.
struct Loaded {
    domains: Vec<Known>,
    writers: BTreeMap<String, (PluginRef, WriterPlugin)>,
    policies: BTreeMap<String, (PluginRef, PolicyPlugin)>,
}

/// A run with everything loaded and planned.
pub struct Prepared {
    setup: Setup,
    loaded: Loaded,
    /// With the models whose profiles are at hand.
    models: Vec<(ModelEntry, Option<KnownActor>)>,
    cases: Vec<AuthorityCase>,
    toolsets: Toolsets,
    identities: Identities,
    written: Kept<Written>,
    roles: Roles,
    components: Vec<(String, Vec<u8>)>,
    bases: Option<Vec<u8>>,
    /// What the results depend on.
    pub manifest: Manifest,
}

/// Loads plugins, makes the pairs, checks them and plans the units. `bases` are imported histories in place of the suite's
/// own.
///
/// # Errors
/// What the suite or the bases have wrong.
pub fn prepare(
    suite: &AuthoritySuite,
    bases: Option<&[History]>,
    plugins: &Plugins,
    real: &dyn RealModels,
) -> Result<Prepared, Error> {
    let mut manifest = Manifest::new(KIND, plugins.loader().grants());
    let mut adding = Adding { manifest: &mut manifest, components: Vec::new(), digests: BTreeMap::new() };
    let requests = requests(suite, bases);
    let mut asked = Vec::new();
    let mut domains: Vec<(String, Known)> = Vec::new();
    for request in &requests {
        if !domains.iter().any(|(name, _)| *name == request.domain) {
            let (plugin, found) = plugins.domain(&request.domain)?;
            adding.add(Kind::Domain, &request.domain, plugin.component(), found);
            let info = plugin.describe()?;
            domains.push((request.domain.clone(), Known { plugin, info }));
        }
        let domain = domains.iter().find(|(name, _)| *name == request.domain);
        let component = domain.map(|(_, known)| known.plugin.component());
        asked.push(Asked {
            domain: component.map_or("", Component::digest).to_owned(),
            name: component.map_or("", Component::name).to_owned(),
            stage: request.stage.clone(),
            count: request.count,
            seed: request.seed,
        });
    }
    let mut writers = BTreeMap::new();
    let mut writer_entries = Vec::new();
    for wanted in &suite.writers {
        let (plugin, found) = plugins.writer(&wanted.name)?;
        adding.add(Kind::Writer, &wanted.name, plugin.component(), found);
        let digest = plugin.component().digest().to_owned();
        writer_entries.push(WriterEntry { digest: digest.clone(), marks: wanted.marks });
        writers.insert(digest, (reference(plugin.component()), plugin));
    }
    let mut policies = BTreeMap::new();
    let wanted = suite.conditions.iter().map(|c| &c.policy).chain(suite.arms.iter().map(|arm| &arm.policy));
    for name in wanted {
        if adding.digests.contains_key(&(Kind::Policy.name(), name.clone())) {
            continue;
        }
        let (plugin, found) = plugins.policy(name)?;
        adding.add(Kind::Policy, name, plugin.component(), found);
        policies.insert(plugin.component().digest().to_owned(), (reference(plugin.component()), plugin));
    }
    let digest_of =
        |name: &String| adding.digests.get(&(Kind::Policy.name(), name.clone())).cloned().unwrap_or_default();
    let conditions = suite.conditions.iter().map(|condition| ConditionEntry {
        key: condition.key.clone(),
        memory: condition.memory,
        gold: condition.gold,
        policy: digest_of(&condition.policy),
    });
    let conditions = conditions.collect();
    let arms =
        suite.arms.iter().map(|arm| ArmEntry { key: arm.key.clone(), gold: arm.gold, policy: digest_of(&arm.policy) });
    let arms = arms.collect();
    let components = adding.components;
    let mut names: Vec<String> = Vec::new();
    for name in suite.acting.iter().flat_map(|part| &part.models).chain(suite.pipeline.iter().flat_map(|p| &p.models)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let models = names.iter().map(|name| models::find_actor(name, real)).collect::<Result<Vec<_>, _>>()?;
    let roles = real.roles()?;
    if suite.method == MethodName::Model && !roles.contains_key(WRITER_ROLE) {
        return Err(Error::Input(format!(
            "writers are to write with a model, and none plays the role `{WRITER_ROLE}`: add --role {WRITER_ROLE}=MODEL"
        )));
    }
    let bytes = bases.map(serde_json::to_vec).transpose().map_err(|e| Error::Input(e.to_string()))?;
    let setup = Setup {
        seeds: suite.seeds.clone(),
        limit: suite.limit,
        method: suite.method,
        requests: asked,
        bases: bytes.as_ref().map(|bytes| sha256(bytes)),
        writers: writer_entries,
        conditions,
        arms,
        models: models.iter().map(KnownActor::entry).collect(),
        roles: models::real::entries(&roles),
        blocks: Setup::blocks(suite, &names),
    };
    check_plugins(&manifest)?;
    distinct("seed", setup.seeds.iter().map(ToString::to_string))?;
    distinct("condition", setup.conditions.iter().map(|condition| condition.key.clone()))?;
    distinct("arm", setup.arms.iter().map(|arm| arm.key.clone()))?;
    distinct("model", setup.models.iter().map(|model| model.name.clone()))?;
    let loaded = Loaded { domains: domains.into_iter().map(|(_, known)| known).collect(), writers, policies };
    manifest.settings = setup.settings();
    manifest.settings.insert("suite".into(), json!(suite.name));
    manifest.settings.insert("title".into(), json!(suite.title));
    let models = setup.models.iter().cloned().zip(models.into_iter().map(Some)).collect();
    let mut prepared = Prepared::new(setup, loaded, models, bases, manifest)?;
    if let Some(list) = suite.frozen.filter(|_| bases.is_none()) {
        frozen::check(&suite.name, list, prepared.scenarios())?;
    }
    prepared.components = components;
    prepared.roles = models::real::for_rollouts(&roles);
    prepared.bases = bytes;
    let scenarios = frozen::digest(prepared.cases.iter().map(|case| &case.case));
    prepared.manifest.settings.insert("scenarios".into(), json!(scenarios));
    prepared.manifest = finished(prepared.manifest.clone(), &prepared, &Reducers::new(Vec::new())?);
    Ok(prepared)
}

/// What the domains are asked for: the suite's own bases, or the imported ones of each domain.
fn requests(suite: &AuthoritySuite, bases: Option<&[History]>) -> Vec<Bases> {
    let Some(bases) = bases else { return suite.bases.clone() };
    let mut requests: Vec<Bases> = Vec::new();
    for base in bases {
        match requests.iter_mut().find(|known| known.domain == base.domain) {
            Some(known) => known.count = known.count.saturating_add(1),
            None => requests.push(Bases {
                domain: base.domain.clone(),
                stage: KIND.into(),
                count: 1,
                seed: suite.bases.first().map_or(1, |bases| bases.seed),
            }),
        }
    }
    requests
}

/// Plugins as they are added to a manifest, each component once.
struct Adding<'a> {
    manifest: &'a mut Manifest,
    components: Vec<(String, Vec<u8>)>,
    /// By kind and the name by which they were asked for.
    digests: BTreeMap<(&'static str, String), String>,
}

impl Adding<'_> {
    fn add(&mut self, kind: Kind, wanted: &str, component: &Component, found: Found) {
        self.manifest.add(kind, component);
        self.components.push((component.digest().to_owned(), found.bytes));
        self.digests.insert((kind.name(), wanted.to_owned()), component.digest().to_owned());
    }
}

impl Prepared {
    /// The units that these settings give.
    fn new(
        setup: Setup,
        loaded: Loaded,
        models: Vec<(ModelEntry, Option<KnownActor>)>,
        bases: Option<&[History]>,
        manifest: Manifest,
    ) -> Result<Self, Error> {
        let mut toolsets = Toolsets::default();
        let cases = cases::all(&setup.requests, bases, &loaded.domains, &mut toolsets)?;
        distinct(
            "scenario",
            cases.iter().map(|case| format!("{}/{}", case.case.scenario.stage, case.case.scenario.id)),
        )?;
        let identities = manifest.identities();
        let (components, bases) = (Vec::new(), None);
        let (written, roles) = (Kept::default(), Roles::new());
        Ok(Prepared { setup, loaded, models, cases, toolsets, identities, written, roles, components, bases, manifest })
    }

    /// The units of a run that stands in a folder, from its components and its manifest's settings alone.
    ///
    /// # Errors
    /// Where the manifest, a component or the bases are not what they were.
    pub(crate) fn again(
        store: &Store,
        manifest: &Manifest,
        domains: Vec<DomainPlugin>,
        writers: Vec<WriterPlugin>,
        policies: Vec<PolicyPlugin>,
    ) -> Result<Self, Error> {
        let setup = Setup::of(&manifest.settings)?;
        let bases = match &setup.bases {
            None => None,
            Some(digest) => {
                let bytes = store.read(BASES)?.ok_or_else(|| Error::Input(format!("{BASES} is missing")))?;
                if sha256(&bytes) != *digest {
                    return Err(Error::Input(format!(
                        "{BASES} was altered: it does not hash to what the manifest says"
                    )));
                }
                Some(
                    serde_json::from_slice::<Vec<History>>(&bytes)
                        .map_err(|e| Error::Input(format!("{BASES}: {e}")))?,
                )
            }
        };
        let known = |plugin: DomainPlugin| -> Result<Known, Error> {
            let info = plugin.describe()?;
            Ok(Known { plugin, info })
        };
        let loaded = Loaded {
            domains: domains.into_iter().map(known).collect::<Result<_, _>>()?,
            writers: writers
                .into_iter()
                .map(|p| (p.component().digest().to_owned(), (reference(p.component()), p)))
                .collect(),
            policies: policies
                .into_iter()
                .map(|p| (p.component().digest().to_owned(), (reference(p.component()), p)))
                .collect(),
        };
        let models = setup.models.iter().map(|entry| {
            let known = models::find_actor(&entry.name, &NoRealModels).ok().filter(|known| known.entry() == *entry);
            (entry.clone(), known)
        });
        let models = models.collect();
        Self::new(setup, loaded, models, bases.as_deref(), manifest.clone())
    }

    /// Runs the suite into `store`, or finishes the run that is there.
    ///
    /// # Errors
    /// The first unit that could not be scored, or a folder that holds another run.
    pub fn execute(&self, store: &Store, settings: Settings, progress: &dyn Progress) -> Result<(), Error> {
        let begun = store.begin(&self.manifest, self, &self.components, &self.toolsets)?;
        if let Some(bases) = &self.bases {
            store.write(BASES, bases)?;
        }
        let Some(mut writing) = begun else { return Ok(()) };
        execute(self, &mut writing, settings, progress, |position| self.one(position, None))?;
        store.finish(writing)
    }

    /// The frozen list of these scenarios, as its file has it.
    #[must_use]
    pub fn frozen(&self) -> String {
        frozen::list(self.scenarios())
    }

    fn scenarios(&self) -> impl Iterator<Item = Frozen> {
        self.cases.iter().map(|case| {
            let domain = self.loaded.domains.get(case.domain).map_or("", |domain| domain.plugin.component().name());
            Frozen::of(domain, &case.case)
        })
    }

    /// One unit. A model that is not at hand says what a trace says that it said.
    ///
    /// # Errors
    /// A host, model or domain failure: nothing to score.
    pub(crate) fn one(&self, position: usize, said: Option<&Trace>) -> Result<(Row, Frame), Infra> {
        let (trace, facts) = self.rollout(position, said)?;
        let frame = encode(&trace.header, &trace.events).map_err(|e| Infra::Input(e.to_string()))?;
        Ok((row(&trace, facts), frame))
    }

    /// What is wrong with the unit at a position, if anything is: that it comes out otherwise when it is run again, or that
    /// its row does not follow.
    ///
    /// # Errors
    /// A host failure.
    pub(crate) fn check(&self, position: usize, row: &Row, trace: &Trace) -> Result<Option<String>, Infra> {
        if self.unit(position).as_ref() != Some(&row.unit) {
            return Ok(Some("its row is not of the unit that the manifest's settings give here".into()));
        }
        let (again, facts) = match self.rollout(position, Some(trace)) {
            Ok(again) => again,
            Err(Infra::Host(fault)) => return Err(Infra::Host(fault)),
            Err(other) => return Ok(Some(format!("the rollout cannot be run again: {other}"))),
        };
        if let Some(difference) = difference(trace, &again) {
            return Ok(Some(difference));
        }
        let expected = Row { trace: row.trace.clone(), ..self::row(&again, facts) };
        Ok((expected != *row).then(|| "its row does not follow from its trace".to_owned()))
    }

    fn rollout(&self, position: usize, said: Option<&Trace>) -> Result<(Trace, Facts), Infra> {
        let missing = || unplanned(position);
        let place = self.setup.at(position, self.cases.len()).ok_or_else(missing)?;
        let case = self.cases.get(place.case()).ok_or_else(missing)?;
        let domain = self.loaded.domains.get(case.domain).ok_or_else(missing)?;
        let domain_reference = reference(domain.plugin.component());
        let unit = self.unit(position).ok_or_else(missing)?;
        let subject = Subject {
            variant: &case.variant,
            history: &case.history,
            scenario: &case.case.scenario,
            digest: &case.case.digest,
            partition: case.partition,
            domain: &domain.plugin,
            domain_reference: &domain_reference,
            tools: &case.case.tools,
            specs: case.case.specs(),
            toolset: case.case.toolset(),
            episode: &case.episode,
        };
        match place {
            Place::Writing { writer, view, case } => {
                let writing = self.writing(writer, view).ok_or_else(missing)?;
                let written = self.written((writer, view, case), &subject, &writing, said)?;
                subject.write(&writing, &written, self.source(0, said), unit)
            }
            Place::Acting { condition, model, seed, .. } => {
                let entry = self.setup.conditions.get(condition).ok_or_else(missing)?;
                let (reference, policy) = self.loaded.policies.get(&entry.policy).ok_or_else(missing)?;
                let models = self.source(seed, said);
                let acting = Acting { policy, reference, condition: &entry.key, gold: entry.gold, seed, models };
                let mut model = self.model(model, case, seed, said).ok_or_else(missing)?;
                subject.act(entry.memory.into(), &acting, model.as_mut(), unit)
            }
            Place::Pipeline { writer, view, arm, model, case: at, seed } => {
                let writing = self.writing(writer, view).ok_or_else(missing)?;
                let written = self.written((writer, view, at), &subject, &writing, said)?;
                let entry = self.setup.arms.get(arm).ok_or_else(missing)?;
                let (reference, policy) = self.loaded.policies.get(&entry.policy).ok_or_else(missing)?;
                let models = self.source(seed, said);
                let acting = Acting { policy, reference, condition: &entry.key, gold: entry.gold, seed, models };
                let mut model = self.model(model, case, seed, said).ok_or_else(missing)?;
                subject.pipeline(&writing, &written, &acting, model.as_mut(), unit)
            }
        }
    }

    fn written(
        &self,
        key: Key,
        subject: &Subject<'_>,
        writing: &Writing<'_>,
        said: Option<&Trace>,
    ) -> Result<Arc<Written>, Infra> {
        self.written.get(key, || subject.consolidate(writing, self.source(0, said)))
    }

    /// What answers plugins that ask a model: what a trace says, where there is one.
    fn source<'a>(&'a self, seed: u64, said: Option<&'a Trace>) -> Source<'a> {
        said.map_or(Source::Live(&self.roles, seed), |trace| Source::Trace(&trace.header))
    }

    fn writing(&self, writer: usize, view: ViewName) -> Option<Writing<'_>> {
        let entry = self.setup.writers.get(writer)?;
        let (reference, writer) = self.loaded.writers.get(&entry.digest)?;
        Some(Writing {
            writer,
            reference,
            view: view.into(),
            method: self.setup.method.into(),
            marks: entry.marks,
            limit: self.setup.limit,
        })
    }

    fn model<'a>(
        &self,
        model: usize,
        case: &AuthorityCase,
        seed: u64,
        said: Option<&'a Trace>,
    ) -> Option<Box<dyn Model + 'a>> {
        let (_, known) = self.models.get(model)?;
        match (known, said.and_then(Words::of)) {
            (Some(Chosen::Simulated { profile, .. }), _) => {
                Some(Box::new(SimulatedActor::new(profile.clone(), case.cue.clone(), seed)))
            }
            (Some(Chosen::Real(real)), _) => Some(Box::new(real.agent(0))),
            (None, Some(words)) => Some(Box::new(words)),
            (None, None) => None,
        }
    }
}

/// A row about a unit, without its trace's place.
fn row(trace: &Trace, facts: Facts) -> Row {
    let policy = trace.header.policy.as_ref().map_or(NO_POLICY, |policy| policy.name.as_str()).to_owned();
    let mut row = Row::new(trace, &policy, "none", BTreeMap::new());
    row.cluster = format!("{}/{}", row.domain, facts.base);
    row.condition = facts.condition.clone().unwrap_or_else(|| "writing".into());
    row.memory = Some(facts);
    row
}
