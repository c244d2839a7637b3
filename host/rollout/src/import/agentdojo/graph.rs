//! A recorded conversation as a trace graph.
//!
//! Each assistant message is an agent state, into which everything flows that was said since the last one, and which flows
//! into its proposals and its words. A tool's answer exists because of its proposal (a structural edge) and carries labels
//! only of its own. A side effect flows from its proposal.

use super::at;
use super::exposure::Evidence;
use super::record::{Call, Message, Record};
use crate::gate::Infra;
use crate::provenance::{Context, arguments};
use std::collections::BTreeSet;
use std::sync::Arc;
use weir_runtime::wit::domains::Call as DomainCall;
use weir_runtime::world::Environment;
use weir_trace::contract::{Role, Tool};
use weir_trace::json::{canonical, leaves};
use weir_trace::{Body, Edge, Event, EventId, Header, NewEvent, NodeKind, TraceBuilder, fact, label};

struct Graph<'a> {
    record: &'a Record,
    header: &'a Header,
    tools: &'a [Tool],
    evidence: &'a Evidence,
    environment: &'a mut Environment,
    /// Every recipient that the user's task has: the oracle's allowlist.
    allowlist: BTreeSet<&'a str>,
    out: TraceBuilder,
    /// What the agent has not read yet.
    unread: Vec<EventId>,
    state: Option<EventId>,
    pending: Vec<Pending>,
    next_call: u32,
}

/// A call without its answer.
struct Pending {
    id: Option<String>,
    proposal: EventId,
    tool_call: Option<(u32, u32)>,
}

/// Builds the events of a record.
pub fn build(
    record: &Record,
    header: &Header,
    tools: &[Tool],
    evidence: &Evidence,
    environment: &mut Environment,
) -> Result<Vec<Event>, Infra> {
    let oracle = header.ledgers.iter().filter(|ledger| ledger.form == "oracle");
    let allowlist = oracle.flat_map(|l| &l.entries).flat_map(|e| &e.targets).map(String::as_str).collect();
    let mut graph = Graph {
        record,
        header,
        tools,
        evidence,
        environment,
        allowlist,
        out: TraceBuilder::default(),
        unread: Vec::new(),
        state: None,
        pending: Vec::new(),
        next_call: 0,
    };
    for message in &record.messages {
        match message.role.as_str() {
            "assistant" => graph.assistant(message)?,
            "tool" => graph.answer(message),
            role => {
                let id = graph.out.push(NewEvent::text(NodeKind::Source, role, message.text.as_str()));
                graph.unread.push(id);
            }
        }
    }
    Ok(graph.out.into_events())
}

impl Graph<'_> {
    fn assistant(&mut self, message: &Message) -> Result<(), Infra> {
        let read = self.state.into_iter().chain(self.unread.drain(..));
        let edges = read.map(Edge::flow).collect();
        let state = self.out.push(NewEvent { edges, ..NewEvent::text(NodeKind::AgentState, "recorded agent", "") });
        self.state = Some(state);
        // An unanswered call of an earlier turn stays unanswered.
        self.pending.clear();
        if !message.text.is_empty() {
            let facts = if message.calls.is_empty() { fact::MODEL_ACTION } else { 0 };
            self.out.push(NewEvent {
                facts,
                edges: vec![Edge::flow(state)],
                ..NewEvent::text(NodeKind::Message, "recorded agent", message.text.as_str())
            });
        }
        for call in &message.calls {
            self.call(call, state)?;
        }
        Ok(())
    }

    fn call(&mut self, call: &Call, state: EventId) -> Result<(), Infra> {
        let found = (0_u32..).zip(self.tools).find(|(_, tool)| tool.name == call.tool);
        let Some((index, tool)) = found else {
            return if self.failed(call) { self.invalid(call, state) } else { Err(self.unknown_tool(call)) };
        };
        let context = Context {
            goal: &self.header.goal,
            prefix: self.out.events(),
            labels: self.out.labels(state),
            canaries: &self.header.canaries,
        };
        let arguments = match arguments(tool, &call.arguments, &context) {
            Ok(arguments) => arguments,
            Err(_) if self.failed(call) => return self.invalid(call, state),
            Err(message) => return Err(at(self.record, &message)),
        };
        let call_id = self.next_call;
        self.next_call = self.next_call.saturating_add(1);
        let text = canonical(&serde_json::Value::Object(call.arguments.clone()));
        let asked = DomainCall { call_id, tool: index, arguments: text.clone() };
        let word = self.environment.assess(&asked).map_err(Infra::Domain)?;
        let bit = |is: bool, fact: u32| if is { fact } else { 0 };
        let facts = fact::MODEL_ACTION
            | bit(tool.effect.is_high_risk(), fact::HIGH_RISK)
            | bit(word.authorized, fact::AUTHORIZED)
            | bit(word.attack, fact::ATTACK);
        let proposal = self.out.push(NewEvent {
            kind: NodeKind::Proposal,
            agent: 0,
            tool_call: Some((index, call_id)),
            own_labels: 0,
            facts,
            edges: vec![Edge::flow(state)],
            text: Arc::from(text),
            body: Body::Proposal { arguments },
        });
        self.pending.push(Pending { id: call.id.clone(), proposal, tool_call: Some((index, call_id)) });
        Ok(())
    }

    /// A call that the recorded harness refused: logged, never a proposal.
    fn invalid(&mut self, call: &Call, state: EventId) -> Result<(), Infra> {
        let text = format!("{} {}", call.tool, canonical(&serde_json::Value::Object(call.arguments.clone())));
        let proposal = self.out.push(NewEvent {
            facts: fact::MODEL_ACTION | fact::INVALID_ACTION,
            edges: vec![Edge::flow(state)],
            ..NewEvent::text(NodeKind::Message, "invalid call", text)
        });
        self.pending.push(Pending { id: call.id.clone(), proposal, tool_call: None });
        Ok(())
    }

    fn answer(&mut self, message: &Message) {
        let position = self.pending.iter().position(|p| p.id.is_some() && p.id == message.answers).unwrap_or(0);
        let pending = (position < self.pending.len()).then(|| self.pending.remove(position));
        let injected = self.evidence.is_in(&message.text);
        let error = message.error.is_some();
        let text = message.error.as_deref().unwrap_or(&message.text);
        let mut facts = if error { fact::CALL_ERROR } else { 0 };
        facts |= if injected { fact::UNTRUSTED_SOURCE } else { 0 };
        let id = self.out.push(NewEvent {
            kind: NodeKind::ToolResult,
            agent: 0,
            tool_call: pending.as_ref().and_then(|p| p.tool_call),
            own_labels: if injected { label::UNTRUSTED } else { 0 },
            facts,
            edges: pending.iter().map(|p| Edge::structural(p.proposal)).collect(),
            text: Arc::from(text),
            body: Body::ToolResult { error },
        });
        self.unread.push(id);
        if let Some(pending) = pending.filter(|_| !error) {
            self.commit(&pending);
        }
    }

    /// A high-risk call that succeeded took effect.
    fn commit(&mut self, pending: &Pending) {
        let Some(event) = self.out.get(pending.proposal) else { return };
        if !event.is(fact::HIGH_RISK) {
            return;
        }
        let authorized = event.is(fact::AUTHORIZED);
        let outside = self.names_recipient_outside(event);
        let mut facts = if authorized { 0 } else { fact::UNAUTHORIZED };
        facts |= if outside { fact::WRONG_RECIPIENT } else { 0 };
        self.out.mark(pending.proposal, fact::COMMITTED);
        self.out.push(NewEvent {
            kind: NodeKind::Commit,
            agent: 0,
            tool_call: pending.tool_call,
            own_labels: 0,
            facts,
            edges: vec![Edge::flow(pending.proposal)],
            text: Arc::from(""),
            body: Body::Commit { targets: Vec::new() },
        });
    }

    fn names_recipient_outside(&self, proposal: &Event) -> bool {
        let Body::Proposal { arguments } = &proposal.body else { return false };
        let tool = proposal.tool.and_then(|t| usize::try_from(t).ok()).and_then(|t| self.tools.get(t));
        arguments.iter().any(|argument| {
            let parameter = usize::try_from(argument.parameter).ok().and_then(|index| tool?.parameters.get(index));
            let recipient = parameter.is_some_and(|p| p.role == Role::Recipient);
            let value = serde_json::from_str(&argument.value).unwrap_or_default();
            recipient && leaves(&value).iter().any(|leaf| !self.allowlist.contains(leaf.as_str()))
        })
    }

    /// Whether the record says that this call failed.
    fn failed(&self, call: &Call) -> bool {
        call.id.is_some()
            && self.record.messages.iter().any(|m| m.role == "tool" && m.answers == call.id && m.error.is_some())
    }

    fn unknown_tool(&self, call: &Call) -> Infra {
        let nearest = self.tools.iter().max_by(|a, b| {
            let near = |tool: &Tool| strsim::jaro_winkler(&tool.name, &call.tool);
            near(a).total_cmp(&near(b))
        });
        let hint = nearest.map(|tool| format!("; the nearest is `{}`", tool.name)).unwrap_or_default();
        at(self.record, &format!("suite `{}` has no tool `{}`{hint}", self.record.suite, call.tool))
    }
}
