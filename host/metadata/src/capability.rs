//! What a plugin may be allowed to use.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Something that a plugin may be allowed to use.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Capability {
    /// Lines for the audit log.
    Log,
    /// Texts of the events it was shown.
    Transcript,
    /// Completions, in a named role.
    Model(String),
}

impl TryFrom<String> for Capability {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.as_str() {
            "log" => Ok(Capability::Log),
            "transcript" => Ok(Capability::Transcript),
            other => match other.strip_prefix("model:") {
                Some(role) if !role.is_empty() => Ok(Capability::Model(role.into())),
                _ => Err(format!("unknown capability `{other}`: expected `log`, `transcript` or `model:ROLE`")),
            },
        }
    }
}

impl std::str::FromStr for Capability {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Capability::try_from(text.to_owned())
    }
}

impl From<Capability> for String {
    fn from(capability: Capability) -> Self {
        capability.to_string()
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Capability::Log => f.write_str("log"),
            Capability::Transcript => f.write_str("transcript"),
            Capability::Model(role) => write!(f, "model:{role}"),
        }
    }
}
