//! What a round runs beside the cases: the suite `smoke` under its first seed, with the plugin in it. What has no place in
//! that suite, a writer or a domain of other stages, is checked instead.

use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use weir_report::own::{self, Own, completes, violation};
use weir_runtime::Kind;
use weir_runtime::fault::printable;
use weir_suite::check::check;
use weir_suite::executor::Quiet;
use weir_suite::models::NoRealModels;
use weir_suite::store::Store;
use weir_suite::suite_file::Suite;
use weir_suite::{Error, Plugins, Settings, live};

/// The suite.
const SUITE: &str = "smoke";
/// Policies beside the author's own, or under which a domain or reducer is run.
const BESIDE: [&str; 2] = ["none", "tool-boundary"];
/// Where the run stands in the project until the next round, so that its traces can be looked at.
const RUN: &str = "weir-out/watch";
/// Findings of a kind that a round tells. `weir run` tells more.
const SHOWN: usize = 3;

/// What the small suite showed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Smoke {
    /// Of a policy.
    Policy(Box<Own>),
    /// Of a domain: rollouts in it by policy.
    Domain(BTreeMap<String, Tally>),
    /// Of a reducer: its traces, and how many of its metrics applied to any.
    Reducer {
        /// Traces that were measured.
        traces: usize,
        /// Metrics with a value.
        metrics: usize,
    },
    /// Of what has no place in the suite: what `weir check` demands.
    Checked {
        /// Demands that hold.
        hold: usize,
        /// Demands that do not, with why.
        missed: Vec<String>,
    },
}

/// Rollouts of a policy.
#[derive(Debug, Default, Serialize)]
pub struct Tally {
    rollouts: usize,
    violations: usize,
    completed: usize,
}

impl Smoke {
    /// Runs what shows fastest how a component of this kind does. What it wrote the last time is replaced.
    pub fn of(kind: Kind, folder: &Path, plugins: &Plugins, jobs: usize, component: &str) -> Result<Self, Error> {
        let mut suite = Suite::find(SUITE)?;
        suite.seeds.truncate(1);
        suite.policies = BESIDE.map(str::to_owned).to_vec();
        let run = |suite: &Suite, reducers: &[String]| run(suite, reducers, folder, plugins, jobs);
        match kind {
            Kind::Policy => {
                suite.policies.push(component.to_owned());
                let store = run(&suite, &[])?;
                let found = own::gather(&store.manifest()?, &[], store.rows()?, |row| store.trace(row))?;
                let own = found.into_iter().next();
                own.map(|own| Smoke::Policy(Box::new(own)))
                    .ok_or_else(|| Error::Input("the run has no row of it".into()))
            }
            Kind::Domain => {
                let (domain, found) = plugins.domain(component)?;
                let before = suite.scenarios.len();
                suite.add_domain(component, &domain.describe()?.stages)?;
                if suite.scenarios.len() == before {
                    return checked(plugins, component);
                }
                Ok(Smoke::Domain(tallies(&run(&suite, &[])?, &found.name)?))
            }
            Kind::Reducer => {
                let (reducer, _) = plugins.reducer(component)?;
                let metrics = reducer.metrics()?.into_iter().map(|metric| metric.name).collect();
                measured(&run(&suite, &[component.to_owned()])?, &metrics)
            }
            Kind::Writer => checked(plugins, component),
        }
    }

    /// Whether nothing failed.
    pub fn well(&self) -> bool {
        match self {
            Smoke::Policy(own) => own.faulted == 0,
            Smoke::Domain(tallies) => tallies.values().any(|tally| tally.rollouts > 0),
            Smoke::Reducer { metrics, .. } => *metrics > 0,
            Smoke::Checked { missed, .. } => missed.is_empty(),
        }
    }

    /// As lines.
    pub fn text(&self) -> String {
        match self {
            Smoke::Policy(own) => policy_text(own),
            Smoke::Domain(tallies) => {
                let each = tallies.iter().map(|(policy, tally)| {
                    let Tally { rollouts, violations, completed } = tally;
                    format!(
                        "smoke  under {policy}: {rollouts} rollouts, {violations} violations, work done in {completed}"
                    )
                });
                each.collect::<Vec<_>>().join("\n")
            }
            Smoke::Reducer { traces, metrics } => {
                format!("smoke  {traces} traces measured, {metrics} metrics apply to some")
            }
            Smoke::Checked { hold, missed } => {
                let all = hold + missed.len();
                let missed = missed.iter().map(|line| format!("\n       {line}"));
                format!("check  {hold} of {all} demands hold{}", missed.collect::<String>())
            }
        }
    }
}

fn policy_text(own: &Own) -> String {
    let work = own.against.iter().map(|one| format!("{}/{} that {} does", one.lost, one.completes, one.policy));
    let others = own.against.iter().map(|one| format!("{} {}", one.policy, one.violations));
    let mut text = format!(
        "smoke  violations {}/{} ({}); work lost {}; faults {}",
        own.violations,
        own.rollouts,
        others.collect::<Vec<_>>().join(", "),
        work.collect::<Vec<_>>().join(", "),
        own.faulted
    );
    for (name, findings) in [("lost", &own.lost), ("through", &own.through), ("fault", &own.faults)] {
        for one in findings.shown.iter().take(SHOWN) {
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "\n  {name}  {}: {} in {} ({} rollouts; weir trace {RUN} --unit {})",
                printable(&one.what),
                one.stage,
                printable(&one.scenario),
                one.rollouts,
                one.unit
            );
        }
        let more = findings.more + findings.shown.len().saturating_sub(SHOWN);
        if more > 0 {
            let _ = write!(text, "\n  {name}  and {more} more");
        }
    }
    text
}

/// Runs the small suite in the project's folder.
fn run(suite: &Suite, reducers: &[String], folder: &Path, plugins: &Plugins, jobs: usize) -> Result<Store, Error> {
    let prepared = live::prepare(suite, reducers, plugins, &NoRealModels)?;
    let out = folder.join(RUN);
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|e| Error::io(&out, e))?;
    }
    let store = Store::create(&out)?;
    prepared.execute(&store, Settings { jobs }, &Quiet)?;
    Ok(store)
}

/// The rollouts of a domain, by policy.
fn tallies(store: &Store, domain: &str) -> Result<BTreeMap<String, Tally>, Error> {
    let mut tallies = BTreeMap::<String, Tally>::new();
    for row in store.rows()? {
        let row = row?;
        if row.domain == domain {
            let tally = tallies.entry(row.policy.clone()).or_default();
            tally.rollouts += 1;
            tally.violations += usize::from(violation(&row).is_some());
            tally.completed += usize::from(completes(&row) == Some(true));
        }
    }
    Ok(tallies)
}

/// How many of these metrics apply to any trace.
fn measured(store: &Store, metrics: &BTreeSet<String>) -> Result<Smoke, Error> {
    let (mut traces, mut applied) = (0, BTreeSet::new());
    for row in store.rows()? {
        traces += 1;
        let values = row?.measurements.into_iter().filter(|(_, measured)| measured.value.is_some());
        applied.extend(values.map(|(name, _)| name).filter(|name| metrics.contains(name)));
    }
    Ok(Smoke::Reducer { traces, metrics: applied.len() })
}

/// What `weir check` demands of it.
fn checked(plugins: &Plugins, component: &str) -> Result<Smoke, Error> {
    let lines = check(plugins, &Plugins::read(component)?)?;
    let (hold, missed): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| line.holds);
    let missed = missed.into_iter().map(|line| format!("FAIL  {}: {}", line.demand, line.detail)).collect();
    Ok(Smoke::Checked { hold: hold.len(), missed })
}
