//! How a simulated model puts an action into words.

use super::SimulatedModel;
use crate::script::Step;
use serde_json::{Map, Value, json};

/// One action before it is written.
pub(crate) enum Draft<'a> {
    /// A tool call.
    Call { tool: &'a str, arguments: &'a Map<String, Value> },
    /// A message to another agent.
    Message { to: &'a str, text: &'a str },
    /// A final answer.
    Final { text: &'a str },
}

/// A step as an action; a careless agent uses the step's mistaken arguments.
pub(super) fn action(step: &Step, careless: bool) -> Draft<'_> {
    match (&step.tool, &step.message, &step.to) {
        (Some(tool), ..) => {
            let mistaken = step.mistaken.as_ref().filter(|_| careless);
            Draft::Call { tool, arguments: mistaken.unwrap_or(&step.arguments) }
        }
        (None, Some(text), Some(to)) => Draft::Message { to, text },
        _ => last(step.last.as_deref().unwrap_or_default()),
    }
}

/// A final answer.
pub(crate) fn last(text: &str) -> Draft<'_> {
    Draft::Final { text }
}

/// The exact format, broken off before its end: what quoting without escaping comes to.
pub(crate) fn cut_off(action: &Draft<'_>) -> String {
    let mut text = strict(action).to_string();
    text.truncate(text.trim_end_matches(['}', '"']).len());
    text
}

/// The exact format.
pub(crate) fn strict(action: &Draft<'_>) -> Value {
    match action {
        Draft::Call { tool, arguments } => json!({"action": "tool", "tool": tool, "arguments": arguments}),
        Draft::Message { to, text } => json!({"action": "message", "to": to, "text": text}),
        Draft::Final { text } => json!({"action": "final", "text": text}),
    }
}

impl SimulatedModel {
    /// The action as text, as untidy as the profile says.
    pub(super) fn write(&self, action: &Draft<'_>, turn: u32) -> String {
        let format = &self.profile.format;
        let mut left = self.draw("format", u64::from(turn));
        let mut falls = |share: &crate::profile::Parameter<crate::Probability>| {
            left -= f64::from(share.value);
            left < 0.0
        };
        if falls(&format.strict) {
            strict(action).to_string()
        } else if falls(&format.fenced) {
            format!("```json\n{}\n```", strict(action))
        } else if falls(&format.prefixed) {
            format!("Here is my next action.\n{}", strict(action))
        } else if falls(&format.action_alias) {
            match action {
                Draft::Call { tool, arguments } => json!({"action": tool, "arguments": arguments}).to_string(),
                other => strict(other).to_string().replacen("\"action\"", "\"action_type\"", 1),
            }
        } else if falls(&format.argument_alias) {
            match action {
                Draft::Call { tool, arguments } => {
                    json!({"action": "tool", "tool": tool, "action_input": arguments}).to_string()
                }
                other => format!("{}\nThis is all.", strict(other)),
            }
        } else {
            match action {
                Draft::Call { arguments, .. } => json!({"action": "tool", "arguments": arguments}).to_string(),
                Draft::Message { text, .. } => json!({"action": "message", "text": text}).to_string(),
                Draft::Final { .. } => json!({"action": "final"}).to_string(),
            }
        }
    }
}
