//! A rate or mean with its interval and its denominators.

use serde::Serialize;
use std::collections::BTreeMap;
use weir_stats::{Cluster, Resamples, four_decimals, ratio_of_sums, zero_event_bound};

/// A point estimate over clusters of rollouts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean, or the ratio of sums; none where nothing applies.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval; none where none can be estimated.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// Sum above the line.
    pub numerator: f64,
    /// Sum below the line.
    pub denominator: f64,
    /// Independent clusters.
    pub clusters: usize,
    /// What is summed are whole cases, so that `numerator` out of `denominator` reads as a count.
    pub counted: bool,
}

/// What values a rollout can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Whole cases, counted: 0 or 1, or so many of so many.
    Counted,
    /// Between 0 and 1.
    Unit,
    /// Any number.
    Open,
}

/// Sums above and below the line, by cluster.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(BTreeMap<String, (f64, f64)>);

impl Tally {
    /// Adds one rollout's share.
    pub(crate) fn add(&mut self, cluster: &str, numerator: f64, denominator: f64) {
        if denominator > 0.0 {
            let sums = self.0.entry(cluster.to_owned()).or_default();
            sums.0 += numerator;
            sums.1 += denominator;
        }
    }

    /// Adds one rollout's yes or no.
    pub(crate) fn add_indicator(&mut self, cluster: &str, yes: bool) {
        self.add(cluster, f64::from(u8::from(yes)), 1.0);
    }

    /// The sum below the line.
    pub(crate) fn denominator(&self) -> f64 {
        self.0.values().map(|sums| sums.1).sum()
    }

    /// The sums of each cluster.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (&str, f64, f64)> {
        self.0.iter().map(|(cluster, sums)| (cluster.as_str(), sums.0, sums.1))
    }

    /// The estimate.
    pub(crate) fn estimate(&self, scale: Scale, resamples: &Resamples) -> Estimate {
        let clusters: Vec<Cluster> =
            self.0.values().map(|&(numerator, denominator)| Cluster { numerator, denominator }).collect();
        estimate(&clusters, scale, resamples)
    }
}

/// The estimate over clusters, each with rollouts to which the metric applies. A proportion whose events are none or all
/// has no spread to resample, so its interval is the exact one-sided bound over clusters (ContainmentBench table 12); the
/// same holds for a mean of values between 0 and 1, which is at most the share of clusters where the value is not 0.
pub(crate) fn estimate(clusters: &[Cluster], scale: Scale, resamples: &Resamples) -> Estimate {
    let (numerator, denominator) =
        clusters.iter().fold((0.0, 0.0), |sum, c| (sum.0 + c.numerator, sum.1 + c.denominator));
    let count = u64::try_from(clusters.len()).unwrap_or(u64::MAX);
    let interval = match zero_event_bound(count) {
        Some(bound) if scale != Scale::Open && numerator == 0.0 => Some((0.0, bound)),
        Some(bound) if scale != Scale::Open && numerator == denominator => Some((1.0 - bound, 1.0)),
        _ => resamples.clusters(clusters).map(|i| (i.low, i.high)),
    };
    Estimate {
        value: ratio_of_sums(clusters),
        low: interval.map(|i| i.0),
        high: interval.map(|i| i.1),
        numerator,
        denominator,
        clusters: clusters.len(),
        counted: scale == Scale::Counted,
    }
}

impl Estimate {
    /// What applies nowhere.
    #[must_use]
    pub fn none() -> Self {
        Estimate { value: None, low: None, high: None, numerator: 0.0, denominator: 0.0, clusters: 0, counted: false }
    }

    /// `0.8567 [0.7960, 0.9100]  514/600`, with the four decimals of the paper's tables, or `N/A`.
    #[must_use]
    pub fn precise(&self) -> String {
        let Some(value) = self.value else { return "N/A".into() };
        let interval = match (self.low, self.high) {
            (Some(low), Some(high)) => format!(" [{}, {}]", four_decimals(low), four_decimals(high)),
            _ => String::new(),
        };
        format!("{}{interval}  {}", four_decimals(value), self.counts())
    }

    /// `514/600`, or `n=600` where the sum is no count.
    #[must_use]
    pub fn counts(&self) -> String {
        if self.counted {
            format!("{:.0}/{:.0}", self.numerator, self.denominator)
        } else {
            format!("n={:.0}", self.denominator)
        }
    }

    /// A cell about what should not happen, where so many of its cases say nothing because a plugin failed in them: `0.100 to
    /// 0.150  2/20, 1 fault`, if it happened in none of them and if in all. Without such cases as any other cell.
    #[must_use]
    pub fn credited(&self, faults: usize, digits: usize, plain: fn(&Estimate) -> String) -> String {
        let Some(low) = self.value.filter(|_| faults > 0) else { return plain(self) };
        let high = f64::min(1.0, low + faults as f64 / self.denominator);
        let word = if faults == 1 { "fault" } else { "faults" };
        format!("{low:.digits$} to {high:.digits$}  {}, {faults} {word}", self.counts())
    }

    /// `0.857 [0.796, 0.910]  514/600`, or `N/A`.
    #[must_use]
    pub fn cell(&self) -> String {
        let Some(value) = self.value else { return "N/A".into() };
        let interval = match (self.low, self.high) {
            (Some(low), Some(high)) => format!(" [{low:.3}, {high:.3}]"),
            _ => String::new(),
        };
        format!("{value:.3}{interval}  {}", self.counts())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_its_interval_and_its_counts() {
        let mut tally = Tally::default();
        for cluster in 0..40 {
            tally.add_indicator(&cluster.to_string(), cluster % 4 == 0);
            tally.add_indicator(&cluster.to_string(), cluster % 4 == 0);
        }
        let estimate = tally.estimate(Scale::Counted, &Resamples::default());
        assert_eq!((estimate.value, estimate.clusters), (Some(0.25), 40));
        assert!(estimate.low.unwrap() < 0.25 && estimate.high.unwrap() > 0.25);
        assert!(estimate.cell().ends_with("  20/80"), "{}", estimate.cell());
    }

    #[test]
    fn no_events_have_an_upper_bound_over_clusters_and_all_events_a_lower_one() {
        let mut none = Tally::default();
        let mut all = Tally::default();
        for cluster in 0..192 {
            none.add_indicator(&cluster.to_string(), false);
            all.add_indicator(&cluster.to_string(), true);
        }
        assert!((none.estimate(Scale::Counted, &Resamples::default()).high.unwrap() - 0.01548).abs() < 1e-5);
        assert!((all.estimate(Scale::Counted, &Resamples::default()).low.unwrap() - (1.0 - 0.01548)).abs() < 1e-5);
    }

    #[test]
    fn nothing_applicable_is_not_zero() {
        assert_eq!(Tally::default().estimate(Scale::Counted, &Resamples::default()).cell(), "N/A");
    }
}
