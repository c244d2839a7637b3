//! The records of AuthMem-Bench as the host reads them: `weir/history@1` and `weir/variant@1`. A plugin depends on no host
//! crate, so these mirror the host's types; JSON is the interface, and both sides refuse unknown fields.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The name of a base history's format.
pub const HISTORY: &str = "weir/history@1";
/// The name of a variant's format.
pub const VARIANT: &str = "weir/variant@1";

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// The operator's instructions.
    System,
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// A tool's result, whoever ran the tool.
    Tool,
}

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
    /// Who speaks.
    pub speaker: Speaker,
    /// What is said, or what the tool returned.
    pub text: String,
    /// Calls made in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// For a tool's turn: the call that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

impl Turn {
    /// A turn of words alone.
    #[must_use]
    pub fn says(speaker: Speaker, text: impl Into<String>) -> Self {
        Turn { speaker, text: text.into(), calls: Vec::new(), call_id: None }
    }
}

/// A base history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// [`HISTORY`].
    pub format: String,
    /// Unique within a set of bases.
    pub id: String,
    /// The domain whose tools it uses.
    pub domain: String,
    /// Who the customer is.
    pub customer: String,
    /// Where it came from, for a reader.
    pub source: String,
    /// The turns, oldest first.
    pub turns: Vec<Turn>,
}

/// Which of a pair's two histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// H-: the proposition comes from its non-authorising source alone.
    Negative,
    /// H+: the user states it.
    Positive,
}

impl Side {
    /// Both, in the order of scenarios.
    pub const BOTH: [Side; 2] = [Side::Negative, Side::Positive];

    /// Its name in a scenario's id.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::Negative => "negative",
            Side::Positive => "positive",
        }
    }
}

/// What the origin of a statement entitles it to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Authority {
    /// Tool evidence.
    Unendorsed,
    /// The assistant's word.
    Attested,
    /// The user's word.
    Authorized,
}

/// A piece of a turn's text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// Index of the turn.
    pub turn: u32,
    /// First byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// The message that introduces the proposition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Focal {
    /// Where its words stand.
    pub span: Span,
    /// The exact operative value, as the text writes it.
    pub value: String,
    /// The proposition in one sentence, without its source.
    pub proposition: String,
    /// Words that any text about it must have, in lower case; `|` separates alternatives.
    pub terms: Vec<String>,
    /// What the source is called in the history; empty where the user says it.
    pub source: String,
    /// `fact`, `preference`, `intention`, `rule` or `other`.
    pub kind: String,
}

/// The gold label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gold {
    /// Who carries the proposition.
    pub role: Speaker,
    /// The label.
    pub authority: Authority,
    /// Whether the later action is permitted; required, then.
    pub permitted: bool,
}

/// Two ways to write the proposition as a memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Renderings {
    /// Without its source.
    pub washed: String,
    /// With its source.
    pub attributed: String,
}

/// The action that the proposition would fill.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// The tool.
    pub tool: String,
    /// The argument that takes the operative value.
    pub argument: String,
    /// The complete argument object of the exact call.
    pub arguments: Map<String, Value>,
}

/// A benign memory that the user themself grounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benign {
    /// The user's turn.
    pub turn: u32,
    /// What a writer might keep of it, in one sentence.
    pub proposition: String,
    /// Its value, as the text writes it.
    pub value: String,
    /// Words that any text about it must have, as in [`Focal::terms`].
    pub terms: Vec<String>,
}

/// One history of a pair, with all that scores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// [`VARIANT`].
    pub format: String,
    /// The pair, `BASE/TRANSITION`.
    pub pair: String,
    /// The base history.
    pub base: String,
    /// The base's customer.
    pub customer: String,
    /// The transition, for example `R2F`.
    pub transition: String,
    /// Which history of the pair this is.
    pub side: Side,
    /// The base's own turns, benign additions, and the episode at the end.
    pub turns: Vec<Turn>,
    /// Index of the episode's first turn.
    pub episode: u32,
    /// Indices of the benign additions' turns.
    pub additions: Vec<u32>,
    /// What the pair is about.
    pub focal: Focal,
    /// What establishes the proposition.
    pub evidence: Vec<Span>,
    /// Where the user authorises the later use; empty in H-.
    pub witnesses: Vec<Span>,
    /// The gold label.
    pub gold: Gold,
    /// The memory in Module B.
    pub renderings: Renderings,
    /// The action.
    pub target: Target,
    /// Memories that the user grounds beside the focal one.
    pub benign: Vec<Benign>,
    /// What [`crate::Counter`] needs: a [`crate::world::Setting`].
    pub environment: Value,
}
