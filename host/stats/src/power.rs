//! The smallest effect that a paired comparison can be expected to see, so that "no difference" is read against what
//! the suite could have shown.

use crate::bootstrap::{Cluster, ratio_of_sums};

/// Two-sided 5%.
const LEVEL: f64 = 0.975;
/// 80% of repeated suites would find the effect.
const POWER: f64 = 0.80;

/// The standard deviation between clusters of what they add to a ratio of sums, with divisor n - 1. For clusters of
/// equal size it is that of the cluster means; otherwise that of the linearised ratio (Cochran 1977, 6.3): numerator
/// less ratio times denominator, over the mean denominator. In the unit of the ratio.
///
/// `None` for fewer than two clusters, and where [`ratio_of_sums`] has no answer.
pub fn between_cluster_std(clusters: &[Cluster]) -> Option<f64> {
    let ratio = ratio_of_sums(clusters)?;
    let n = clusters.len() as f64;
    let mean = clusters.iter().map(|cluster| cluster.denominator).sum::<f64>() / n;
    let squares: f64 =
        clusters.iter().map(|cluster| ((cluster.numerator - ratio * cluster.denominator) / mean).powi(2)).sum();
    (clusters.len() > 1).then(|| (squares / (n - 1.0)).sqrt())
}

/// The minimum detectable effect of a paired comparison at 80% power and a two-sided level of 5%, in the unit of `std`:
///
/// (t(0.975, k - 1) + t(0.80, k - 1)) * std / sqrt(k)
///
/// with k clusters and Student's t (Bloom 1995). `std` is that of the differences between clusters, as
/// [`between_cluster_std`] has it from the differences of [`crate::Matched`]; with pairs taken as independent, a pair is
/// a cluster. A number of clusters other than the observed one tells what a larger suite would see.
///
/// `None` for fewer than two clusters, and for a deviation that is negative or no number.
pub fn minimum_detectable_effect(std: f64, clusters: u32) -> Option<f64> {
    let freedom = clusters.checked_sub(1).filter(|&freedom| freedom > 0)?;
    (std.is_finite() && std >= 0.0).then(|| {
        (student_quantile(LEVEL, freedom) + student_quantile(POWER, freedom)) * std / f64::from(clusters).sqrt()
    })
}

/// The quantile of Student's t at `p` above one half, by bisection over the angle atan(t / sqrt(freedom)).
fn student_quantile(p: f64, freedom: u32) -> f64 {
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    // 60 halvings leave less than one rounding of the angle.
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if within(middle, freedom) < 2.0 * p - 1.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::from(freedom).sqrt() * ((low + high) / 2.0).tan()
}

/// P(|T| <= sqrt(freedom) tan(angle)), a finite sum for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 4).
fn within(angle: f64, freedom: u32) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    // Odd: cos + 2/3 cos^3 + 2*4/(3*5) cos^5 + ..; even: 1 + 1/2 cos^2 + 1*3/(2*4) cos^4 + ..; up to cos^(freedom - 2).
    let (first, mut term) = if odd { (1, cosine) } else { (0, 1.0) };
    let mut sum = 0.0;
    for power in (first..=freedom.saturating_sub(2)).step_by(2) {
        if power > first {
            term *= cosine * cosine * f64::from(power - 1) / f64::from(power);
        }
        sum += term;
    }
    if !odd {
        sine * sum
    } else if freedom == 1 {
        angle * std::f64::consts::FRAC_2_PI
    } else {
        (angle + sine * sum) * std::f64::consts::FRAC_2_PI
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) -> bool {
        (value - expected).abs() <= 1e-9 * expected
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        // By numerical integration of the density.
        let table = [
            (0.975, 1, 12.706_204_736_2),
            (0.80, 2, 1.060_660_171_8),
            (0.975, 3, 3.182_446_305_3),
            (0.975, 9, 2.262_157_162_8),
            (0.80, 10, 0.879_057_828_6),
            (0.975, 119, 1.980_099_876_5),
            (0.80, 503, 0.842_336_411_6),
        ];
        for (p, freedom, expected) in table {
            let quantile = student_quantile(p, freedom);
            assert!(close(quantile, expected), "{p} {freedom}: {quantile}");
        }
    }

    #[test]
    fn the_papers_utility_loss_is_just_large_enough_to_be_seen_with_120_scenarios() {
        // 8 of 120 scenarios lost in all five seeds: delta -0.0667, interval [-0.1167, -0.0250].
        let differences: Vec<Cluster> =
            (0..120).map(|s| Cluster::of_values([if s < 8 { -1.0 } else { 0.0 }; 5])).collect();
        let std = between_cluster_std(&differences).unwrap();
        assert!(close(std, (120.0 / 119.0 * (8.0 / 120.0) * (112.0 / 120.0_f64)).sqrt()));
        let effect = minimum_detectable_effect(std, 120).unwrap();
        assert_eq!(format!("{effect:.4}"), "0.0646");
        assert!(effect < 8.0 / 120.0 && minimum_detectable_effect(std, 96).unwrap() > 8.0 / 120.0);
    }

    #[test]
    fn four_times_the_scenarios_see_half_the_effect() {
        let effect = |clusters| minimum_detectable_effect(1.0, clusters).unwrap();
        assert!((effect(4_000) / effect(16_000) - 2.0).abs() < 1e-3);
        // The limit of many clusters: 1.959964 + 0.841621 standard errors.
        assert!((effect(10_000) * 100.0 - 2.801_585).abs() < 1e-3);
    }

    #[test]
    fn uneven_clusters_weigh_by_their_rows() {
        // Ratio 1/2; residuals (1 - 1, 3 - 2, 0 - 1) over a mean denominator of 8/3.
        let clusters =
            [(1.0, 2.0), (3.0, 4.0), (0.0, 2.0)].map(|(numerator, denominator)| Cluster { numerator, denominator });
        assert!(close(between_cluster_std(&clusters).unwrap(), 3.0 / 8.0));
    }

    #[test]
    fn one_cluster_and_no_number_detect_nothing() {
        assert_eq!(between_cluster_std(&[Cluster::of_values([1.0, 2.0])]), None);
        assert_eq!(minimum_detectable_effect(1.0, 1), None);
        assert_eq!(minimum_detectable_effect(1.0, 0), None);
        assert_eq!(minimum_detectable_effect(f64::NAN, 10), None);
        assert_eq!(minimum_detectable_effect(-1.0, 10), None);
        assert_eq!(minimum_detectable_effect(0.0, 10), Some(0.0));
    }
}
