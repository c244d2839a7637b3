//! One turn of one agent: its completion, read as an action, and what becomes of it.

use super::Live;
use super::between::is_tainted;
use crate::gate::{Infra, Ruling, is_untrusted_observation};
use crate::provenance::{Context, arguments};
use crate::replay::{log_ruling, question};
use serde_json::{Map, Value};
use std::sync::Arc;
use weir_agent::{Action, BLOCKED_PREFIX, Completion, INVALID_PREFIX, Message, ParseStatus, Parsed, Role, parse};
use weir_runtime::wit::domains::{Call, Outcome as Staged};
use weir_trace::contract::Effect;
use weir_trace::json::canonical;
use weir_trace::{Body, Edge, Event, EventId, NewEvent, NodeKind, Verdict, fact};

/// Whether the session goes on.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Outcome {
    /// Some agent has the next turn.
    GoesOn,
    /// The user has an answer.
    SessionEnds,
}

fn bit(is: bool, fact: u32) -> u32 {
    if is { fact } else { 0 }
}

impl Live<'_> {
    /// Takes one completion of the agent that has the turn.
    pub(super) fn take(&mut self, completion: &Completion) -> Result<Outcome, Infra> {
        let text = completion.text.as_str();
        let Some(at) = self.crew.current() else { return Ok(Outcome::SessionEnds) };
        let mut parents: Vec<EventId> = at.state.into_iter().chain(at.unread.iter().copied()).collect();
        parents.sort_unstable();
        let edges = parents.into_iter().map(Edge::flow).collect();
        at.read.append(&mut at.unread);
        at.messages.push(Message::new(Role::Assistant, text));
        let facts = bit(completion.overflow, fact::CONTEXT_OVERFLOW);
        let state = self.push(NewEvent { facts, edges, ..NewEvent::text(NodeKind::AgentState, "model", text) });
        if let Some(at) = self.crew.current() {
            at.state = Some(state);
        }
        // Whoever would get the next turn waits for this agent's answer, which will not come.
        if completion.overflow {
            return Ok(Outcome::SessionEnds);
        }
        let parsed = parse(text, self.rollout.specs);
        let facts = fact::MODEL_ACTION | bit(parsed.status == ParseStatus::ValidRepairedJson, fact::REPAIRED);
        match parsed.action {
            Some(Action::Final { text }) => {
                self.note_said(&text, state);
                self.answer_up(&text, state, facts)
            }
            Some(Action::Message { to, text }) => match self.crew.recipient(&to) {
                Some(to) => {
                    self.note_said(&text, state);
                    self.tell(to, &text, state, facts)?;
                    self.crew.pass_on(to);
                    Ok(Outcome::GoesOn)
                }
                None => self.invalid(&format!("there is no agent `{to}` to write to"), state, facts),
            },
            Some(Action::Call { tool, arguments }) => self.call(&tool, arguments, state, facts),
            None => {
                let unknown = bit(parsed.status == ParseStatus::InvalidTool, fact::INVALID_TOOL);
                self.invalid(&problem(&parsed), state, facts | unknown)
            }
        }
    }

    /// A final answer goes to the agent that waits for it, to the next peer, or to the user.
    fn answer_up(&mut self, text: &str, state: EventId, facts: u32) -> Result<Outcome, Infra> {
        let Some(to) = self.crew.answers_to() else {
            let edges = vec![Edge::flow(state)];
            let body = Body::Message { to: None };
            self.push(NewEvent { facts, edges, body, ..NewEvent::text(NodeKind::Message, "", text) });
            return Ok(Outcome::SessionEnds);
        };
        self.tell(to, text, state, facts)?;
        self.crew.hand_over(to);
        Ok(Outcome::GoesOn)
    }

    /// Words from one agent to another, through the policy's filter if they are tainted.
    fn tell(&mut self, to: u32, text: &str, state: EventId, facts: u32) -> Result<(), Infra> {
        let edges = vec![Edge::flow(state)];
        let body = Body::Message { to: Some(to) };
        let message = self.push(NewEvent { facts, edges, body, ..NewEvent::text(NodeKind::Message, "", text) });
        self.show(to, message, Role::Peer, text)?;
        Ok(())
    }

    /// For a memory writer: an agent's words.
    fn note_said(&mut self, text: &str, state: EventId) {
        if let Some(between) = &mut self.between {
            between.said(text, state);
        }
    }

    /// Delivers a call's result to the agent that has the turn. A memory writer reads what that agent does.
    fn show_result(&mut self, call: &Call, result: EventId, text: &str) -> Result<(), Infra> {
        let replaced = self.show(self.crew.active(), result, Role::Tool, text)?;
        if let Some(between) = &mut self.between {
            let (event, text) = replaced.as_ref().map_or((result, text), |(event, shown)| (*event, shown.as_str()));
            let tainted = is_tainted(self.out.labels(event), self.header.taint_vocabulary);
            between.answered(call.call_id, text, event, tainted);
        }
        Ok(())
    }

    /// Delivers an observation, or what the policy puts in its place; answers with the latter, and its event.
    pub(super) fn show(
        &mut self,
        to: u32,
        observation: EventId,
        role: Role,
        text: &str,
    ) -> Result<Option<(EventId, String)>, Infra> {
        let taint = self.header.taint_vocabulary;
        let events = self.out.events();
        let untrusted = self.out.get(observation).is_some_and(|event| is_untrusted_observation(events, event, taint));
        if untrusted && let Some(ruling) = self.gate.filter(self.out.events())? {
            // What the model reads is the decision's text. A replacement bears the observation's labels; a notice that it
            // was withheld bears none.
            let read = log_ruling(&mut self.out, &ruling, observation);
            let shown = match ruling.verdict {
                Verdict::Replace => ruling.message,
                _ => format!("{BLOCKED_PREFIX} {} ({})", ruling.message, ruling.rule.unwrap_or_default()),
            };
            self.crew.deliver(to, read, role, shown.clone());
            return Ok(Some((read, shown)));
        }
        self.crew.deliver(to, observation, role, text.to_owned());
        Ok(None)
    }

    fn call(&mut self, name: &str, given: Map<String, Value>, state: EventId, facts: u32) -> Result<Outcome, Infra> {
        let found = (0_u32..).zip(self.rollout.tools.iter()).find(|(_, tool)| tool.name == name);
        let Some((index, tool)) = found else {
            return self.invalid(&format!("there is no tool `{name}`"), state, facts | fact::INVALID_TOOL);
        };
        let read: Vec<&Event> = self
            .crew
            .current()
            .map(|at| at.read.iter().filter_map(|&id| self.out.get(id)).collect())
            .unwrap_or_default();
        let context = Context {
            goal: &self.said,
            read: &read,
            taint: self.out.labels(state) & self.header.taint_vocabulary,
            canaries: &self.header.canaries,
        };
        let arguments = match arguments(tool, &given, &context) {
            Ok(arguments) => arguments,
            Err(problem) => return self.invalid(&problem, state, facts),
        };
        let call_id = self.next_call;
        self.next_call = self.next_call.saturating_add(1);
        let call = Call { call_id, tool: index, arguments: canonical(&Value::Object(given)) };
        if let Some(between) = &mut self.between {
            between.called(call_id, name, &call.arguments, state);
        }
        let word = self.environment.assess(&call).map_err(Infra::Domain)?;
        let (effect, high_risk) = (tool.effect, tool.effect.is_high_risk());
        let proposal = self.push(NewEvent {
            kind: NodeKind::Proposal,
            agent: 0,
            tool_call: Some((index, call_id)),
            own_labels: arguments.iter().fold(0, |all, argument| all | argument.labels),
            facts: facts
                | bit(high_risk, fact::HIGH_RISK)
                | bit(word.authorized, fact::AUTHORIZED)
                | bit(word.attack, fact::ATTACK),
            edges: vec![Edge::flow(state)],
            text: Arc::from(call.arguments.as_str()),
            body: Body::Proposal { arguments },
        });
        match self.decide(proposal, high_risk)? {
            Ok(decision) => self.run(&call, effect, proposal, decision)?,
            Err(refusal) => {
                self.out.mark(proposal, fact::BLOCKED);
                let text = format!("{BLOCKED_PREFIX} {refusal}");
                let result = self.result(&call, &text, 0, fact::CALL_ERROR, vec![Edge::structural(proposal)]);
                self.show_result(&call, result, &text)?;
            }
        }
        Ok(Outcome::GoesOn)
    }

    /// The decision node that allows a proposal, or the words of the one that does not.
    fn decide(&mut self, proposal: EventId, high_risk: bool) -> Result<Result<EventId, String>, Infra> {
        let Some(asked) = self.out.get(proposal).and_then(question) else {
            return Err(Infra::Input(format!("event {proposal} is no proposal")));
        };
        let prefix = self.out.events().split_last().map_or(&[][..], |(_, prefix)| prefix);
        let ruling = self.gate.authorize(prefix, &asked)?;
        let mut decision = log_ruling(&mut self.out, &ruling, proposal);
        let mut allowed = self.settle(&ruling, proposal);
        if allowed.is_ok()
            && high_risk
            && let Some(second) = self.gate.precommit(self.out.events(), &asked)?
        {
            decision = log_ruling(&mut self.out, &second, proposal);
            allowed = self.settle(&second, proposal);
        }
        if allowed.is_ok() {
            self.out.mark(proposal, fact::ALLOWED);
        }
        Ok(allowed.map(|()| decision))
    }

    /// What a ruling means for the call.
    fn settle(&mut self, ruling: &Ruling, proposal: EventId) -> Result<(), String> {
        let refusal = || format!("{} ({})", ruling.message, ruling.rule.as_deref().unwrap_or("no rule"));
        match ruling.verdict {
            Verdict::Allow | Verdict::Replace => Ok(()),
            Verdict::Block => Err(refusal()),
            Verdict::Confirm => {
                self.out.mark(proposal, fact::CONFIRM_ASKED);
                let event = self.out.get(proposal);
                let authorized = event.is_some_and(|event| event.is(fact::AUTHORIZED));
                // The call's number, unlike the event's, does not depend on how many words a policy makes.
                let call = event.and_then(|event| event.call).unwrap_or(u32::MAX);
                let draw = format!("confirm/{}/{}/{call}", self.header.scenario, self.rollout.seed);
                if self.rollout.confirmation.given(authorized, &draw) {
                    self.out.mark(proposal, fact::CONFIRM_GIVEN);
                    return Ok(());
                }
                Err(refusal())
            }
        }
    }

    fn run(&mut self, call: &Call, effect: Effect, proposal: EventId, decision: EventId) -> Result<(), Infra> {
        let outcome = self.environment.stage_call(call).map_err(Infra::Domain)?;
        let violation = self.environment.commit(call.call_id).map_err(Infra::Domain)?;
        // Whatever changed something or did harm is a side effect, even if the domain calls its tool a read.
        let harm = violation.unauthorized || violation.secret_leak || violation.wrong_recipient;
        if effect.is_high_risk() || !outcome.changes.is_empty() || harm {
            self.out.mark(proposal, fact::COMMITTED);
            let commit = self.push(NewEvent {
                kind: NodeKind::Commit,
                agent: 0,
                tool_call: Some((call.tool, call.call_id)),
                own_labels: 0,
                facts: bit(violation.unauthorized, fact::UNAUTHORIZED)
                    | bit(violation.secret_leak, fact::SECRET_LEAK)
                    | bit(violation.wrong_recipient, fact::WRONG_RECIPIENT),
                edges: vec![Edge::flow(proposal), Edge::structural(decision)],
                text: Arc::from(""),
                body: Body::Commit { targets: outcome.changes.iter().map(|change| change.target.clone()).collect() },
            });
            self.memory.written(&outcome.changes, proposal, commit, &mut self.out);
        }
        self.observe(call, &outcome, decision)
    }

    /// A tool's answer on its way to the model. Recalled memory brings its labels along its own edge.
    fn observe(&mut self, call: &Call, outcome: &Staged, decision: EventId) -> Result<(), Infra> {
        let taint = self.header.taint_vocabulary;
        let (mut labels, mut edges, mut text) = (0, vec![Edge::structural(decision)], String::new());
        for (index, segment) in outcome.segments.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            text.push_str(&segment.text);
            match self.memory.recalled(segment, taint, &mut self.out) {
                Some(record) => {
                    edges.push(Edge::flow(record));
                    // The domain may know more of the entry than its node says.
                    labels |= segment.labels & !self.out.labels(record);
                }
                None => labels |= segment.labels,
            }
        }
        edges.sort_by_key(|edge| edge.parent);
        edges.dedup();
        let untrusted = bit(labels & taint != 0, fact::UNTRUSTED_SOURCE);
        let result = self.result(call, &text, labels, untrusted, edges);
        self.show_result(call, result, &text)
    }

    fn result(&mut self, call: &Call, text: &str, own_labels: u64, facts: u32, edges: Vec<Edge>) -> EventId {
        self.push(NewEvent {
            kind: NodeKind::ToolResult,
            agent: 0,
            tool_call: Some((call.tool, call.call_id)),
            own_labels,
            facts,
            edges,
            text: Arc::from(text),
            body: Body::ToolResult { error: facts & fact::CALL_ERROR != 0 },
        })
    }

    /// An action that names no tool or breaks its schema: logged, answered, never executed.
    fn invalid(&mut self, problem: &str, state: EventId, facts: u32) -> Result<Outcome, Infra> {
        let edges = vec![Edge::flow(state)];
        let facts = facts | fact::INVALID_ACTION;
        self.push(NewEvent { facts, edges, ..NewEvent::text(NodeKind::Message, "invalid call", problem) });
        if let Some(at) = self.crew.current() {
            at.messages.push(Message::new(Role::Tool, format!("{INVALID_PREFIX} {problem}")));
        }
        Ok(Outcome::GoesOn)
    }
}

fn problem(parsed: &Parsed) -> String {
    match (&parsed.unknown_tool, parsed.problem) {
        (Some(tool), _) => format!("there is no tool `{tool}`"),
        (None, Some(problem)) => problem.to_string(),
        (None, None) => format!("status {}", parsed.status),
    }
}
