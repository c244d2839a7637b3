//! Seed variance (ContainmentBench appendix J, Table 26): whether a result hangs on a single rollout seed.

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
