//! The published numbers, and the shapes in which they take part.

use crate::ledger::statistic::Statistic;
use serde::Deserialize;

const FILES: [&str; 3] = [
    include_str!("published/main.toml"),
    include_str!("published/identities.toml"),
    include_str!("published/shapes.toml"),
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
    /// The simulated model's profile was set on it.
    #[serde(default)]
    pub(super) calibrated: bool,
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

/// One part of a shape, about our values.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Test {
    /// Each is greater than the next.
    Falling(Vec<Statistic>),
    /// All are equal.
    Equal(Vec<Statistic>),
    /// All are 0.
    Zero(Vec<Statistic>),
    /// All are above 0.
    Positive(Vec<Statistic>),
    /// All are below 0.
    Negative(Vec<Statistic>),
}

/// Everything published.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Library {
    #[serde(default)]
    pub(super) numbers: Vec<Number>,
    #[serde(default)]
    pub(super) shapes: Vec<Shape>,
}

impl Library {
    /// Reads the built-in files; a test holds that they can be read.
    pub(super) fn load() -> Result<Self, toml::de::Error> {
        let mut all = Library::default();
        for text in FILES {
            let file: Library = toml::from_str(text)?;
            all.numbers.extend(file.numbers);
            all.shapes.extend(file.shapes);
        }
        Ok(all)
    }

    pub(super) fn shape(&self, id: &str) -> Option<&Shape> {
        self.shapes.iter().find(|shape| shape.id == id)
    }
}
