//! Intervals and confidence levels.

/// A two-sided interval, `low <= high`, in the unit of the statistic that it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end, part of the interval.
    pub low: f64,
    /// Upper end, part of the interval.
    pub high: f64,
}

impl Interval {
    /// The tie rule (ContainmentBench 6.5): an effect whose interval crosses zero is a tie or exploratory evidence. An
    /// end that lies exactly on zero counts as crossing, so that [0, 0] (two policies without any event) is a tie.
    pub fn is_tie(&self) -> bool {
        self.low <= 0.0 && self.high >= 0.0
    }
}

/// A two-sided confidence level, kept as a whole number of thousandths so that ranks are computed exactly:
/// `(1.0 - 0.95) / 2.0` in floating point is not 0.025 and would pull a percentile off its rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confidence(u16);

impl Confidence {
    /// 95%, the only level that ContainmentBench reports.
    pub const P95: Confidence = Confidence(950);

    /// A level in thousandths: 950 is 95%. `None` unless it lies strictly between 0 and 1000.
    pub fn per_mille(level: u16) -> Option<Confidence> {
        (level > 0 && level < 1000).then_some(Confidence(level))
    }

    /// The level as a fraction: 0.95 for 95%.
    pub fn fraction(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// How many of `values` ordered values lie wholly in one tail.
    pub(crate) fn outside(self, values: usize) -> usize {
        values * (1000 - usize::from(self.0)) / 2000
    }

    /// The central interval of some values: percentiles by linear interpolation between order statistics (type 7 of
    /// Hyndman and Fan 1996, the default of NumPy and R). Reorders the values; `None` for no values.
    pub(crate) fn central(self, values: &mut [f64]) -> Option<Interval> {
        // Each tail holds (1000 - level) / 2000 of the mass.
        let tail = 1000 - usize::from(self.0);
        Some(Interval { low: percentile(values, tail)?, high: percentile(values, 2000 - tail)? })
    }
}

/// The type 7 percentile at `part` / 2000, by selection: a few ranks are needed, not the whole order.
fn percentile(values: &mut [f64], part: usize) -> Option<f64> {
    let position = values.len().checked_sub(1)?.checked_mul(part)?;
    let (rank, rest) = (position / 2000, position % 2000);
    let (_, &mut low, above) = values.select_nth_unstable_by(rank, f64::total_cmp);
    if rest == 0 {
        return Some(low);
    }
    let high = above.iter().copied().min_by(f64::total_cmp)?;
    Some(low + (high - low) * (rest as f64 / 2000.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_that_touches_zero_is_a_tie() {
        assert!(Interval { low: -0.1, high: 0.2 }.is_tie());
        assert!(Interval { low: 0.0, high: 0.0 }.is_tie());
        assert!(!Interval { low: -0.1167, high: -0.0250 }.is_tie());
        assert!(!Interval { low: 0.6160, high: 0.7637 }.is_tie());
    }

    #[test]
    fn only_levels_strictly_between_none_and_all_exist() {
        assert_eq!(Confidence::per_mille(950), Some(Confidence::P95));
        assert_eq!(Confidence::per_mille(0), None);
        assert_eq!(Confidence::per_mille(1000), None);
        assert_eq!(Confidence::P95.fraction(), 0.95);
    }

    #[test]
    fn percentiles_are_exact_on_a_rank_and_linear_between_two() {
        // 0..=40 in another order: the 2.5% point is at position 1, the 97.5% point at 39.
        let mut whole: Vec<f64> = (0..=40).map(|n| f64::from(n * 16 % 41)).collect();
        assert_eq!(Confidence::P95.central(&mut whole), Some(Interval { low: 1.0, high: 39.0 }));
        // numpy.percentile([0, 1, 2, 3], [2.5, 97.5]) is [0.075, 2.925].
        let few = Confidence::P95.central(&mut [3.0, 1.0, 0.0, 2.0]).unwrap();
        assert!((few.low - 0.075).abs() < 1e-15 && (few.high - 2.925).abs() < 1e-15);
    }

    #[test]
    fn nothing_has_no_percentile_and_one_value_is_its_own() {
        assert_eq!(Confidence::P95.central(&mut []), None);
        assert_eq!(Confidence::P95.central(&mut [0.5]), Some(Interval { low: 0.5, high: 0.5 }));
    }
}
