//! Why an attempt brought no answer, and whether another may.

use super::server::Server;
use crate::model::ModelError;
use serde_json::Value;
use std::time::Duration;

/// Longest part of a server's message that is shown.
const MESSAGE_CHARS: usize = 300;
/// Codes and types by which servers say that the conversation is too long: OpenAI's and most others', llama.cpp's.
const OVERFLOW_CODES: [&str; 2] = ["context_length_exceeded", "exceed_context_size_error"];
/// Words of servers that have no code for it.
const OVERFLOW_WORDS: [&str; 2] = ["maximum context length", "exceeds the available context size"];

/// What kind of failure: how the limit of requests at once reacts, and what error it ends as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 429: too many requests at once or in a while.
    Throttled,
    /// 5xx, or nothing came for too long: the server is in trouble.
    Troubled,
    /// No connection, one that broke off, 408 or 409: bad luck.
    Interrupted,
    /// The answer is not in the interface's form, or has no choice in it.
    Malformed,
    /// The answer is larger than any action; asking again would only cost again.
    TooLarge,
    /// The server refuses this request.
    Refused,
    /// The conversation is longer than the model's context.
    Overflow,
    /// The ask's own time is over.
    Deadline,
}

/// An attempt without an answer.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub kind: Kind,
    /// What happened, as one line.
    pub cause: String,
    /// The HTTP status, where it came so far.
    pub status: Option<u16>,
    /// How long the server asks to wait.
    pub after: Option<Duration>,
}

impl Failure {
    pub(crate) fn new(kind: Kind, cause: impl Into<String>) -> Failure {
        Failure { kind, cause: cause.into(), status: None, after: None }
    }

    /// Whether asking again cannot help.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self.kind, Kind::TooLarge | Kind::Refused | Kind::Overflow | Kind::Deadline)
    }

    /// What a server's error means: a status, and the body that came with it.
    pub(crate) fn of_status(status: u16, body: &[u8]) -> Failure {
        let reason = reqwest::StatusCode::from_u16(status).ok().and_then(|code| code.canonical_reason());
        let mut head = match reason {
            Some(reason) => format!("{status} {reason}"),
            None => status.to_string(),
        };
        let said = Said::read(body);
        if !said.message.is_empty() {
            head = format!("{head}: {}", said.message);
        }
        let (kind, cause) = match status {
            // No waiting refills an account.
            429 if said.has_code(&["insufficient_quota"]) => (Kind::Refused, head),
            429 => (Kind::Throttled, head),
            408 | 409 => (Kind::Interrupted, head),
            500.. if !said.is_overflow() => (Kind::Troubled, head),
            _ if said.is_overflow() => (Kind::Overflow, too_long(&head)),
            300..400 => (Kind::Refused, format!("{head}: the base URL leads elsewhere; set the one it leads to")),
            404 => (Kind::Refused, format!("{head} (is the base URL right? most end in /v1)")),
            _ => (Kind::Refused, head),
        };
        Failure { kind, cause, status: Some(status), after: None }
    }

    /// An error object that came in the place of an answer, under a status of success.
    pub(crate) fn of_error(error: &Value) -> Failure {
        let code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
        let body = serde_json::json!({ "error": error }).to_string();
        match code {
            Some(code @ 400..600) => Failure::of_status(code, body.as_bytes()),
            _ => {
                let said = Said::read(body.as_bytes());
                if said.is_overflow() {
                    return Failure::new(Kind::Overflow, too_long(&said.message));
                }
                Failure::new(Kind::Troubled, format!("an error in the place of an answer: {}", said.message))
            }
        }
    }

    /// What the ask ends with, after so many attempts.
    pub(crate) fn error(&self, server: &Server, attempts: u32) -> ModelError {
        let times = if attempts == 1 { "1 attempt".to_owned() } else { format!("{attempts} attempts") };
        let after_all = || format!("no answer after {times}; the last: {}", self.cause);
        match self.kind {
            Kind::Refused | Kind::Overflow => server.rejected(self.cause.clone()),
            Kind::TooLarge => server.protocol(self.cause.clone()),
            Kind::Malformed => server.protocol(after_all()),
            Kind::Throttled | Kind::Troubled | Kind::Interrupted | Kind::Deadline => server.unavailable(after_all()),
        }
    }
}

fn too_long(said: &str) -> String {
    format!("the conversation is longer than the model's context ({said})")
}

/// What the body of an error says.
struct Said {
    message: String,
    codes: Vec<String>,
}

impl Said {
    fn read(body: &[u8]) -> Said {
        let Ok(value) = serde_json::from_slice::<Value>(body) else {
            return Said { message: shown(&String::from_utf8_lossy(body)), codes: Vec::new() };
        };
        // In use: {"error": {"message"}}, {"error": "text"}, {"message"}, {"detail"}.
        let error = value.get("error").filter(|error| !error.is_null()).unwrap_or(&value);
        let message = [error.get("message"), error.get("detail"), Some(error)].into_iter().flatten().next();
        let message = match message {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        let codes = ["code", "type"].into_iter().filter_map(|key| error.get(key)?.as_str().map(str::to_owned));
        Said { message: shown(&message), codes: codes.collect() }
    }

    fn has_code(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    fn is_overflow(&self) -> bool {
        self.has_code(&OVERFLOW_CODES) || OVERFLOW_WORDS.iter().any(|words| self.message.contains(words))
    }
}

/// A foreign text as one printable line of bounded length.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::new();
    let text = text.trim();
    for (count, character) in text.chars().enumerate() {
        if count == MESSAGE_CHARS {
            shown.push('…');
            break;
        }
        match character {
            '\n' | '\r' | '\t' => shown.push(' '),
            // Also the marks that turn the direction of text around: a terminal obeys them.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => shown.push('\u{fffd}'),
            other if other.is_control() => shown.push('\u{fffd}'),
            other => shown.push(other),
        }
    }
    shown
}
