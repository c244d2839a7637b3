//! Tools and ledgers as traces store them: the contract's records, with names for a reader of the file.

use serde::{Deserialize, Serialize};

/// What running a tool can do to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Returns data.
    Read,
    /// Returns data, but contacts an address that the caller chooses.
    EgressRead,
    /// Prepares something that another call commits.
    Draft,
    /// Changes or sends something.
    SideEffect,
    /// Writes memory.
    MemoryWrite,
    /// Undoes or cleans up.
    Recovery,
}

impl Effect {
    /// HighRisk (ContainmentBench 4.4): side-effecting or persistent-memory tools, and recovery actions.
    #[must_use]
    pub fn is_high_risk(self) -> bool {
        matches!(self, Effect::SideEffect | Effect::MemoryWrite | Effect::Recovery)
    }
}

/// What an argument means to a side effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Who receives something or gains access.
    Recipient,
    /// The object that is acted on.
    Target,
    /// Who may see or change the result.
    Visibility,
    /// What is said, stored or attached.
    Content,
    /// A setting without authority of its own.
    Other,
}

/// One parameter of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name in the tool's schema.
    pub name: String,
    /// What it means to a side effect.
    pub role: Role,
    /// Whether a call without it is invalid.
    pub required: bool,
    /// JSON Schema of its value, as text.
    pub schema: String,
}

/// A tool that an agent may call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// Unique within its toolset.
    pub name: String,
    /// What the model is told about it.
    pub description: String,
    /// What it can do to the world.
    pub effect: Effect,
    /// In the order of the tool's schema.
    pub parameters: Vec<Parameter>,
}

/// The predicate on one argument of an authorised action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Any value, or none.
    Any,
    /// The argument must be absent.
    Absent,
    /// Exactly this canonical JSON.
    Equals(String),
    /// One of these canonical JSON texts.
    OneOf(Vec<String>),
    /// A string with this beginning.
    Prefix(String),
    /// A number no greater than this, or none.
    AtMost(f64),
    /// A string of at most this many Unicode scalar values, or none.
    MaxLength(u32),
}

/// A rule on one argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// The parameter's name.
    pub argument: String,
    /// What its value must satisfy.
    pub rule: Rule,
}

/// One entry (a, t, phi) of the trusted intent ledger (ContainmentBench equation 8).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Authorization {
    /// The tool's name.
    pub action: String,
    /// Every recipient and target of the call must be among these.
    pub targets: Vec<String>,
    /// Rules on arguments.
    pub constraints: Vec<Constraint>,
}

/// A ledger and how it came about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    /// For example `oracle` or `prompt`.
    pub form: String,
    /// Its entries.
    pub entries: Vec<Authorization>,
}
