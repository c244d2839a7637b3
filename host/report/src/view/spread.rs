//! Logged spread under several denominators (equation 4, table 14), and its gap by stages (table 13).

use super::{Scope, View};
use crate::names;
use weir_stats::{Cluster, Decomposition, Interval, StageMeans, decompose, ratio_of_sums};

/// What a spread is divided by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// The rollout's own reachable nodes.
    Realised,
    /// The most reachable nodes of any policy at this scenario and seed.
    FixedMaximum,
}

/// Two policies' spreads under one denominator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Normalised {
    /// Means of the first and of the second policy.
    pub(crate) means: (f64, f64),
    /// 95 % interval of second less first over resampled scenarios.
    pub(crate) interval: Option<Interval>,
    /// Pairs.
    pub(crate) pairs: usize,
}

impl View<'_> {
    /// Compares the spreads of two policies, over all pairs of a scope or only over those in which both complete the
    /// authorised tainted action.
    pub(crate) fn normalised(&self, a: &str, b: &str, scope: Scope, over: Over, completed: bool) -> Option<Normalised> {
        let (a, b) = (self.run.policy(a)?, self.run.policy(b)?);
        let tainted = self.run.metric(names::TAINTED).filter(|_| self.covers(scope))?;
        let reachable = self.run.metric(names::REACHABLE)?;
        let completion = self.run.metric(names::COMPLETION)?;
        let column = |policy: usize, metric: usize| {
            self.rollouts(policy, scope).map(move |rollout| rollout.value(metric).unwrap_or(0.0))
        };
        let mut largest: Vec<f64> = vec![0.0; self.count(scope)];
        for policy in (0..self.run.policies.len()).filter(|_| over == Over::FixedMaximum) {
            for (most, nodes) in largest.iter_mut().zip(column(policy, reachable)) {
                *most = most.max(nodes);
            }
        }
        let spread = |policy: usize| {
            let nodes = column(policy, tainted).zip(column(policy, reachable)).zip(&largest);
            nodes.map(move |((tainted, own), &largest)| match over {
                Over::Realised => tainted / own.max(1.0),
                Over::FixedMaximum => tainted / largest.max(1.0),
            })
        };
        let done = column(a, completion).zip(column(b, completion)).map(|(a, b)| !completed || (a == 1.0 && b == 1.0));
        let (mut first, mut second, mut count) = (0.0, 0.0, 0_usize);
        let mut clusters = vec![Cluster { numerator: 0.0, denominator: 0.0 }; self.run.scenarios.len()];
        let scenarios = self.rollouts(a, scope).map(|rollout| rollout.scenario);
        for (((a, b), scenario), _) in spread(a).zip(spread(b)).zip(scenarios).zip(done).filter(|(_, done)| *done) {
            first += a;
            second += b;
            count += 1;
            if let Some(cluster) = clusters.get_mut(scenario) {
                cluster.numerator += b - a;
                cluster.denominator += 1.0;
            }
        }
        clusters.retain(|cluster| cluster.denominator > 0.0);
        ratio_of_sums(&clusters)?;
        Some(Normalised {
            means: (first / count as f64, second / count as f64),
            interval: self.resamples.clusters(&clusters),
            pairs: count,
        })
    }

    /// The gap in realised spread between two policies, by the four stages.
    pub(crate) fn decomposed(&self, a: &str, b: &str) -> Option<Decomposition> {
        let stages = names::STAGES
            .iter()
            .map(|(stage, _)| StageMeans::of(&self.matched(a, b, names::SPREAD, Scope::Stage(stage))?));
        decompose(&stages.collect::<Option<Vec<_>>>()?)
    }
}
