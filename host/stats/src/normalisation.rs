//! A spread against its own denominator and against the largest one of any policy (ContainmentBench equation 4 and
//! table 14). A policy that blocks early has a short trace, and the same spread is a larger part of it; a comparison that
//! turns round under the other denominator is no evidence for either policy.

use crate::rounding::NOISE;
use std::collections::BTreeMap;
use thiserror::Error;

/// A numerator and a denominator of one run: tainted and reachable nodes in equation 4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fraction {
    /// What is counted.
    pub numerator: f64,
    /// What it is counted among; below 1 it counts as 1, as in equation 4.
    pub denominator: f64,
}

impl Fraction {
    fn over(&self, denominator: f64) -> f64 {
        self.numerator / denominator.max(1.0)
    }
}

/// Why runs cannot be normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NormalisationError {
    /// One key and policy twice.
    #[error("two runs of one policy have the same key: aggregate them or compare one model at a time")]
    Duplicate,
    /// A NaN or an infinity.
    #[error("a numerator or denominator is not a finite number")]
    NotFinite,
}

/// Runs of several policies on the same keys, a key being scenario, model and seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Normalisation<K, P> {
    runs: BTreeMap<K, BTreeMap<P, Fraction>>,
}

/// Two policies' means under both normalisations, over the keys that both have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Keys that both policies have.
    pub keys: usize,
    /// Means of the first and of the second policy, each run over its own denominator.
    pub realised: (f64, f64),
    /// Means with each run over the largest denominator of any policy at its key.
    pub fixed_maximum: (f64, f64),
}

impl Comparison {
    /// Whether the order of the two policies turns round between the normalisations. A gap of 0 has no direction.
    pub fn flips_sign(&self) -> bool {
        let direction = |(a, b): (f64, f64)| if (b - a).abs() <= NOISE { 0.0 } else { (b - a).signum() };
        direction(self.realised) * direction(self.fixed_maximum) < 0.0
    }
}

impl<K: Ord, P: Ord> Normalisation<K, P> {
    /// Takes the runs of all policies, not only of those that are to be compared: each may have the largest denominator.
    ///
    /// # Errors
    /// [`NormalisationError`] for a repeated key and policy, and for numbers that are none.
    pub fn new(runs: impl IntoIterator<Item = (K, P, Fraction)>) -> Result<Self, NormalisationError> {
        let mut keys: BTreeMap<K, BTreeMap<P, Fraction>> = BTreeMap::new();
        for (key, policy, fraction) in runs {
            if !(fraction.numerator.is_finite() && fraction.denominator.is_finite()) {
                return Err(NormalisationError::NotFinite);
            }
            if keys.entry(key).or_default().insert(policy, fraction).is_some() {
                return Err(NormalisationError::Duplicate);
            }
        }
        Ok(Normalisation { runs: keys })
    }

    /// Each run of a policy over its own denominator, in the order of keys.
    pub fn realised(&self, policy: &P) -> impl Iterator<Item = (&K, f64)> {
        self.runs.iter().filter_map(|(key, runs)| runs.get(policy).map(|run| (key, run.over(run.denominator))))
    }

    /// Each run of a policy over the largest denominator of any policy at its key, in the order of keys.
    pub fn fixed_maximum(&self, policy: &P) -> impl Iterator<Item = (&K, f64)> {
        self.runs.iter().filter_map(|(key, runs)| runs.get(policy).map(|run| (key, run.over(largest(runs)))))
    }

    /// Compares two policies; `None` where they have no key in common.
    pub fn compare(&self, a: &P, b: &P) -> Option<Comparison> {
        let mut sum = Comparison { keys: 0, realised: (0.0, 0.0), fixed_maximum: (0.0, 0.0) };
        for runs in self.runs.values() {
            let (Some(a), Some(b)) = (runs.get(a), runs.get(b)) else { continue };
            let largest = largest(runs);
            sum.keys += 1;
            sum.realised.0 += a.over(a.denominator);
            sum.realised.1 += b.over(b.denominator);
            sum.fixed_maximum.0 += a.over(largest);
            sum.fixed_maximum.1 += b.over(largest);
        }
        let mean = |(a, b): (f64, f64)| (a / sum.keys as f64, b / sum.keys as f64);
        (sum.keys > 0).then(|| Comparison {
            keys: sum.keys,
            realised: mean(sum.realised),
            fixed_maximum: mean(sum.fixed_maximum),
        })
    }
}

fn largest<P>(runs: &BTreeMap<P, Fraction>) -> f64 {
    runs.values().fold(0.0, |largest, run| run.denominator.max(largest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::Bootstrap;
    use crate::paired::Matched;
    use crate::resamples::Resamples;

    type Key = (u32, u64);

    fn run(scenario: u32, policy: &'static str, numerator: f64, denominator: f64) -> (Key, &'static str, Fraction) {
        ((scenario, 0), policy, Fraction { numerator, denominator })
    }

    /// One security scenario as in table 14: v2 goes on for longer and spreads a little more, over a longer trace still.
    fn security() -> Vec<(Key, &'static str, Fraction)> {
        vec![run(1, "boundary", 6.0, 9.0), run(1, "v2", 7.0, 11.0), run(1, "none", 10.0, 12.0)]
    }

    #[test]
    fn a_lower_spread_that_is_higher_over_the_largest_denominator_is_flagged() {
        // Table 14, security: 0.6640 and 0.6624 realised, 0.5314 and 0.5339 over the fixed maximum.
        let normalisation = Normalisation::new(security()).unwrap();
        let comparison = normalisation.compare(&"boundary", &"v2").unwrap();
        let expected =
            Comparison { keys: 1, realised: (6.0 / 9.0, 7.0 / 11.0), fixed_maximum: (6.0 / 12.0, 7.0 / 12.0) };
        assert_eq!(comparison, expected);
        assert!(comparison.flips_sign());
    }

    #[test]
    fn the_papers_rows_flip_in_the_security_and_active_stages_and_not_over_all() {
        let row = |realised, fixed_maximum| Comparison { keys: 1, realised, fixed_maximum };
        assert!(row((0.6640, 0.6624), (0.5314, 0.5339)).flips_sign());
        assert!(row((0.8394, 0.8236), (0.3207, 0.3383)).flips_sign());
        assert!(!row((0.5528, 0.5219), (0.3467, 0.3070)).flips_sign());
    }

    #[test]
    fn an_order_that_is_kept_and_a_gap_of_zero_are_no_flips() {
        let kept = Normalisation::new([run(1, "a", 3.0, 4.0), run(1, "b", 1.0, 4.0)]).unwrap();
        assert!(!kept.compare(&"a", &"b").unwrap().flips_sign());
        // Equal ratios realised, 0.3 and 0.6 over the maximum: one direction against none.
        let equal = Normalisation::new([run(1, "a", 3.0, 5.0), run(1, "b", 6.0, 10.0)]).unwrap();
        let comparison = equal.compare(&"a", &"b").unwrap();
        assert_eq!((comparison.fixed_maximum, comparison.flips_sign()), ((0.3, 0.6), false));
    }

    #[test]
    fn a_denominator_below_one_counts_as_one() {
        // A clean run has no untrusted source: 0 over 0 is 0 in equation 4.
        let clean = Normalisation::new([run(1, "a", 0.0, 0.0), run(1, "b", 0.0, 0.0)]).unwrap();
        let comparison = clean.compare(&"a", &"b").unwrap();
        assert_eq!((comparison.realised, comparison.fixed_maximum), ((0.0, 0.0), (0.0, 0.0)));
    }

    #[test]
    fn keys_of_one_policy_alone_are_in_no_comparison() {
        let runs = security().into_iter().chain([run(2, "v2", 1.0, 1.0)]);
        let normalisation = Normalisation::new(runs).unwrap();
        assert_eq!(normalisation.compare(&"boundary", &"v2").unwrap().keys, 1);
        assert_eq!(normalisation.realised(&"v2").count(), 2);
        assert_eq!(normalisation.compare(&"boundary", &"absent"), None);
    }

    #[test]
    fn either_normalisation_can_be_matched_and_resampled() {
        let runs = (0..20).flat_map(|s| [run(s, "a", 6.0, 9.0), run(s, "b", 7.0, 11.0 + f64::from(s % 3))]);
        let normalisation = Normalisation::new(runs).unwrap();
        let of = |policy| normalisation.fixed_maximum(policy).map(|(key, spread)| (*key, spread));
        let matched = Matched::new(of(&"a"), of(&"b")).unwrap();
        let interval =
            matched.cluster_interval(&Resamples::new(Bootstrap { resamples: 300, ..Bootstrap::default() })).unwrap();
        assert!(interval.low > 0.0 && interval.low < interval.high);
    }

    #[test]
    fn repeated_runs_and_numbers_that_are_none_are_errors() {
        let twice = Normalisation::new([run(1, "a", 1.0, 2.0), run(1, "a", 1.0, 2.0)]);
        assert_eq!(twice, Err(NormalisationError::Duplicate));
        assert_eq!(Normalisation::new([run(1, "a", f64::NAN, 2.0)]), Err(NormalisationError::NotFinite));
    }
}
