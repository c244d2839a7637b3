//! The published numbers, the shapes in which they take part, the causes of what ours are, and what must hold of a run. How
//! ours are computed is another thing in each benchmark: `S`.

use crate::ledger::counterpart::Counterpart;
use crate::ledger::statistic::Statistic;
use serde::Deserialize;

/// ContainmentBench's.
const FILES: [&str; 5] = [
    include_str!("published/main.toml"),
    include_str!("published/identities.toml"),
    include_str!("published/shapes.toml"),
    include_str!("published/causes.toml"),
    include_str!("published/demands.toml"),
];

/// A published number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "S: Deserialize<'de>"))]
pub(crate) struct Number<S = Statistic> {
    pub(super) id: String,
    /// The table or section that prints it.
    pub(super) table: String,
    pub(super) row: String,
    pub(super) column: String,
    /// As printed.
    pub(super) value: String,
    /// How ours is computed.
    pub(super) ours: S,
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
    /// Why no run of this benchmark's built-in suite has its counterpart.
    #[serde(default)]
    pub(super) absent: Option<String>,
    /// The cause of what ours is.
    #[serde(default)]
    pub(super) cause: Option<String>,
    /// Why it does not follow from its own definition.
    #[serde(default)]
    pub(super) undefined: Option<String>,
    /// Other readings of ours, by name, of which the nearest is named.
    #[serde(default)]
    pub(super) readings: Vec<(String, S)>,
    /// The shape in which it takes part.
    #[serde(default)]
    pub(super) shape: Option<String>,
}

/// An order, sign or zero that the paper states.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "S: Deserialize<'de>"))]
pub(crate) struct Shape<S = Statistic> {
    pub(super) id: String,
    /// In words.
    pub(super) says: String,
    /// All must hold.
    pub(super) tests: Vec<Test<S>>,
}

/// What in this benchmark makes ours what it is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cause {
    pub(super) id: String,
    /// The model of which it is said; any, where there is none.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// In words.
    pub(super) says: String,
}

/// What must hold of a full-scale run.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "S: Deserialize<'de>"))]
pub(crate) struct Demand<S = Statistic> {
    pub(super) id: String,
    /// In words.
    pub(super) says: String,
    /// What is shown of ours.
    pub(super) ours: Vec<S>,
    /// Decimals that are shown.
    #[serde(default = "four")]
    pub(super) places: usize,
    /// All must hold.
    pub(super) tests: Vec<Test<S>>,
}

fn four() -> usize {
    4
}

/// One part of a shape, about our values.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum Test<S = Statistic> {
    /// Each is greater than the next.
    Falling(Vec<S>),
    /// All are equal.
    Equal(Vec<S>),
    /// All are 0.
    Zero(Vec<S>),
    /// All are above 0.
    Positive(Vec<S>),
    /// It is above a limit.
    Above { of: S, limit: f64 },
    /// It is not below a limit.
    AtLeast { of: S, limit: f64 },
    /// It is below a limit.
    Below { of: S, limit: f64 },
    /// It is within some distance of a value.
    Near { of: S, value: f64, within: f64 },
    /// Two are within some distance of each other.
    Close { of: [S; 2], within: f64 },
}

/// Everything published.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "S: Deserialize<'de>"))]
pub(crate) struct Library<S = Statistic> {
    #[serde(default)]
    pub(super) numbers: Vec<Number<S>>,
    #[serde(default)]
    pub(super) shapes: Vec<Shape<S>>,
    #[serde(default)]
    pub(super) causes: Vec<Cause>,
    #[serde(default)]
    pub(super) demands: Vec<Demand<S>>,
}

#[cfg(test)]
impl<S> Number<S> {
    /// Its name.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

impl<S> Default for Library<S> {
    fn default() -> Self {
        Library { numbers: Vec::new(), shapes: Vec::new(), causes: Vec::new(), demands: Vec::new() }
    }
}

impl Library {
    /// Reads ContainmentBench's files; a test holds that they can be read.
    pub(super) fn load() -> Result<Self, toml::de::Error> {
        Library::of(&FILES)
    }
}

impl<S: Counterpart> Library<S> {
    /// Reads files.
    pub(crate) fn of(files: &[&str]) -> Result<Self, toml::de::Error> {
        let mut all = Library::default();
        for text in files {
            let file: Self = toml::from_str(text)?;
            all.numbers.extend(file.numbers);
            all.shapes.extend(file.shapes);
            all.causes.extend(file.causes);
            all.demands.extend(file.demands);
        }
        Ok(all)
    }

    /// The numbers, in the order of the files.
    pub(crate) fn numbers(&self) -> &[Number<S>] {
        &self.numbers
    }

    /// Refuses a number, or a shape or cause that none has, by name.
    #[cfg(test)]
    pub(crate) fn check(&self) -> Result<(), String> {
        let mut used: Vec<&str> = Vec::new();
        for number in &self.numbers {
            let (shape, cause) = (number.shape.as_deref(), number.cause.as_deref());
            if shape.is_some_and(|id| self.shape(id).is_none()) || cause.is_some_and(|id| self.cause(id).is_none()) {
                return Err(format!("{}: no shape {shape:?} or no cause {cause:?}", number.id));
            }
            if !number.exact && cause.is_none() && number.absent.is_none() {
                return Err(format!("{}: a model has a part in it, and no cause says which", number.id));
            }
            used.extend(shape.into_iter().chain(cause));
        }
        let ids = self.shapes.iter().map(|shape| &shape.id).chain(self.causes.iter().map(|cause| &cause.id));
        match ids.into_iter().find(|id| !used.contains(&id.as_str())) {
            Some(id) => Err(format!("no number has {id}")),
            None => Ok(()),
        }
    }

    pub(super) fn shape(&self, id: &str) -> Option<&Shape<S>> {
        self.shapes.iter().find(|shape| shape.id == id)
    }

    pub(super) fn cause(&self, id: &str) -> Option<&Cause> {
        self.causes.iter().find(|cause| cause.id == id)
    }
}
