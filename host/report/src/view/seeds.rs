//! How a mean differs between rollout seeds (table 26).

use super::{Scope, View};
use weir_stats::{SeedVariance, seed_variance};

impl View<'_> {
    /// Seed variance of a metric; none where it applies to no rollout of some seed.
    pub(crate) fn seed_variance(&self, policy: usize, metric: &str, scope: Scope) -> Option<SeedVariance> {
        let column = self.run.metric(metric)?;
        let mut sums = vec![(0.0, 0.0); self.run.seeds.len()];
        for rollout in self.rollouts(policy, scope) {
            if let (Some(value), Some(sum)) = (rollout.value(column), sums.get_mut(rollout.seed)) {
                sum.0 += value;
                sum.1 += 1.0;
            }
        }
        let means: Option<Vec<f64>> = sums.into_iter().map(|(sum, count)| (count > 0.0).then(|| sum / count)).collect();
        seed_variance(&means?)
    }
}
