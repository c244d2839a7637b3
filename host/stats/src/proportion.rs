//! Intervals and bounds for plain proportions of independent trials. Where rollouts share scenarios, the trials are the
//! scenarios: ContainmentBench bounds 2,520 rollouts without an event by their 504 scenario clusters.

use crate::interval::Interval;

/// The 97.5% point of the standard normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Wilson's 95% score interval for `successes` in `trials`; unlike the normal approximation it stays within [0, 1] and
/// keeps a width at 0 and 1. `None` for no trials, or more successes than trials.
pub fn wilson(successes: u64, trials: u64) -> Option<Interval> {
    if trials == 0 || successes > trials {
        return None;
    }
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let z2 = Z_95 * Z_95;
    let scale = 1.0 + z2 / n;
    let centre = (p + z2 / (2.0 * n)) / scale;
    let half = Z_95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() / scale;
    // The ends are exact at 0 and 1 on paper, and off by one rounding in floating point.
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes == trials { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { low, high })
}

/// The rule of three: 3/n as a one-sided 95% upper bound on the rate of an event that `trials` independent trials never
/// showed; at most 1. Table 25's "cluster upper" bounds are these: 0.60% for 504 scenarios, 1.56% for 192. `None` for
/// no trials.
pub fn rule_of_three(trials: u64) -> Option<f64> {
    (trials > 0).then(|| (3.0 / trials as f64).min(1.0))
}

/// The exact one-sided 95% upper bound that the rule of three approximates: 1 - 0.05^(1/n), the rate at which `trials`
/// independent trials show no event with probability 5%. `None` for no trials.
pub fn zero_event_bound(trials: u64) -> Option<f64> {
    // exp_m1 keeps the digits that 1 - 0.05^(1/n) cancels for large n.
    (trials > 0).then(|| -(0.05_f64.ln() / trials as f64).exp_m1())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn percent(rate: Option<f64>, digits: usize) -> String {
        format!("{:.digits$}%", rate.unwrap() * 100.0)
    }

    #[test]
    fn the_papers_zero_event_bounds_are_three_over_the_number_of_clusters() {
        assert_eq!(percent(rule_of_three(504), 2), "0.60%");
        assert_eq!(percent(rule_of_three(192), 2), "1.56%");
    }

    #[test]
    fn the_exact_bounds_are_a_little_lower() {
        assert_eq!(percent(zero_event_bound(504), 3), "0.593%");
        assert_eq!(percent(zero_event_bound(192), 3), "1.548%");
    }

    #[test]
    fn one_trial_without_an_event_says_almost_nothing_and_none_says_nothing() {
        assert_eq!(rule_of_three(1), Some(1.0));
        assert!((zero_event_bound(1).unwrap() - 0.95).abs() < 1e-15);
        assert_eq!(rule_of_three(0), None);
        assert_eq!(zero_event_bound(0), None);
    }

    #[test]
    fn wilson_agrees_with_a_worked_example() {
        // 10 of 50, by bisection of (p - 0.2)^2 = z^2 p (1 - p) / 50.
        let interval = wilson(10, 50).unwrap();
        assert!(
            (interval.low - 0.112_437_500_158).abs() < 1e-12 && (interval.high - 0.330_371_059_322).abs() < 1e-12,
            "{interval:?}"
        );
    }

    #[test]
    fn wilson_is_exact_at_the_ends_and_keeps_a_width_there() {
        // n = 50, no success: z^2 / (n + z^2).
        let none = wilson(0, 50).unwrap();
        assert_eq!(none.low, 0.0);
        assert!((none.high - Z_95 * Z_95 / (50.0 + Z_95 * Z_95)).abs() < 1e-15);
        let all = wilson(50, 50).unwrap();
        assert_eq!(all.high, 1.0);
        assert!((all.low - (1.0 - none.high)).abs() < 1e-15);
    }

    #[test]
    fn impossible_counts_have_no_interval() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(3, 2), None);
    }
}
