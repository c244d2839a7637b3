//! What a plugin asked of a model and what came back: enough to execute the plugin again without the model.

use crate::speaker::Speaker;
use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Price of the call, in millionths of the price file's currency; 0 without a price.
    pub cost_millionths: u64,
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// An answer.
    Completion(Completion),
    /// The model or its server refuses this request whenever it is asked, for example since it is too long; in words.
    Refusal(String),
}

/// One call of the import that came to a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// What was asked.
    pub request: Request,
    /// What came back.
    pub answer: Answer,
}
