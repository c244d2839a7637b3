//! What a plugin of each kind is measured on: built-in scenarios, traces and histories, made before anything is measured.

use super::aside::Aside;
use super::questions::{Questions, Recorder};
use super::{Piece, ROLLOUT};
use crate::cases::{Case, reference};
use crate::error::Error;
use crate::grid::LIMIT;
use crate::plugins::Plugins;
use crate::sample::{all_cases, each, pairs, rollouts, stage_cases};
use std::sync::Arc;
use weir_memory::Variant;
use weir_rollout::Infra;
use weir_rollout::memory::{episode, turns};
use weir_rollout::reduce::Reducers;
use weir_runtime::meter::Meter;
use weir_runtime::wit::memory::{Item, Turn};
use weir_runtime::wit::policies::Episode;
use weir_runtime::wit::writers::{Method, Task, View};
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{DomainPlugin, PolicyPlugin, ReducerPlugin, WriterPlugin};
use weir_runtime::{Cause, Component, Kind};
use weir_trace::Trace;

/// The domain in whose rollouts policies and reducers are measured.
const MAIL: &str = "email";
/// The domain whose histories writers and policies are measured on.
const DESK: &str = "airline";
/// Base histories of it: each gives the two sides of seven pairs.
const BASES: u32 = 2;
/// The writer whose memories a policy labels and renders: one that says from which turns a memory comes.
const WRITER: &str = "graphiti";
/// Policies under which a domain is measured: one lets everything happen, the other also undoes.
const UNDER: [&str; 2] = ["none", "rollback"];

/// The name of what a policy does with what was kept of a history.
const MEMORIES: &str = "memories";

/// A plugin with the work that it is measured on.
pub(super) struct Work<'a> {
    subject: Subject,
    meter: &'a Meter,
}

enum Subject {
    Policy { policy: PolicyPlugin, domain: Box<DomainPlugin>, cases: Vec<Case>, memories: Vec<Memories> },
    Domain { domain: DomainPlugin, policies: Vec<PolicyPlugin> },
    Reducer { reducer: ReducerPlugin, reducers: Reducers, traces: Vec<Trace> },
    Writer { writer: WriterPlugin, histories: Vec<Vec<Turn>> },
}

/// A history and what was kept of it.
struct Memories {
    episode: Episode,
    history: Vec<Turn>,
    items: Vec<Item>,
}

/// Makes the work of a plugin, whose component has the meter.
pub(super) fn prepare<'a>(
    plugins: &Plugins,
    component: Component,
    kind: Kind,
    meter: &'a Meter,
) -> Result<Work<'a>, Error> {
    let subject = match kind {
        Kind::Policy => {
            let (domain, _) = plugins.domain(MAIL)?;
            let cases = all_cases(&domain)?;
            let (policy, memories) = (PolicyPlugin::new(component)?, memories(plugins)?);
            Subject::Policy { policy, domain: Box::new(domain), cases, memories }
        }
        Kind::Domain => {
            let policies = UNDER.iter().map(|name| Ok(plugins.policy(name)?.0)).collect::<Result<_, Error>>()?;
            Subject::Domain { domain: DomainPlugin::new(component)?, policies }
        }
        Kind::Reducer => {
            let (domain, _) = plugins.domain(MAIL)?;
            let (none, _) = plugins.policy("none")?;
            let traces = rollouts(&domain, &none, &all_cases(&domain)?)?;
            let reducers = Reducers::new(vec![Box::new(ReducerPlugin::new(component.clone())?)])?;
            Subject::Reducer { reducer: ReducerPlugin::new(component)?, reducers, traces }
        }
        Kind::Writer => {
            let histories = histories(plugins)?.into_iter().map(|(_, history)| history).collect();
            Subject::Writer { writer: WriterPlugin::new(component)?, histories }
        }
    };
    // What a plugin was asked for the sake of its work is none of it.
    drop(meter.take());
    Ok(Work { subject, meter })
}

impl Work<'_> {
    /// What the plugin is measured on, in words.
    pub(super) fn said(&self) -> String {
        match &self.subject {
            Subject::Policy { cases, memories, .. } => format!(
                "{} scenarios of domain {MAIL} under two simulated models, and the memories of {} histories of domain {DESK}; \
                 what it answers changes none of the questions",
                cases.len(),
                memories.len()
            ),
            Subject::Domain { policies, .. } => {
                let names: Vec<&str> = policies.iter().map(|policy| policy.component().name()).collect();
                format!("a few of its own scenarios of each stage, two simulated models, under {}", names.join(" and "))
            }
            Subject::Reducer { traces, .. } => format!("{} traces of domain {MAIL} without a defence", traces.len()),
            Subject::Writer { histories, .. } => {
                format!("{} histories of domain {DESK}, by rules", histories.len())
            }
        }
    }

    /// Does all of it once.
    pub(super) fn round(&self) -> Result<Vec<Piece>, Error> {
        let mut pieces = Vec::new();
        match &self.subject {
            Subject::Policy { policy, .. } => self.ask(policy, |name| self.end(name, &mut pieces))?,
            Subject::Domain { domain, policies } => self.domain(domain, policies, &mut pieces)?,
            Subject::Reducer { reducer, reducers, traces } => {
                reducer.metrics()?;
                self.end("metrics", &mut pieces);
                for trace in traces {
                    reducers.measure(trace)?;
                    self.end("trace", &mut pieces);
                }
            }
            Subject::Writer { writer, histories } => {
                for history in histories {
                    writer.consolidate(&task(history))?;
                    self.end("history", &mut pieces);
                }
            }
        }
        Ok(pieces)
    }

    /// Does a policy's work once and writes down what it is asked.
    pub(super) fn questions(&self) -> Result<Questions, Error> {
        let Subject::Policy { policy, .. } = &self.subject else { return Ok(Questions::default()) };
        let recorder = Recorder::new(policy);
        self.ask(&recorder, |name| recorder.end(name))?;
        drop(self.meter.take());
        recorder.questions()
    }

    /// Asks a policy, which is this work's own or stands before it, and tells the name of each piece of work that is done.
    fn ask(&self, asked: &dyn DefenceFactory, mut done: impl FnMut(&'static str)) -> Result<(), Error> {
        let Subject::Policy { policy, domain, cases, memories } = &self.subject else { return Ok(()) };
        let aside = Aside::new(asked);
        each(domain, &aside, &reference(policy.component()), cases, |_| {
            match aside.fault() {
                Some(fault) => return Err(fault.into()),
                None => done(ROLLOUT),
            }
            Ok(())
        })?;
        for one in memories {
            remember(asked, one)?;
            done(MEMORIES);
        }
        Ok(())
    }

    fn domain(&self, domain: &DomainPlugin, policies: &[PolicyPlugin], pieces: &mut Vec<Piece>) -> Result<(), Error> {
        let info = domain.describe()?;
        self.end("describe", pieces);
        for stage in &info.stages {
            let cases = match stage_cases(domain, &info, stage) {
                Ok(cases) => cases,
                // A domain of recorded runs has no scenarios without a record.
                Err(Error::Plugin(fault)) if matches!(fault.cause, Cause::Refused { .. }) => Vec::new(),
                Err(other) => return Err(other),
            };
            self.end("scenarios of a stage", pieces);
            for policy in policies {
                each(domain, policy, &reference(policy.component()), &cases, |_| {
                    self.end(ROLLOUT, pieces);
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    /// A piece of work is done: the calls since the last one were its.
    fn end(&self, name: &'static str, pieces: &mut Vec<Piece>) {
        pieces.push(Piece { name, calls: self.meter.take() });
    }
}

/// Lets a policy label and render what was kept of a history.
fn remember(policy: &dyn DefenceFactory, with: &Memories) -> Result<(), Error> {
    let mut session = policy.start(&with.episode, &Arc::from([]), None)?;
    let mut items = with.items.clone();
    let labels = session.endorse(&items, &with.history)?.value;
    for (item, label) in items.iter_mut().zip(labels) {
        item.authority = label.authority.or(item.authority);
    }
    session.render(&items)?;
    Ok(())
}

/// Built-in histories with what a policy is told first of each.
fn histories(plugins: &Plugins) -> Result<Vec<(Episode, Vec<Turn>)>, Error> {
    let (domain, _) = plugins.domain(DESK)?;
    let info = domain.describe()?;
    let mut all = Vec::new();
    for first in 0..BASES {
        for case in pairs(&domain, &info, first)? {
            let read = serde_json::from_str::<Variant>(&case.scenario.state);
            let variant = read.map_err(|e| Infra::Input(format!("scenario {}: {e}", case.scenario.id)))?;
            all.push((episode(&case.scenario, &case.tools), turns(&variant)));
        }
    }
    Ok(all)
}

fn memories(plugins: &Plugins) -> Result<Vec<Memories>, Error> {
    let (writer, _) = plugins.writer(WRITER)?;
    let one = |(episode, history): (Episode, Vec<Turn>)| {
        let items = writer.consolidate(&task(&history))?.value;
        Ok(Memories { episode, history, items })
    };
    histories(plugins)?.into_iter().map(one).collect()
}

fn task(history: &[Turn]) -> Task {
    Task {
        history: history.to_vec(),
        marks: Vec::new(),
        existing: Vec::new(),
        limit: LIMIT,
        view: View::Full,
        method: Method::Rules,
    }
}
