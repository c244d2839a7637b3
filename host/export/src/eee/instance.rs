//! One line: a rollout under one of its scores.

use super::SCHEMA;
use super::aggregate::Identity;
use crate::conversation::{Conversation, Said};
use crate::evaluation::sample as name_of;
use crate::names;
use crate::scores::{Score, Worth};
use serde_json::{Map, Value, json};
use weir_suite::{Error, Row};
use weir_trace::json::{canonical, sha256};
use weir_trace::{Speaker, Trace};

/// The line, without its end.
pub(super) fn line(
    row: &Row,
    trace: &Trace,
    conversation: &Conversation<'_>,
    score: &Score,
    identity: &Identity,
    content: bool,
) -> Result<String, Error> {
    let value = match &score.worth {
        Worth::Number(value) => *value,
        Worth::Word(_) => return Err(Error::Input(format!("the score `{}` is a word and no number", score.name))),
    };
    let messages: Vec<Value> = conversation
        .said
        .iter()
        .enumerate()
        .map(|(turn, said)| message(trace, conversation, said, turn, content))
        .collect::<Result<_, _>>()?;
    let turns = conversation.said.iter().filter(|said| said.speaker == Speaker::Assistant).count();
    let calls: usize = conversation.said.iter().map(|said| said.calls.len()).sum();
    let goal = trace.header.goal.as_str();
    let mut metadata = json!({
        "unit": row.unit,
        "domain": row.domain,
        "scenario": row.scenario,
        "stage": row.stage,
        "cluster": row.cluster,
        "family": row.family,
        "topology": row.topology,
        "memory_mode": row.memory_mode,
        "policy": row.policy,
        "trace_sha256": row.trace.sha256,
    });
    if let (Some(seed), Some(map)) = (row.seed, metadata.as_object_mut()) {
        map.insert("seed".into(), seed.to_string().into());
    }
    Ok(json!({
        "schema_version": SCHEMA,
        "evaluation_id": identity.evaluation,
        "model_id": identity.model,
        "evaluation_name": format!("{}/{}", row.stage, score.name),
        "evaluation_result_id": identity.result(&row.stage, &score.name),
        "sample_id": name_of(row),
        // Of the input and of no reference: whether a scenario went well is no text to compare with.
        "sample_hash": sha256(goal.as_bytes()),
        "interaction_type": "agentic",
        "input": { "raw": goal, "reference": [] },
        "output": null,
        "messages": messages,
        "answer_attribution": [],
        "evaluation": {
            "score": value,
            "is_correct": value >= 1.0,
            "num_turns": (turns > 0).then_some(turns),
            "tool_calls_count": calls,
        },
        "error": (row.faults > 0).then(|| format!("the policy failed in {} decisions", row.faults)),
        "metadata": metadata,
    })
    .to_string())
}

fn message(
    trace: &Trace,
    conversation: &Conversation<'_>,
    said: &Said<'_>,
    turn: usize,
    content: bool,
) -> Result<Value, Error> {
    let role = names::variant(&said.speaker).unwrap_or_default();
    let mut message = json!({ "turn_idx": turn, "role": role, "content": content.then_some(&said.text) });
    let Some(map) = message.as_object_mut() else { return Ok(message) };
    if !said.calls.is_empty() {
        let calls = said.calls.iter().map(|proposal| {
            let arguments = content.then(|| names::arguments_by_name(trace, proposal)).transpose()?;
            // Values are texts there.
            let text = |value: &Value| value.as_str().map_or_else(|| canonical(value), str::to_owned);
            let texts = |all: Map<String, Value>| -> Map<String, Value> {
                all.iter().map(|(name, value)| (name.clone(), text(value).into())).collect()
            };
            Ok(json!({
                "id": names::call(proposal),
                "name": names::tool(trace, proposal)?.unwrap_or_default(),
                "arguments": arguments.map(texts),
            }))
        });
        map.insert("tool_calls".into(), calls.collect::<Result<Vec<_>, Error>>()?.into());
    }
    if said.speaker == Speaker::Tool
        && let Some(proposal) = conversation.proposal(said.event)
    {
        map.insert("tool_call_id".into(), json!([names::call(proposal)]));
    }
    Ok(message)
}
