//! Why a run cannot be aggregated.

use std::fmt;

/// A rollout, named for a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    policy: String,
    model: String,
    condition: String,
    scenario: String,
    seed: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { policy, model, condition, scenario, seed } = self;
        write!(f, "policy `{policy}`, model `{model}`, condition `{condition}`, scenario `{scenario}`, seed {seed}")
    }
}

/// Why a run cannot be aggregated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectError {
    /// A row could not be read.
    Unreadable(String),
    /// A row is of a recorded run.
    NotLive {
        /// Its unit.
        unit: String,
    },
    /// A row measures what the manifest does not define.
    UnknownMetric {
        /// Its unit.
        unit: String,
        /// The metric.
        metric: String,
    },
    /// There are not as many rows as the manifest has units.
    Incomplete {
        /// Rows.
        rows: usize,
        /// Units.
        units: usize,
    },
    /// Runs that are to be compared differ in a setting beside their policies.
    Unlike(String),
    /// A rollout that others have is missing.
    Missing(Box<Place>),
    /// A rollout is there twice.
    Twice(Box<Place>),
}

impl CollectError {
    fn place([policy, model, condition, scenario, seed]: [String; 5]) -> Box<Place> {
        Box::new(Place { policy, model, condition, scenario, seed })
    }

    pub(super) fn missing(names: [String; 5]) -> Self {
        CollectError::Missing(Self::place(names))
    }

    pub(super) fn twice(names: [String; 5]) -> Self {
        CollectError::Twice(Self::place(names))
    }
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CollectError::Unreadable(what) => f.write_str(what),
            CollectError::NotLive { unit } => {
                write!(f, "the row of unit {unit} has no seed: it is of a recorded run, and this is no replay")
            }
            CollectError::UnknownMetric { unit, metric } => {
                write!(f, "the row of unit {unit} has the metric `{metric}`, which the manifest does not define")
            }
            CollectError::Incomplete { rows, units } => write!(
                f,
                "results.jsonl has {rows} rows, and the manifest {units} units: nothing is aggregated over a part\n  run the same command again to finish the run"
            ),
            CollectError::Unlike(setting) => write!(
                f,
                "its `{setting}` is another than that of the runs beside it: their policies did not meet the same questions"
            ),
            CollectError::Missing(place) => write!(
                f,
                "a rollout is missing that another policy has: {place}\n  nothing is aggregated: policies would be compared over different rollouts"
            ),
            CollectError::Twice(place) => write!(f, "a rollout is there twice: {place}"),
        }
    }
}

impl std::error::Error for CollectError {}
