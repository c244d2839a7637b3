//! A case as its file says it: every key that there is, and nothing resolved yet.

use super::expectation::Expectation;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;
use weir_trace::contract::{Effect, Role};
use weir_trace::{EdgeKind, EventId, NodeKind, Speaker};

/// A whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Raw {
    pub about: String,
    pub goal: String,
    #[serde(default = "one_agent")]
    pub agents: Vec<String>,
    pub domain: Option<String>,
    pub toolset: Option<String>,
    #[serde(default = "untrusted")]
    pub taint: Vec<String>,
    #[serde(default)]
    pub label_names: Vec<String>,
    #[serde(default)]
    pub canaries: Vec<String>,
    #[serde(default)]
    pub tools: Vec<RawTool>,
    #[serde(default)]
    pub ledger: Vec<RawEntry>,
    pub steps: Vec<Spanned<RawStep>>,
}

fn one_agent() -> Vec<String> {
    vec!["agent".into()]
}

fn untrusted() -> Vec<String> {
    vec!["untrusted".into()]
}

/// A tool of the case's own.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawTool {
    pub name: String,
    #[serde(default)]
    pub description: String,
    pub effect: Effect,
    #[serde(default)]
    pub parameters: Vec<RawParameter>,
}

/// A parameter. What a policy mostly looks at is its role.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawParameter {
    pub name: String,
    #[serde(default = "other")]
    pub role: Role,
    #[serde(default = "yes")]
    pub required: bool,
    #[serde(default = "text")]
    pub schema: String,
}

fn other() -> Role {
    Role::Other
}

fn yes() -> bool {
    true
}

fn text() -> String {
    r#"{"type":"string"}"#.into()
}

/// A ledger entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawEntry {
    pub action: String,
    #[serde(default)]
    pub targets: Vec<String>,
    /// A list and no table: a policy is given constraints in an order.
    #[serde(default)]
    pub constraints: Vec<RawConstraint>,
}

/// A constraint of an entry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawConstraint {
    pub argument: String,
    pub rule: RawRule,
}

/// The contract's rules, with values in place of JSON texts.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RawRule {
    Any,
    Absent,
    Equals(toml::Value),
    OneOf(Vec<toml::Value>),
    Prefix(String),
    AtMost(f64),
    MaxLength(u32),
}

/// The hook that a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Ask {
    Guidance,
    Filter,
    Authorize,
    Precommit,
    Recover,
    Endorse,
    Render,
}

impl Ask {
    /// As a file says it.
    pub fn name(self) -> &'static str {
        match self {
            Ask::Guidance => "guidance",
            Ask::Filter => "filter",
            Ask::Authorize => "authorize",
            Ask::Precommit => "precommit",
            Ask::Recover => "recover",
            Ask::Endorse => "endorse",
            Ask::Render => "render",
        }
    }
}

/// A step: an event, or a question to a hook. One type for both, since a reader of several would lose the place of an
/// unknown key; which keys belong to which is looked at later.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawStep {
    pub event: Option<NodeKind>,
    pub ask: Option<Ask>,
    pub agent: Option<String>,
    pub tool: Option<String>,
    pub call: Option<u32>,
    pub text: Option<String>,
    pub labels: Option<Vec<String>>,
    pub from: Option<Vec<EventId>>,
    pub edges: Option<Vec<(EventId, EdgeKind)>>,
    pub arguments: Option<toml::Table>,
    pub arguments_json: Option<String>,
    pub argument_labels: Option<BTreeMap<String, Vec<String>>>,
    pub sources: Option<BTreeMap<String, Vec<EventId>>>,
    pub memories: Option<Vec<RawMemory>>,
    pub history: Option<Vec<RawTurn>>,
    pub expect: Option<Spanned<Expectation>>,
}

impl RawStep {
    /// The keys that are there, but for `event`, `ask` and `expect`.
    pub fn given(&self) -> Vec<&'static str> {
        let all = [
            ("agent", self.agent.is_some()),
            ("tool", self.tool.is_some()),
            ("call", self.call.is_some()),
            ("text", self.text.is_some()),
            ("labels", self.labels.is_some()),
            ("from", self.from.is_some()),
            ("edges", self.edges.is_some()),
            ("arguments", self.arguments.is_some()),
            ("arguments-json", self.arguments_json.is_some()),
            ("argument-labels", self.argument_labels.is_some()),
            ("sources", self.sources.is_some()),
            ("memories", self.memories.is_some()),
            ("history", self.history.is_some()),
        ];
        all.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
    }
}

/// A memory.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawMemory {
    pub id: String,
    pub text: String,
    #[serde(default = "other_kind")]
    pub kind: RawKind,
    pub authority: Option<RawAuthority>,
    #[serde(default)]
    pub evidence: Vec<u32>,
}

fn other_kind() -> RawKind {
    RawKind::Other
}

/// What a memory says.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RawKind {
    Fact,
    Preference,
    Intention,
    Rule,
    Other,
}

/// A memory's label.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RawAuthority {
    Unendorsed,
    Attested,
    Authorized,
}

/// A turn of the history behind memories. Its index is its place in the list.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawTurn {
    pub speaker: Speaker,
    pub text: String,
}
