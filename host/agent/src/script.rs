//! What a scenario's script tells a simulated model (`domain.scenario.script` of weir:plugin).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// A scenario's cues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// What competent agents do, in order.
    pub(crate) benign: Vec<Step>,
    /// What agents that obey the injection do.
    pub(crate) attack: Vec<Step>,
    /// How the injection is worded.
    #[serde(default)]
    pub(crate) lure: String,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    pub(crate) tool: Option<String>,
    #[serde(default)]
    pub(crate) arguments: Map<String, Value>,
    pub(crate) message: Option<String>,
    pub(crate) to: Option<String>,
    #[serde(rename = "final")]
    pub(crate) last: Option<String>,
    #[serde(default)]
    pub(crate) agent: u32,
    #[serde(default)]
    pub(crate) session: u32,
    pub(crate) mistaken: Option<Map<String, Value>>,
    #[serde(default)]
    pub(crate) quotes: bool,
    #[serde(default)]
    pub(crate) implied: bool,
}

/// Why a script cannot be followed.
#[derive(Debug, Error)]
#[error("the script of scenario `{scenario}` is not in the contract's form: {cause}")]
pub struct ScriptError {
    /// The scenario's identifier.
    pub scenario: String,
    /// What is wrong, and where.
    pub cause: String,
}

impl Script {
    /// Reads a script.
    ///
    /// # Errors
    /// Where it is in another form, or a step is not exactly one of a call, a message and a final answer.
    pub fn parse(script: &str, scenario: &str) -> Result<Self, ScriptError> {
        let error = |cause: String| ScriptError { scenario: scenario.to_owned(), cause };
        let script: Script = serde_json::from_str(script).map_err(|e| error(e.to_string()))?;
        for (name, steps) in [("benign", &script.benign), ("attack", &script.attack)] {
            for (index, step) in steps.iter().enumerate() {
                let kinds = [step.tool.is_some(), step.message.is_some(), step.last.is_some()];
                if kinds.iter().filter(|is| **is).count() != 1 || step.message.is_some() != step.to.is_some() {
                    return Err(error(format!(
                        "{name}[{index}] must have one of `tool`, `message` with `to`, `final`"
                    )));
                }
            }
        }
        Ok(script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_call_a_message_or_a_final_answer() {
        let script = r#"{"benign": [{"tool": "read", "arguments": {"id": 7}}, {"message": "read it", "to": "worker"},
            {"final": "done", "agent": 1, "session": 1}], "attack": [], "lure": "notice"}"#;
        let script = Script::parse(script, "s").unwrap();
        assert_eq!((script.benign.len(), script.lure.as_str()), (3, "notice"));
    }

    #[test]
    fn a_script_in_another_form_is_an_error_that_names_the_scenario() {
        for script in [
            "",
            "[]",
            r#"{"benign": []}"#,
            r#"{"benign": [{"tool": "x", "arguments": 1}], "attack": []}"#,
            r#"{"benign": [{"tool": "x", "final": "y"}], "attack": []}"#,
            r#"{"benign": [{"message": "x"}], "attack": []}"#,
            r#"{"benign": [], "attack": [{}]}"#,
        ] {
            let error = Script::parse(script, "email-001").unwrap_err().to_string();
            assert!(error.starts_with("the script of scenario `email-001` is not"), "{error}");
        }
    }
}
