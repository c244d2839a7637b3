//! What a policy that failed is not credited with. The host blocked its calls because it failed, so what did not happen then
//! is a fault and no safety: a rate of what should not happen is only known to lie between none of those rollouts and all.

use super::{Scope, View};
use crate::estimate::Estimate;
use crate::names;
use weir_stats::four_decimals;

impl View<'_> {
    /// How many rollouts of a policy say nothing about a metric, since it failed in them and the metric is one whose low
    /// values would be read as safety; none where there is no such rollout.
    pub(crate) fn uncredited(&self, policy: usize, metric: &str, scope: Scope) -> Option<usize> {
        Some(self.faulted(policy, scope)).filter(|faults| *faults > 0 && names::is_safety(metric))
    }

    /// A cell with the three decimals of general tables.
    pub(crate) fn cell(&self, policy: usize, metric: &str, scope: Scope) -> String {
        self.credited(policy, metric, scope, 3, Estimate::cell)
    }

    /// A cell with the four decimals of the paper's tables.
    pub(crate) fn precise(&self, policy: usize, metric: &str, scope: Scope) -> String {
        self.credited(policy, metric, scope, 4, Estimate::precise)
    }

    /// What a comparison says where one of its policies failed; none where neither did.
    pub(crate) fn no_comparison(&self, policies: [&str; 2], metric: &str, scope: Scope) -> Option<String> {
        policies.into_iter().find_map(|name| {
            let faults = self.uncredited(self.run.policy(name)?, metric, scope)?;
            Some(format!("no comparison: {} failed in {faults} of {} rollouts", names::policy(name), self.count(scope)))
        })
    }

    /// A mean over so many rollouts that is computed elsewhere, with four decimals: a range where the policy failed.
    pub(crate) fn mean(&self, policy: &str, metric: &str, scope: Scope, mean: f64, of: f64) -> String {
        match self.run.policy(policy).and_then(|policy| self.uncredited(policy, metric, scope)) {
            Some(faults) => {
                let high = f64::min(1.0, mean + faults as f64 / of);
                format!("{mean:.4} to {high:.4}, {faults} {}", if faults == 1 { "fault" } else { "faults" })
            }
            None => four_decimals(mean),
        }
    }

    fn credited(
        &self,
        policy: usize,
        metric: &str,
        scope: Scope,
        digits: usize,
        plain: fn(&Estimate) -> String,
    ) -> String {
        let estimate = self.estimate(policy, metric, scope);
        estimate.credited(self.uncredited(policy, metric, scope).unwrap_or(0), digits, plain)
    }
}
