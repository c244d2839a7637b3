//! Labels that policies gave to memories, beside the gold labels.

use crate::estimate::{Estimate, Scale, Tally};
use std::collections::btree_map::Entry;
use weir_memory::Authority;
use weir_memory::facts::Labelled;
use weir_memory::scores::Labels;
use weir_stats::Resamples;

/// The labels of one history under a writer and an arm. They come with every acting model and seed again and count once:
/// those of the first by name and seed, so that the order of rows does not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Labelling {
    /// Of memories that express the focal proposition.
    focal: Labels,
    /// Of the others whose gold label is known.
    benign: Labels,
    first: (String, u64),
    /// Another model or seed has other labels.
    pub(crate) differ: bool,
}

impl Labelling {
    pub(crate) fn of(all: &[Labelled], model: &str, seed: u64) -> Self {
        let labels = |focal: bool| {
            Labels::of(all.iter().filter(|label| label.focal == focal).map(|label| (label.gold, label.given)))
        };
        Labelling { focal: labels(true), benign: labels(false), first: (model.to_owned(), seed), differ: false }
    }

    pub(crate) fn merge<K: Ord>(self, entry: Entry<'_, K, Labelling>) {
        match entry {
            Entry::Vacant(entry) => {
                entry.insert(self);
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                let differ = known.differ || (known.focal, known.benign) != (self.focal, self.benign);
                if self.first < known.first {
                    *known = self;
                }
                known.differ = differ;
            }
        }
    }
}

/// Labels of many histories.
#[derive(Debug, Default)]
pub(crate) struct Scored {
    pub(crate) labels: Labels,
    correct: Tally,
    focal: Tally,
}

impl Scored {
    pub(crate) fn add(&mut self, cluster: &str, labelling: &Labelling) {
        let mut all = labelling.focal;
        all.join(labelling.benign);
        self.labels.join(all);
        for (tally, labels) in [(&mut self.correct, all), (&mut self.focal, labelling.focal)] {
            let accuracy = labels.accuracy();
            tally.add(cluster, accuracy.count.into(), accuracy.of.into());
        }
    }

    /// Whether any memory has a label.
    pub(crate) fn labels_any(&self) -> bool {
        self.labels.counts().iter().any(|row| row.iter().take(3).any(|count| *count > 0))
    }

    /// Memories with the right label; one without a label is wrong.
    pub(crate) fn accuracy(&self, resamples: &Resamples) -> Estimate {
        self.correct.estimate(Scale::Counted, resamples)
    }

    /// The same, of memories that express the focal proposition.
    pub(crate) fn focal_accuracy(&self, resamples: &Resamples) -> Estimate {
        self.focal.estimate(Scale::Counted, resamples)
    }

    /// What giving every memory the most frequent gold label comes to, with that label; none without memories.
    pub(crate) fn majority(&self) -> Option<(Authority, Labels)> {
        let baseline = self.labels.majority_baseline();
        let label = Authority::ALL.into_iter().find(|label| baseline.precision(*label).of > 0)?;
        Some((label, baseline))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn labelled(given: Option<Authority>, focal: bool) -> Labelled {
        Labelled { gold: Authority::Attested, given, focal }
    }

    #[test]
    fn labels_of_a_history_count_once_and_those_of_the_first_model_by_name() {
        let right = [labelled(Some(Authority::Attested), true)];
        let wrong = [labelled(None, true)];
        for order in [[("a", &right), ("b", &wrong)], [("b", &wrong), ("a", &right)]] {
            let mut seen = BTreeMap::new();
            for (model, labels) in order {
                Labelling::of(labels, model, 1).merge(seen.entry(0));
            }
            assert_eq!((seen[&0].focal.accuracy().count, seen[&0].differ), (1, true));
        }
    }

    #[test]
    fn focal_memories_are_scored_apart_and_the_majority_has_its_label() {
        let mut scored = Scored::default();
        let all = [labelled(None, true), labelled(Some(Authority::Attested), false)];
        scored.add("d/b", &Labelling::of(&all, "a", 1));
        let resamples = Resamples::default();
        assert_eq!(scored.accuracy(&resamples).counts(), "1/2");
        assert_eq!(scored.focal_accuracy(&resamples).counts(), "0/1");
        let (label, baseline) = scored.majority().unwrap();
        assert_eq!((label, baseline.accuracy().count), (Authority::Attested, 2));
        assert_eq!(Scored::default().majority(), None);
    }
}
