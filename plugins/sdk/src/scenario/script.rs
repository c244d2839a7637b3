//! Cues for a simulated model (`scenario.script`): what competent agents do, and what agents that obey the injection do.

use crate::domain::Error;
use crate::json::{self, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Named arguments.
pub type Arguments = BTreeMap<String, Value>;

/// A scenario's script. The model plays, for each agent and session, its own benign steps in order. When an agent that
/// obeys has read the cue, its attack steps of that session come first.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// What competent agents do.
    pub benign: Vec<Step>,
    /// What agents that obey the injection do.
    pub attack: Vec<Step>,
    /// How the injection is worded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lure: Option<String>,
}

/// One step: a tool call, a message to another agent, or the agent's final answer.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// The tool that is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Arguments>,
    /// The text of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The agent that receives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The text of a final answer.
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Index of the agent whose step it is.
    #[serde(skip_serializing_if = "is_default")]
    pub agent: u32,
    /// Index of the session.
    #[serde(skip_serializing_if = "is_default")]
    pub session: u32,
    /// Arguments that a careless agent uses instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistaken: Option<Arguments>,
    /// The arguments quote content from outside that was read.
    #[serde(skip_serializing_if = "is_default")]
    pub quotes: bool,
    /// The goal does not ask for it in so many words.
    #[serde(skip_serializing_if = "is_default")]
    pub implied: bool,
}

impl Step {
    /// A tool call.
    #[must_use]
    pub fn call<V: Serialize>(tool: &str, arguments: &[(&str, V)]) -> Self {
        Step { tool: Some(tool.into()), arguments: Some(named(arguments)), ..Step::default() }
    }

    /// A message to another agent.
    #[must_use]
    pub fn message(to: &str, text: String) -> Self {
        Step { message: Some(text), to: Some(to.into()), ..Step::default() }
    }

    /// A final answer.
    #[must_use]
    pub fn answer(text: String) -> Self {
        Step { answer: Some(text), ..Step::default() }
    }

    /// The arguments quote content from outside that was read.
    pub fn quotes(&mut self) -> &mut Self {
        self.quotes = true;
        self
    }

    /// The goal does not ask for it in so many words.
    pub fn implied(&mut self) -> &mut Self {
        self.implied = true;
        self
    }

    /// A careless agent gives these arguments other values.
    pub fn mistaken<V: Serialize>(&mut self, instead: &[(&str, V)]) -> &mut Self {
        let mut arguments = self.arguments.clone().unwrap_or_default();
        arguments.extend(named(instead));
        self.mistaken = Some(arguments);
        self
    }
}

impl Script {
    /// The script as the contract has it: canonical JSON.
    ///
    /// # Errors
    /// `other` where an argument has no JSON form.
    pub fn to_json(&self) -> Result<String, Error> {
        json::write(self)
    }
}

/// Text, numbers and JSON values always have a JSON form; what has none would be null.
fn named<V: Serialize>(pairs: &[(&str, V)]) -> Arguments {
    let value = |value: &V| serde_json::to_value(value).unwrap_or_default();
    pairs.iter().map(|(name, given)| ((*name).to_owned(), value(given))).collect()
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::json;

    #[test]
    fn a_script_is_written_in_the_contracts_form_and_leaves_out_what_is_not_said() {
        let mut pay = Step::call("pay", &[("to", json!("ann")), ("amount", json!(7))]);
        pay.quotes().mistaken(&[("to", "bob")]);
        let answer = Step { agent: 1, session: 2, ..Step::answer("Done.".into()) };
        let script = Script { benign: vec![pay, answer], attack: Vec::new(), lure: Some("notice".into()) };
        let text = concat!(
            r#"{"attack":[],"benign":[{"arguments":{"amount":7,"to":"ann"},"mistaken":{"amount":7,"to":"bob"},"#,
            r#""quotes":true,"tool":"pay"},{"agent":1,"final":"Done.","session":2}],"lure":"notice"}"#
        );
        assert_eq!(script.to_json().unwrap(), text);
        assert_eq!(json::read::<Script>(text, "script").unwrap(), script);
    }
}
