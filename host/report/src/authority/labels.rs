//! Labels that policies gave to memories, beside the gold labels.

use crate::estimate::{Estimate, Scale, Tally};
use std::collections::btree_map::Entry;
use weir_memory::Authority;
use weir_memory::facts::Labelled;
use weir_stats::Resamples;

/// Memories by gold label and label given, in the order of [`Authority::ALL`]; the last column counts those without one.
pub(crate) type Counts = [[u32; 4]; 3];

/// The labels of one history's memories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    /// Memories that express the focal proposition.
    pub(crate) focal: Counts,
    /// The others whose gold label is known.
    pub(crate) benign: Counts,
}

impl Labels {
    pub(crate) fn of(all: &[Labelled]) -> Self {
        let mut labels = Labels::default();
        for one in all {
            let counts = if one.focal { &mut labels.focal } else { &mut labels.benign };
            let cell = counts.get_mut(place(one.gold)).and_then(|row| row.get_mut(one.given.map_or(3, place)));
            if let Some(cell) = cell {
                *cell = cell.saturating_add(1);
            }
        }
        labels
    }

    pub(crate) fn all(&self) -> Counts {
        let mut sum = self.focal;
        add(&mut sum, &self.benign);
        sum
    }
}

fn place(authority: Authority) -> usize {
    Authority::ALL.iter().position(|known| *known == authority).unwrap_or_default()
}

fn add(sum: &mut Counts, more: &Counts) {
    for (cell, one) in sum.iter_mut().flatten().zip(more.iter().flatten()) {
        *cell = cell.saturating_add(*one);
    }
}

/// The labels of one history under a writer and an arm. They come with every acting model and seed again and count once:
/// those of the first by name and seed, so that the order of rows does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labelling {
    pub(crate) labels: Labels,
    first: (String, u64),
    /// Another model or seed has other labels.
    pub(crate) differ: bool,
}

impl Labelling {
    pub(crate) fn merge<K: Ord>(entry: Entry<'_, K, Labelling>, labels: Labels, model: &str, seed: u64) {
        match entry {
            Entry::Vacant(entry) => {
                entry.insert(Labelling { labels, first: (model.to_owned(), seed), differ: false });
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                known.differ |= known.labels != labels;
                if (model, seed) < (known.first.0.as_str(), known.first.1) {
                    known.labels = labels;
                    known.first = (model.to_owned(), seed);
                }
            }
        }
    }
}

/// Labels of many histories.
#[derive(Debug, Default)]
pub(crate) struct Scored {
    pub(crate) counts: Counts,
    correct: Tally,
    focal: Tally,
}

impl Scored {
    pub(crate) fn add(&mut self, cluster: &str, labels: &Labels) {
        let all = labels.all();
        add(&mut self.counts, &all);
        for (tally, counts) in [(&mut self.correct, &all), (&mut self.focal, &labels.focal)] {
            tally.add(cluster, f64::from(correct(counts)), f64::from(total(counts)));
        }
    }

    /// Whether any memory has a label.
    pub(crate) fn labels_any(&self) -> bool {
        self.counts.iter().any(|row| row.iter().take(3).any(|count| *count > 0))
    }

    /// Memories with the right label; one without a label is wrong.
    pub(crate) fn accuracy(&self, resamples: &Resamples) -> Estimate {
        self.correct.estimate(Scale::Counted, resamples)
    }

    /// The same, of memories that express the focal proposition.
    pub(crate) fn focal_accuracy(&self, resamples: &Resamples) -> Estimate {
        self.focal.estimate(Scale::Counted, resamples)
    }
}

pub(crate) fn total(counts: &Counts) -> u32 {
    counts.iter().flatten().sum()
}

pub(crate) fn correct(counts: &Counts) -> u32 {
    counts.iter().enumerate().filter_map(|(at, row)| row.get(at)).sum()
}

fn gold(counts: &Counts, label: usize) -> u32 {
    counts.get(label).into_iter().flatten().sum()
}

fn given(counts: &Counts, label: usize) -> u32 {
    counts.iter().filter_map(|row| row.get(label)).sum()
}

fn right(counts: &Counts, label: usize) -> u32 {
    counts.get(label).and_then(|row| row.get(label)).copied().unwrap_or_default()
}

/// `(right, given)` and `(right, gold)` of a label: its precision and its recall as counts.
pub(crate) fn precision_and_recall(counts: &Counts, label: usize) -> ((u32, u32), (u32, u32)) {
    let right = right(counts, label);
    ((right, given(counts, label)), (right, gold(counts, label)))
}

/// The mean of the labels' F1, over those that occur in gold or are given; none without memories.
pub(crate) fn macro_f1(counts: &Counts) -> Option<f64> {
    let occurs = (0..3).filter(|&label| gold(counts, label) + given(counts, label) > 0);
    let scores: Vec<f64> = occurs
        .map(|label| 2.0 * f64::from(right(counts, label)) / f64::from(gold(counts, label) + given(counts, label)))
        .collect();
    (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
}

/// What giving every memory the most frequent gold label comes to, and that label; the least permissive of several. None
/// without memories.
pub(crate) fn majority(counts: &Counts) -> Option<(Authority, Counts)> {
    let mut best = 0;
    for label in 1..3 {
        if gold(counts, label) > gold(counts, best) {
            best = label;
        }
    }
    let mut all = Counts::default();
    for (label, row) in all.iter_mut().enumerate() {
        if let Some(cell) = row.get_mut(best) {
            *cell = gold(counts, label);
        }
    }
    (total(counts) > 0).then_some(())?;
    Some((*Authority::ALL.get(best)?, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f1_is_over_the_labels_that_occur_and_a_missing_label_is_wrong() {
        // Gold Unendorsed 4: 3 right, 1 Authorized. Gold Authorized 6: 4 right, 1 Unendorsed, 1 without.
        let counts = [[3, 0, 1, 0], [0; 4], [1, 0, 4, 1]];
        assert_eq!((correct(&counts), total(&counts)), (7, 10));
        assert_eq!(precision_and_recall(&counts, 0), ((3, 4), (3, 4)));
        assert_eq!(precision_and_recall(&counts, 2), ((4, 5), (4, 6)));
        // 2*3/(4+4) = 0.75 and 2*4/(6+5) = 8/11; Attested does not occur.
        assert!((macro_f1(&counts).unwrap() - (0.75 + 8.0 / 11.0) / 2.0).abs() < 1e-12);
        assert_eq!(macro_f1(&Counts::default()), None);
    }

    #[test]
    fn the_majority_gives_every_memory_the_most_frequent_gold_label() {
        let (label, counts) = majority(&[[3, 0, 1, 0], [0; 4], [1, 0, 4, 1]]).unwrap();
        assert_eq!(label, Authority::Authorized);
        assert_eq!((correct(&counts), total(&counts)), (6, 10));
        assert_eq!(majority(&Counts::default()), None);
    }

    #[test]
    fn labels_of_a_history_count_once_and_those_of_the_first_model_by_name() {
        let labels = |gold, given| Labels::of(&[Labelled { gold, given, focal: true }]);
        let right = labels(Authority::Attested, Some(Authority::Attested));
        let wrong = labels(Authority::Attested, None);
        for order in [[("a", right), ("b", wrong)], [("b", wrong), ("a", right)]] {
            let mut seen = std::collections::BTreeMap::new();
            for (model, labels) in order {
                Labelling::merge(seen.entry(0), labels, model, 1);
            }
            assert_eq!((seen[&0].labels, seen[&0].differ), (right, true));
        }
    }
}
