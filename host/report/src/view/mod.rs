//! One condition and one model of a run, and the statistics that tables ask of it. What several tables ask is computed
//! once, and all intervals come from the same resamples.

mod compare;
mod diverge;
mod faults;
mod seeds;
mod spread;

pub(crate) use compare::Paired;
pub(crate) use diverge::Diverged;
pub(crate) use spread::{Normalised, Over};

use crate::collect::{ArmKey, Collected, Pooled, Rollout, Scenario};
use crate::estimate::{Estimate, Scale, estimate};
use crate::names;
use std::cell::RefCell;
use std::collections::BTreeMap;
use weir_stats::{Cluster, Resamples};

/// Which stages a statistic is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope<'a> {
    /// The four stages of the full-scale run together; a run that lacks one of them has no such statistic.
    All,
    /// Whatever stages the run has.
    Every,
    /// One stage.
    Stage(&'a str),
    /// One stage in one domain.
    Part {
        /// The stage.
        stage: &'a str,
        /// The domain.
        domain: &'a str,
    },
}

impl<'a> Scope<'a> {
    /// Whether rollouts of a stage are in it, of some domain at least.
    pub(crate) fn has(self, stage: &str) -> bool {
        match self {
            Scope::All => names::STAGES.iter().any(|(known, _)| *known == stage),
            Scope::Every => true,
            Scope::Stage(one) | Scope::Part { stage: one, .. } => one == stage,
        }
    }

    /// Whether a scenario's rollouts are in it.
    pub(crate) fn contains(self, scenario: &Scenario) -> bool {
        let elsewhere = matches!(self, Scope::Part { domain, .. } if domain != scenario.domain);
        !elsewhere && self.has(&scenario.stage)
    }

    /// As tables print it.
    pub(crate) fn printed(self) -> &'a str {
        match self {
            Scope::All => "All stages",
            Scope::Every => "All stages of the run",
            Scope::Stage(stage) | Scope::Part { stage, .. } => names::stage(stage),
        }
    }
}

type EstimateKey = (usize, usize, String);

/// One condition and one model of a run.
pub(crate) struct View<'a> {
    pub(crate) run: &'a Collected,
    pub(crate) condition: usize,
    pub(crate) model: usize,
    pub(crate) resamples: &'a Resamples,
    scales: Vec<Scale>,
    estimates: RefCell<BTreeMap<EstimateKey, Estimate>>,
}

impl<'a> View<'a> {
    pub(crate) fn new(run: &'a Collected, condition: usize, model: usize, resamples: &'a Resamples) -> Self {
        let scales = run.metrics.iter().enumerate().map(|(column, metric)| scale(&metric.name, || run.bounds(column)));
        View { run, condition, model, resamples, scales: scales.collect(), estimates: RefCell::default() }
    }

    /// The model's name, with the word that it is simulated.
    pub(crate) fn model_name(&self) -> String {
        match self.run.models.get(self.model) {
            Some(model) if model.simulated => format!("{} (simulated)", model.name),
            Some(model) => model.name.clone(),
            None => String::new(),
        }
    }

    /// Whether no language model was asked.
    pub(crate) fn is_simulated(&self) -> bool {
        self.run.models.get(self.model).is_some_and(|model| model.simulated)
    }

    /// Whether the run has all stages of a scope.
    pub(crate) fn covers(&self, scope: Scope) -> bool {
        let has = |stage: &str| self.run.stages.iter().any(|known| known == stage);
        match scope {
            Scope::All => names::STAGES.iter().all(|(stage, _)| has(stage)),
            Scope::Every => true,
            Scope::Stage(stage) | Scope::Part { stage, .. } => has(stage),
        }
    }

    pub(crate) fn key(&self, policy: usize) -> ArmKey {
        ArmKey { condition: self.condition, model: self.model, policy }
    }

    /// A policy's rollouts in a scope, in the order of scenarios and seeds; the same for every policy.
    pub(crate) fn rollouts(&self, policy: usize, scope: Scope) -> impl Iterator<Item = Rollout<'_>> + use<'_> {
        let within: Vec<bool> = self.run.scenarios.iter().map(|scenario| scope.contains(scenario)).collect();
        self.run.rollouts(self.key(policy)).filter(move |rollout| within.get(rollout.scenario) == Some(&true))
    }

    /// Rollouts of each policy in a scope.
    pub(crate) fn count(&self, scope: Scope) -> usize {
        self.scenarios(scope) * self.run.seeds.len()
    }

    /// Scenarios of a scope.
    pub(crate) fn scenarios(&self, scope: Scope) -> usize {
        self.run.scenarios.iter().filter(|scenario| scope.contains(scenario)).count()
    }

    /// Rollouts of a policy in a scope with a decision that a plugin fault took.
    pub(crate) fn faulted(&self, policy: usize, scope: Scope) -> usize {
        self.run.faulted(self.key(policy), |scenario| scope.contains(scenario))
    }

    /// Whether any policy failed in a scope.
    pub(crate) fn any_fault(&self, scope: Scope) -> bool {
        (0..self.run.policies.len()).any(|policy| self.faulted(policy, scope) > 0)
    }

    /// A cluster for each scenario of a scope, in order: the metric's sum and the rollouts where it applies.
    pub(crate) fn clusters(&self, policy: usize, metric: usize, scope: Scope) -> Vec<Cluster> {
        let empty = Cluster { numerator: 0.0, denominator: 0.0 };
        let mut sums = vec![empty; self.run.scenarios.len()];
        for rollout in self.run.rollouts(self.key(policy)) {
            if let (Some(value), Some(sum)) = (rollout.value(metric), sums.get_mut(rollout.scenario)) {
                sum.numerator += value;
                sum.denominator += 1.0;
            }
        }
        let scenarios = self.run.scenarios.iter().zip(sums);
        scenarios.filter(|(scenario, _)| scope.contains(scenario)).map(|(_, sum)| sum).collect()
    }

    /// A metric's mean over the rollouts of a scope where it applies.
    pub(crate) fn estimate(&self, policy: usize, metric: &str, scope: Scope) -> Estimate {
        let Some(column) = self.run.metric(metric) else { return Estimate::none() };
        let key = (policy, column, format!("{scope:?}"));
        if let Some(known) = self.estimates.borrow().get(&key) {
            return known.clone();
        }
        let mut clusters = self.clusters(policy, column, scope);
        clusters.retain(|cluster| cluster.denominator > 0.0);
        let scale = self.scales.get(column).copied().unwrap_or(Scale::Open);
        let found = estimate(&clusters, scale, self.resamples);
        self.estimates.borrow_mut().insert(key, found.clone());
        found
    }

    /// A metric's counts above the line over those below it, pooled over all rollouts of a scope: a rate of proposals or
    /// actions instead of a mean of rollouts.
    pub(crate) fn pooled(&self, policy: usize, metric: &str, scope: Scope) -> Estimate {
        let Some(column) = self.run.metric(metric) else { return Estimate::none() };
        let scenarios = self.run.scenarios.iter().enumerate().filter(|(_, scenario)| scope.contains(scenario));
        let clusters: Vec<Cluster> = scenarios
            .filter_map(|(at, _)| self.run.pooled(self.key(policy), at, column))
            .filter(|sums| sums.denominator > 0.0)
            .map(|Pooled { numerator, denominator }| Cluster { numerator, denominator })
            .collect();
        estimate(&clusters, Scale::Counted, self.resamples)
    }

    /// A metric of a policy that goes by name; none where the run has no such policy or stage.
    pub(crate) fn named(&self, policy: &str, metric: &str, scope: Scope) -> Option<Estimate> {
        let policy = self.run.policy(policy).filter(|_| self.covers(scope))?;
        Some(self.estimate(policy, metric, scope)).filter(|estimate| estimate.value.is_some())
    }
}

/// What values a metric can have. A reducer of somebody else's is taken for a share only if all it measured is one.
fn scale(metric: &str, bounds: impl FnOnce() -> Option<(f64, f64)>) -> Scale {
    if names::is_indicator(metric) {
        Scale::Counted
    } else if names::is_count(metric) || bounds().is_some_and(|(low, high)| low < 0.0 || high > 1.0) {
        Scale::Open
    } else {
        Scale::Unit
    }
}
