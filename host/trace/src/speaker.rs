//! Who speaks: in a chat with a model and in a role-labelled history alike.

use serde::{Deserialize, Serialize};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// The operator's instructions.
    System,
    /// The user, or whoever stands in the user's place.
    User,
    /// The agent: the model.
    Assistant,
    /// A tool's result.
    Tool,
}
