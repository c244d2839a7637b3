//! Limits that a plugin can want otherwise than they are by default.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A limit on what a running plugin uses. Limits on reading and compiling it are the operator's alone: they hold before
/// anything that it says is believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    /// Fuel for one policy hook.
    HookFuel,
    /// Fuel for one call of a domain, writer or reducer.
    CallFuel,
    /// Bytes of linear memory.
    MemoryBytes,
    /// Elements of tables.
    TableElements,
    /// Lines written to the log.
    LogLines,
    /// Bytes written to the log.
    LogBytes,
    /// Texts pulled through `transcript`.
    TranscriptCalls,
    /// Bytes pulled through `transcript`.
    TranscriptBytes,
    /// Completions asked through `model`.
    ModelCalls,
    /// Tokens that models read for the plugin.
    ModelInputTokens,
    /// Tokens that models write for the plugin.
    ModelOutputTokens,
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 11] = [
        Limit::HookFuel,
        Limit::CallFuel,
        Limit::MemoryBytes,
        Limit::TableElements,
        Limit::LogLines,
        Limit::LogBytes,
        Limit::TranscriptCalls,
        Limit::TranscriptBytes,
        Limit::ModelCalls,
        Limit::ModelInputTokens,
        Limit::ModelOutputTokens,
    ];

    /// Its name in metadata and in the operator's file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Limit::HookFuel => "hook-fuel",
            Limit::CallFuel => "call-fuel",
            Limit::MemoryBytes => "memory-bytes",
            Limit::TableElements => "table-elements",
            Limit::LogLines => "log-lines",
            Limit::LogBytes => "log-bytes",
            Limit::TranscriptCalls => "transcript-calls",
            Limit::TranscriptBytes => "transcript-bytes",
            Limit::ModelCalls => "model-calls",
            Limit::ModelInputTokens => "model-input-tokens",
            Limit::ModelOutputTokens => "model-output-tokens",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Limit::ALL.map(Limit::name).join(", ");
        let found = Limit::ALL.into_iter().find(|limit| limit.name() == text);
        found.ok_or_else(|| format!("unknown limit `{text}`: a plugin can want {}", known()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_has_one_name_everywhere() {
        for limit in Limit::ALL {
            assert_eq!(serde_json::to_value(limit).unwrap(), limit.name());
            assert_eq!(limit.name().parse(), Ok(limit));
        }
        assert!("component-bytes".parse::<Limit>().unwrap_err().contains("hook-fuel, call-fuel"));
    }
}
