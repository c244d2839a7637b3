//! What a model would have said, as plain JSON or as a stream.

use serde_json::{Value, json};

/// A good answer to a chat request, before it is known whether the client wants it as a stream.
#[derive(Clone, Debug)]
pub struct Chat {
    /// The words.
    pub text: String,
    /// Calls: identifier, tool, arguments as JSON text.
    pub calls: Vec<(String, String, String)>,
    /// `finish_reason`.
    pub finish: String,
    /// Tokens read and written; none to leave `usage` out even where it is asked for.
    pub usage: Option<(u64, u64)>,
    /// The model's name; none to repeat the request's.
    pub model: Option<String>,
    /// `system_fingerprint`.
    pub fingerprint: Option<String>,
    /// Characters a delta of a stream.
    pub delta: usize,
}

impl Chat {
    /// Words alone: `stop`, 7 tokens read and 3 written, fingerprint `fp_scripted`, 64 characters a delta.
    pub fn text(text: impl Into<String>) -> Chat {
        Chat {
            text: text.into(),
            calls: Vec::new(),
            finish: "stop".into(),
            usage: Some((7, 3)),
            model: None,
            fingerprint: Some("fp_scripted".into()),
            delta: 64,
        }
    }

    /// One call and no words.
    pub fn call(tool: impl Into<String>, arguments: impl Into<String>) -> Chat {
        Chat {
            calls: vec![("call_1".into(), tool.into(), arguments.into())],
            finish: "tool_calls".into(),
            ..Chat::text("")
        }
    }

    /// The body of a plain answer.
    pub(crate) fn plain(&self, request: &Value) -> Vec<u8> {
        let calls: Vec<Value> = self
            .calls
            .iter()
            .map(|(id, name, arguments)| {
                json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
            })
            .collect();
        let mut message = json!({"role": "assistant", "content": self.text});
        if let (false, Some(message)) = (calls.is_empty(), message.as_object_mut()) {
            message.insert("tool_calls".into(), Value::Array(calls));
            if self.text.is_empty() {
                message.insert("content".into(), Value::Null);
            }
        }
        let mut body = self.envelope(request, "chat.completion");
        body.insert(
            "choices".into(),
            json!([{"index": 0, "message": message, "logprobs": null, "finish_reason": self.finish}]),
        );
        if let Some(usage) = self.usage() {
            body.insert("usage".into(), usage);
        }
        Value::Object(body).to_string().into_bytes()
    }

    /// The events of a streamed answer.
    pub(crate) fn streamed(&self, request: &Value) -> Vec<u8> {
        let mut events = String::new();
        let mut send = |delta: Value, finish: Option<&str>| {
            let mut chunk = self.envelope(request, "chat.completion.chunk");
            chunk.insert("choices".into(), json!([{"index": 0, "delta": delta, "finish_reason": finish}]));
            event(&mut events, &Value::Object(chunk).to_string());
        };
        send(
            json!({"role": "assistant", "content": if self.calls.is_empty() { json!("") } else { Value::Null }}),
            None,
        );
        for piece in pieces(&self.text, self.delta) {
            send(json!({ "content": piece }), None);
        }
        for (index, (id, name, arguments)) in self.calls.iter().enumerate() {
            let head =
                json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
            send(json!({ "tool_calls": [head] }), None);
            for piece in pieces(arguments, self.delta) {
                send(json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}), None);
            }
        }
        send(json!({}), Some(&self.finish));
        let wanted = request.pointer("/stream_options/include_usage").and_then(Value::as_bool).unwrap_or(false);
        if let (true, Some(usage)) = (wanted, self.usage()) {
            let mut chunk = self.envelope(request, "chat.completion.chunk");
            chunk.insert("choices".into(), json!([]));
            chunk.insert("usage".into(), usage);
            event(&mut events, &Value::Object(chunk).to_string());
        }
        event(&mut events, "[DONE]");
        events.into_bytes()
    }

    fn envelope(&self, request: &Value, object: &str) -> serde_json::Map<String, Value> {
        let mut map = serde_json::Map::new();
        map.insert("id".into(), json!("chatcmpl-scripted"));
        map.insert("object".into(), json!(object));
        map.insert("created".into(), json!(0));
        let asked = request.get("model").and_then(Value::as_str).unwrap_or_default();
        map.insert("model".into(), json!(self.model.as_deref().unwrap_or(asked)));
        if let Some(fingerprint) = &self.fingerprint {
            map.insert("system_fingerprint".into(), json!(fingerprint));
        }
        map
    }

    fn usage(&self) -> Option<Value> {
        self.usage.map(|(read, written)| {
            json!({"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written})
        })
    }
}

pub(crate) fn event(events: &mut String, data: &str) {
    events.push_str("data: ");
    events.push_str(data);
    events.push_str("\n\n");
}

/// A text in pieces of so many characters.
fn pieces(text: &str, characters: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.char_indices().nth(characters.max(1)).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at(end);
        rest = after;
        Some(piece)
    })
}
