//! A trace as Inspect's transcript of events, in the order of the trace.

use super::sample::{failed, identifier, output, tool_call};
use crate::Times;
use crate::conversation::{Conversation, at, flows, takes_turn};
use crate::evaluation::sample as name_of;
use crate::names;
use serde_json::{Map, Value, json};
use weir_suite::{Error, Row};
use weir_trace::{Body, Event, Hook, NodeKind, Trace, Verdict};

/// The events.
pub(super) fn events(
    row: &Row,
    trace: &Trace,
    conversation: &Conversation<'_>,
    messages: &[Value],
    metadata: &Value,
    times: Times,
) -> Result<Vec<Value>, Error> {
    let mut out = Transcript { row, trace, conversation, messages, times, events: Vec::new(), span: None };
    let sample = json!({ "id": name_of(row), "input": trace.header.goal, "target": "", "metadata": metadata });
    out.push(0, "init", json!({ "event": "sample_init", "sample": sample }), None);
    for event in &trace.events {
        out.turn(event)?;
        if let Some(body) = out.body(event)? {
            out.push(event.id, "e", body, Some(about(trace, event)));
        }
    }
    out.end_turn(trace.events.last().map_or(0, |event| event.id));
    Ok(out.events)
}

struct Transcript<'a> {
    row: &'a Row,
    trace: &'a Trace,
    conversation: &'a Conversation<'a>,
    /// The conversation, as messages.
    messages: &'a [Value],
    times: Times,
    events: Vec<Value>,
    /// The agent that has the turn, its first event, and the identifier of its span.
    span: Option<(u32, u32, String)>,
}

impl Transcript<'_> {
    fn push(&mut self, position: u32, kind: &str, mut body: Value, metadata: Option<Value>) {
        if let Some(map) = body.as_object_mut() {
            map.entry("uuid").or_insert_with(|| identifier(self.row, kind, position).into());
            map.insert("timestamp".into(), self.times.text(position).into());
            map.insert("working_start".into(), (f64::from(position) / 1000.0).into());
            if let Some((.., span)) = &self.span {
                map.entry("span_id").or_insert_with(|| span.as_str().into());
            }
            if let Some(metadata) = metadata {
                map.insert("metadata".into(), metadata);
            }
        }
        self.events.push(body);
    }

    /// Each stretch in which one agent acts is a span.
    fn turn(&mut self, event: &Event) -> Result<(), Error> {
        let goes_on = |agent: u32| agent == event.agent || !takes_turn(event);
        if self.span.as_ref().is_some_and(|(agent, ..)| goes_on(*agent)) {
            return Ok(());
        }
        self.end_turn(event.id);
        let (name, id) = (names::agent(self.trace, event)?, identifier(self.row, "s", event.id));
        let begin = json!({ "event": "span_begin", "id": id, "span_id": id, "type": "agent", "name": name });
        self.push(event.id, "begin", begin, None);
        self.span = Some((event.agent, event.id, id));
        Ok(())
    }

    fn end_turn(&mut self, position: u32) {
        let Some((_, begun, id)) = self.span.take() else { return };
        let uuid = identifier(self.row, "end", begun);
        self.push(position, "end", json!({ "event": "span_end", "id": id, "span_id": id, "uuid": uuid }), None);
    }

    /// An event of Inspect's; none where another one says it.
    fn body(&self, event: &Event) -> Result<Option<Value>, Error> {
        Ok(Some(match (event.kind, &event.body) {
            (NodeKind::AgentState, _) => self.model(event),
            (NodeKind::ToolResult, _) => match self.conversation.proposal(event) {
                Some(proposal) => self.tool(event, proposal)?,
                None => info("tool-result", event.text.as_ref().into()),
            },
            (NodeKind::Decision, Body::Decision { hook, verdict, rule, message, fuel }) => {
                let judged = event.edges.first().and_then(|edge| at(&self.trace.events, edge.parent));
                let judged = judged.filter(|judged| judged.kind == NodeKind::Proposal);
                match (hook, judged) {
                    (Hook::Authorize | Hook::Precommit, Some(proposal)) => {
                        self.approval(proposal, *verdict, rule.as_deref(), message)?
                    }
                    _ => {
                        let data = json!({
                            "hook": names::variant(hook), "verdict": names::variant(verdict),
                            "rule": rule, "message": message, "fuel": fuel,
                            "about": event.edges.first().map(|edge| edge.parent),
                        });
                        info("decision", data)
                    }
                }
            }
            // The tool's event has the arguments.
            (NodeKind::Proposal, _) => return Ok(None),
            (NodeKind::Source, Body::Text { origin }) => {
                // The conversation has the text.
                info("source", json!({ "origin": origin, "message": identifier(self.row, "m", event.id) }))
            }
            (kind, body) => {
                let (name, body) = (names::variant(&kind).unwrap_or_default(), serde_json::to_value(body));
                info(&name, json!({ "text": event.text, "body": body.unwrap_or_default() }))
            }
        }))
    }

    fn model(&self, event: &Event) -> Value {
        let message = self.conversation.said.iter().position(|said| said.event.id == event.id);
        let message = message.and_then(|position| self.messages.get(position));
        json!({
            "event": "model",
            "model": self.row.model,
            "input": [],
            // Positions in the sample's pool of messages: each is written once.
            "input_refs": self.conversation.heard(event.id),
            "tools": [],
            "tool_choice": "auto",
            "config": {},
            "output": message.map_or_else(|| json!({}), |message| output(&self.row.model, message)),
        })
    }

    fn tool(&self, event: &Event, proposal: &Event) -> Result<Value, Error> {
        let failed = failed(self.conversation, event);
        let result = if failed.is_some() { "" } else { &*event.text };
        let mut body = json!({
            "event": "tool",
            "type": "function",
            "id": names::call(proposal),
            "function": names::tool(self.trace, proposal)?.unwrap_or_default(),
            "arguments": names::arguments_by_name(self.trace, proposal)?,
            "result": result,
            "events": [],
            "message_id": identifier(self.row, "m", event.id),
        });
        if let (Some(failed), Some(map)) = (failed, body.as_object_mut()) {
            map.insert("error".into(), failed);
        }
        Ok(body)
    }

    fn approval(&self, proposal: &Event, verdict: Verdict, rule: Option<&str>, message: &str) -> Result<Value, Error> {
        let said = flows(proposal).filter_map(|id| at(&self.trace.events, id));
        let said = said.filter(|event| event.kind == NodeKind::AgentState).map(|event| &*event.text).next();
        let decision = match verdict {
            Verdict::Allow => "approve",
            Verdict::Block => "reject",
            // It is put to the user.
            Verdict::Confirm => "escalate",
            Verdict::Replace => "modify",
        };
        let explanation = match (rule, message) {
            (None, "") => None,
            (None, message) => Some(message.to_owned()),
            (Some(rule), "") => Some(rule.to_owned()),
            (Some(rule), message) => Some(format!("{rule}: {message}")),
        };
        let mut body = json!({
            "event": "approval",
            "message": said.unwrap_or_default(),
            "call": tool_call(self.trace, proposal)?,
            "approver": self.row.policy,
            "decision": decision,
        });
        if let (Some(explanation), Some(map)) = (explanation, body.as_object_mut()) {
            map.insert("explanation".into(), explanation.into());
        }
        Ok(body)
    }
}

/// What the trace knows of an event and Inspect has no field for.
fn about(trace: &Trace, event: &Event) -> Value {
    let mut about = Map::new();
    about.insert("weir_event".into(), event.id.into());
    if let Body::Decision { hook, verdict, rule, fuel, .. } = &event.body {
        about.extend([
            ("hook".into(), names::variant(hook).into()),
            ("verdict".into(), names::variant(verdict).into()),
            ("rule".into(), rule.clone().into()),
            ("fuel".into(), (*fuel).into()),
        ]);
    }
    let (labels, facts) = (names::labels(&trace.header, event.labels), names::facts(event.facts));
    if !labels.is_empty() {
        about.insert("labels".into(), labels.into());
    }
    if !facts.is_empty() {
        about.insert("facts".into(), facts.into());
    }
    if !event.edges.is_empty() {
        let edges = event.edges.iter().map(|edge| json!([edge.parent, names::variant(&edge.kind)]));
        about.insert("edges".into(), edges.collect());
    }
    about.into()
}

fn info(source: &str, data: Value) -> Value {
    json!({ "event": "info", "source": format!("weir.{source}"), "data": data })
}
