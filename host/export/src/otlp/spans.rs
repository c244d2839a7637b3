//! The spans of one rollout.

use super::Spans;
use super::attributes::Attributes;
use crate::conversation::{Conversation, Said, at, stretches};
use crate::names;
use crate::run::Run;
use crate::scores::{Score, Worth};
use serde_json::{Value, json};
use weir_suite::{Error, Row};
use weir_trace::json::{canonical, sha256};
use weir_trace::{Body, Event, NodeKind, Speaker, Trace, fact};

/// Version of the conventions whose names are used.
const CONVENTIONS: &str = "https://opentelemetry.io/schemas/1.37.0";

/// Span kinds of the protocol.
const INTERNAL: u32 = 1;
const CLIENT: u32 = 3;
/// Status code of an operation that failed.
const FAILED: u32 = 2;

/// One request with all spans of a rollout.
pub(super) fn request(
    run: &Run<'_>,
    row: &Row,
    trace: &Trace,
    scores: &[Score],
    options: Spans,
) -> Result<String, Error> {
    let conversation = Conversation::of(trace);
    let mut rollout = Rollout { row, trace, conversation: &conversation, options, spans: Vec::new() };
    rollout.whole(scores);
    rollout.agents()?;
    let mut resource = Attributes::default();
    resource
        .text("service.name", "weir")
        .text("service.version", &run.manifest.host)
        .text("weir.run", &run.manifest.identity())
        .text("weir.manifest.sha256", &run.manifest_digest)
        .text("weir.time", "made up: a run has no clock; each event takes a millisecond, in the order of the trace");
    let request = json!({ "resourceSpans": [{
        "resource": { "attributes": resource.json() },
        "scopeSpans": [{
            "scope": { "name": "weir", "version": run.manifest.host },
            "spans": rollout.spans,
            "schemaUrl": CONVENTIONS,
        }],
    }] });
    Ok(request.to_string())
}

struct Rollout<'a> {
    row: &'a Row,
    trace: &'a Trace,
    conversation: &'a Conversation<'a>,
    options: Spans,
    spans: Vec<Value>,
}

/// A span before it has its identifiers.
struct Span {
    /// Unique in the rollout.
    key: String,
    parent: Option<String>,
    name: String,
    kind: u32,
    /// First and last event.
    from: u32,
    to: u32,
    attributes: Attributes,
    events: Vec<Value>,
    /// What kind of failure it ended in.
    error: Option<&'static str>,
}

impl<'a> Rollout<'a> {
    fn end(&self) -> u32 {
        self.trace.events.last().map_or(0, |event| event.id)
    }

    fn push(&mut self, mut span: Span) {
        let trace_id: String = sha256(format!("trace/{}", self.row.unit).as_bytes()).chars().take(32).collect();
        let id = |key: &str| -> String {
            sha256(format!("span/{}/{key}", self.row.unit).as_bytes()).chars().take(16).collect()
        };
        let times = self.options.times;
        span.attributes.maybe("error.type", span.error);
        let mut json = json!({
            "traceId": trace_id,
            "spanId": id(&span.key),
            "name": span.name,
            "kind": span.kind,
            "startTimeUnixNano": times.nanoseconds(span.from).to_string(),
            "endTimeUnixNano": times.nanoseconds(span.to.saturating_add(1)).to_string(),
            "attributes": span.attributes.json(),
            "events": span.events,
            "status": if span.error.is_some() { json!({ "code": FAILED }) } else { json!({}) },
        });
        if let (Some(parent), Some(map)) = (span.parent, json.as_object_mut()) {
            map.insert("parentSpanId".into(), id(&parent).into());
        }
        self.spans.push(json);
    }

    fn event(&self, at: u32, name: &str, attributes: Attributes) -> Value {
        let time = self.options.times.nanoseconds(at).to_string();
        json!({ "timeUnixNano": time, "name": name, "attributes": attributes.json() })
    }

    /// The rollout itself, with its scores.
    fn whole(&mut self, scores: &[Score]) {
        let (row, header) = (self.row, &self.trace.header);
        let mut attributes = Attributes::default();
        attributes
            .text("gen_ai.operation.name", "invoke_workflow")
            .text("gen_ai.workflow.name", "rollout")
            .text("gen_ai.conversation.id", &row.unit)
            .text("weir.unit", &row.unit)
            .text("weir.domain", &row.domain)
            .text("weir.scenario", &row.scenario)
            .text("weir.cluster", &row.cluster)
            .text("weir.stage", &row.stage)
            .text("weir.condition", &row.condition)
            .text("weir.ledger", &row.ledger)
            .text("weir.topology", &row.topology)
            .text("weir.memory_mode", &row.memory_mode)
            .text("weir.policy.name", &row.policy)
            .maybe("weir.policy.digest", header.policy.as_ref().map(|policy| policy.digest.as_str()))
            .text("weir.model", &row.model)
            .flag("weir.model.simulated", row.simulated)
            .int("weir.plugin_faults", row.faults.into())
            .text("weir.trace.sha256", &row.trace.sha256);
        if let Some(seed) = row.seed {
            attributes.unsigned("weir.seed", seed);
        }
        let end = self.end();
        let scored = |score: &Score| {
            let mut attributes = Attributes::default();
            attributes.text("gen_ai.evaluation.name", &score.name);
            match &score.worth {
                Worth::Number(value) => attributes.double("gen_ai.evaluation.score.value", *value),
                Worth::Word(word) => attributes.text("gen_ai.evaluation.score.label", word),
            };
            self.event(end, "gen_ai.evaluation.result", attributes)
        };
        let events = scores.iter().map(scored).collect();
        self.push(Span {
            key: "rollout".into(),
            parent: None,
            name: "invoke_workflow rollout".into(),
            kind: INTERNAL,
            from: 0,
            to: end,
            attributes,
            events,
            error: (row.faults > 0).then_some("plugin_fault"),
        });
    }

    /// Each stretch in which one agent acts, with what is in it.
    fn agents(&mut self) -> Result<(), Error> {
        let trace = self.trace;
        for stretch in stretches(&trace.events) {
            let (Some(first), Some(last)) = (stretch.first(), stretch.last()) else { continue };
            let key = format!("agent/{}", first.id);
            let mut events = Vec::new();
            for event in stretch {
                match event.kind {
                    NodeKind::AgentState => self.turn(event, &key)?,
                    NodeKind::Proposal => self.call(event, &key)?,
                    _ if self.conversation.proposal(event).is_some() && event.kind != NodeKind::MemoryRecord => {}
                    _ => events.push(self.other(event)?),
                }
            }
            let name = names::agent(trace, first)?;
            let mut attributes = Attributes::default();
            attributes
                .text("gen_ai.operation.name", "invoke_agent")
                .text("gen_ai.agent.name", name)
                .text("gen_ai.conversation.id", &self.row.unit);
            self.push(Span {
                key,
                parent: Some("rollout".into()),
                name: format!("invoke_agent {name}"),
                kind: INTERNAL,
                from: first.id,
                to: last.id,
                attributes,
                events,
                error: None,
            });
        }
        Ok(())
    }

    /// A turn of a model.
    fn turn(&mut self, event: &'a Event, agent: &str) -> Result<(), Error> {
        let (row, conversation) = (self.row, self.conversation);
        let said = conversation.said.iter().find(|said| said.event.id == event.id);
        let calls = said.is_some_and(|said| !said.calls.is_empty());
        let mut attributes = Attributes::default();
        attributes
            .text("gen_ai.operation.name", "chat")
            // A run does not say whose servers a model ran on.
            .text("gen_ai.provider.name", if row.simulated { "weir.simulated" } else { "weir.unknown" })
            .text("gen_ai.request.model", &row.model)
            .text("gen_ai.conversation.id", &row.unit)
            .texts("gen_ai.response.finish_reasons", &[if calls { "tool_calls" } else { "stop" }.to_owned()]);
        if let Some(seed) = row.seed {
            attributes.unsigned("gen_ai.request.seed", seed);
        }
        self.about(event, &mut attributes);
        if self.options.content {
            let heard = conversation.heard(event.id).iter();
            let heard = heard.flat_map(|&(from, to)| conversation.said.get(from..to).unwrap_or_default());
            let input = heard.map(|said| self.message(said)).collect::<Result<Vec<_>, _>>()?;
            attributes.text("gen_ai.input.messages", &canonical(&input.into()));
            let output = said.map(|said| self.message(said)).transpose()?;
            attributes.text("gen_ai.output.messages", &canonical(&output.into_iter().collect()));
        }
        let overflow = event.is(fact::CONTEXT_OVERFLOW).then_some("context_overflow");
        self.push(Span {
            key: format!("chat/{}", event.id),
            parent: Some(agent.to_owned()),
            name: format!("chat {}", row.model),
            kind: CLIENT,
            from: event.id,
            to: event.id,
            attributes,
            events: Vec::new(),
            error: overflow,
        });
        Ok(())
    }

    /// A message as the conventions write it.
    fn message(&self, said: &Said<'_>) -> Result<Value, Error> {
        let role = match said.speaker {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
            Speaker::Tool => "tool",
        };
        let mut parts = vec![match (said.speaker, self.conversation.proposal(said.event)) {
            (Speaker::Tool, Some(proposal)) => {
                json!({ "type": "tool_call_response", "id": names::call(proposal), "response": said.text })
            }
            _ => json!({ "type": "text", "content": said.text }),
        }];
        for proposal in &said.calls {
            parts.push(json!({
                "type": "tool_call",
                "id": names::call(proposal),
                "name": names::tool(self.trace, proposal)?,
                "arguments": names::arguments_by_name(self.trace, proposal)?,
            }));
        }
        Ok(json!({ "role": role, "parts": parts }))
    }

    /// A call from its proposal to its end: everything that belongs to it.
    fn call(&mut self, proposal: &'a Event, agent: &str) -> Result<(), Error> {
        let trace = self.trace;
        let about = |event: &&Event| {
            let same = proposal.call.is_some() && event.call == proposal.call;
            event.id > proposal.id && same && event.kind != NodeKind::MemoryRecord
        };
        let (mut events, mut to, mut result) = (Vec::new(), proposal.id, None);
        let mut ruling = None;
        for event in trace.events.iter().filter(about) {
            to = to.max(event.id);
            if event.kind == NodeKind::ToolResult {
                result = Some(event);
                continue;
            }
            if let Body::Decision { verdict, rule, .. } = &event.body
                && event.edges.first().is_some_and(|edge| edge.parent == proposal.id)
            {
                ruling = Some((names::variant(verdict), rule.as_deref()));
            }
            events.push(self.other(event)?);
        }
        let tool = names::tool(trace, proposal)?.unwrap_or_default();
        let mut attributes = Attributes::default();
        attributes
            .text("gen_ai.operation.name", "execute_tool")
            .text("gen_ai.tool.name", tool)
            .text("gen_ai.tool.type", "function")
            .text("gen_ai.tool.call.id", &names::call(proposal))
            .text("gen_ai.agent.name", names::agent(trace, proposal)?);
        if let Some((verdict, rule)) = &ruling {
            attributes.maybe("weir.decision", verdict.as_deref()).maybe("weir.rule", *rule);
        }
        self.about(proposal, &mut attributes);
        if self.options.content {
            let arguments = names::arguments_by_name(trace, proposal)?;
            attributes.text("gen_ai.tool.call.arguments", &canonical(&arguments.into()));
            attributes.maybe("gen_ai.tool.call.result", result.map(|result| &*result.text));
        }
        let failed = result.is_some_and(|result| matches!(result.body, Body::ToolResult { error: true }));
        let error = if proposal.is(fact::BLOCKED) { Some("blocked") } else { failed.then_some("tool_error") };
        self.push(Span {
            key: format!("tool/{}", proposal.id),
            parent: Some(agent.to_owned()),
            name: format!("execute_tool {tool}"),
            kind: INTERNAL,
            from: proposal.id,
            to,
            attributes,
            events,
            error,
        });
        Ok(())
    }

    /// What is no span of its own, as an event of one.
    fn other(&self, event: &Event) -> Result<Value, Error> {
        let mut attributes = Attributes::default();
        match &event.body {
            Body::Decision { hook, verdict, rule, message, fuel } => {
                attributes
                    .maybe("weir.hook", names::variant(hook).as_deref())
                    .maybe("weir.decision", names::variant(verdict).as_deref())
                    .maybe("weir.rule", rule.as_deref())
                    .unsigned("weir.fuel", *fuel);
                if let Some(edge) = event.edges.first() {
                    attributes.int("weir.about", edge.parent.into());
                }
                if self.options.content {
                    attributes.text("weir.message", message);
                }
            }
            Body::Repair { action, target, done } => {
                attributes.maybe("weir.repair", names::variant(action).as_deref()).flag("weir.repair.done", *done);
                if self.options.content {
                    attributes.text("weir.repair.target", target);
                }
            }
            Body::Commit { targets } if self.options.content => {
                attributes.texts("weir.commit.targets", targets);
            }
            Body::Message { to: Some(to) } => {
                let to = usize::try_from(*to).ok().and_then(|to| self.trace.header.agents.get(to));
                attributes.maybe("weir.message.to", to.map(String::as_str));
            }
            _ => {}
        }
        self.about(event, &mut attributes);
        if self.options.content && !event.text.is_empty() && event.kind != NodeKind::Decision {
            attributes.text("weir.text", &event.text);
        }
        let name = format!("weir.{}", names::variant(&event.kind).unwrap_or_default().replace('-', "_"));
        Ok(self.event(event.id, &name, attributes))
    }

    /// What the trace knows of any event.
    fn about(&self, event: &Event, attributes: &mut Attributes) {
        let parents: Vec<String> = event
            .edges
            .iter()
            .filter(|edge| at(&self.trace.events, edge.parent).is_some())
            .map(|edge| format!("{} {}", edge.parent, names::variant(&edge.kind).unwrap_or_default()))
            .collect();
        attributes
            .int("weir.event", event.id.into())
            .texts("weir.taint.labels", &names::labels(&self.trace.header, event.labels))
            .texts("weir.facts", &names::facts(event.facts))
            .texts("weir.edges", &parents);
    }
}
