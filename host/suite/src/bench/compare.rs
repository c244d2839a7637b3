//! A regression is judged by fuel, which no machine and no load changes.

use super::{Bench, Cost};
use serde::Serialize;

/// How the median fuel of an export or of a whole piece of work changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The export or piece of work.
    pub name: String,
    /// Median fuel before.
    pub before: u64,
    /// Median fuel now.
    pub now: u64,
    /// The change in percent of what it was before; none where that was nothing and now it is something.
    pub percent: Option<f64>,
}

impl Change {
    fn of(before: &Cost, now: &Cost) -> Self {
        let (before, after) = (before.fuel.median, now.fuel.median);
        // Exact below 2^53, which is beyond what any call may use.
        let percent = match before {
            0 => (after == 0).then_some(0.0),
            _ => Some((after as f64 - before as f64) * 100.0 / before as f64),
        };
        Change { name: now.name.clone(), before, now: after, percent }
    }

    /// Whether it grew by more than so many percent.
    #[must_use]
    pub fn grew_above(&self, percent: f64) -> bool {
        self.percent.is_none_or(|change| change > percent)
    }
}

/// What both have: exports first, then whole pieces of work.
#[must_use]
pub fn compare(before: &Bench, now: &Bench) -> Vec<Change> {
    let pairs = |before: &[Cost], now: &[Cost]| -> Vec<Change> {
        let pair = |cost: &Cost| before.iter().find(|old| old.name == cost.name).map(|old| Change::of(old, cost));
        now.iter().filter_map(pair).collect()
    };
    [pairs(&before.exports, &now.exports), pairs(&before.whole, &now.whole)].concat()
}
