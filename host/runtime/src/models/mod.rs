//! Models for plugins: what a caller hands to an instance so that the import `model` answers, and the record of what was
//! asked and answered, from which the same call can be replayed without a model.

mod replay;

pub use replay::Replay;

use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// Who speaks in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// Instructions.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool.
    Tool,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who speaks.
    pub speaker: Speaker,
    /// What is said.
    pub content: String,
}

/// What a plugin asks of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The granted role.
    pub role: String,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// JSON Schema that the answer must satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_schema: Option<String>,
    /// Most tokens to generate: what the plugin asked for, at most what its budget leaves.
    pub max_tokens: u32,
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
}

/// One call of the import that a model answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// What was asked.
    pub request: Request,
    /// What was answered.
    pub completion: Completion,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// No model is configured for this role; the plugin is told so and goes on.
    #[error("no model is configured for role `{0}`")]
    NoModel(String),
    /// The model could not be reached or gave nothing: nothing is known about the plugin.
    #[error("the model failed: {0}")]
    Failed(String),
    /// A replay was asked something else than the record has.
    #[error("the replay differs from the record: {0}")]
    Differs(String),
}

/// Models by role. A caller hands one to an instance; it answers as long as that instance lives.
pub trait Models: Send {
    /// Answers one request.
    ///
    /// # Errors
    /// Why there is no answer.
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure>;
}

/// Shared, so that its owner can look at it when the instance is gone.
impl<M: Models + ?Sized> Models for Arc<Mutex<M>> {
    fn complete(&mut self, request: &Request) -> Result<Completion, ModelFailure> {
        // What a panic elsewhere left behind is still a list of exchanges or a client.
        self.lock().unwrap_or_else(PoisonError::into_inner).complete(request)
    }
}
