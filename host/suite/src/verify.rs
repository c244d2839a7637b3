//! `weir verify`: a run's every decision taken again from its traces, and everything else compared with its digests.
//!
//! | kind of run | what follows from what |
//! |---|---|
//! | live, authority | every trace, byte for byte, from the components in the folder, the manifest's settings and the model's words; the words of a built-in simulated model too, from its profile |
//! | replay | decisions from the recorded events before them; what became of each call from its decisions; labels from data flow. The recorded events themselves and the oracle's facts about them are the import's word |
//! | all | rows from traces, the report from rows, the order of units from the plan, the plan from the manifest |
//!
//! Nothing stands above the manifest: who changes it, and runs everything that follows from it, has made another run. Its
//! identity is in the folder's default name.

use crate::again::Again;
use crate::authority;
use crate::error::Error;
use crate::executor::Progress;
use crate::manifest::{FORMAT, Manifest};
use crate::plan::Identities;
use crate::plugins::{Found, Plugins};
use crate::replay::identity;
use crate::row::Row;
use crate::share::Share;
use crate::store::{Store, hash, planned};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use weir_rollout::Infra;
use weir_rollout::gate::Ruling;
use weir_rollout::reduce::Reducers;
use weir_rollout::reexecute::reexecute;
use weir_runtime::Kind;
use weir_runtime::world::{DomainPlugin, Measure, PolicyPlugin, ReducerPlugin, WriterPlugin};
use weir_trace::{NodeKind, Trace, Verdict};

/// Traces that are read before they are checked.
const PORTION: usize = 256;

/// What is wrong, at the first place where something is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// 1-based position of the unit; none where it concerns the whole run.
    pub unit: Option<usize>,
    /// What is wrong.
    pub what: String,
}

/// What verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Traces that were checked.
    pub traces: usize,
    /// Decisions that were taken again.
    pub decisions: usize,
    /// Rollouts that were run again in full.
    pub rerun: usize,
    /// What is wrong; empty means that all is equal.
    pub findings: Vec<Finding>,
}

/// Verifies a run. Of a live one the rollouts of a share are run again in full. Every other is held to its decisions, to its
/// row, and to its identity and header as the run's settings give them: what its environment and its oracle say is then the
/// run's word.
///
/// # Errors
/// Where the run cannot be read at all, or the host fails. What is wrong with a readable run is a finding.
pub fn verify(
    store: &Store,
    plugins: &Plugins,
    share: &Share,
    jobs: usize,
    progress: &dyn Progress,
) -> Result<Verification, Error> {
    let manifest = store.manifest()?;
    if manifest.format != FORMAT {
        return Err(Error::Input(format!("the run's format is {:?}, this Weir verifies {FORMAT:?}", manifest.format)));
    }
    let mut found = Verification::default();
    if hash(store.plan()?) != manifest.plan {
        found.whole("plan.jsonl was altered: it does not hash to what the manifest says".into());
    }
    let (mut plan, mut rows) = (store.plan()?, store.rows()?);
    let Some(mut checker) = Checker::new(store, plugins, &manifest, &mut found)? else { return Ok(found) };
    if !share.is_all() {
        let units = store.plan()?.map(|line| line.map(|line| planned(&line, "unit").unwrap_or_default()));
        checker.drawn = Some(share.of(units.collect::<Result<Vec<_>, _>>()?));
    }
    let checker = checker;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|e| Error::Input(format!("cannot start {jobs} threads: {e}")))?;
    progress.begin(manifest.units, 0);
    let mut reader = store.traces()?;
    let mut done = 0;
    loop {
        let mut traces = Vec::with_capacity(PORTION);
        for row in rows.by_ref().take(PORTION) {
            let (row, position) = (row?, done + traces.len());
            let line = plan.next().transpose()?.unwrap_or_default();
            if planned(&line, "unit").as_ref() != Some(&row.unit) {
                found.unit(position, "its row is not of the unit that the plan has here".into());
            }
            let offset = reader.position();
            match reader.next_trace() {
                Ok(Some((trace, digest))) => {
                    if (row.trace.offset, row.trace.length) != (offset, reader.position().saturating_sub(offset)) {
                        found.unit(position, "its row points at another place of the trace file".into());
                    }
                    traces.push((row, trace, digest, line));
                }
                Ok(None) => {
                    found.unit(position, "the trace file ends before this unit".into());
                    return Ok(found);
                }
                Err(e) => {
                    found.unit(position, format!("its trace cannot be read: {e}"));
                    return Ok(found);
                }
            }
        }
        if traces.is_empty() {
            break;
        }
        let checked: Vec<Result<(usize, Option<String>), Infra>> = pool.install(|| {
            let units = traces.par_iter().enumerate();
            units.map(|(at, (row, trace, digest, line))| checker.check(done + at, row, trace, digest, line)).collect()
        });
        for (position, (result, (row, ..))) in checked.into_iter().zip(&traces).enumerate() {
            let (decisions, problem) = result?;
            found.traces += 1;
            found.rerun += usize::from(checker.reruns(row));
            found.decisions += decisions;
            if let Some(problem) = problem {
                found.unit(done + position, problem);
            }
        }
        done += traces.len();
        progress.advance(done);
    }
    if done != manifest.units {
        found.whole(format!("results.jsonl has {done} rows, the plan has {} units", manifest.units));
    }
    if !matches!(reader.next_trace(), Ok(None)) {
        found.whole("the trace file goes on after the last unit".into());
    }
    progress.end();
    Ok(found)
}

impl Verification {
    /// Adds what is wrong with the run as a whole.
    pub fn whole(&mut self, what: String) {
        self.findings.push(Finding { unit: None, what });
    }

    fn unit(&mut self, position: usize, what: String) {
        self.findings.push(Finding { unit: Some(position + 1), what });
    }
}

/// A run's own plugins, loaded from its folder.
struct Checker {
    /// By digest, in the manifest's order.
    policies: Vec<(String, PolicyPlugin)>,
    reducers: Reducers,
    /// For a live run.
    again: Option<Again>,
    /// For a run of an authority suite.
    authority: Option<authority::Prepared>,
    /// For a replay.
    replayed: Option<Identities>,
    /// Units of a live run that are run again in full, where not all are.
    drawn: Option<BTreeSet<String>>,
}

impl Checker {
    fn new(
        store: &Store,
        plugins: &Plugins,
        manifest: &Manifest,
        found: &mut Verification,
    ) -> Result<Option<Self>, Error> {
        let (mut policies, mut domains, mut writers) = (Vec::new(), Vec::new(), Vec::new());
        let mut reducers: Vec<Box<dyn Measure>> = Vec::new();
        for entry in &manifest.plugins {
            let bytes = match store.component(&entry.digest) {
                Ok(bytes) => bytes,
                Err(e) => {
                    found.whole(format!("{} `{}`: {e}", entry.kind, entry.name));
                    continue;
                }
            };
            let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == entry.kind) else { continue };
            let component = plugins.load(kind, &Found { name: entry.name.clone(), bytes })?;
            if component.version() != entry.version.as_deref() {
                let named = |version: Option<&str>| version.unwrap_or("none").to_owned();
                found.whole(format!(
                    "{} `{}`: the manifest has version {}, the component {}",
                    entry.kind,
                    entry.name,
                    named(entry.version.as_deref()),
                    named(component.version())
                ));
            }
            match kind {
                Kind::Policy => policies.push((entry.digest.clone(), PolicyPlugin::new(component)?)),
                Kind::Reducer => reducers.push(Box::new(ReducerPlugin::new(component)?)),
                Kind::Domain => domains.push(DomainPlugin::new(component)?),
                Kind::Writer => writers.push(WriterPlugin::new(component)?),
            }
        }
        if !found.findings.is_empty() {
            return Ok(None);
        }
        let reducers = Reducers::new(reducers)?;
        if manifest.kind == authority::KIND {
            let policies = policies.into_iter().map(|(_, policy)| policy).collect();
            let authority = Some(authority::Prepared::again(store, manifest, domains, writers, policies)?);
            let policies = Vec::new();
            return Ok(Some(Checker { policies, reducers, again: None, authority, replayed: None, drawn: None }));
        }
        let again = if manifest.kind == "run" { Some(Again::new(manifest, domains, writers)?) } else { None };
        let replayed = again.is_none().then(|| manifest.identities());
        Ok(Some(Checker { policies, reducers, again, authority: None, replayed, drawn: None }))
    }

    /// Whether a row's rollout is run again in full. A unit of an authority suite is one step, and always is.
    fn reruns(&self, row: &Row) -> bool {
        let drawn = self.drawn.as_ref().is_none_or(|drawn| drawn.contains(&row.unit));
        self.authority.is_some() || self.again.is_some() && drawn
    }

    /// Decisions taken again, and what is wrong if anything is.
    fn check(
        &self,
        position: usize,
        row: &Row,
        trace: &Trace,
        digest: &str,
        line: &str,
    ) -> Result<(usize, Option<String>), Infra> {
        if row.unit != trace.header.unit {
            return Ok((
                0,
                Some(format!("row and trace are of different units: {} and {}", row.unit, trace.header.unit)),
            ));
        }
        if row.trace.sha256 != digest {
            return Ok((0, Some(format!("its trace hashes to {digest}, its row says {}", row.trace.sha256))));
        }
        if let Some(authority) = &self.authority {
            let decisions = trace.events.iter().filter(|event| event.kind == NodeKind::Decision).count();
            return Ok((decisions, authority.check(position, row, trace)?));
        }
        let used = trace.header.policy.as_ref();
        let known = |digest: &str| self.policies.iter().find(|(known, _)| known == digest).map(|(_, policy)| policy);
        let Some(policy) = used.and_then(|p| known(&p.digest)) else {
            let name = used.map_or("none", |p| p.digest.as_str());
            return Ok((0, Some(format!("its policy {name} is not in the manifest"))));
        };
        let again = reexecute(trace, policy)?;
        if let Some(difference) = again.difference {
            let what = format!(
                "decision on event {} of scenario {} differs\n    recorded  {}\n    now       {}",
                difference.event,
                trace.header.scenario,
                said(difference.recorded.as_ref()),
                said(difference.now.as_ref())
            );
            return Ok((again.decisions, Some(what)));
        }
        let decisions = again.decisions;
        if let Some(problem) = again.inconsistency {
            return Ok((decisions, Some(problem)));
        }
        if let Some(again) = &self.again
            && let Some(problem) = again.check(position, row, trace, &self.policies, self.reruns(row))?
        {
            return Ok((decisions, Some(problem)));
        }
        let ledger = trace.header.ledgers.first().map_or("", |ledger| ledger.form.as_str());
        if let Some(identities) = &self.replayed {
            let (header, digest) = (&trace.header, policy.component().digest());
            let recorded = planned(line, "recorded").unwrap_or_default();
            let unit = identity(identities, &recorded, &header.domain.digest, digest, ledger, &header.toolset);
            if unit != row.unit {
                let what =
                    "its trace is not of the recorded run, domain, policy, ledger and tools that the plan has here";
                return Ok((decisions, Some(what.into())));
            }
        }
        let mut expected = Row::new(trace, policy.component().name(), ledger, self.reducers.measure(trace)?);
        expected.trace = row.trace.clone();
        if self.again.is_some() {
            // Checked against the manifest's settings.
            expected.condition.clone_from(&row.condition);
        }
        let problem = (expected != *row).then(|| "its row does not follow from its trace".to_owned());
        Ok((decisions, problem))
    }
}

fn said(ruling: Option<&Ruling>) -> String {
    let Some(ruling) = ruling else { return "no word".into() };
    let verdict = match ruling.verdict {
        Verdict::Allow => "allow",
        Verdict::Block => "block",
        Verdict::Confirm => "confirm",
        Verdict::Replace => "replace",
    };
    let rule = ruling.rule.as_deref().unwrap_or("no rule");
    format!("{verdict} by {rule}, fuel {}: {}", ruling.fuel, ruling.message)
}
