//! One rollout as a sample: the conversation, the transcript, the scores.

use super::log::without_nulls;
use super::transcript;
use crate::Times;
use crate::conversation::{Conversation, Said};
use crate::evaluation::sample as name_of;
use crate::names;
use crate::scores::{Score, Worth};
use serde_json::{Map, Value, json};
use weir_suite::{Error, Row};
use weir_trace::{Body, Event, Speaker, Trace};

/// The sample.
pub(super) fn json(row: &Row, trace: &Trace, epoch: u32, scores: &[Score], times: Times) -> Result<Value, Error> {
    let conversation = Conversation::of(trace);
    let messages: Vec<Value> =
        conversation.said.iter().map(|said| message(row, trace, &conversation, said)).collect::<Result<_, _>>()?;
    let last = conversation.said.iter().rposition(|said| said.speaker == Speaker::Assistant);
    let output = last.and_then(|last| messages.get(last)).map_or_else(|| json!({}), |last| output(&row.model, last));
    let metadata = metadata(row, trace);
    let events = transcript::events(row, trace, &conversation, &messages, &metadata, times)?;
    Ok(json!({
        "id": name_of(row),
        "epoch": epoch,
        "input": trace.header.goal,
        "target": "",
        "messages": messages,
        "output": output,
        "scores": worths(scores),
        "metadata": metadata,
        "store": {},
        "events": events,
        "events_data": { "messages": messages, "calls": [] },
        "model_usage": {},
        "uuid": row.unit,
        "attachments": {},
    }))
}

/// What a model answered, with its message.
pub(super) fn output(model: &str, message: &Value) -> Value {
    let calls = message.get("tool_calls").is_some();
    let stop = if calls { "tool_calls" } else { "stop" };
    json!({ "model": model, "choices": [{ "message": message, "stop_reason": stop }] })
}

/// The identifier of something in a rollout that has no identity of its own.
pub(super) fn identifier(row: &Row, kind: &str, position: impl std::fmt::Display) -> String {
    format!("{}-{kind}{position}", row.unit.get(..16).unwrap_or(&row.unit))
}

/// A proposal as the call of a tool.
pub(super) fn tool_call(trace: &Trace, proposal: &Event) -> Result<Value, Error> {
    Ok(json!({
        "id": names::call(proposal),
        "function": names::tool(trace, proposal)?.unwrap_or_default(),
        "arguments": names::arguments_by_name(trace, proposal)?,
        "type": "function",
    }))
}

fn message(row: &Row, trace: &Trace, conversation: &Conversation<'_>, said: &Said<'_>) -> Result<Value, Error> {
    let event = said.event;
    let mut message = json!({
        "id": identifier(row, "m", event.id),
        "content": said.text,
        "metadata": { "weir_event": event.id, "agent": names::agent(trace, event)? },
    });
    let Some(map) = message.as_object_mut() else { return Ok(message) };
    let role = match said.speaker {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::Tool => "tool",
    };
    map.insert("role".into(), role.into());
    match said.speaker {
        Speaker::System | Speaker::User => {
            map.insert("source".into(), "input".into());
        }
        Speaker::Assistant => {
            map.insert("source".into(), "generate".into());
            map.insert("model".into(), row.model.as_str().into());
            if !said.calls.is_empty() {
                let calls =
                    said.calls.iter().map(|proposal| tool_call(trace, proposal)).collect::<Result<Vec<_>, _>>()?;
                map.insert("tool_calls".into(), calls.into());
            }
        }
        Speaker::Tool => {
            if let Some(proposal) = conversation.proposal(event) {
                map.insert("tool_call_id".into(), names::call(proposal).into());
                map.insert("function".into(), names::tool(trace, proposal)?.into());
            }
            if let Some(error) = failed(conversation, event) {
                map.insert("error".into(), error);
            }
        }
    }
    Ok(message)
}

/// The error of a call that failed or was not allowed.
pub(super) fn failed(conversation: &Conversation<'_>, result: &Event) -> Option<Value> {
    let Body::ToolResult { error: true } = result.body else { return None };
    let blocked = conversation.proposal(result).is_some_and(|proposal| proposal.is(weir_trace::fact::BLOCKED));
    let kind = if blocked { "approval" } else { "unknown" };
    Some(json!({ "type": kind, "message": result.text }))
}

fn worths(scores: &[Score]) -> Map<String, Value> {
    let worth = |score: &Score| {
        let value = match &score.worth {
            Worth::Number(value) => json!(value),
            Worth::Word(word) => json!(word),
        };
        match score.counts {
            Some((numerator, denominator)) => {
                json!({ "value": value, "metadata": { "numerator": numerator, "denominator": denominator } })
            }
            None => json!({ "value": value }),
        }
    };
    scores.iter().map(|score| (score.name.clone(), worth(score))).collect()
}

fn metadata(row: &Row, trace: &Trace) -> Value {
    let policy = trace.header.policy.as_ref();
    without_nulls(json!({
        "unit": row.unit,
        "scenario": row.scenario,
        "domain": row.domain,
        "cluster": row.cluster,
        "stage": row.stage,
        "family": row.family,
        "topology": row.topology,
        "memory_mode": row.memory_mode,
        "condition": row.condition,
        "ledger": row.ledger,
        // As text: a seed may need 64 bits, and a reader may have doubles.
        "seed": row.seed.map(|seed| seed.to_string()),
        "policy": row.policy,
        "policy_sha256": policy.map(|policy| &policy.digest),
        "model_simulated": row.simulated,
        "plugin_fault_decisions": row.faults,
        "trace_sha256": row.trace.sha256,
        "verdict": trace.header.verdict,
        "recorded": row.recorded,
        "memory": row.memory,
    }))
}
