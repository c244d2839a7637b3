//! One answer of the script: what is sent, and how it goes wrong.

use crate::chat::{Chat, event};
use serde_json::{Value, json};

/// What the server sends back. Made by one of the constructors, then bent by the methods that take `self`.
#[derive(Clone, Debug)]
pub struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) content: Content,
    pub(crate) piece: usize,
    pub(crate) end: End,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// Rendered when the request is known.
    Chat { chat: Chat, plain: bool },
    /// Sent as it is, under this content type; a stream has no length in its head.
    Bytes { kind: &'static str, bytes: Vec<u8>, stream: bool },
}

/// How an answer ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum End {
    /// As it should; the connection stays open.
    Whole,
    /// After so many bytes of the body the connection is closed.
    Cut(usize),
    /// After so many bytes of the body nothing more comes. Nothing at all, not even a head, for `None`.
    Stall(Option<usize>),
}

impl Answer {
    /// A good chat answer, streamed if the request asks for that.
    pub fn chat(chat: Chat) -> Answer {
        Answer::new(200, Content::Chat { chat, plain: false })
    }

    /// [`Chat::text`].
    pub fn text(text: impl Into<String>) -> Answer {
        Answer::chat(Chat::text(text))
    }

    /// [`Chat::call`]: a native call.
    pub fn call(tool: impl Into<String>, arguments: impl Into<String>) -> Answer {
        Answer::chat(Chat::call(tool, arguments))
    }

    /// A plain JSON answer under any status.
    pub fn json(status: u16, body: &Value) -> Answer {
        Answer::raw(status, "application/json", body.to_string())
    }

    /// Any bytes.
    pub fn raw(status: u16, kind: &'static str, bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::new(status, Content::Bytes { kind, bytes: bytes.into(), stream: false })
    }

    /// A stream of these events' data, in order; a good one ends with `[DONE]`.
    pub fn events<T: AsRef<str>>(data: impl IntoIterator<Item = T>) -> Answer {
        let mut events = String::new();
        for data in data {
            event(&mut events, data.as_ref());
        }
        Answer::stream(events)
    }

    /// Any bytes as an event stream.
    pub fn stream(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::new(200, Content::Bytes { kind: "text/event-stream", bytes: bytes.into(), stream: true })
    }

    /// An error in the usual form, without a code.
    pub fn error(status: u16, message: &str) -> Answer {
        Answer::json(status, &json!({"error": {"message": message, "type": "scripted", "code": null}}))
    }

    /// The list of models.
    pub fn models<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> Answer {
        let list: Vec<Value> = names.into_iter().map(|name| json!({"id": name.as_ref(), "object": "model"})).collect();
        Answer::json(200, &json!({"object": "list", "data": list}))
    }

    /// The conversation does not fit, as OpenAI and its imitators say it.
    pub fn context_overflow() -> Answer {
        let message =
            "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
        let error = json!({"message": message, "type": "invalid_request_error", "code": "context_length_exceeded"});
        Answer::json(400, &json!({ "error": error }))
    }

    /// A choice list with nothing in it.
    pub fn no_choice() -> Answer {
        Answer::json(200, &json!({"object": "chat.completion", "model": "m", "choices": []}))
    }

    /// Nothing comes, not even a head, until the client goes away.
    pub fn stall() -> Answer {
        Answer { end: End::Stall(None), ..Answer::raw(200, "application/json", "") }
    }

    /// One more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Answer {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Plain JSON even where a stream is asked for. For a good chat answer.
    #[must_use]
    pub fn unstreamed(mut self) -> Answer {
        if let Content::Chat { plain, .. } = &mut self.content {
            *plain = true;
        }
        self
    }

    /// The body goes out in pieces of so many bytes, wherever they fall: inside a character, a line, a JSON string. For a
    /// stream.
    #[must_use]
    pub fn in_pieces(mut self, bytes: usize) -> Answer {
        self.piece = bytes.max(1);
        self
    }

    /// After so many bytes of its body the connection is closed.
    #[must_use]
    pub fn cut_after(mut self, bytes: usize) -> Answer {
        self.end = End::Cut(bytes);
        self
    }

    /// After so many bytes of its body nothing more comes, until the client goes away.
    #[must_use]
    pub fn stall_after(mut self, bytes: usize) -> Answer {
        self.end = End::Stall(Some(bytes));
        self
    }

    fn new(status: u16, content: Content) -> Answer {
        Answer { status, headers: Vec::new(), content, piece: usize::MAX, end: End::Whole }
    }

    /// The content type, whether it is a stream, and the body for this request.
    pub(crate) fn render(&self, request: &Value) -> (&'static str, bool, Vec<u8>) {
        match &self.content {
            Content::Bytes { kind, bytes, stream } => (kind, *stream, bytes.clone()),
            Content::Chat { chat, plain } => {
                if !plain && request.get("stream").and_then(Value::as_bool).unwrap_or(false) {
                    ("text/event-stream", true, chat.streamed(request))
                } else {
                    ("application/json", false, chat.plain(request))
                }
            }
        }
    }
}
