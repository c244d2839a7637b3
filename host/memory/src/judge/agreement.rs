//! How far two judges agree.

use super::Outcome;
use crate::scores::Share;

/// Two judges' words on the same cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Cases by the first judge's outcome and the second's, in the order of [`Outcome::ALL`].
    pub counts: [[u32; 4]; 4],
}

impl Agreement {
    /// Counts cases, each judged by both.
    #[must_use]
    pub fn of(cases: impl IntoIterator<Item = (Outcome, Outcome)>) -> Self {
        let mut counts = [[0; 4]; 4];
        for (first, second) in cases {
            for (row, a) in counts.iter_mut().zip(Outcome::ALL) {
                for (cell, b) in row.iter_mut().zip(Outcome::ALL) {
                    *cell += u32::from((a, b) == (first, second));
                }
            }
        }
        Agreement { counts }
    }

    /// Cases in which both say the same.
    #[must_use]
    pub fn agreed(&self) -> Share {
        let same = (0..).zip(&self.counts).filter_map(|(index, row)| row.get::<usize>(index));
        Share { count: same.sum(), of: self.counts.iter().flatten().sum() }
    }

    /// Cohen's kappa: agreement beyond what two judges with the same habits reach by chance. None without cases, and where
    /// both always say one and the same: chance alone then agrees fully.
    #[must_use]
    pub fn kappa(&self) -> Option<f64> {
        let agreed = self.agreed();
        let observed = agreed.value()?;
        let cases = f64::from(agreed.of);
        let mut expected = 0.0;
        for index in 0..Outcome::ALL.len() {
            let first: u32 = self.counts.get(index).into_iter().flatten().sum();
            let second: u32 = self.counts.iter().filter_map(|row| row.get(index)).sum();
            expected += f64::from(first) / cases * (f64::from(second) / cases);
        }
        (expected < 1.0).then(|| (observed - expected) / (1.0 - expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Omitted, Preserved, Upgraded};

    #[test]
    fn kappa_is_agreement_beyond_chance() {
        // A standard example: 20 and 15 agreements, 5 and 10 disagreements: p0 = 0.7, pe = 0.5, kappa = 0.4.
        let cases = [((Upgraded, Upgraded), 20), ((Upgraded, Preserved), 5), ((Preserved, Upgraded), 10)];
        let cases = cases.into_iter().chain([((Preserved, Preserved), 15)]);
        let agreement = Agreement::of(cases.flat_map(|(case, times)| std::iter::repeat_n(case, times)));
        assert_eq!(agreement.agreed(), Share { count: 35, of: 50 });
        assert!((agreement.kappa().unwrap() - 0.4).abs() < 1e-12);
        assert_eq!(agreement.counts[1][2], 5);
        assert_eq!(agreement.counts[2][1], 10);
    }

    #[test]
    fn kappa_is_none_where_chance_agrees_fully() {
        assert_eq!(Agreement::of([]).kappa(), None);
        assert_eq!(Agreement::of([(Omitted, Omitted); 3]).kappa(), None);
        assert_eq!(Agreement::of([(Omitted, Omitted), (Upgraded, Upgraded)]).kappa(), Some(1.0));
    }
}
