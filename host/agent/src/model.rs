//! What a rollout asks of a model.

use thiserror::Error;

/// A model that answers one turn at a time. Its answers are text; [`crate::parse`] reads them, for every model alike.
pub trait Model {
    /// The name under which results are reported.
    fn id(&self) -> &str;

    /// Whether no language model stands behind it. Reports say so wherever they show its numbers.
    fn simulated(&self) -> bool;

    /// Answers a request.
    ///
    /// # Errors
    /// [`ModelError`] if there is no answer. A bad answer is an answer: the parser's business.
    fn complete(&mut self, request: &Request<'_>) -> Result<Completion, ModelError>;
}

/// One turn's request.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The system prompt.
    pub system: &'a str,
    /// The conversation so far, oldest first.
    pub messages: &'a [Message],
    /// Tools that the agent may call.
    pub tools: &'a [ToolSpec],
    /// Agents of the team to which this one may write; empty where it works alone.
    pub recipients: &'a [String],
    /// The rollout's seed, for models that take one.
    pub seed: u64,
    /// The turn's number within the rollout, from 0.
    pub turn: u32,
    /// Which of the rollout's agents answers, from 0.
    pub agent: u32,
    /// Which session of the rollout this is, from 0. Each session begins with an empty conversation.
    pub session: u32,
}

/// Who a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The user.
    User,
    /// Another agent.
    Peer,
    /// The model itself, in an earlier turn.
    Assistant,
    /// A tool, or the host in its place.
    Tool,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// What it says.
    pub text: String,
}

impl Message {
    /// A message.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Message { role, text: text.into() }
    }
}

/// A tool, as a model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// In the order of its schema.
    pub parameters: Vec<ParameterSpec>,
}

impl AsRef<str> for ToolSpec {
    /// The name, by which [`crate::parse`] knows a tool.
    fn as_ref(&self) -> &str {
        &self.name
    }
}

/// A parameter of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterSpec {
    /// Its name.
    pub name: String,
    /// Whether a call without it is invalid.
    pub required: bool,
    /// JSON Schema of its value, as compact text.
    pub schema: String,
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// The conversation is longer than the model's context, so that there is no text: it has come to its end.
    pub overflow: bool,
    /// Tokens read, as the model counts them.
    pub input_tokens: u64,
    /// Tokens written, as the model counts them.
    pub output_tokens: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelError {
    /// The model could not be reached or gave up; asking again may help.
    #[error("model `{model}` is unavailable: {detail}")]
    Unavailable {
        /// The model's name.
        model: String,
        /// What happened.
        detail: String,
    },
    /// The model or its server refuses this request; asking again will not help.
    #[error("model `{model}` rejects the request: {detail}")]
    Rejected {
        /// The model's name.
        model: String,
        /// What it said.
        detail: String,
    },
    /// The server's answer is not in the form that its interface promises.
    #[error("model `{model}` answers in an unknown form: {detail}")]
    Protocol {
        /// The model's name.
        model: String,
        /// What is wrong.
        detail: String,
    },
    /// A token or call budget of the run is used up.
    #[error("the budget for model `{model}` is used up: {detail}")]
    BudgetExceeded {
        /// The model's name.
        model: String,
        /// Which budget.
        detail: String,
    },
}

impl ModelError {
    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self, ModelError::Unavailable { .. })
    }
}
