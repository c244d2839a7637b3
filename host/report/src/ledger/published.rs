//! The published numbers, the shapes in which they take part, the causes of what ours are, and what must hold of a run.

use crate::ledger::statistic::Statistic;
use serde::Deserialize;

const FILES: [&str; 5] = [
    include_str!("published/main.toml"),
    include_str!("published/identities.toml"),
    include_str!("published/shapes.toml"),
    include_str!("published/causes.toml"),
    include_str!("published/demands.toml"),
];

/// A published number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Number {
    pub(super) id: String,
    /// The table or section that prints it.
    pub(super) table: String,
    pub(super) row: String,
    pub(super) column: String,
    /// As printed.
    pub(super) value: String,
    /// How ours is computed.
    pub(super) ours: Statistic,
    /// No model has a part in it: a count of the design, an identity, an interval of given counts.
    #[serde(default)]
    pub(super) exact: bool,
    /// The printed value that a printed interval belongs to.
    #[serde(default)]
    pub(super) estimate: Option<String>,
    /// The simulated model whose profile was set on it.
    #[serde(default)]
    pub(super) calibrated: Option<String>,
    /// The only model whose rollouts are its counterpart; any, where there is none.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// The command whose run has its counterpart, where that is not the default suite.
    #[serde(default)]
    pub(super) run: Option<String>,
    /// The cause of what ours is.
    #[serde(default)]
    pub(super) cause: Option<String>,
    /// Why it does not follow from its own definition.
    #[serde(default)]
    pub(super) undefined: Option<String>,
    /// Other readings of ours, by name, of which the nearest is named.
    #[serde(default)]
    pub(super) readings: Vec<(String, Statistic)>,
    /// The shape in which it takes part.
    #[serde(default)]
    pub(super) shape: Option<String>,
}

/// An order, sign or zero that the paper states.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    pub(super) id: String,
    /// In words.
    pub(super) says: String,
    /// All must hold.
    pub(super) tests: Vec<Test>,
}

/// What in this benchmark makes ours what it is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cause {
    pub(super) id: String,
    /// The model of which it is said; any, where there is none.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// In words.
    pub(super) says: String,
}

/// What must hold of a full-scale run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Demand {
    pub(super) id: String,
    /// In words.
    pub(super) says: String,
    /// What is shown of ours.
    pub(super) ours: Vec<Statistic>,
    /// Decimals that are shown.
    #[serde(default = "four")]
    pub(super) places: usize,
    /// All must hold.
    pub(super) tests: Vec<Test>,
}

fn four() -> usize {
    4
}

/// One part of a shape, about our values.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Test {
    /// Each is greater than the next.
    Falling(Vec<Statistic>),
    /// All are equal.
    Equal(Vec<Statistic>),
    /// All are 0.
    Zero(Vec<Statistic>),
    /// All are above 0.
    Positive(Vec<Statistic>),
    /// It is above a limit.
    Above { of: Statistic, limit: f64 },
    /// It is below a limit.
    Below { of: Statistic, limit: f64 },
    /// It is within some distance of a value.
    Near { of: Statistic, value: f64, within: f64 },
    /// Two are within some distance of each other.
    Close { of: [Statistic; 2], within: f64 },
}

/// Everything published.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Library {
    #[serde(default)]
    pub(super) numbers: Vec<Number>,
    #[serde(default)]
    pub(super) shapes: Vec<Shape>,
    #[serde(default)]
    pub(super) causes: Vec<Cause>,
    #[serde(default)]
    pub(super) demands: Vec<Demand>,
}

impl Library {
    /// Reads the built-in files; a test holds that they can be read.
    pub(super) fn load() -> Result<Self, toml::de::Error> {
        let mut all = Library::default();
        for text in FILES {
            let file: Library = toml::from_str(text)?;
            all.numbers.extend(file.numbers);
            all.shapes.extend(file.shapes);
            all.causes.extend(file.causes);
            all.demands.extend(file.demands);
        }
        Ok(all)
    }

    pub(super) fn shape(&self, id: &str) -> Option<&Shape> {
        self.shapes.iter().find(|shape| shape.id == id)
    }

    pub(super) fn cause(&self, id: &str) -> Option<&Cause> {
        self.causes.iter().find(|cause| cause.id == id)
    }
}
