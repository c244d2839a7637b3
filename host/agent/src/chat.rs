//! A real model as an agent: a turn's request becomes a chat in one of three modes, and the reply becomes the text that
//! [`crate::parse`] reads. What a model calls natively is written down in the exact format of an action, so that a call is
//! the same call whatever interface it came through.

mod conversation;
mod examples;
mod schema;

use crate::backend::{ActionMode, Ask, Backend, ChatCall, ChatTool, Reply};
use crate::model::{Completion, Model, ModelError, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The native tool by which an agent of a team writes to another.
const MESSAGE: &str = "message";

/// How a real model is asked. Part of what its results depend on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatSettings {
    /// The mode.
    pub mode: ActionMode,
    /// Sampling temperature; 0 is greedy.
    pub temperature: f64,
    /// Most tokens of one answer.
    pub max_tokens: u32,
    /// Whether each conversation begins with worked examples of other tasks: weak models do not work without. Not in
    /// native mode, where an example would have to call a tool that the interface does not have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub examples: bool,
}

impl Default for ChatSettings {
    /// Greedy, and 1,024 tokens: a schema must have room for the longest action that it permits, or an answer is cut
    /// inside a string. The longest built-in action takes about 300.
    fn default() -> Self {
        ChatSettings { mode: ActionMode::Text, temperature: 0.0, max_tokens: 1024, examples: false }
    }
}

/// A real model in one rollout.
pub struct ChatModel {
    backend: Arc<dyn Backend>,
    settings: ChatSettings,
    repeat: u32,
    /// How often each ask, by digest, has been made in this rollout.
    asked: BTreeMap<[u8; 32], u32>,
}

impl ChatModel {
    /// A model for one rollout. `repeat` is 0, or the number of the repetition where a run measures its own noise.
    #[must_use]
    pub fn new(backend: Arc<dyn Backend>, settings: ChatSettings, repeat: u32) -> Self {
        ChatModel { backend, settings, repeat, asked: BTreeMap::new() }
    }

    fn ask(&mut self, request: &Request<'_>) -> Ask {
        let native = self.settings.mode == ActionMode::Native;
        let mut ask = Ask {
            messages: conversation::messages(request, native, self.settings.examples && !native),
            tools: if native { tools(request) } else { Vec::new() },
            schema: (self.settings.mode == ActionMode::Schema).then(|| schema::action(request)),
            max_tokens: self.settings.max_tokens,
            temperature: self.settings.temperature,
            seed: request.seed,
            ordinal: 0,
            repeat: self.repeat,
        };
        // Writing JSON to memory cannot fail.
        let digest = Sha256::digest(serde_json::to_vec(&ask).unwrap_or_default());
        let times = self.asked.entry(digest.into()).or_insert(0);
        ask.ordinal = *times;
        *times = times.saturating_add(1);
        ask
    }
}

impl Model for ChatModel {
    fn id(&self) -> &str {
        &self.backend.identity().name
    }

    fn simulated(&self) -> bool {
        false
    }

    fn complete(&mut self, request: &Request<'_>) -> Result<Completion, ModelError> {
        let ask = self.ask(request);
        let reply = self.backend.ask(&ask)?;
        let (input_tokens, output_tokens) = (reply.input_tokens, reply.output_tokens);
        Ok(Completion { overflow: reply.is_overflow(), text: text(reply), input_tokens, output_tokens })
    }
}

fn tools(request: &Request<'_>) -> Vec<ChatTool> {
    let known = request.tools.iter().map(|tool| ChatTool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        parameters: schema::arguments(tool),
    });
    let message = (!request.recipients.is_empty()).then(|| ChatTool {
        name: MESSAGE.into(),
        description: "Writes to another agent of the team.".into(),
        parameters: json!({
            "type": "object",
            "properties": { "to": { "type": "string", "enum": request.recipients }, "text": { "type": "string" } },
            "required": ["to", "text"],
            "additionalProperties": false,
        }),
    });
    known.chain(message).collect()
}

/// A reply as the text of a turn. One native call whose arguments are an object is written in the exact format; anything
/// else that came as calls stays in the interface's own form, and the parser says what had to be overlooked.
fn text(reply: Reply) -> String {
    let Reply { text, calls, .. } = reply;
    match calls.as_slice() {
        [] => text,
        [call] => match arguments(call) {
            Some(given) => exact(&call.name, given),
            None => interface(&calls),
        },
        _ => interface(&calls),
    }
}

/// Some servers give an empty text for no arguments.
fn arguments(call: &ChatCall) -> Option<Map<String, Value>> {
    if call.arguments.trim().is_empty() {
        return Some(Map::new());
    }
    serde_json::from_str(&call.arguments).ok()
}

fn exact(tool: &str, given: Map<String, Value>) -> String {
    if tool == MESSAGE {
        let mut action = Map::from_iter([("action".to_owned(), Value::from(MESSAGE))]);
        action.extend(given);
        return Value::Object(action).to_string();
    }
    json!({ "action": "tool", "tool": tool, "arguments": given }).to_string()
}

fn interface(calls: &[ChatCall]) -> String {
    let calls = calls.iter().map(|call| json!({ "function": { "name": call.name, "arguments": call.arguments } }));
    json!({ "tool_calls": calls.collect::<Vec<_>>() }).to_string()
}

#[cfg(test)]
mod tests;
