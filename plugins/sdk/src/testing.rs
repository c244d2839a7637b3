//! Helpers for a plugin's own native tests: a small mail episode and ways to write proposals and ledgers in one line.
//!
//! The episode has one agent and six tools: `read` (a read), `send` (a side effect with `to`, `bcc`, `subject`, `body`),
//! `share` (a side effect with `file`, `with`, `visibility`), `remember` (a memory write with `key`, `value`, `scope`),
//! `update` (a side effect on the user's own `object` with `value`) and `scrub` (a recovery with `key`).

pub mod graph;
#[cfg(feature = "scenarios")]
mod guard;
pub mod memory;
#[cfg(feature = "scenarios")]
mod play;
pub mod random;

#[cfg(feature = "scenarios")]
pub use guard::Guard;
#[cfg(feature = "scenarios")]
pub use play::{Player, Proposed, Ran, play};

use crate::host::{Completion, CompletionRequest};
use crate::policy::{
    Argument, Authorization, Constraint, Edge, EdgeKind, Effect, Episode, Error, Event, NodeKind, Parameter, Proposal,
    Role, Rule, Tool,
};
use crate::reducer::{Columns, Header, Reducer, Value, measured, rows};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

/// Stands in for the model of this thread.
type ModelAnswer = dyn Fn(&CompletionRequest) -> Result<String, Error>;

thread_local! {
    static TRANSCRIPT: RefCell<BTreeMap<u32, String>> = const { RefCell::new(BTreeMap::new()) };
    static MODEL: RefCell<Option<Box<ModelAnswer>>> = const { RefCell::new(None) };
    static HUSHED: Cell<bool> = const { Cell::new(false) };
}

/// Gives the text that `host::text` returns for an event on this thread.
pub fn set_transcript(event: u32, text: &str) {
    TRANSCRIPT.with_borrow_mut(|t| t.insert(event, text.to_owned()));
}

pub(crate) fn transcript(event: u32) -> Option<String> {
    TRANSCRIPT.with_borrow(|t| t.get(&event).cloned())
}

pub(crate) fn find(text: &str, limit: u32) -> Vec<u32> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    TRANSCRIPT.with_borrow(|shown| {
        let holding = shown.iter().filter(|(_, shown)| !text.is_empty() && shown.contains(text));
        holding.map(|(event, _)| *event).take(limit).collect()
    })
}

/// A new session begins, which was shown nothing yet.
#[cfg(all(feature = "replay", not(target_arch = "wasm32")))]
pub(crate) fn forget_transcript() {
    TRANSCRIPT.with_borrow_mut(BTreeMap::clear);
}

/// Keeps what a plugin logs on this thread from standard error: somebody measures.
#[cfg(all(feature = "replay", not(target_arch = "wasm32")))]
pub(crate) fn hush() {
    HUSHED.set(true);
}

pub(crate) fn is_hushed() -> bool {
    HUSHED.get()
}

/// Gives the model that `host::complete` asks on this thread.
pub fn set_model(answer: impl Fn(&CompletionRequest) -> Result<String, Error> + 'static) {
    MODEL.with_borrow_mut(|model| *model = Some(Box::new(answer)));
}

pub(crate) fn model_answer(request: &CompletionRequest) -> Result<Completion, Error> {
    let denied = || Error::AccessDenied(format!("no model is configured for role `{}`", request.role));
    let text = MODEL.with_borrow(|model| model.as_ref().ok_or_else(denied).and_then(|answer| answer(request)))?;
    Ok(Completion { text, input_tokens: 0, output_tokens: 0 })
}

/// What a defence sees of a domain's tools that do more than read or draft: each name with how many recipients, targets and
/// visibilities it has, as in `send 200`. A domain's test writes down what it means to declare.
#[must_use]
pub fn declared(tools: &[Tool]) -> Vec<String> {
    let risky = tools.iter().filter(|tool| !matches!(tool.effect, Effect::Read | Effect::Draft));
    let counted = |tool: &Tool| {
        let has = |role| tool.parameters.iter().filter(|parameter| parameter.role == role).count();
        format!("{} {}{}{}", tool.name, has(Role::Recipient), has(Role::Target), has(Role::Visibility))
    };
    risky.map(counted).collect()
}

/// The mail episode with this ledger.
#[must_use]
pub fn episode(ledger: Vec<Authorization>) -> Episode {
    Episode {
        goal: "a goal".into(),
        ledger,
        tools: vec![
            tool("read", Effect::Read, &[("query", Role::Other)]),
            tool(
                "send",
                Effect::SideEffect,
                &[
                    ("to", Role::Recipient),
                    ("bcc", Role::Recipient),
                    ("subject", Role::Content),
                    ("body", Role::Content),
                ],
            ),
            tool(
                "share",
                Effect::SideEffect,
                &[("file", Role::Target), ("with", Role::Recipient), ("visibility", Role::Visibility)],
            ),
            tool(
                "remember",
                Effect::MemoryWrite,
                &[("key", Role::Target), ("value", Role::Content), ("scope", Role::Visibility)],
            ),
            tool("update", Effect::SideEffect, &[("object", Role::Target), ("value", Role::Content)]),
            tool("scrub", Effect::Recovery, &[("key", Role::Target)]),
        ],
        agents: vec!["assistant".into()],
        label_names: Vec::new(),
        taint_vocabulary: crate::UNTRUSTED,
    }
}

fn tool(name: &str, effect: Effect, parameters: &[(&str, Role)]) -> Tool {
    Tool {
        name: name.into(),
        description: String::new(),
        effect,
        parameters: parameters
            .iter()
            .map(|&(name, role)| Parameter { name: name.into(), role, required: false, schema: "{}".into() })
            .collect(),
    }
}

/// A ledger entry without argument rules.
#[must_use]
pub fn allow(action: &str, targets: &[&str]) -> Authorization {
    Authorization {
        action: action.into(),
        targets: targets.iter().map(|&t| t.into()).collect(),
        constraints: Vec::new(),
    }
}

/// The same entry with one more rule.
#[must_use]
pub fn rule(mut authorization: Authorization, argument: &str, rule: Rule) -> Authorization {
    authorization.constraints.push(Constraint { argument: argument.into(), rule });
    authorization
}

/// A proposal of one of the mail episode's tools, in a clean context. Unknown names become index 4294967295.
#[must_use]
pub fn propose(tool: &str, arguments: &[(&str, &str)]) -> Proposal {
    let tools = episode(Vec::new()).tools;
    let position = tools.iter().position(|t| t.name == tool);
    let parameters = position.and_then(|p| tools.get(p)).map_or(&[][..], |t| &t.parameters);
    let index = |p: Option<usize>| p.and_then(|p| u32::try_from(p).ok()).unwrap_or(u32::MAX);
    Proposal {
        event: 1,
        call_id: 0,
        agent: 0,
        tool: index(position),
        arguments: arguments
            .iter()
            .map(|&(name, value)| Argument {
                parameter: index(parameters.iter().position(|p| p.name == name)),
                value: value.into(),
                labels: 0,
                sources: Vec::new(),
            })
            .collect(),
        labels: 0,
    }
}

/// The same proposal with these labels on its context and on each argument.
#[must_use]
pub fn labelled(mut proposal: Proposal, labels: u64) -> Proposal {
    proposal.labels |= labels;
    for argument in &mut proposal.arguments {
        argument.labels |= labels;
    }
    proposal
}

/// The index of one of the mail episode's tools; 4294967295 for an unknown name.
#[must_use]
pub fn tool_index(name: &str) -> u32 {
    propose(name, &[]).tool
}

/// An event as a policy observes it, with data-flow edges from these parents.
#[must_use]
pub fn event(id: u32, kind: NodeKind, tool: Option<u32>, labels: u64, parents: &[u32]) -> Event {
    let edges = parents.iter().map(|&parent| Edge { parent, kind: EdgeKind::DataFlow }).collect();
    Event { id, kind, agent: 0, tool, labels, edges, size: 0 }
}

/// An edge that carries labels.
pub const FLOW: u8 = 0;
/// An edge from a call to its result.
pub const STRUCTURAL: u8 = 1;
/// An edge from a thing to what came after it.
pub const TEMPORAL: u8 = 2;
/// An edge from a thing to a record about it.
pub const AUDIT: u8 = 3;

/// A header of the security stage about which nothing else is known.
#[must_use]
pub fn header() -> Header {
    Header {
        stage: "security".into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        taint_vocabulary: crate::UNTRUSTED,
        goal_met: None,
        tainted_dependency: None,
        recovered: None,
        reinfected: None,
    }
}

/// Kind, labels, facts, and edges as (parent, kind).
pub type Node<'a> = (u8, u64, u32, &'a [(u32, u8)]);

/// A node of a trace, for [`fold`]: kind, labels, facts, and edges as (parent, kind).
#[must_use]
pub fn node(kind: u8, labels: u64, facts: u32, edges: &[(u32, u8)]) -> Node<'_> {
    (kind, labels, facts, edges)
}

/// Folds a trace natively, one event a batch, through the same columns as the component.
#[must_use]
pub fn fold<R: Reducer>(header: Header, nodes: &[Node<'_>]) -> Vec<Value> {
    let stage = header.stage.clone();
    let mut reducer = R::start(header);
    for (first, &(kind, labels, facts, edges)) in (0..).zip(nodes) {
        let batch = Columns {
            first,
            kinds: vec![kind],
            labels: vec![labels],
            agents: vec![0],
            tools: vec![u32::MAX],
            calls: vec![u32::MAX],
            edge_offsets: vec![0, u32::try_from(edges.len()).unwrap_or(u32::MAX)],
            edge_parents: edges.iter().map(|e| e.0).collect(),
            edge_kinds: edges.iter().map(|e| e.1).collect(),
            facts: vec![facts],
            strings: vec!["assistant".into()],
        };
        let _ = rows(&batch, |row| reducer.push(row));
    }
    measured(&stage, &mut reducer)
}

/// One metric of a trace, by name.
///
/// # Panics
/// Where the reducer has no such metric.
#[must_use]
pub fn measure<R: Reducer>(header: Header, nodes: &[Node<'_>], name: &str) -> Value {
    let position = R::metrics().iter().position(|metric| metric.name == name);
    assert!(position.is_some(), "there is no metric {name}");
    position.and_then(|position| fold::<R>(header, nodes).get(position).copied()).unwrap_or_default()
}
