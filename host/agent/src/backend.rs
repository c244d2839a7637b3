//! What stands behind a real model: a server, weights in this process, or a record of either. All of them answer the same
//! [`Ask`], whose digest is the address of its [`Reply`] in a cassette.

use crate::model::ModelError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

pub use weir_trace::Speaker;

/// How a model is asked for an action. Whatever the mode, [`crate::parse`] reads the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ActionMode {
    /// Tools go in the request and calls come back in `tool_calls`.
    Native,
    /// The answer must satisfy a JSON Schema of the action format (`response_format`).
    Schema,
    /// The prompt describes the format; the answer is whatever text comes.
    Text,
}

impl ActionMode {
    /// All, in the order in which a probe prefers them.
    pub const ALL: [ActionMode; 3] = [ActionMode::Native, ActionMode::Schema, ActionMode::Text];

    /// Its name in flags and manifests.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ActionMode::Native => "native",
            ActionMode::Schema => "schema",
            ActionMode::Text => "text",
        }
    }
}

/// A tool call in a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatCall {
    /// The call's identifier within the chat.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them: JSON, if it kept to its interface.
    pub arguments: String,
}

/// One message of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatMessage {
    /// Who speaks.
    pub role: Speaker,
    /// What is said.
    pub content: String,
    /// Calls that the assistant made, in native mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ChatCall>,
    /// For a tool's message: the call that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call_id: Option<String>,
}

impl ChatMessage {
    /// A message of words alone.
    pub fn new(role: Speaker, content: impl Into<String>) -> Self {
        ChatMessage { role, content: content.into(), calls: Vec::new(), call_id: None }
    }
}

/// A tool that the model may call natively.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatTool {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its arguments: an object.
    pub parameters: Value,
}

/// What a model is asked. Two asks that are equal have the same answer in a cassette, whoever asks: under the same seed, two
/// policies that have shown an agent the same words get the same next words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// The chat so far, oldest first.
    pub messages: Vec<ChatMessage>,
    /// Tools, in native mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ChatTool>,
    /// JSON Schema that the answer must satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Most tokens to write.
    pub max_tokens: u32,
    /// Sampling temperature; 0 is greedy.
    pub temperature: f64,
    /// The rollout's seed. Not every server takes one; it tells samples apart all the same.
    pub seed: u64,
    /// How often the same rollout has asked this before.
    pub ordinal: u32,
    /// 0, or the number of the repetition where a run measures its own noise.
    pub repeat: u32,
}

/// The end of a [`Reply`] without words: the conversation is longer than the model's context, so that asking again cannot
/// help. It is an answer and no error: whoever has the same conversation with this model always comes to this point.
const CONTEXT_OVERFLOW: &str = "context_overflow";

impl Reply {
    /// The reply to a conversation that is too long.
    #[must_use]
    pub fn overflow() -> Self {
        Reply { finish: CONTEXT_OVERFLOW.into(), ..Reply::default() }
    }

    /// Whether the conversation was too long.
    #[must_use]
    pub fn is_overflow(&self) -> bool {
        self.finish == CONTEXT_OVERFLOW
    }
}

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reply {
    /// The text; empty where there are only calls.
    pub text: String,
    /// Calls, in native mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ChatCall>,
    /// Why it ended, in the server's word: `stop`, `length`, `tool_calls`, `content_filter`; or see [`Reply::overflow`].
    pub finish: String,
    /// Tokens read, as the server counts them.
    pub input_tokens: u64,
    /// Tokens written, as the server counts them.
    pub output_tokens: u64,
    /// The model's name as the server gives it, where it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_by: Option<String>,
    /// The server's own fingerprint of its configuration, where it gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// Which model it is, for manifests: all that its answers depend on, as far as can be known, and no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The name under which results are reported, for example `openai-api/vllm/qwen2.5-7b`.
    pub name: String,
    /// What else tells it apart: base URL, weights' SHA-256, whether it takes a seed.
    pub details: BTreeMap<String, String>,
}

/// What has been asked and spent so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Answered asks, those from a record not counted.
    pub answered: u64,
    /// Attempts that were made again.
    pub retried: u64,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Money, in the price file's currency; none without a price file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Asks under way, and how many may be.
    pub in_flight: u32,
    /// How many asks may be under way.
    pub limit: u32,
    /// What is being waited for beside answers, in words: a back-off and its reason. None where nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<String>,
}

/// A model that can be asked by several threads at once.
pub trait Backend: Send + Sync {
    /// Which model it is.
    fn identity(&self) -> &Identity;

    /// Asks, and waits for the answer; retries are its own business.
    ///
    /// # Errors
    /// [`ModelError`] if there is no answer.
    fn ask(&self, ask: &Ask) -> Result<Reply, ModelError>;

    /// What has been spent so far.
    fn usage(&self) -> Usage;
}
