//! Role-labelled histories.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use weir_trace::Speaker;

/// The name of a base history's format.
pub const FORMAT: &str = "weir/history@1";

/// A tool call made in a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// Unique within the history.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments.
    pub arguments: Map<String, Value>,
}

/// One turn. Its index is its position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Who speaks. A result of a tool that the user ran on a device of their own is a tool's turn all the same: by the role
    /// policy what a tool says is Unendorsed, whoever started it.
    pub speaker: Speaker,
    /// What is said, or what the tool returned. Empty where a turn has calls alone.
    pub text: String,
    /// Calls made in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// For a tool's turn: the call that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

/// A base history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// [`FORMAT`].
    pub format: String,
    /// Unique within a set of bases.
    pub id: String,
    /// The domain whose tools it uses.
    pub domain: String,
    /// Who the customer is: bases of one customer never stand in two partitions.
    pub customer: String,
    /// Where it came from, for a reader.
    pub source: String,
    /// The turns, oldest first.
    pub turns: Vec<Turn>,
}
