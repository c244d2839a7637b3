//! The part of each evidence stage in an all-stage gap between two policies (ContainmentBench table 13).

use crate::paired::Matched;

/// Two policies' means over one stage, not rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageMeans {
    /// Rows of each policy.
    pub rows: u64,
    /// Mean of the first policy.
    pub a: f64,
    /// Mean of the second.
    pub b: f64,
}

impl StageMeans {
    /// The means of matched pairs; `None` without pairs.
    pub fn of<S: Ord>(matched: &Matched<S>) -> Option<Self> {
        let (a, b) = matched.means()?;
        Some(StageMeans { rows: u64::try_from(matched.len()).ok()?, a, b })
    }
}

/// One line of table 13.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageGap {
    /// Rows and means.
    pub means: StageMeans,
    /// The stage's share of all rows times a less b: positive where the first policy is higher.
    pub weighted_gap: f64,
    /// Its part in the whole gap. Stages that pull in different directions have parts below 0 and above 1; `None` where
    /// the whole gap is 0.
    pub share: Option<f64>,
}

/// A gap and its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Decomposition {
    /// One a stage, in the order given.
    pub stages: Vec<StageGap>,
    /// All rows together; its gap is the sum of the stages' gaps.
    pub whole: StageGap,
}

/// Decomposes the gap between two policies' means over all rows of these stages. Nothing is rounded on the way: from
/// means of four decimals table 13 does not follow. `None` without rows, and for a NaN or an infinity.
pub fn decompose(stages: &[StageMeans]) -> Option<Decomposition> {
    let rows: u64 = stages.iter().map(|stage| stage.rows).sum();
    if rows == 0 || !stages.iter().all(|stage| stage.a.is_finite() && stage.b.is_finite()) {
        return None;
    }
    let mean = |side: fn(&StageMeans) -> f64| {
        stages.iter().map(|stage| stage.rows as f64 * side(stage)).sum::<f64>() / rows as f64
    };
    let gap = |stage: &StageMeans| stage.rows as f64 * (stage.a - stage.b) / rows as f64;
    let whole = stages.iter().map(gap).sum::<f64>();
    let share = |part: f64| (whole != 0.0).then(|| part / whole);
    let line = |means: StageMeans, weighted_gap| StageGap { means, weighted_gap, share: share(weighted_gap) };
    Some(Decomposition {
        stages: stages.iter().map(|stage| line(*stage, gap(stage))).collect(),
        whole: line(StageMeans { rows, a: mean(|stage| stage.a), b: mean(|stage| stage.b) }, whole),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounding::four_decimals;

    /// Means that agree with all printed digits of table 13: those of tool-boundary to four decimals, and those of v2 so
    /// far below that the weighted gaps agree to six.
    const FULL: [StageMeans; 4] = [
        StageMeans { rows: 960, a: 0.663_98, b: 0.663_98 - 0.000_600 * 2520.0 / 960.0 },
        StageMeans { rows: 600, a: 0.839_40, b: 0.839_40 - 0.003_769 * 2520.0 / 600.0 },
        StageMeans { rows: 480, a: 0.524_93, b: 0.524_93 - 0.026_508 * 2520.0 / 480.0 },
        StageMeans { rows: 480, a: 0.0, b: 0.0 },
    ];

    const PRINTED: [StageMeans; 4] = [
        StageMeans { rows: 960, a: 0.6640, b: 0.6624 },
        StageMeans { rows: 600, a: 0.8394, b: 0.8236 },
        StageMeans { rows: 480, a: 0.5249, b: 0.3858 },
        StageMeans { rows: 480, a: 0.0, b: 0.0 },
    ];

    fn gaps(stages: &[StageMeans]) -> Vec<String> {
        decompose(stages).unwrap().stages.iter().map(|stage| format!("{:.6}", stage.weighted_gap)).collect()
    }

    #[test]
    fn means_of_full_precision_give_table_13() {
        for (full, printed) in FULL.iter().zip(&PRINTED) {
            assert_eq!(four_decimals(full.a), four_decimals(printed.a));
            assert_eq!(four_decimals(full.b), four_decimals(printed.b));
        }
        let Decomposition { stages, whole } = decompose(&FULL).unwrap();
        assert_eq!(gaps(&FULL), ["0.000600", "0.003769", "0.026508", "0.000000"]);
        let shares: Vec<String> = stages.iter().map(|stage| four_decimals(stage.share.unwrap())).collect();
        assert_eq!(shares, ["0.0194", "0.1221", "0.8585", "0.0000"]);
        assert_eq!((whole.means.rows, four_decimals(whole.means.a)), (2520, "0.5528".into()));
        assert_eq!(four_decimals(whole.means.b), "0.5219");
        assert_eq!((format!("{:.6}", whole.weighted_gap), whole.share), ("0.030877".into(), Some(1.0)));
    }

    #[test]
    fn means_of_four_decimals_do_not_give_table_13() {
        assert_eq!(gaps(&PRINTED), ["0.000610", "0.003762", "0.026495", "0.000000"]);
    }

    #[test]
    fn the_parts_sum_to_the_whole_and_the_whole_is_the_gap_of_the_means() {
        let Decomposition { stages, whole } = decompose(&FULL).unwrap();
        assert_eq!(stages.iter().map(|stage| stage.weighted_gap).sum::<f64>(), whole.weighted_gap);
        assert!((whole.means.a - whole.means.b - whole.weighted_gap).abs() < 1e-15);
        assert!((stages.iter().filter_map(|stage| stage.share).sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn stages_that_pull_apart_have_parts_outside_0_and_1_and_parts_of_no_gap_do_not_exist() {
        let up = StageMeans { rows: 10, a: 0.5, b: 0.25 };
        let down = StageMeans { rows: 10, a: 0.5, b: 0.625 };
        let apart = decompose(&[up, down]).unwrap();
        assert_eq!(apart.stages.iter().map(|stage| stage.share).collect::<Vec<_>>(), [Some(2.0), Some(-1.0)]);
        let level = decompose(&[up, StageMeans { a: 0.25, b: 0.5, ..up }]).unwrap();
        assert_eq!((level.whole.weighted_gap, level.whole.share, level.stages[0].share), (0.0, None, None));
    }

    #[test]
    fn a_stage_takes_its_means_from_matched_pairs() {
        let matched = Matched::new([((1, 0), 1.0), ((2, 0), 0.0)], [((1, 0), 0.5), ((2, 0), 0.25)]).unwrap();
        assert_eq!(StageMeans::of(&matched), Some(StageMeans { rows: 2, a: 0.5, b: 0.375 }));
    }

    #[test]
    fn without_rows_and_without_numbers_there_is_nothing_to_decompose() {
        assert_eq!(decompose(&[]), None);
        assert_eq!(decompose(&[StageMeans { rows: 0, a: 1.0, b: 0.0 }]), None);
        assert_eq!(decompose(&[StageMeans { rows: 1, a: f64::NAN, b: 0.0 }]), None);
    }
}
