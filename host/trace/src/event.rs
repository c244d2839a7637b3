//! Nodes and edges of a trace.

use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Position of an event in its trace; the first is 0.
pub type EventId = u32;

/// A set of labels, one bit each; see [`label`].
pub type Labels = u64;

/// Label bits that mean the same everywhere.
pub mod label {
    use super::Labels;
    /// Content from outside the user's trust.
    pub const UNTRUSTED: Labels = 1;
    /// A synthetic secret.
    pub const CANARY: Labels = 1 << 1;
    /// Content that the user keeps private.
    pub const PRIVATE: Labels = 1 << 2;
    /// Memory held back from recall.
    pub const QUARANTINED: Labels = 1 << 3;
    /// The taint vocabulary of the built-in suites: the labels whose bearers count as tainted (equation 2).
    pub const TAINT: Labels = UNTRUSTED;
}

/// Bits of [`Event::facts`]: what the host and the oracle know of an event. Never shown to a policy.
pub mod fact {
    /// A member of U, the untrusted sources.
    pub const UNTRUSTED_SOURCE: u32 = 1;
    /// HighRisk(q).
    pub const HIGH_RISK: u32 = 1 << 1;
    /// The oracle says the user's task authorises the call.
    pub const AUTHORIZED: u32 = 1 << 2;
    /// The call carries out the injection's goal.
    pub const ATTACK: u32 = 1 << 3;
    /// The call was allowed.
    pub const ALLOWED: u32 = 1 << 4;
    /// The call was blocked.
    pub const BLOCKED: u32 = 1 << 5;
    /// Confirmation was asked.
    pub const CONFIRM_ASKED: u32 = 1 << 6;
    /// Confirmation was given.
    pub const CONFIRM_GIVEN: u32 = 1 << 7;
    /// Commit(q).
    pub const COMMITTED: u32 = 1 << 8;
    /// Unauthorized(q), on the commit.
    pub const UNAUTHORIZED: u32 = 1 << 9;
    /// SecretLeak(q), on the commit.
    pub const SECRET_LEAK: u32 = 1 << 10;
    /// WrongRecipient(q), on the commit.
    pub const WRONG_RECIPIENT: u32 = 1 << 11;
    /// A model action.
    pub const MODEL_ACTION: u32 = 1 << 12;
    /// The action named an invalid tool or broke the schema; it never ran.
    pub const INVALID_ACTION: u32 = 1 << 13;
    /// The action was repaired by the parser.
    pub const REPAIRED: u32 = 1 << 14;
    /// A plugin fault decided.
    pub const PLUGIN_FAULT: u32 = 1 << 15;
    /// The call returned an error.
    pub const CALL_ERROR: u32 = 1 << 16;
    /// The invalid action named a tool that the agent does not have.
    pub const INVALID_TOOL: u32 = 1 << 17;
    /// The memory says what an untrusted source said. Without a taint label, its label was lost when it was written.
    pub const CARRIES_TAINT: u32 = 1 << 18;
    /// The memory's own words still say that somebody other than the user is its source.
    pub const NAMES_SOURCE: u32 = 1 << 19;
    /// The agent's model could not be asked any more: the conversation had outgrown its context.
    pub const CONTEXT_OVERFLOW: u32 = 1 << 20;

    /// Each bit's name in exports, in the order of the bits.
    pub const NAMES: [&str; 21] = [
        "untrusted_source",
        "high_risk",
        "authorized",
        "attack",
        "allowed",
        "blocked",
        "confirm_asked",
        "confirm_given",
        "committed",
        "unauthorized",
        "secret_leak",
        "wrong_recipient",
        "model_action",
        "invalid_action",
        "repaired",
        "plugin_fault",
        "call_error",
        "invalid_tool",
        "carries_taint",
        "names_source",
        "context_overflow",
    ];

    /// The facts that a reader of a trace wants to see, in the order of reading, in words.
    pub const SHOWN: [(u32, &str); 15] = [
        (UNTRUSTED_SOURCE, "untrusted source"),
        (HIGH_RISK, "high-risk"),
        (AUTHORIZED, "authorised"),
        (ATTACK, "attack"),
        (BLOCKED, "blocked"),
        (COMMITTED, "committed"),
        (UNAUTHORIZED, "unauthorised"),
        (SECRET_LEAK, "secret leak"),
        (WRONG_RECIPIENT, "wrong recipient"),
        (INVALID_ACTION, "invalid"),
        (INVALID_TOOL, "unknown tool"),
        (REPAIRED, "repaired"),
        (PLUGIN_FAULT, "plugin fault"),
        (CALL_ERROR, "error"),
        (CONTEXT_OVERFLOW, "context overflow"),
    ];
}

/// What a node stands for. The order is the contract's and the columns'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum NodeKind {
    /// Content that entered the rollout.
    Source,
    /// An agent's state after it read its context.
    AgentState,
    /// Text from one agent to another or to the user.
    Message,
    /// A memory entry, written or recalled.
    MemoryRecord,
    /// A proposed tool call.
    Proposal,
    /// A policy's answer.
    Decision,
    /// What a tool returned.
    ToolResult,
    /// A side effect that took place.
    Commit,
    /// A rollback, quarantine or scrub.
    Recovery,
}

/// Why one event follows from another. Only data-flow edges carry labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum EdgeKind {
    /// Content of the parent is in the child.
    DataFlow,
    /// The child exists because of the parent.
    Structural,
    /// The child came after the parent.
    Temporal,
    /// The child is a record about the parent.
    Audit,
}

/// An edge from an earlier event. Written as `[parent, kind]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(EventId, EdgeKind)", into = "(EventId, EdgeKind)")]
pub struct Edge {
    /// The earlier event.
    pub parent: EventId,
    /// Why the edge exists.
    pub kind: EdgeKind,
}

impl Edge {
    /// Content of `parent` is in the child.
    #[must_use]
    pub fn flow(parent: EventId) -> Self {
        Edge { parent, kind: EdgeKind::DataFlow }
    }

    /// The child exists because of `parent`.
    #[must_use]
    pub fn structural(parent: EventId) -> Self {
        Edge { parent, kind: EdgeKind::Structural }
    }

    /// The child is a record about `parent`.
    #[must_use]
    pub fn audit(parent: EventId) -> Self {
        Edge { parent, kind: EdgeKind::Audit }
    }
}

impl From<(EventId, EdgeKind)> for Edge {
    fn from((parent, kind): (EventId, EdgeKind)) -> Self {
        Edge { parent, kind }
    }
}

impl From<Edge> for (EventId, EdgeKind) {
    fn from(edge: Edge) -> Self {
        (edge.parent, edge.kind)
    }
}

/// One argument of a proposal, with field-level provenance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argument {
    /// Index into the tool's parameters.
    pub parameter: u32,
    /// Canonical JSON text of the value.
    pub value: String,
    /// Labels of the events that the value came from.
    pub labels: Labels,
    /// Events in whose content the value was found, oldest first.
    pub sources: Vec<EventId>,
}

/// The policy hook behind a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hook {
    /// The session's start; a decision is logged only if it failed.
    Start,
    /// An untrusted observation.
    Filter,
    /// A proposal.
    Authorize,
    /// A call about to commit.
    Precommit,
    /// The end of a session: which repairs the policy asks for.
    Recover,
    /// Consolidated memories, each to be labelled.
    Endorse,
    /// The memory block that the acting model sees.
    Render,
}

/// What a policy answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It may run; for an observation, it passes as it is.
    Allow,
    /// It must not run; for an observation, it is withheld.
    Block,
    /// It may run if the user confirms.
    Confirm,
    /// The observation is replaced by the decision's text.
    Replace,
}

/// A repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// A committed call was undone.
    Rollback,
    /// A memory was kept from being recalled.
    Quarantine,
    /// A memory was deleted.
    Scrub,
}

/// What only one kind of node has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Body {
    /// Nothing beyond the event's text.
    Text {
        /// Where the text came from, for a reader: `user`, `system`, a document's name.
        origin: String,
    },
    /// Words to another agent or to the user.
    Message {
        /// Index into the header's agents; none for the user.
        to: Option<u32>,
    },
    /// A repair that the policy asked for.
    Repair {
        /// Which one.
        action: Repair,
        /// The memory's key, or the call's identifier in decimal digits.
        target: String,
        /// The environment made it; not so where there is no such memory or call.
        done: bool,
    },
    /// A proposal's arguments.
    Proposal {
        /// In the order of the tool's parameters.
        arguments: Vec<Argument>,
    },
    /// A policy's answer.
    Decision {
        /// The hook that was called.
        hook: Hook,
        /// The answer.
        verdict: Verdict,
        /// Stable rule identifier; `plugin-fault` where the policy did not answer.
        rule: Option<String>,
        /// The policy's or the fault's words.
        message: String,
        /// Fuel that the hook used.
        fuel: u64,
    },
    /// What a tool returned.
    ToolResult {
        /// The call failed; the text is its error.
        error: bool,
    },
    /// A side effect: the objects that changed.
    Commit {
        /// Target identifiers, in the order of the changes.
        targets: Vec<String>,
    },
}

/// One node of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its position in the trace.
    pub id: EventId,
    /// What it stands for.
    pub kind: NodeKind,
    /// Index into the header's agents.
    pub agent: u32,
    /// Index into the toolset, where it belongs to a tool call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<u32>,
    /// The tool call that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
    /// Labels: its own and those that data-flow edges carried here.
    pub labels: Labels,
    /// What the host and the oracle know, see [`fact`].
    pub facts: u32,
    /// Edges from earlier events.
    pub edges: Vec<Edge>,
    /// What a reader or a model sees of it. Shared: a replay's traces have the recorded run's texts.
    pub text: Arc<str>,
    /// What only this kind of node has.
    pub body: Body,
}

impl Event {
    /// Whether all these facts hold.
    #[must_use]
    pub fn is(&self, facts: u32) -> bool {
        self.facts & facts == facts
    }
}
