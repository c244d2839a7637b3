//! From the bytes of an answer to a [`Reply`], whether they are one JSON object or a stream of events.

use super::events::Events;
use super::failure::{Failure, Kind, shown};
use super::wire::{Called, Completion};
use crate::backend::{ChatCall, Reply};
use serde_json::Value;
use std::collections::BTreeMap;

/// Longest reply, in bytes of text and arguments, and longest body or event that carries one. An action is a few hundred
/// bytes and the parser reads 256 KiB; 8 MiB is for servers that would fill the memory of a host with 64 asks under way.
pub(crate) const MAX_REPLY_BYTES: usize = 8 << 20;
/// Longest stream. Every token of a stream comes in about 250 bytes of its own, hidden reasoning included: this is enough for
/// a quarter of a million tokens.
pub(crate) const MAX_STREAM_BYTES: usize = 64 << 20;
/// Most calls in one reply. Only the first is an action; more than a few are a sign of a broken server.
const MAX_CALLS: usize = 128;

/// Collects an answer. What form it has, its first byte says: servers' content types are not to be trusted.
pub(crate) enum Answer {
    Unknown,
    Plain(Vec<u8>),
    Stream(Box<Stream>),
}

/// A streamed answer so far.
#[derive(Default)]
pub(crate) struct Stream {
    events: Events,
    /// Bytes that came.
    bytes: usize,
    /// Events that came.
    count: usize,
    done: bool,
    draft: Draft,
}

/// A reply in the making.
#[derive(Default)]
struct Draft {
    text: String,
    refusal: String,
    calls: BTreeMap<u64, ChatCall>,
    finish: Option<String>,
    has_choice: bool,
    input_tokens: u64,
    output_tokens: u64,
    model: Option<String>,
    fingerprint: Option<String>,
}

impl Answer {
    /// Takes bytes. Returns whether the answer is complete, whatever may come.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        if let Answer::Unknown = self {
            match bytes.trim_ascii_start().first() {
                None => return Ok(false),
                Some(b'{' | b'[') => *self = Answer::Plain(Vec::new()),
                Some(_) => *self = Answer::Stream(Box::default()),
            }
        }
        match self {
            Answer::Unknown => Ok(false),
            Answer::Plain(body) => {
                within(body.len() + bytes.len(), MAX_REPLY_BYTES, "the reply")?;
                body.extend_from_slice(bytes);
                Ok(false)
            }
            Answer::Stream(stream) => stream.push(bytes),
        }
    }

    /// The reply, when all bytes came.
    pub(crate) fn finish(self) -> Result<Reply, Failure> {
        match self {
            Answer::Unknown => Err(Failure::new(Kind::Malformed, "the body is empty")),
            Answer::Plain(body) => {
                let mut draft = Draft::default();
                draft.take(&body)?;
                draft.reply()
            }
            Answer::Stream(stream) => stream.finish(),
        }
    }
}

impl Stream {
    fn push(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        self.bytes += bytes.len();
        within(self.bytes, MAX_STREAM_BYTES, "the stream")?;
        self.events.push(bytes);
        while let Some(data) = self.events.next() {
            self.count += 1;
            if data == b"[DONE]" {
                self.done = true;
                return Ok(true);
            }
            if !data.is_empty() {
                self.draft.take(data)?;
            }
        }
        within(self.events.pending(), MAX_REPLY_BYTES, "one event")?;
        Ok(false)
    }

    fn finish(mut self) -> Result<Reply, Failure> {
        match self.events.rest() {
            _ if self.done => {}
            Some(b"[DONE]") => self.done = true,
            // Without its line's end it may be half an event; then the answer has no end either, which is said below.
            Some(data) if serde_json::from_slice::<Value>(data).is_ok() => {
                self.count += 1;
                self.draft.take(data)?;
            }
            _ => {}
        }
        if self.count == 0 && !self.done {
            return Err(Failure::new(Kind::Malformed, "the body is neither JSON nor an event stream"));
        }
        if !self.done && self.draft.finish.is_none() {
            return Err(Failure::new(Kind::Interrupted, "the stream ended before the answer did"));
        }
        self.draft.reply()
    }
}

impl Draft {
    /// Reads a completion, or one chunk of it.
    fn take(&mut self, json: &[u8]) -> Result<(), Failure> {
        let completion: Completion = serde_json::from_slice(json).map_err(|error| {
            Failure::new(Kind::Malformed, format!("the answer is not a completion: {}", shown(&error.to_string())))
        })?;
        if let Some(error) = completion.error.filter(|error| !error.is_null()) {
            return Err(Failure::of_error(&error));
        }
        self.model = self.model.take().or(completion.model.filter(|name| !name.is_empty()));
        self.fingerprint = self.fingerprint.take().or(completion.system_fingerprint.filter(|text| !text.is_empty()));
        if let Some(usage) = completion.usage {
            self.input_tokens = usage.prompt_tokens.unwrap_or(0);
            self.output_tokens = usage.completion_tokens.unwrap_or(0);
        }
        for choice in completion.choices.unwrap_or_default() {
            // One choice is asked for.
            if choice.index != 0 {
                continue;
            }
            self.has_choice = true;
            self.finish = choice.finish_reason.or(self.finish.take());
            let Some(said) = choice.message.or(choice.delta) else { continue };
            self.text.push_str(said.content.as_deref().unwrap_or_default());
            self.refusal.push_str(said.refusal.as_deref().unwrap_or_default());
            for called in said.tool_calls.unwrap_or_default() {
                self.called(called)?;
            }
            let arguments: usize = self.calls.values().map(|call| call.arguments.len()).sum();
            within(self.text.len() + self.refusal.len() + arguments, MAX_REPLY_BYTES, "the reply")?;
        }
        Ok(())
    }

    /// Adds a call, or what comes next of it.
    fn called(&mut self, called: Called) -> Result<(), Failure> {
        let last = self.calls.last_key_value().map(|(index, _)| *index);
        let id = called.id.filter(|id| !id.is_empty());
        let index = match (called.index, last) {
            (Some(index), _) => index,
            (None, None) => 0,
            // Without a number, an identifier or a name begins a call.
            (None, Some(last)) if id.is_some() || called.function.as_ref().is_some_and(|f| f.name.is_some()) => {
                last.saturating_add(1)
            }
            (None, Some(last)) => last,
        };
        if !self.calls.contains_key(&index) && self.calls.len() == MAX_CALLS {
            return Err(Failure::new(Kind::TooLarge, format!("more than {MAX_CALLS} calls in one reply")));
        }
        let call = self.calls.entry(index).or_insert_with(|| ChatCall {
            id: String::new(),
            name: String::new(),
            arguments: String::new(),
        });
        if let (true, Some(id)) = (call.id.is_empty(), id) {
            call.id = id;
        }
        let Some(function) = called.function else { return Ok(()) };
        if let (true, Some(name)) = (call.name.is_empty(), function.name) {
            call.name = name;
        }
        match function.arguments {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => call.arguments.push_str(&text),
            Some(object) => call.arguments.push_str(&object.to_string()),
        }
        Ok(())
    }

    fn reply(self) -> Result<Reply, Failure> {
        if !self.has_choice {
            return Err(Failure::new(Kind::Malformed, "the answer has no choice in it"));
        }
        let mut calls: Vec<ChatCall> = self.calls.into_values().collect();
        if calls.iter().any(|call| call.name.is_empty()) {
            return Err(Failure::new(Kind::Malformed, "a call names no tool"));
        }
        for (number, call) in calls.iter_mut().enumerate() {
            // A later message must name the call that it answers.
            if call.id.is_empty() {
                call.id = format!("call_{number}");
            }
        }
        let text = if self.text.is_empty() { self.refusal } else { self.text };
        Ok(Reply {
            text,
            calls,
            finish: self.finish.unwrap_or_default(),
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            served_by: self.model,
            fingerprint: self.fingerprint,
        })
    }
}

fn within(bytes: usize, most: usize, what: &str) -> Result<(), Failure> {
    if bytes <= most {
        return Ok(());
    }
    Err(Failure::new(Kind::TooLarge, format!("{what} is longer than {} MiB", most >> 20)))
}
