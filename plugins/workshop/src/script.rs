//! Cues for a simulated model (`scenario.script`): what competent agents do, and what agents that obey the injection do.

use crate::world::is_default;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Named arguments, all of them strings.
pub type Arguments = BTreeMap<String, String>;

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
    pub fn call(tool: &str, arguments: &[(&str, &str)]) -> Self {
        Step { tool: Some(tool.into()), arguments: Some(owned(arguments)), ..Step::default() }
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
    pub fn mistaken(&mut self, instead: &[(&str, &str)]) -> &mut Self {
        let mut arguments = self.arguments.clone().unwrap_or_default();
        arguments.extend(owned(instead));
        self.mistaken = Some(arguments);
        self
    }
}

pub(crate) fn owned(pairs: &[(&str, &str)]) -> Arguments {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}
