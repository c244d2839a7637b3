//! Whether an order, sign, zero or band holds of a run.

use crate::ledger::counterpart::Counterpart;
use crate::ledger::published::Test;

/// Sums over some thousand rows lose less than this; two values that differ by no more are the same.
pub(super) const NOISE: f64 = 1e-12;

/// A test that does not hold, or cannot be made.
pub(crate) enum Broken {
    /// In words.
    So(String),
    /// The run lacks a policy or stage of it.
    Lacking,
}

impl Broken {
    /// In words.
    pub(super) fn says(self) -> String {
        match self {
            Broken::So(says) => says,
            Broken::Lacking => "since the run lacks a policy or stage of it".to_owned(),
        }
    }
}

/// The first test that does not hold; none where all do.
pub(super) fn broken<S: Counterpart>(run: &S::Run<'_>, tests: &[Test<S>]) -> Option<Broken> {
    tests.iter().find_map(|test| one(run, test))
}

fn one<S: Counterpart>(run: &S::Run<'_>, test: &Test<S>) -> Option<Broken> {
    let statistics: Vec<&S> = match test {
        Test::Falling(of) | Test::Equal(of) | Test::Zero(of) | Test::Positive(of) => of.iter().collect(),
        Test::Above { of, .. } | Test::AtLeast { of, .. } | Test::Below { of, .. } | Test::Near { of, .. } => vec![of],
        Test::Close { of, .. } => of.iter().collect(),
    };
    let values: Option<Vec<f64>> = statistics.iter().map(|s| s.of(run).map(|ours| ours.value())).collect();
    let Some(values) = values else { return Some(Broken::Lacking) };
    let every = |holds: &dyn Fn(f64) -> bool| values.iter().all(|value| holds(*value));
    let (holds, words) = match test {
        Test::Falling(_) => (values.array_windows().all(|[a, b]| *a > *b + NOISE), "not falling".to_owned()),
        Test::Equal(_) => (values.array_windows().all(|[a, b]| (a - b).abs() <= NOISE), "not equal".to_owned()),
        Test::Zero(_) => (every(&|v| v == 0.0), "not zero".to_owned()),
        Test::Positive(_) => (every(&|v| v > NOISE), "not above zero".to_owned()),
        Test::Above { limit, .. } => (every(&|v| v > limit + NOISE), format!("not above {limit}")),
        Test::AtLeast { limit, .. } => (every(&|v| v >= limit - NOISE), format!("below {limit}")),
        Test::Below { limit, .. } => (every(&|v| v < limit - NOISE), format!("not below {limit}")),
        Test::Near { value, within, .. } => {
            (every(&|v| (v - value).abs() <= within + NOISE), format!("not within {within} of {value}"))
        }
        Test::Close { within, .. } => (
            values.array_windows().all(|[a, b]| (a - b).abs() <= within + NOISE),
            format!("not within {within} of each other"),
        ),
    };
    (!holds).then(|| {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
        Broken::So(format!("{words}: {}", values.join(", ")))
    })
}
