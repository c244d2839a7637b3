//! Base histories that were imported: the format `weir/history@1`, one a file.

use super::history::{Asked, HistoryError, Message, Place, Recorded};
use serde::Deserialize;
use serde_json::{Map, Value};
use weir_memory::History;
use weir_memory::history::FORMAT;
use weir_memory::schema::Tool;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    format: String,
    id: String,
    domain: String,
    customer: String,
    source: String,
    turns: Vec<Value>,
}

/// As [`weir_memory::Turn`], but with a role that may be anything, so that an error can say which.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTurn {
    speaker: String,
    text: String,
    #[serde(default)]
    calls: Vec<RawCall>,
    call_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCall {
    id: String,
    tool: String,
    arguments: Map<String, Value>,
}

/// Reads one base and checks it by the rules of an import.
///
/// # Errors
/// What is wrong, with file and turn: another format, an unknown role, an unpaired result, a repeated call identifier.
pub fn read(file: &str, bytes: &[u8]) -> Result<History, HistoryError> {
    let place = Place { file: file.to_owned(), part: None };
    let value: Value =
        serde_json::from_slice(bytes).map_err(|e| HistoryError::whole(&place, format!("not JSON: {e}")))?;
    match value.get("format").and_then(Value::as_str) {
        Some(FORMAT) => {}
        Some(other) => return Err(HistoryError::whole(&place, format!("format `{other}`, expected `{FORMAT}`"))),
        None => {
            let message = format!("no base history: expected `\"format\": \"{FORMAT}\"`, as `weir import` writes it");
            return Err(HistoryError::whole(&place, message));
        }
    }
    let raw: Raw = serde_json::from_value(value).map_err(|e| HistoryError::whole(&place, e.to_string()))?;
    for (what, text) in [("id", &raw.id), ("domain", &raw.domain), ("customer", &raw.customer)] {
        if text.is_empty() {
            return Err(HistoryError::whole(&place, format!("`{what}` is empty")));
        }
    }
    if super::history::safe_id(&raw.id) != raw.id {
        let message = format!("the id `{}` is no name for a file, expected letters, digits, `.`, `_` and `-`", raw.id);
        return Err(HistoryError::whole(&place, message));
    }
    let mut messages = Vec::with_capacity(raw.turns.len());
    for (number, turn) in raw.turns.into_iter().enumerate() {
        messages.push(message(turn).map_err(|what| HistoryError::turn(&place, number, what))?);
    }
    let recorded = Recorded {
        place,
        id: raw.id,
        domain: raw.domain,
        source: raw.source,
        instructions: None,
        messages,
        tools: None,
    };
    let history = History { format: raw.format, customer: raw.customer, ..recorded.history(None)? };
    unchanged(&recorded, &history)?;
    Ok(history)
}

/// Checks a base's calls against the tools of its domain.
///
/// # Errors
/// A call of no tool of the domain, or outside its schema, with its turn.
pub fn check_calls(file: &str, history: &History, tools: &[Tool]) -> Result<(), HistoryError> {
    let place = Place { file: file.to_owned(), part: None };
    for (number, turn) in history.turns.iter().enumerate() {
        for call in &turn.calls {
            super::history::fits(&call.tool, &call.arguments, turn.speaker, tools)
                .map_err(|what| HistoryError::turn(&place, number, what))?;
        }
    }
    Ok(())
}

fn message(turn: Value) -> Result<Message, String> {
    let RawTurn { speaker, text, calls, call_id } =
        RawTurn::deserialize(turn).map_err(|e| format!("not a turn: {e}"))?;
    if call_id.is_none() && speaker == "tool" {
        return Err("a tool's turn has no `call_id`, expected the call that it answers".into());
    }
    if call_id.is_some() && speaker != "tool" {
        return Err(format!("a turn of `{speaker}` has a `call_id`, expected in a tool's turns alone"));
    }
    let calls = calls.into_iter().map(|call| Asked { id: Some(call.id), tool: call.tool, arguments: call.arguments });
    Ok(Message { role: speaker, text, calls: calls.collect(), answers: call_id, ..Message::default() })
}

/// An import has made identifiers unique and taken out stop tokens: in a base there is nothing left of that to do.
fn unchanged(recorded: &Recorded, history: &History) -> Result<(), HistoryError> {
    let mut turns = history.turns.iter();
    for (number, message) in recorded.messages.iter().enumerate() {
        let turn = turns.next().filter(|turn| turn.text == message.text);
        let Some(turn) = turn else {
            let what = "a simulator's stop token in a user's turn: import the history again";
            return Err(HistoryError::turn(&recorded.place, number, what));
        };
        for (call, asked) in turn.calls.iter().zip(&message.calls) {
            if asked.id.as_ref() != Some(&call.id) {
                let id = asked.id.as_deref().unwrap_or_default();
                let what = format!("the call identifier `{id}` is empty or stood before, expected each once");
                return Err(HistoryError::turn(&recorded.place, number, what));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
