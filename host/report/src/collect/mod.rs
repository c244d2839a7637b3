//! One pass over a live run's rows into columns from which every table follows.
//!
//! A row of `results.jsonl` has some 2,000 bytes. Here it has four for each metric: values are kept once, in a dictionary,
//! and a row holds their numbers. So ten times the seeds need ten times little, pairs are compared exactly and not by a
//! digest, and nothing is read twice.

mod collecting;
mod error;
mod values;

pub use collecting::Collecting;
pub use error::CollectError;

use std::collections::BTreeMap;
use values::{Number, Values};
use weir_suite::{Manifest, Row};

/// A scenario, the independent case of every statistic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// [`Row::cluster`].
    pub key: String,
    /// Evidence stage.
    pub stage: String,
    /// Domain.
    pub domain: String,
    /// `single`, `supervisor-worker` or `peer-chain`.
    pub topology: String,
    /// `session` or `persistent`.
    pub memory_mode: String,
    /// Scenario family.
    pub family: String,
}

/// A model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// Its name.
    pub name: String,
    /// No language model was asked.
    pub simulated: bool,
}

/// A metric, as the manifest defines it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: String,
    /// `more`, `less` or `neither`.
    pub better: String,
    /// Stages where it applies; empty means all.
    pub stages: Vec<String>,
    /// Its definition.
    pub description: String,
}

/// What was run under one condition, model and policy: the places in the lists of [`Collected`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArmKey {
    /// Place of the condition.
    pub condition: usize,
    /// Place of the model.
    pub model: usize,
    /// Place of the policy.
    pub policy: usize,
}

/// One rollout of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    scenario: u32,
    seed: u32,
}

/// Sums above and below the line over a scenario's rollouts, for rates that pool their proposals or actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pooled {
    /// Sum of the counts above the line.
    pub numerator: f64,
    /// Sum of the counts below it.
    pub denominator: f64,
}

/// Authorised calls that a rollout lost to a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Loss {
    row: u32,
    rule: u32,
    count: u32,
}

/// All rollouts under one condition, model and policy.
#[derive(Debug, Default)]
pub struct Arm {
    /// In the order of rows while they come; in the order of scenarios and seeds afterwards.
    cells: Vec<Cell>,
    /// A row after the other, a number for each metric.
    values: Vec<Number>,
    pooled: BTreeMap<(u32, usize), Pooled>,
    losses: Vec<Loss>,
    /// Memories that memory writers wrote.
    written: u64,
    /// Rollouts of each scenario with a decision that a plugin fault took.
    faulted: BTreeMap<u32, usize>,
}

impl Arm {
    /// Rollouts.
    #[must_use]
    pub fn rollouts(&self) -> usize {
        self.cells.len()
    }
}

/// A live run, ready for tables.
#[derive(Debug)]
pub struct Collected {
    /// Conditions in the order in which they were run.
    pub conditions: Vec<String>,
    /// Models, likewise.
    pub models: Vec<Model>,
    /// Policies, likewise: the first is the control.
    pub policies: Vec<String>,
    /// Evidence stages, likewise.
    pub stages: Vec<String>,
    /// Scenarios, likewise.
    pub scenarios: Vec<Scenario>,
    /// Rollout seeds, likewise.
    pub seeds: Vec<u64>,
    /// Metrics, in the manifest's order.
    pub metrics: Vec<Metric>,
    /// Rules that stopped authorised calls.
    pub rules: Vec<String>,
    /// Rows.
    pub rows: usize,
    values: Values,
    arms: BTreeMap<ArmKey, Arm>,
}

/// One rollout's values.
#[derive(Clone, Copy)]
pub struct Rollout<'a> {
    /// Place of the scenario.
    pub scenario: usize,
    /// Place of the seed.
    pub seed: usize,
    /// Place of the row within its arm.
    pub row: usize,
    numbers: &'a [Number],
    values: &'a Values,
}

impl Rollout<'_> {
    /// A metric's value; none where it does not apply.
    #[must_use]
    pub fn value(&self, metric: usize) -> Option<f64> {
        self.values.value(*self.numbers.get(metric)?)
    }
}

impl Collected {
    /// Reads all rows of a run, and refuses those that cannot be aggregated.
    ///
    /// # Errors
    /// A row that cannot be read, one that the manifest does not account for, and a rollout that one policy has and another
    /// has not: a comparison would be over different scenarios.
    pub fn of<E: std::fmt::Display>(
        manifest: &Manifest,
        rows: impl IntoIterator<Item = Result<Row, E>>,
    ) -> Result<Self, CollectError> {
        let mut collecting = Collecting::new(manifest);
        for row in rows {
            collecting.add(&row.map_err(|e| CollectError::Unreadable(e.to_string()))?)?;
        }
        collecting.finish()
    }

    /// The rollouts of an arm.
    #[must_use]
    pub fn arm(&self, key: ArmKey) -> Option<&Arm> {
        self.arms.get(&key)
    }

    /// The rollouts of an arm, in the order of scenarios and seeds.
    pub fn rollouts(&self, key: ArmKey) -> impl Iterator<Item = Rollout<'_>> {
        let width = self.metrics.len().max(1);
        self.arms.get(&key).into_iter().flat_map(move |arm| {
            (0..).zip(arm.cells.iter().zip(arm.values.chunks_exact(width))).map(|(row, (cell, numbers))| Rollout {
                scenario: place(cell.scenario),
                seed: place(cell.seed),
                row,
                numbers,
                values: &self.values,
            })
        })
    }

    /// The least and the greatest value that a metric has in the run; none where it never applies.
    #[must_use]
    pub fn bounds(&self, metric: usize) -> Option<(f64, f64)> {
        let rollouts = self.arms.keys().flat_map(|key| self.rollouts(*key));
        rollouts.filter_map(|rollout| rollout.value(metric)).fold(None, |bounds, value| {
            let (low, high) = bounds.unwrap_or((value, value));
            Some((f64::min(low, value), f64::max(high, value)))
        })
    }

    /// Authorised calls that an arm's rollouts lost: place of the row, the rule, how many.
    pub fn losses(&self, key: ArmKey) -> impl Iterator<Item = (usize, &str, u32)> {
        self.arms
            .get(&key)
            .into_iter()
            .flat_map(|arm| &arm.losses)
            .filter_map(|loss| Some((place(loss.row), self.rules.get(place(loss.rule))?.as_str(), loss.count)))
    }

    /// Rollouts of an arm with a decision that a plugin fault took, over those scenarios that count.
    #[must_use]
    pub fn faulted(&self, key: ArmKey, counts: impl Fn(&Scenario) -> bool) -> usize {
        let counts = |scenario: &u32| self.scenarios.get(place(*scenario)).is_some_and(&counts);
        self.arms
            .get(&key)
            .into_iter()
            .flat_map(|arm| &arm.faulted)
            .filter(|(scenario, _)| counts(scenario))
            .map(|(_, count)| count)
            .sum()
    }

    /// Memories that the memory writer between an arm's sessions wrote or changed.
    #[must_use]
    pub fn written(&self, key: ArmKey) -> u64 {
        self.arms.get(&key).map_or(0, |arm| arm.written)
    }

    /// Sums of a metric's counts over the rollouts of one scenario; none where it has no counts.
    #[must_use]
    pub fn pooled(&self, key: ArmKey, scenario: usize, metric: usize) -> Option<Pooled> {
        self.arms.get(&key)?.pooled.get(&(number(scenario), metric)).copied()
    }

    /// The place of a metric.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<usize> {
        self.metrics.iter().position(|metric| metric.name == name)
    }

    /// The place of a policy.
    #[must_use]
    pub fn policy(&self, name: &str) -> Option<usize> {
        self.policies.iter().position(|policy| policy == name)
    }

    /// A scenario's stage.
    #[must_use]
    pub fn stage_of(&self, scenario: usize) -> Option<&str> {
        self.scenarios.get(scenario).map(|scenario| scenario.stage.as_str())
    }
}

/// A place in four bytes. A run with four thousand million rollouts would be refused long before, by its memory.
fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
