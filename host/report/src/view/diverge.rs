//! Where the endpoint is the same and the course is not (table 10).

use super::{Scope, View};
use crate::collect::Rollout;
use crate::names;
use weir_stats::{Axes, Cluster, Divergence, Interval, Matched, Observed, PROJECTION, ratio_of_sums};

const FIELDS: usize = PROJECTION.len();

/// Divergence of two policies over pairs with equal endpoints.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Diverged {
    /// Matched pairs.
    pub(crate) pairs: usize,
    /// Pairs in which neither run committed harm.
    pub(crate) without_harm: usize,
    /// Pairs with equal endpoints.
    pub(crate) equal: usize,
    /// Of these: trajectory and utility differ.
    pub(crate) both: usize,
    /// Only the trajectory.
    pub(crate) trajectory_only: usize,
    /// Only the utility.
    pub(crate) utility_only: usize,
    /// Pairs that differ in each field of the projection.
    pub(crate) fields: [usize; FIELDS],
    /// Share of the pairs with equal endpoints whose trajectories differ.
    pub(crate) share: Option<f64>,
    /// Its 95 % interval over resampled scenarios.
    pub(crate) interval: Option<Interval>,
    /// Pairs with equal endpoints of each scenario, by the axes on which they differ.
    pub(crate) scenarios: Vec<Axes>,
}

impl Diverged {
    /// Pairs whose trajectories differ.
    pub(crate) fn trajectory(&self) -> usize {
        self.both + self.trajectory_only
    }

    /// Pairs whose utilities differ.
    pub(crate) fn utility(&self) -> usize {
        self.both + self.utility_only
    }
}

impl View<'_> {
    /// Compares two policies; none where the run lacks one of them, a stage, or the endpoint.
    pub(crate) fn diverged(&self, a: &str, b: &str, scope: Scope) -> Option<Diverged> {
        let (a, b) = (self.run.policy(a)?, self.run.policy(b)?);
        let harm = self.run.metric(names::HARM).filter(|_| self.covers(scope))?;
        let fields = PROJECTION.map(|field| {
            self.run.metric(match field {
                "privilege_jump" => "privilege_jump_rate",
                other => other,
            })
        });
        let observe = |rollout: &Rollout| Observed {
            harm: rollout.value(harm).is_some_and(|value| value > 0.0),
            utility: self.utility_of(rollout),
            trajectory: fields.map(|field| rollout.value(field?)),
        };
        let mut sum = Diverged::default();
        let mut clusters = Vec::new();
        // Scenario by scenario, so that a run with many seeds needs no more room than one with few.
        let pairs: Vec<_> = self.rollouts(a, scope).zip(self.rollouts(b, scope)).collect();
        for pairs in pairs.chunk_by(|(one, _), (next, _)| one.scenario == next.scenario) {
            let matched = Matched::new(
                pairs.iter().map(|(a, _)| ((a.scenario, a.seed), observe(a))),
                pairs.iter().map(|(_, b)| ((b.scenario, b.seed), observe(b))),
            );
            let found = Divergence::of(&matched.ok()?)?;
            sum.pairs += found.pairs;
            sum.without_harm += found.without_harm;
            sum.equal += found.axes.total();
            sum.both += found.axes.both;
            sum.trajectory_only += found.axes.trajectory_only;
            sum.utility_only += found.axes.utility_only;
            for (total, count) in sum.fields.iter_mut().zip(found.fields) {
                *total += count;
            }
            sum.scenarios.push(found.axes);
            let differs = found.axes.both + found.axes.trajectory_only;
            clusters.push(Cluster { numerator: differs as f64, denominator: found.axes.total() as f64 });
        }
        sum.share = ratio_of_sums(&clusters);
        sum.interval = self.resamples.clusters(&clusters);
        Some(sum)
    }

    /// The utility of a rollout's own stage.
    fn utility_of(&self, rollout: &Rollout) -> Option<f64> {
        let metric = names::completion(self.run.stage_of(rollout.scenario)?);
        rollout.value(self.run.metric(metric)?)
    }
}
