//! Why an authority run cannot be aggregated.

use super::gather::Group;
use std::fmt;
use weir_memory::Side;

/// One cell of the grid, named for a reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) group: Group,
    pub(super) stage: String,
    pub(super) pair: String,
    pub(super) side: Side,
    pub(super) seed: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = match self.side {
            Side::Negative => "H-",
            Side::Positive => "H+",
        };
        write!(f, "{}, stage `{}`, pair `{}`, {side}, seed {}", self.group, self.stage, self.pair, self.seed)
    }
}

/// Why an authority run cannot be aggregated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatherError {
    /// A row could not be read.
    Unreadable(String),
    /// The manifest's settings do not name a grid.
    Settings(String),
    /// A row lacks what its module has.
    Lacks {
        /// Its unit.
        unit: String,
        /// What it lacks.
        what: &'static str,
    },
    /// A row says of a pair what another row contradicts.
    Contradiction {
        /// Its unit.
        unit: String,
        /// The pair.
        pair: String,
    },
    /// There are not as many rows as the manifest has units.
    Incomplete {
        /// Rows.
        rows: usize,
        /// Units.
        units: usize,
    },
    /// A unit is missing that the grid has.
    Missing(Box<Place>),
    /// A unit is there twice.
    Twice(Box<Place>),
}

impl fmt::Display for GatherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GatherError::Unreadable(what) => f.write_str(what),
            GatherError::Settings(what) => {
                write!(f, "the manifest's settings are not those of an authority run: {what}")
            }
            GatherError::Lacks { unit, what } => {
                write!(f, "the row of unit {unit} has no `{what}`, which every row of its module has")
            }
            GatherError::Contradiction { unit, pair } => write!(
                f,
                "the row of unit {unit} gives pair `{pair}` another transition, partition or base than an earlier row"
            ),
            GatherError::Incomplete { rows, units } => write!(
                f,
                "results.jsonl has {rows} rows, and the manifest {units} units: nothing is aggregated over a part\n  run the same command again to finish the run"
            ),
            GatherError::Missing(place) => write!(
                f,
                "a unit is missing: {place}\n  nothing is aggregated: cells of the grid would be compared over different histories"
            ),
            GatherError::Twice(place) => write!(f, "a unit is there twice: {place}"),
        }
    }
}

impl std::error::Error for GatherError {}
