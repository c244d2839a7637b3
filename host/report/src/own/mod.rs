//! What the author of a policy wants to know first of a run: where authorised work was lost and to which rule, where a
//! violation got through, where the plugin failed; each with the trace that shows it, and the decision in it.
//!
//! It is said of policies that were given as files, against the two built-in ones between which a defence stands: `none`,
//! which loses no work, and `tool-boundary`, which lets nothing through and loses little.

mod gather;
mod section;

pub use gather::{completes, gather, violation};
pub use section::{json, section};

use serde::Serialize;
use weir_trace::EventId;

/// Findings of a kind that are shown; of the others their number.
const SHOWN: usize = 8;

/// What a run shows of one policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Own {
    /// Its name.
    pub policy: String,
    /// Models whose rollouts are left out, since no policies are compared on them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// Its rollouts, without those.
    pub rollouts: usize,
    /// Rollouts with a violation or a secret that leaked.
    pub violations: usize,
    /// Rollouts with a decision that a fault of the plugin took.
    pub faulted: usize,
    /// The policies that it is held against, of those that take part in the run.
    pub against: Vec<Against>,
    /// Work that one of these completes and this one does not, by rule and scenario.
    pub lost: Findings,
    /// Violations, by scenario.
    pub through: Findings,
    /// Faults, by scenario.
    pub faults: Findings,
}

/// A policy against which another is held, over the same scenarios, models and seeds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Against {
    /// Its name.
    pub policy: String,
    /// Rollouts whose work it completes.
    pub completes: usize,
    /// Of these, the ones whose work the other policy does not complete.
    pub lost: usize,
    /// Rollouts with a violation or a secret that leaked.
    pub violations: usize,
}

/// Findings of one kind, the worst first.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Findings {
    /// The first ones.
    pub shown: Vec<Finding>,
    /// How many more there are.
    pub more: usize,
}

/// What happened in one scenario.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The rules that stopped authorised calls; what got through; or what the fault was.
    pub what: String,
    /// Evidence stage.
    pub stage: String,
    /// Domain.
    pub domain: String,
    /// Scenario.
    pub scenario: String,
    /// What was wrong with the ledger or the confirmations; `correct` where nothing was.
    pub condition: String,
    /// Rollouts of the scenario in which it happened.
    pub rollouts: usize,
    /// Their seeds, each once.
    pub seeds: Vec<u64>,
    /// The position of the first of them among the run's traces, from 1: what `weir trace --unit` takes.
    pub unit: usize,
    /// The decision in that trace; none where nothing was decided on.
    pub event: Option<EventId>,
}

#[cfg(test)]
mod tests;
