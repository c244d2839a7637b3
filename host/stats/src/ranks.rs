//! Which places a policy could have taken in a table: ranks under resampled scenarios. Intervals of single policies
//! overlap even where the order is sure, as all policies meet the same scenarios.

use crate::bootstrap::Cluster;
use crate::paired::Better;
use crate::resamples::Resamples;
use crate::rounding::NOISE;

/// The ranks of one policy, 1 being the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankRange {
    /// Best rank: at most 2.5% of resamples, at the level of 95%, place it higher.
    pub best: usize,
    /// Worst rank, likewise; at least `best`. Policies that tie share all their ranks, so that two that never differ in
    /// first place both have 1 to 2.
    pub worst: usize,
}

/// The range of ranks of each policy, in the order given, at the level of the resamples. A policy is one cluster a
/// scenario; all must have the same scenarios in the same order, so that a resample draws the same ones for all.
///
/// A resample in which a policy has no ratio ranks nobody and is left out. `None` where policies have different numbers
/// of clusters or one has no statistic, as in [`crate::Bootstrap::clusters`], and where every resample is left out.
pub fn rank_ranges(resamples: &Resamples, policies: &[Vec<Cluster>], better: Better) -> Option<Vec<RankRange>> {
    let scenarios = policies.first()?.len();
    if policies.iter().any(|clusters| clusters.len() != scenarios) {
        return None;
    }
    let ratios: Vec<Vec<f64>> = policies.iter().map(|clusters| resamples.ratios(clusters)).collect::<Option<_>>()?;
    let mut ranks = vec![Ranks::default(); policies.len()];
    let mut values = Vec::with_capacity(policies.len());
    for resample in 0..ratios.first()?.len() {
        values.clear();
        values.extend(ratios.iter().filter_map(|ratios| ratios.get(resample)).map(|&ratio| better.of(ratio)));
        if values.iter().any(|value| value.is_nan()) {
            continue;
        }
        for (rank, &value) in ranks.iter_mut().zip(&values) {
            let above = values.iter().filter(|&&other| other > value + NOISE).count();
            let not_below = values.iter().filter(|&&other| other >= value - NOISE).count();
            rank.best.push(above + 1);
            rank.worst.push(not_below);
        }
    }
    let confidence = resamples.bootstrap().confidence;
    let range = |mut rank: Ranks| {
        let outside = confidence.outside(rank.best.len());
        let (_, &mut best, _) = (outside < rank.best.len()).then(|| rank.best.select_nth_unstable(outside))?;
        let last = rank.worst.len().checked_sub(outside + 1)?;
        let (_, &mut worst, _) = rank.worst.select_nth_unstable(last);
        Some(RankRange { best, worst })
    };
    ranks.into_iter().map(range).collect()
}

/// One policy's ranks, one a resample: the best and the worst of those that it shares.
#[derive(Clone, Default)]
struct Ranks {
    best: Vec<usize>,
    worst: Vec<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A policy that completes the first `completed` of 120 scenarios, in all five seeds.
    fn completes(completed: u32) -> Vec<Cluster> {
        (0..120).map(|s| Cluster::of_values([if s < completed { 1.0 } else { 0.0 }; 5])).collect()
    }

    fn ranges(policies: &[Vec<Cluster>], better: Better) -> Vec<(usize, usize)> {
        let ranges = rank_ranges(&Resamples::default(), policies, better).unwrap();
        ranges.iter().map(|range| (range.best, range.worst)).collect()
    }

    #[test]
    fn policies_that_meet_the_same_scenarios_are_told_apart_where_their_intervals_overlap() {
        // Two policies as far apart as Tool-boundary and v2, whose own intervals overlap: the second never wins.
        let policies = [completes(111), completes(103)];
        let [first, second] = [0, 1].map(|policy| Resamples::default().clusters(&policies[policy]).unwrap());
        assert!(second.high > first.low);
        assert_eq!(ranges(&policies, Better::Higher), [(1, 1), (2, 2)]);
        assert_eq!(ranges(&policies, Better::Lower), [(2, 2), (1, 1)]);
    }

    #[test]
    fn policies_that_never_differ_share_their_ranks() {
        let policies = [completes(111), completes(111), completes(1)];
        assert_eq!(ranges(&policies, Better::Higher), [(1, 2), (1, 2), (3, 3)]);
    }

    #[test]
    fn a_difference_that_some_resamples_miss_leaves_both_places_open_to_the_worse_policy() {
        // One scenario of 120 apart: a resample misses it with probability 0.37, and the two then tie.
        assert_eq!(ranges(&[completes(60), completes(59)], Better::Higher), [(1, 2), (1, 2)]);
    }

    #[test]
    fn sums_that_differ_in_their_last_bit_tie() {
        // The same three values in every second scenario, added up forwards and backwards.
        let policy = |seeds: [f64; 3]| -> Vec<Cluster> {
            (0..60).map(|s| Cluster::of_values(if s % 2 == 0 { seeds } else { [0.0; 3] })).collect()
        };
        let (a, b) = (policy([0.1, 0.2, 0.3]), policy([0.3, 0.2, 0.1]));
        assert_ne!(a, b);
        assert_eq!(ranges(&[a, b], Better::Higher), [(1, 2), (1, 2)]);
    }

    #[test]
    fn a_single_policy_is_first_and_none_or_unlike_ones_have_no_ranks() {
        assert_eq!(ranges(&[completes(3)], Better::Higher), [(1, 1)]);
        let rank = |policies: &[Vec<Cluster>]| rank_ranges(&Resamples::default(), policies, Better::Higher);
        assert_eq!(rank(&[]), None);
        assert_eq!(rank(&[completes(3), completes(3)[1..].to_vec()]), None);
        assert_eq!(rank(&[completes(3), vec![Cluster { numerator: 0.0, denominator: 0.0 }; 120]]), None);
    }
}
