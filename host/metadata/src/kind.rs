//! Kinds of plugins.

use serde::{Deserialize, Serialize};

/// A plugin kind: one world each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A defence.
    Policy,
    /// A tool environment.
    Domain,
    /// A memory consolidator.
    Writer,
    /// A metric family.
    Reducer,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Policy, Kind::Domain, Kind::Writer, Kind::Reducer];

    /// Its name in the contract.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Policy => "policy",
            Kind::Domain => "domain",
            Kind::Writer => "writer",
            Kind::Reducer => "reducer",
        }
    }
}
