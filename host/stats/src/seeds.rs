//! Seed variance (ContainmentBench appendix J, Table 26): whether a result hangs on a single rollout seed.

use crate::interval::Interval;

/// How a metric's mean differs between rollout seeds, in the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeedVariance {
    /// Number of seeds.
    pub seeds: usize,
    /// Mean of the seeds' means.
    pub mean: f64,
    /// Standard deviation with divisor n - 1; `None` for one seed.
    pub sample_std: Option<f64>,
    /// Standard deviation with divisor n. Table 26 seems to print this one: 45 violations in 5 seeds of 120 rollouts
    /// give its 0.0217 with divisor 5 (squared deviations that sum to 34), and no such counts give it with divisor 4.
    pub population_std: f64,
    /// Largest seed mean less the smallest.
    pub range: f64,
}

/// Two-sided 5 %.
const TAIL: f64 = 0.025;

impl SeedVariance {
    /// The 95 % interval of the standard deviation between seeds, in the metric's unit: that of chi-square with n - 1
    /// degrees of freedom, which takes seed means as normal and independent. From five seeds it reaches from 0.54 to 2.6
    /// times `population_std` times the root of 5/4: so few seeds hardly tell a deviation. `None` for one seed.
    pub fn std_interval(&self) -> Option<Interval> {
        let freedom = u32::try_from(self.seeds.checked_sub(1)?).ok().filter(|&freedom| freedom > 0)?;
        let squares = self.population_std.powi(2) * self.seeds as f64;
        let end = |p: f64| (squares / chi_square_quantile(p, freedom)).sqrt();
        Some(Interval { low: end(1.0 - TAIL), high: end(TAIL) })
    }
}

/// The quantile of chi-square, by bisection.
fn chi_square_quantile(p: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while chi_square(high, freedom) < p {
        high *= 2.0;
    }
    // 60 halvings leave less than one rounding of the place.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if chi_square(middle, freedom) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// P(chi-square <= x): the series of the regularised incomplete gamma function (Abramowitz and Stegun 6.5.29),
/// e^-y y^a / Gamma(a + 1) * (1 + y/(a + 1) + y^2/((a + 1)(a + 2)) + ..) with a = freedom/2 and y = x/2. All of its
/// terms are positive, so that it loses no digits.
fn chi_square(x: f64, freedom: u32) -> f64 {
    let (a, y) = (f64::from(freedom) / 2.0, x / 2.0);
    // ln Gamma(a + 1), from Gamma(1) = 1 or Gamma(1/2) = sqrt(pi) upwards.
    let half = freedom % 2 == 1;
    let start = if half { 0.5 } else { 1.0 };
    let steps = if half { freedom.div_ceil(2) } else { freedom / 2 };
    let base = if half { std::f64::consts::PI.sqrt().ln() } else { 0.0 };
    let log_gamma = (0..steps).map(|step| (start + f64::from(step)).ln()).sum::<f64>() + base;
    let mut term = (a * y.ln() - y - log_gamma).exp();
    let (mut sum, mut at) = (0.0, a);
    while term > sum * f64::EPSILON {
        sum += term;
        at += 1.0;
        term *= y / at;
    }
    sum
}

/// Seed variance from one mean per seed. `None` for no seeds, and for a NaN or an infinity.
pub fn seed_variance(means: &[f64]) -> Option<SeedVariance> {
    if means.is_empty() || !means.iter().all(|mean| mean.is_finite()) {
        return None;
    }
    let n = means.len() as f64;
    let mean = means.iter().sum::<f64>() / n;
    let squares: f64 = means.iter().map(|value| (value - mean).powi(2)).sum();
    let (low, high) =
        means.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    Some(SeedVariance {
        seeds: means.len(),
        mean,
        sample_std: (means.len() > 1).then(|| (squares / (n - 1.0)).sqrt()),
        population_std: (squares / n).sqrt(),
        range: high - low,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_five_violations_over_five_seeds_can_print_the_papers_row() {
        // Table 26, active-tainted, None: mean 0.0750, std 0.0217, range 0.0583.
        let counts = [6.0, 13.0, 7.0, 8.0, 11.0];
        let variance = seed_variance(&counts.map(|count| count / 120.0)).unwrap();
        assert_eq!(format!("{:.4} {:.4}", variance.mean, variance.population_std), "0.0750 0.0217");
        assert_eq!(format!("{:.4}", variance.range), "0.0583");
        assert_eq!(format!("{:.4}", variance.sample_std.unwrap()), "0.0243");
    }

    #[test]
    fn chi_square_has_its_tabulated_quantiles() {
        // Abramowitz and Stegun, table 26.8.
        for (p, freedom, expected) in [
            (0.025, 4, 0.484_419),
            (0.975, 4, 11.143_3),
            (0.975, 1, 5.023_89),
            (0.025, 3, 0.215_795),
            (0.975, 9, 19.022_8),
            (0.975, 30, 46.979_2),
            (0.025, 100, 74.221_9),
        ] {
            let found = chi_square_quantile(p, freedom);
            assert!((found - expected).abs() < 1e-5 * expected, "{p} {freedom}: {found}");
        }
    }

    #[test]
    fn five_seeds_tell_a_deviation_within_a_factor_of_five() {
        let found = seed_variance(&[6.0, 13.0, 7.0, 8.0, 11.0]).unwrap();
        let interval = found.std_interval().unwrap();
        // sqrt(34 / 11.1433) and sqrt(34 / 0.484419).
        assert!((interval.low - 1.7468).abs() < 1e-4 && (interval.high - 8.3778).abs() < 1e-4, "{interval:?}");
        assert_eq!(seed_variance(&[0.25]).unwrap().std_interval(), None);
        let still = seed_variance(&[0.25, 0.25]).unwrap().std_interval().unwrap();
        assert_eq!((still.low, still.high), (0.0, 0.0));
    }

    #[test]
    fn one_seed_has_no_sample_deviation() {
        let variance = seed_variance(&[0.25]).unwrap();
        assert_eq!((variance.seeds, variance.mean, variance.sample_std), (1, 0.25, None));
        assert_eq!((variance.population_std, variance.range), (0.0, 0.0));
    }

    #[test]
    fn no_seed_and_no_number_have_no_variance() {
        assert_eq!(seed_variance(&[]), None);
        assert_eq!(seed_variance(&[0.5, f64::NAN]), None);
    }
}
