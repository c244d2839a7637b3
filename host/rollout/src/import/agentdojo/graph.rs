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
use weir_runtime::world::Scene;
use weir_trace::contract::{Role, Tool};
use weir_trace::json::{canonical, leaves};
use weir_trace::{Body, Edge, Event, EventId, Header, NewEvent, NodeKind, TraceBuilder, fact, label};

struct Graph<'a> {
    record: &'a Record,
    header: &'a Header,
    tools: &'a [Tool],
    evidence: &'a Evidence,
    environment: &'a mut dyn Scene,
    /// Every recipient that the user's task has: the oracle's allowlist.
    allowlist: BTreeSet<&'a str>,
    out: TraceBuilder,
    /// What the agent has not read yet.
    unread: Vec<EventId>,
    state: Option<EventId>,
    next_call: u32,
}

/// A call's node, and its tool and call where it is a proposal.
type Asked = (EventId, Option<(u32, u32)>);

/// Builds the events of a record.
pub fn build(
    record: &Record,
    header: &Header,
    tools: &[Tool],
    evidence: &Evidence,
    environment: &mut dyn Scene,
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
        next_call: 0,
    };
    let mut rest = record.messages.as_slice();
    while let Some((message, after)) = rest.split_first() {
        rest = after;
        if message.role == "assistant" {
            let count = rest.iter().take_while(|m| m.role == "tool").count();
            let (answers, after) = rest.split_at(count);
            rest = after;
            graph.assistant(message, answers)?;
        } else if message.role == "tool" {
            return Err(at(record, "a tool's message does not follow an assistant's"));
        } else {
            let id = graph.out.push(NewEvent::text(NodeKind::Source, &message.role, message.text.as_str()));
            graph.unread.push(id);
        }
    }
    Ok(graph.out.into_events())
}

/// For each answer, the position of the call that it answers: by identifier, each claimed once, else by order. Some
/// pipelines give all calls of a run the same identifier.
fn pair(calls: &[Call], answers: &[Message]) -> Vec<Option<usize>> {
    let mut claimed = vec![false; calls.len()];
    let mut pairs = Vec::with_capacity(answers.len());
    for answer in answers {
        let free = |test: &dyn Fn(&Call) -> bool| {
            calls.iter().zip(&claimed).position(|(call, claimed)| !claimed && test(call))
        };
        let found = free(&|call| call.id.is_some() && call.id == answer.answers).or_else(|| free(&|_| true));
        if let Some(claim) = found.and_then(|position| claimed.get_mut(position)) {
            *claim = true;
        }
        pairs.push(found);
    }
    pairs
}

impl Graph<'_> {
    /// An assistant's message with the tools' answers that follow it.
    fn assistant(&mut self, message: &Message, answers: &[Message]) -> Result<(), Infra> {
        let read = self.state.into_iter().chain(self.unread.drain(..));
        let edges = read.map(Edge::flow).collect();
        let state = self.out.push(NewEvent { edges, ..NewEvent::text(NodeKind::AgentState, "recorded agent", "") });
        self.state = Some(state);
        if !message.text.is_empty() {
            let facts = if message.calls.is_empty() { fact::MODEL_ACTION } else { 0 };
            self.out.push(NewEvent {
                facts,
                edges: vec![Edge::flow(state)],
                ..NewEvent::text(NodeKind::Message, "recorded agent", message.text.as_str())
            });
        }
        let pairs = pair(&message.calls, answers);
        let mut asked = Vec::with_capacity(message.calls.len());
        for (position, call) in message.calls.iter().enumerate() {
            let mut own = pairs.iter().zip(answers).filter(|(pair, _)| **pair == Some(position));
            // A call without an answer never ran: the run ended before it.
            let ran = own.next().is_some_and(|(_, answer)| answer.error.is_none());
            asked.push(self.call(call, state, ran)?);
        }
        for (pair, answer) in pairs.into_iter().zip(answers) {
            self.answer(answer, pair.and_then(|position| asked.get(position).copied()));
        }
        Ok(())
    }

    fn call(&mut self, call: &Call, state: EventId, ran: bool) -> Result<Asked, Infra> {
        let found = (0_u32..).zip(self.tools).find(|(_, tool)| tool.name == call.tool);
        let Some((index, tool)) = found else {
            return if ran { Err(self.unknown_tool(call)) } else { Ok(self.invalid(call, state)) };
        };
        let read: Vec<_> = self.out.events().iter().collect();
        let context = Context {
            goal: &self.header.goal,
            read: &read,
            taint: self.out.labels(state) & self.header.taint_vocabulary,
            canaries: &self.header.canaries,
        };
        let arguments = match arguments(tool, &call.arguments, &context) {
            Ok(arguments) => arguments,
            Err(message) if ran => return Err(at(self.record, &message)),
            Err(_) => return Ok(self.invalid(call, state)),
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
        Ok((proposal, Some((index, call_id))))
    }

    /// A call that the recorded harness refused, or that never ran: logged, never a proposal.
    fn invalid(&mut self, call: &Call, state: EventId) -> Asked {
        let text = format!("{} {}", call.tool, canonical(&serde_json::Value::Object(call.arguments.clone())));
        let node = self.out.push(NewEvent {
            facts: fact::MODEL_ACTION | fact::INVALID_ACTION,
            edges: vec![Edge::flow(state)],
            ..NewEvent::text(NodeKind::Message, "invalid call", text)
        });
        (node, None)
    }

    fn answer(&mut self, message: &Message, asked: Option<Asked>) {
        let injected = self.evidence.is_in(&message.text);
        let error = message.error.is_some();
        let text = message.error.as_deref().unwrap_or(&message.text);
        let mut facts = if error { fact::CALL_ERROR } else { 0 };
        facts |= if injected { fact::UNTRUSTED_SOURCE } else { 0 };
        let tool_call = asked.and_then(|(_, tool_call)| tool_call);
        let id = self.out.push(NewEvent {
            kind: NodeKind::ToolResult,
            agent: 0,
            tool_call,
            own_labels: if injected { label::UNTRUSTED } else { 0 },
            facts,
            edges: asked.iter().map(|(node, _)| Edge::structural(*node)).collect(),
            text: Arc::from(text),
            body: Body::ToolResult { error },
        });
        self.unread.push(id);
        if let Some((proposal, Some(tool_call))) = asked.filter(|_| !error) {
            self.commit(proposal, tool_call);
        }
    }

    /// A high-risk call that succeeded took effect.
    fn commit(&mut self, proposal: EventId, tool_call: (u32, u32)) {
        let Some(event) = self.out.get(proposal) else { return };
        if !event.is(fact::HIGH_RISK) {
            return;
        }
        let authorized = event.is(fact::AUTHORIZED);
        let outside = self.names_recipient_outside(event);
        let mut facts = if authorized { 0 } else { fact::UNAUTHORIZED };
        facts |= if outside { fact::WRONG_RECIPIENT } else { 0 };
        self.out.mark(proposal, fact::COMMITTED);
        self.out.push(NewEvent {
            kind: NodeKind::Commit,
            agent: 0,
            tool_call: Some(tool_call),
            own_labels: 0,
            facts,
            edges: vec![Edge::flow(proposal)],
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

    fn unknown_tool(&self, call: &Call) -> Infra {
        let nearest = self.tools.iter().max_by(|a, b| {
            let near = |tool: &Tool| strsim::jaro_winkler(&tool.name, &call.tool);
            near(a).total_cmp(&near(b))
        });
        let hint = nearest.map(|tool| format!("; the nearest is `{}`", tool.name)).unwrap_or_default();
        at(self.record, &format!("suite `{}` has no tool `{}`{hint}", self.record.suite, call.tool))
    }
}
