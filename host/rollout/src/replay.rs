//! Replaying a recorded run through a policy: its events and proposals in trace order, each decision resting on what came
//! before.
//!
//! The record goes on as it was recorded, whatever the policy decides: what the agent would have done after a block is
//! unknown. So a blocked call keeps its recorded result, which later turns read, but loses its commit.

use crate::gate::{Gate, Infra, Ruling, is_untrusted_observation};
use crate::models::{Desk, POLICY, Source};
use std::sync::Arc;
use weir_runtime::convert::episode;
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::DefenceFactory;
use weir_trace::contract::{Effect, Tool};
use weir_trace::{
    Body, Edge, Event, EventId, Header, NewEvent, NodeKind, PluginRef, Trace, TraceBuilder, Verdict, fact,
};

/// What a replay adds to a recorded trace.
pub struct Replay<'a> {
    /// The policy.
    pub policy: &'a dyn DefenceFactory,
    /// Who it is, for the header.
    pub reference: PluginRef,
    /// Which of the trace's ledgers it is given.
    pub ledger: &'a str,
    /// The unit's identity, for the header.
    pub unit: String,
    /// What answers a policy that asks a model.
    pub models: Source<'a>,
    /// Treat reads that contact an address of the caller's choosing as side effects.
    pub gate_egress: bool,
}

/// Tools as a replay sees them.
#[must_use]
pub fn effective_tools(tools: &Arc<Vec<Tool>>, gate_egress: bool) -> Arc<Vec<Tool>> {
    if !gate_egress {
        return Arc::clone(tools);
    }
    let gated = |tool: &Tool| match tool.effect {
        Effect::EgressRead => Tool { effect: Effect::SideEffect, ..tool.clone() },
        _ => tool.clone(),
    };
    Arc::new(tools.iter().map(gated).collect())
}

/// Replays one trace. `tools` are the [`effective_tools`] of the trace, and `toolset` their digest.
///
/// # Errors
/// A host failure, or a trace without the ledger.
pub fn replay(recorded: &Trace, tools: &Arc<Vec<Tool>>, toolset: &str, with: &Replay<'_>) -> Result<Trace, Infra> {
    let ledger = recorded.header.ledgers.iter().find(|ledger| ledger.form == with.ledger).ok_or_else(|| {
        Infra::Input(format!("the recorded run {} has no `{}` ledger", recorded.header.scenario, with.ledger))
    })?;
    let header = Header {
        unit: with.unit.clone(),
        policy: Some(with.reference.clone()),
        ledgers: vec![ledger.clone()],
        toolset: toolset.to_owned(),
        ..recorded.header.clone()
    };
    let mut desk = Desk::new(with.models);
    let episode = episode(&header, tools, &ledger.entries);
    let mut gate = Gate::start(with.policy, &episode, &header.canaries, desk.models(POLICY))?;
    let mut run = Run { out: TraceBuilder::default(), ids: Vec::new(), blocked: Vec::new(), tools };
    if let Some(failed) = gate.failed_start() {
        run.log(&failed, EventId::MAX);
    }
    for event in &recorded.events {
        run.step(event, &mut gate)?;
    }
    let header = Header { exchanges: desk.exchanges(), ..header };
    let mut trace = Trace { header, tools: Arc::clone(tools), events: run.out.into_events() };
    // B was recorded without the policy; once an authorised call is blocked, nobody knows it.
    let lost = |event: &Event| event.kind == NodeKind::Proposal && event.is(fact::AUTHORIZED | fact::BLOCKED);
    if trace.events.iter().any(lost) {
        trace.header.verdict.goal_met = None;
    }
    Ok(trace)
}

struct Run<'a> {
    out: TraceBuilder,
    /// New identifier of each recorded event; none of one that fell away.
    ids: Vec<Option<EventId>>,
    /// Calls that were blocked.
    blocked: Vec<u32>,
    tools: &'a [Tool],
}

impl Run<'_> {
    fn step(&mut self, event: &Event, gate: &mut Gate) -> Result<(), Infra> {
        if event.kind == NodeKind::Commit && event.call.is_some_and(|call| self.blocked.contains(&call)) {
            self.ids.push(None);
            return Ok(());
        }
        let id = self.copy(event);
        self.ids.push(Some(id));
        match event.kind {
            NodeKind::Proposal => self.decide(id, gate),
            NodeKind::ToolResult if is_untrusted_observation(&[], event, 0) => {
                if let Some(ruling) = gate.filter(self.out.events())? {
                    self.log(&ruling, id);
                }
                Ok(())
            }
            NodeKind::Commit => {
                if let Some(proposal) = event.call.and_then(|call| self.proposal_of(call)) {
                    self.out.mark(proposal, fact::COMMITTED);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn decide(&mut self, id: EventId, gate: &mut Gate) -> Result<(), Infra> {
        let Some(question) = self.out.get(id).and_then(question) else { return Ok(()) };
        let prefix = self.out.events().split_last().map_or(&[][..], |(_, prefix)| prefix);
        let ruling = gate.authorize(prefix, &question)?;
        self.log(&ruling, id);
        let mut verdict = ruling.verdict;
        if verdict == Verdict::Allow
            && self.is_high_risk(question.tool)
            && let Some(second) = gate.precommit(self.out.events(), &question)?
        {
            self.log(&second, id);
            verdict = second.verdict;
        }
        // Nobody is there to confirm in a recorded run, so a confirmation stops the call like a block, and is counted as
        // what it is.
        let facts = match verdict {
            Verdict::Allow | Verdict::Replace => fact::ALLOWED,
            Verdict::Block => fact::BLOCKED,
            Verdict::Confirm => fact::CONFIRM_ASKED | fact::BLOCKED,
        };
        self.out.mark(id, facts);
        if facts & fact::BLOCKED != 0 {
            self.blocked.push(question.call_id);
        }
        Ok(())
    }

    /// Appends a recorded event under its new identifier, with its references translated.
    fn copy(&mut self, event: &Event) -> EventId {
        let translated = |id: EventId| usize::try_from(id).ok().and_then(|i| self.ids.get(i).copied()).flatten();
        let edges = event
            .edges
            .iter()
            .filter_map(|edge| Some(Edge { parent: translated(edge.parent)?, kind: edge.kind }))
            .collect();
        let mut body = event.body.clone();
        if let Body::Proposal { arguments } = &mut body {
            for argument in arguments {
                argument.sources = argument.sources.iter().filter_map(|&id| translated(id)).collect();
            }
        }
        let mut facts = event.facts & !fact::COMMITTED;
        if event.kind == NodeKind::Proposal {
            facts &= !fact::HIGH_RISK;
            facts |= if event.tool.is_some_and(|t| self.is_high_risk(t)) { fact::HIGH_RISK } else { 0 };
        }
        self.out.push(NewEvent {
            kind: event.kind,
            agent: event.agent,
            tool_call: event.tool.zip(event.call),
            own_labels: event.labels,
            facts,
            edges,
            text: Arc::clone(&event.text),
            body,
        })
    }

    fn log(&mut self, ruling: &Ruling, about: EventId) {
        log_ruling(&mut self.out, ruling, about);
    }

    fn is_high_risk(&self, tool: u32) -> bool {
        let found = usize::try_from(tool).ok().and_then(|index| self.tools.get(index));
        found.is_none_or(|tool| tool.effect.is_high_risk())
    }

    fn proposal_of(&self, call: u32) -> Option<EventId> {
        let is = |event: &&Event| event.kind == NodeKind::Proposal && event.call == Some(call);
        self.out.events().iter().find(is).map(|event| event.id)
    }
}

/// A policy's question about a proposal node.
#[must_use]
pub fn question(event: &Event) -> Option<Proposal> {
    let Body::Proposal { arguments } = &event.body else { return None };
    Some(Proposal {
        event: event.id,
        call_id: event.call?,
        agent: event.agent,
        tool: event.tool?,
        arguments: arguments.iter().map(Into::into).collect(),
        labels: event.labels,
    })
}

/// Appends a policy's answer about an event. Words that a policy puts in an observation's place were made from it, so they
/// bear its labels; that they are harmless is the policy's claim, which a trace cannot take for a fact.
pub fn log_ruling(out: &mut TraceBuilder, ruling: &Ruling, about: EventId) -> EventId {
    let (agent, tool_call) = out.get(about).map_or((0, None), |event| (event.agent, event.tool.zip(event.call)));
    let edge = if ruling.verdict == Verdict::Replace { Edge::flow(about) } else { Edge::audit(about) };
    out.push(NewEvent {
        kind: NodeKind::Decision,
        agent,
        tool_call,
        own_labels: 0,
        facts: ruling.facts(),
        edges: vec![edge],
        text: Arc::from(ruling.message.as_str()),
        body: ruling.body(),
    })
}
