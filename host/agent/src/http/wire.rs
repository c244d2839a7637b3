//! The parts of a server's answers that are read. Everything else may be there or not.

use serde::Deserialize;
use serde_json::Value;

/// A completion, or one chunk of a streamed one: they differ in `message` and `delta` only.
#[derive(Deserialize)]
pub(crate) struct Completion {
    pub model: Option<String>,
    pub system_fingerprint: Option<String>,
    pub choices: Option<Vec<Choice>>,
    pub usage: Option<Tokens>,
    /// Some servers begin a stream, or answer with 200, before they find that they cannot.
    pub error: Option<Value>,
}

#[derive(Deserialize)]
pub(crate) struct Choice {
    #[serde(default)]
    pub index: u64,
    pub message: Option<Said>,
    /// In a stream, where the message would be.
    pub delta: Option<Said>,
    pub finish_reason: Option<String>,
}

#[derive(Deserialize)]
pub(crate) struct Said {
    pub content: Option<String>,
    /// What stands in the content's place where a model declines under a schema.
    pub refusal: Option<String>,
    pub tool_calls: Option<Vec<Called>>,
}

#[derive(Deserialize)]
pub(crate) struct Called {
    /// In a stream: which call this continues.
    pub index: Option<u64>,
    pub id: Option<String>,
    pub function: Option<Function>,
}

#[derive(Deserialize)]
pub(crate) struct Function {
    pub name: Option<String>,
    /// A text by the interface; some servers send the object itself.
    pub arguments: Option<Value>,
}

#[derive(Deserialize)]
pub(crate) struct Tokens {
    pub prompt_tokens: Option<u64>,
    pub completion_tokens: Option<u64>,
}

/// `GET /models`.
#[derive(Default, Deserialize)]
pub(crate) struct ModelList {
    pub data: Vec<Listed>,
}

#[derive(Deserialize)]
pub(crate) struct Listed {
    pub id: String,
}
