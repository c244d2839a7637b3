//! The exact test of McNemar (1947) on pairs that differ, printed beside an interval: it assumes no distribution and is
//! right for any number of pairs.

/// Pairs in which two policies differ, from the view of the second. Equal pairs say nothing about which is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discordant {
    /// Pairs in which the second is better.
    pub wins: u64,
    /// Pairs in which it is worse.
    pub losses: u64,
}

impl Discordant {
    /// From differences that are turned so that more is better.
    pub(crate) fn of(gains: impl IntoIterator<Item = f64>) -> Self {
        gains.into_iter().fold(Discordant { wins: 0, losses: 0 }, |sum, gain| Discordant {
            wins: sum.wins + u64::from(gain > 0.0),
            losses: sum.losses + u64::from(gain < 0.0),
        })
    }

    /// Two-sided p-value: the probability, if each pair that differs were a fair coin, of a split at least as uneven. The
    /// pairs must be independent, so seeds of one scenario count as one pair. 1 where no pair differs.
    ///
    /// Outcomes of 0 and 1 make it McNemar's test; with other values it is the sign test, by the same formula.
    pub fn p_value(self) -> f64 {
        let n = self.wins + self.losses;
        let fewer = self.wins.min(self.losses);
        // The binomial probability of `fewer`, by logarithms: 2^-n alone is 0 in floating point beyond n = 1,074.
        let choices: f64 = (1..=fewer).map(|i| ((n - fewer + i) as f64 / i as f64).ln()).sum();
        let mut term = (choices - n as f64 * std::f64::consts::LN_2).exp();
        let mut tail = term;
        for k in (1..=fewer).rev() {
            term *= k as f64 / (n - k + 1) as f64;
            tail += term;
        }
        (2.0 * tail).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn p_value(wins: u64, losses: u64) -> f64 {
        Discordant { wins, losses }.p_value()
    }

    fn close(value: f64, expected: f64) -> bool {
        (value - expected).abs() <= 1e-11 * expected
    }

    #[test]
    fn eight_blocked_workflows_and_none_won_are_no_chance() {
        // Tool-boundary vs Intent-ledger v2 over the 120 active scenarios: 2 * 2^-8.
        assert!(close(p_value(0, 8), 0.007_812_5));
    }

    #[test]
    fn small_splits_have_the_probability_that_counting_gives() {
        // 2 * (1 + 10 + 45) / 1024 and 2 * (1 + 7) / 128.
        assert!(close(p_value(2, 8), 0.109_375));
        assert!(close(p_value(1, 6), 0.125));
        assert_eq!(p_value(8, 2), p_value(2, 8));
    }

    #[test]
    fn an_even_split_and_no_split_are_what_chance_gives() {
        assert_eq!(p_value(5, 5), 1.0);
        assert_eq!(p_value(3, 4), 1.0);
        assert_eq!(p_value(0, 0), 1.0);
    }

    #[test]
    fn thousands_of_pairs_lose_no_digits() {
        // Exact sums of binomial coefficients over 2^n, in rational arithmetic.
        assert!(close(p_value(1200, 1320), 0.017_744_873_110_142_875));
        assert!(close(p_value(0, 367), 2.0_f64.powi(-366)));
    }
}
