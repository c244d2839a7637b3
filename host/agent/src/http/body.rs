//! From an [`Ask`] to the JSON of a chat-completions request, in a server's dialect. The bytes depend on nothing else.

use super::dialect::{Dialect, TokenLimit};
use crate::backend::{Ask, ChatCall, ChatMessage, ChatTool, Speaker};
use serde::Serialize;
use serde_json::Value;

/// Servers read seeds as signed or unsigned 32- or 64-bit numbers, and one takes the largest for "random": 31 bits mean the
/// same to all of them.
const SEED_BITS: u64 = 0x7fff_ffff;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
    temperature: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    /// Null where an assistant made calls and said nothing.
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Call<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    arguments: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Declaration<'a>,
}

#[derive(Serialize)]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

#[derive(Serialize)]
struct Format<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    json_schema: Schema<'a>,
}

#[derive(Serialize)]
struct Schema<'a> {
    name: &'static str,
    strict: bool,
    schema: &'a Value,
}

/// The request's body.
pub(crate) fn body(ask: &Ask, model: &str, dialect: Dialect) -> Result<Vec<u8>, serde_json::Error> {
    let has_tools = !ask.tools.is_empty();
    let limit = |kind| (dialect.token_limit == kind).then_some(ask.max_tokens);
    serde_json::to_vec(&Body {
        model,
        messages: ask.messages.iter().map(message).collect(),
        tools: ask.tools.iter().map(tool).collect(),
        tool_choice: has_tools.then_some("auto"),
        parallel_tool_calls: (has_tools && dialect.parallel_tool_calls).then_some(false),
        response_format: ask
            .schema
            .as_ref()
            .map(|schema| Format { kind: "json_schema", json_schema: Schema { name: "action", strict: true, schema } }),
        temperature: ask.temperature,
        seed: dialect.seed.then_some(ask.seed & SEED_BITS),
        max_tokens: limit(TokenLimit::MaxTokens),
        max_completion_tokens: limit(TokenLimit::MaxCompletionTokens),
        stream: true,
        stream_options: dialect.stream_usage.then_some(StreamOptions { include_usage: true }),
    })
}

fn message(message: &ChatMessage) -> Message<'_> {
    let role = match message.role {
        Speaker::System => "system",
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::Tool => "tool",
    };
    let silent = message.content.is_empty() && !message.calls.is_empty();
    Message {
        role,
        content: (!silent).then_some(message.content.as_str()),
        tool_calls: message.calls.iter().map(call).collect(),
        tool_call_id: message.call_id.as_deref(),
    }
}

fn call(call: &ChatCall) -> Call<'_> {
    Call { id: &call.id, kind: "function", function: Function { name: &call.name, arguments: &call.arguments } }
}

fn tool(tool: &ChatTool) -> Tool<'_> {
    let function = Declaration { name: &tool.name, description: &tool.description, parameters: &tool.parameters };
    Tool { kind: "function", function }
}
