//! One message of either harness, and of conversations that were taken from them.

use crate::import::history::{Asked, Message};
use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
struct Raw {
    role: String,
    content: Option<Content>,
    tool_calls: Option<Vec<RawCall>>,
    /// How chat interfaces returned a single call before they had lists.
    function_call: Option<Function>,
    /// tau2-bench: the call that a tool's message answers.
    id: Option<String>,
    /// tau-bench and single conversations: the same.
    tool_call_id: Option<String>,
    name: Option<String>,
    requestor: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
struct Block {
    text: String,
}

/// `{id, name, arguments}`, or `{id, function: {name, arguments}}` as chat interfaces have it.
#[derive(Deserialize)]
struct RawCall {
    id: Option<String>,
    name: Option<String>,
    arguments: Option<Arguments>,
    function: Option<Function>,
    requestor: Option<String>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    arguments: Option<Arguments>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Arguments {
    Object(Map<String, Value>),
    Text(String),
}

/// Reads one message.
///
/// # Errors
/// What is missing or wrong.
pub(super) fn message(raw: &Value) -> Result<Message, String> {
    let raw = Raw::deserialize(raw).map_err(|e| format!("not a message: {e}"))?;
    let text = match raw.content {
        None => String::new(),
        Some(Content::Text(text)) => text,
        Some(Content::Blocks(blocks)) => blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join("\n"),
    };
    let mut calls = Vec::new();
    for call in raw.tool_calls.unwrap_or_default() {
        calls.push(asked(call, &raw.role)?);
    }
    if let Some(Function { name, arguments }) = raw.function_call {
        calls.push(Asked { id: None, arguments: object(&name, arguments)?, tool: name });
    }
    let is_tool = raw.role == "tool";
    Ok(Message {
        text,
        calls,
        answers: raw.tool_call_id.or(raw.id).filter(|_| is_tool),
        tool: raw.name.filter(|_| is_tool),
        requestor: raw.requestor.filter(|_| is_tool),
        role: raw.role,
    })
}

fn asked(call: RawCall, role: &str) -> Result<Asked, String> {
    let RawCall { id, name, arguments, function, requestor } = call;
    let (tool, arguments) = match (name, function) {
        (Some(name), None) => (name, arguments),
        (None, Some(Function { name, arguments })) => (name, arguments),
        _ => return Err("a call has neither `name` nor `function`, or both: expected one of them".into()),
    };
    if let Some(requestor) = requestor.filter(|requestor| requestor != role) {
        return Err(format!("a call of `{tool}` is requested by `{requestor}` in a turn of `{role}`"));
    }
    Ok(Asked { id, arguments: object(&tool, arguments)?, tool })
}

fn object(tool: &str, arguments: Option<Arguments>) -> Result<Map<String, Value>, String> {
    match arguments {
        Some(Arguments::Object(arguments)) => Ok(arguments),
        Some(Arguments::Text(text)) => {
            serde_json::from_str(&text).map_err(|e| format!("the arguments of `{tool}` are not a JSON object: {e}"))
        }
        None => Err(format!("a call of `{tool}` has no `arguments`, expected an object")),
    }
}
