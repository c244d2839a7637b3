//! Paired comparison of two policies over the same scenarios and seeds, model fixed (ContainmentBench equation 12).

use crate::bootstrap::{Cluster, ratio_of_sums};
use crate::exact::Discordant;
use crate::interval::Interval;
use crate::resamples::Resamples;
use crate::rounding::NOISE;
use std::collections::BTreeMap;
use thiserror::Error;

/// What was observed of the same scenario and seed under two policies: one metric, unless said otherwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<V = f64> {
    /// Under the first policy.
    pub a: V,
    /// Under the second.
    pub b: V,
}

/// Which direction of a metric is the good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Harm and spread.
    Lower,
    /// Utility and completion.
    Higher,
}

impl Better {
    /// A difference, turned so that more is better.
    pub(crate) fn of(self, difference: f64) -> f64 {
        match self {
            Better::Lower => -difference,
            Better::Higher => difference,
        }
    }
}

/// Two rows of one policy have the same scenario and seed, so that a pair would be ambiguous.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("two rows of policy {policy} have the same scenario and seed: aggregate them or compare one model at a time")]
pub struct DuplicateKey {
    /// `a` or `b`.
    pub policy: char,
}

/// The matched set P of equation 12, grouped by scenario. Scenarios stand in their own order, so that the same rows in
/// any order give the same intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Matched<S, V = f64> {
    scenarios: BTreeMap<S, Vec<Pair<V>>>,
    unmatched: (usize, usize),
}

impl<S: Ord, V> Matched<S, V> {
    /// Matches rows of two policies by scenario and seed. A row where the metric is N/A is left out by the caller; its
    /// partner then counts as unmatched.
    ///
    /// # Errors
    /// [`DuplicateKey`] if one policy has two rows for a scenario and seed.
    pub fn new<R: Ord>(
        a: impl IntoIterator<Item = ((S, R), V)>,
        b: impl IntoIterator<Item = ((S, R), V)>,
    ) -> Result<Self, DuplicateKey> {
        let a = by_key('a', a)?;
        let mut b = by_key('b', b)?;
        let mut matched = Matched { scenarios: BTreeMap::new(), unmatched: (0, 0) };
        for (key, a) in a {
            match b.remove(&key) {
                Some(b) => matched.scenarios.entry(key.0).or_insert_with(Vec::new).push(Pair { a, b }),
                None => matched.unmatched.0 += 1,
            }
        }
        matched.unmatched.1 = b.len();
        Ok(matched)
    }

    /// The pairs, scenario by scenario and within one in the order of seeds.
    pub fn pairs(&self) -> impl Iterator<Item = &Pair<V>> {
        self.scenarios.values().flatten()
    }

    /// The pairs of each scenario, none of them empty.
    pub fn scenarios(&self) -> impl Iterator<Item = (&S, &[Pair<V>])> {
        self.scenarios.iter().map(|(scenario, pairs)| (scenario, pairs.as_slice()))
    }

    /// Number of pairs, the denominator of every statistic here.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// Whether no row found a partner.
    pub fn is_empty(&self) -> bool {
        self.scenarios.is_empty()
    }

    /// Number of scenarios with at least one pair.
    pub fn clusters(&self) -> usize {
        self.scenarios.len()
    }

    /// Rows of the first and of the second policy that found no partner and are in no statistic.
    pub fn unmatched(&self) -> (usize, usize) {
        self.unmatched
    }
}

impl<S: Ord> Matched<S> {
    /// Means of the first and of the second policy over the pairs; `None` without pairs.
    pub fn means(&self) -> Option<(f64, f64)> {
        let mean = |side: fn(&Pair) -> f64| ratio_of_sums(&[Cluster::of_values(self.pairs().map(side))]);
        Some((mean(|pair| pair.a)?, mean(|pair| pair.b)?))
    }

    /// The paired effect, b less a (equation 12); `None` without pairs.
    pub fn delta(&self) -> Option<f64> {
        ratio_of_sums(&self.differences())
    }

    /// Share of pairs in which b is strictly better than a; equal pairs are no wins. Table 25 prints it so: 0.1456 of
    /// the pairs of None and Tool-boundary. `None` without pairs, and for a NaN or an infinity.
    pub fn win_rate(&self, better: Better) -> Option<f64> {
        self.delta()?;
        ratio_of_sums(&[Cluster::of_outcomes(self.pairs().map(|pair| better.of(pair.b - pair.a) > 0.0))])
    }

    /// Pairs that b wins and loses; `None` as for the win rate. Seeds of one scenario are not independent, so a test on
    /// pairs is too sure of itself where there are several: [`Matched::discordant_scenarios`] is the one that holds.
    pub fn discordant(&self, better: Better) -> Option<Discordant> {
        self.delta()?;
        Some(Discordant::of(self.pairs().map(|pair| better.of(pair.b - pair.a))))
    }

    /// Scenarios that b wins and loses, each by the sum over its seeds; `None` as for the win rate.
    pub fn discordant_scenarios(&self, better: Better) -> Option<Discordant> {
        self.delta()?;
        // Seeds whose differences cancel on paper may leave a rounding.
        let gain = |sum: f64| if sum.abs() <= NOISE { 0.0 } else { better.of(sum) };
        Some(Discordant::of(self.differences().iter().map(|scenario| gain(scenario.numerator))))
    }

    /// Interval of the paired effect from resampled scenarios with all of their seeds; `None` as in
    /// [`crate::Bootstrap::clusters`].
    pub fn cluster_interval(&self, resamples: &Resamples) -> Option<Interval> {
        resamples.clusters(&self.differences())
    }

    /// Interval of the paired effect from resampled pairs, which takes the seeds of a scenario as independent; `None`
    /// as in [`crate::Bootstrap::rows`].
    pub fn pair_interval(&self, resamples: &Resamples) -> Option<Interval> {
        let differences: Vec<f64> = self.pairs().map(|pair| pair.b - pair.a).collect();
        resamples.rows(&differences)
    }

    /// The differences b less a of each scenario, in the order of scenarios; their ratio of sums is the paired effect.
    pub fn differences(&self) -> Vec<Cluster> {
        self.scenarios().map(|(_, pairs)| Cluster::of_values(pairs.iter().map(|pair| pair.b - pair.a))).collect()
    }
}

fn by_key<K: Ord, V>(policy: char, rows: impl IntoIterator<Item = (K, V)>) -> Result<BTreeMap<K, V>, DuplicateKey> {
    let mut map = BTreeMap::new();
    for (key, value) in rows {
        if map.insert(key, value).is_some() {
            return Err(DuplicateKey { policy });
        }
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bootstrap::Bootstrap;

    type Row = ((u32, u64), f64);

    fn rows(scenarios: u32, value: impl Fn(u32, u64) -> f64) -> Vec<Row> {
        (0..scenarios).flat_map(|s| (0..5).map(move |r| (s, r))).map(|(s, r)| ((s, r), value(s, r))).collect()
    }

    #[test]
    fn a_policy_that_blocks_eight_workflows_of_120_loses_forty_pairs() {
        // Table 25, Tool-boundary vs Intent-ledger v2, authorised completion.
        let (a, b) = (rows(120, |_, _| 1.0), rows(120, |s, _| if s < 8 { 0.0 } else { 1.0 }));
        let matched = Matched::new(a, b).unwrap();
        assert_eq!((matched.len(), matched.clusters(), matched.unmatched()), (600, 120, (0, 0)));
        assert_eq!(matched.delta(), Some(-40.0 / 600.0));
        assert_eq!(matched.win_rate(Better::Higher), Some(0.0));
        assert_eq!(matched.win_rate(Better::Lower), Some(40.0 / 600.0));
        let resamples = Resamples::default();
        let interval = matched.cluster_interval(&resamples).unwrap();
        assert_eq!(interval, Interval { low: -14.0 / 120.0, high: -3.0 / 120.0 });
        assert!(!interval.is_tie());
        let by_pair = matched.pair_interval(&resamples).unwrap();
        assert!(by_pair.low > interval.low && by_pair.high < interval.high);
        assert_eq!(matched.discordant(Better::Higher), Some(Discordant { wins: 0, losses: 40 }));
        assert_eq!(matched.discordant_scenarios(Better::Higher), Some(Discordant { wins: 0, losses: 8 }));
    }

    #[test]
    fn no_defence_against_tool_boundary_gives_the_papers_row() {
        // Table 25: mean 0.1456 and 0, delta -0.1456 [-0.1599, -0.1321], win rate 0.1456, 2,520 pairs. 322 violations in
        // the security stage and 45 in the active one; which rollouts had them does not matter to a pair bootstrap.
        let violated = |s: u32, r: u64| f64::from(u8::from(u64::from(s) * 5 + r < 367));
        let matched = Matched::new(rows(504, violated), rows(504, |_, _| 0.0)).unwrap();
        assert_eq!(matched.means(), Some((367.0 / 2520.0, 0.0)));
        assert_eq!((matched.delta(), matched.win_rate(Better::Lower)), (Some(-367.0 / 2520.0), Some(367.0 / 2520.0)));
        let interval = matched.pair_interval(&Resamples::default()).unwrap();
        // The paper's ends are 403 and 333 pairs; ours may lie two rows beside them, its seed being unknown.
        assert!((interval.low * 2520.0 + 403.0).abs() <= 2.0, "{interval:?}");
        assert!((interval.high * 2520.0 + 333.0).abs() <= 2.0, "{interval:?}");
        assert!(!interval.is_tie());
    }

    #[test]
    fn a_scenario_whose_seeds_cancel_is_neither_won_nor_lost() {
        // 0.1 + 0.2 - 0.3 is not 0 in floating point.
        let gains = [0.1, 0.2, -0.3];
        let b = (0..3_u64).zip(gains).map(|(seed, gain)| ((1, seed), gain));
        let matched = Matched::new((0..3).map(|seed| ((1, seed), 0.0)), b).unwrap();
        assert_ne!(matched.delta(), Some(0.0));
        assert_eq!(matched.discordant(Better::Higher), Some(Discordant { wins: 2, losses: 1 }));
        assert_eq!(matched.discordant_scenarios(Better::Lower), Some(Discordant { wins: 0, losses: 0 }));
    }

    #[test]
    fn a_pair_that_is_no_number_is_not_counted_as_a_draw() {
        let matched = Matched::new([((1, 0), 1.0), ((1, 1), 1.0)], [((1, 0), 2.0), ((1, 1), f64::NAN)]).unwrap();
        assert_eq!(matched.win_rate(Better::Higher), None);
        assert_eq!(matched.discordant(Better::Higher), None);
        assert_eq!(matched.discordant_scenarios(Better::Higher), None);
    }

    #[test]
    fn two_policies_without_any_event_tie_at_zero() {
        let matched = Matched::new(rows(96, |_, _| 0.0), rows(96, |_, _| 0.0)).unwrap();
        let interval =
            matched.cluster_interval(&Resamples::new(Bootstrap { resamples: 200, ..Bootstrap::default() })).unwrap();
        assert_eq!(interval, Interval { low: 0.0, high: 0.0 });
        assert!(interval.is_tie());
    }

    #[test]
    fn rows_without_a_partner_are_counted_and_left_out() {
        let matched = Matched::new([((1, 0), 1.0), ((2, 0), 5.0)], [((1, 0), 0.5), ((1, 1), 9.0)]).unwrap();
        assert_eq!(matched.unmatched(), (1, 1));
        assert_eq!(matched.means(), Some((1.0, 0.5)));
        assert_eq!(matched.delta(), Some(-0.5));
        assert_eq!(matched.cluster_interval(&Resamples::default()), None);
    }

    #[test]
    fn the_order_of_rows_does_not_matter() {
        let (a, b) = (rows(12, |s, r| f64::from(s) / (1.0 + r as f64)), rows(12, |s, _| f64::from(s).sqrt()));
        let backwards = Matched::new(a.iter().rev().copied(), b.iter().rev().copied()).unwrap();
        assert_eq!(Matched::new(a, b).unwrap(), backwards);
    }

    #[test]
    fn a_repeated_scenario_and_seed_is_an_error() {
        let once = [((1, 0), 1.0)];
        let twice = [((1, 0), 1.0), ((1, 0), 2.0)];
        assert_eq!(Matched::new(once, twice), Err(DuplicateKey { policy: 'b' }));
    }

    #[test]
    fn without_pairs_there_is_no_statistic() {
        let matched = Matched::new(Vec::<Row>::new(), rows(2, |_, _| 1.0)).unwrap();
        assert!(matched.is_empty());
        assert_eq!(matched.delta(), None);
        assert_eq!(matched.means(), None);
        assert_eq!(matched.win_rate(Better::Lower), None);
    }
}
