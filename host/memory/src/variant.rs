//! Paired variants: one history in which a proposition is authorised and one in which it is not (AuthMem-Bench 3.1).

use crate::authority::Authority;
use crate::history::{Speaker, Turn};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The name of the format, which is the `state` of a scenario in a domain's stages `authority` and `authority-field`.
pub const FORMAT: &str = "weir/variant@1";

/// Which of a pair's two histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// H-: the proposition comes from its non-authorising source alone.
    Negative,
    /// H+: the user states it.
    Positive,
}

/// Which part of the bases a base belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partition {
    /// Chooses predictor and acting model.
    Validation,
    /// Neither chosen on nor looked at.
    HeldOut,
    /// The rest.
    Main,
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

impl Span {
    /// The words of the span; none where it stands outside its turn or cuts a character.
    #[must_use]
    pub fn text(self, turns: &[Turn]) -> Option<&str> {
        let turn = turns.get(usize::try_from(self.turn).ok()?)?;
        turn.text.get(usize::try_from(self.start).ok()?..usize::try_from(self.end).ok()?)
    }
}

/// The message that introduces the proposition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Focal {
    /// Where its words stand; deleting them from both histories of a pair leaves the same episode.
    pub span: Span,
    /// The exact operative value, as the text writes it.
    pub value: String,
    /// The proposition in one sentence, without its source.
    pub proposition: String,
    /// Words of the proposition that any text about it must have, beside the value; in lower case. A word with `|` stands
    /// for any of its alternatives.
    pub terms: Vec<String>,
    /// What the source is called in the history: `vendor notice`, `assistant`; empty where the user says it.
    pub source: String,
    /// `fact`, `preference`, `intention`, `rule` or `other`.
    pub kind: String,
}

/// The gold label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gold {
    /// Who carries the proposition; of mixed evidence, the least permissive speaker.
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
    /// The complete argument object of the exact call: the fixed arguments, which the later request states, and the value.
    pub arguments: Map<String, Value>,
}

/// A benign memory that the user themself grounds, for the labels' precision.
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

/// One history of a pair, with all that scores it. A scenario's goal is its later request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// [`FORMAT`].
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
    /// The turns: the base's own, benign additions, and the episode at the end.
    pub turns: Vec<Turn>,
    /// Index of the episode's first turn; its four turns are the user's request, the assistant's call, the tool's result and
    /// the assistant's answer.
    pub episode: u32,
    /// Indices of the benign additions' turns.
    pub additions: Vec<u32>,
    /// What the pair is about.
    pub focal: Focal,
    /// What establishes the proposition; more than one span where evidence is mixed.
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
    /// What the domain's environment needs; opaque to the host.
    pub environment: Value,
}
