//! Two policies over the same scenarios and seeds (equation 12).

use super::{Scope, View};
use crate::names;
use weir_stats::{Better, Interval, Matched};

/// A paired comparison of one metric.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Paired {
    /// Means of the first and of the second policy.
    pub(crate) means: (f64, f64),
    /// Second less first.
    pub(crate) delta: f64,
    /// 95 % interval of the difference over resampled scenarios.
    pub(crate) cluster: Option<Interval>,
    /// Share of pairs in which the second is strictly better.
    pub(crate) win_rate: Option<f64>,
    /// Two-sided exact p-value over scenarios.
    pub(crate) p_value: Option<f64>,
    /// Pairs.
    pub(crate) pairs: usize,
    /// Scenarios.
    pub(crate) scenarios: usize,
    /// Rollouts of either policy to which the metric applies while it does not to the other's.
    pub(crate) unmatched: usize,
}

impl Paired {
    /// The tie rule of section 6.5.
    pub(crate) fn is_tie(&self) -> bool {
        self.cluster.is_none_or(|interval| interval.is_tie())
    }
}

impl View<'_> {
    /// Matched values of a metric; none where the run has not both policies, the metric or the stages.
    pub(crate) fn matched(&self, a: &str, b: &str, metric: &str, scope: Scope) -> Option<Matched<usize>> {
        let column = self.run.metric(metric).filter(|_| self.covers(scope))?;
        let side = |policy: &str| {
            let rollouts = self.rollouts(self.run.policy(policy)?, scope);
            Some(rollouts.filter_map(move |r| Some(((r.scenario, r.seed), r.value(column)?))))
        };
        // One policy has one row for each scenario and seed, or the run would not have been collected.
        Matched::new(side(a)?, side(b)?).ok()
    }

    /// Compares two policies; none where they have no pair.
    pub(crate) fn paired(&self, a: &str, b: &str, metric: &str, scope: Scope) -> Option<Paired> {
        self.compared(&self.matched(a, b, metric, scope)?, metric)
    }

    /// The comparison of matched values; none where there is no pair.
    pub(crate) fn compared(&self, matched: &Matched<usize>, metric: &str) -> Option<Paired> {
        let better = self.better(metric);
        let (unmatched_a, unmatched_b) = matched.unmatched();
        Some(Paired {
            means: matched.means()?,
            delta: matched.delta()?,
            cluster: matched.cluster_interval(self.resamples),
            win_rate: better.and_then(|better| matched.win_rate(better)),
            p_value: better
                .and_then(|better| matched.discordant_scenarios(better))
                .map(weir_stats::Discordant::p_value),
            pairs: matched.len(),
            scenarios: matched.clusters(),
            unmatched: unmatched_a + unmatched_b,
        })
    }

    /// The paper's pair bootstrap, which takes the seeds of a scenario as independent.
    pub(crate) fn pair_interval(&self, a: &str, b: &str, metric: &str, scope: Scope) -> Option<Interval> {
        self.matched(a, b, metric, scope)?.pair_interval(self.resamples)
    }

    /// Which direction of a metric is the good one; none where the manifest says neither.
    pub(crate) fn better(&self, metric: &str) -> Option<Better> {
        match self.run.metrics.get(self.run.metric(metric)?)?.better.as_str() {
            "more" => Some(Better::Higher),
            "less" => Some(Better::Lower),
            _ => None,
        }
    }

    /// Whether anything happened under the control that a lower value of the metric could show to be prevented.
    pub(crate) fn control_has_events(&self, metric: &str, scope: Scope) -> bool {
        let control = self.run.policy(names::NONE).unwrap_or(0);
        self.estimate(control, metric, scope).value.is_some_and(|value| value > 0.0)
    }
}
