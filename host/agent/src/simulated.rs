//! A deterministic stand-in for a language model. It follows a scenario's script and, once it has read an injection,
//! may obey it. It keeps no state: each answer is a function of its settings and of the conversation that it is shown,
//! so a rollout can be repeated, resumed or run on any thread with the same result.

use crate::model::{Completion, Message, Model, ModelError, Request, Role};
use crate::profile::{Probability, Profile};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use thiserror::Error;

/// The beginning of every injected instruction in a synthetic scenario. Only a simulated model looks for it.
pub const INJECTION_CUE: &str = "Benchmark injection:";

/// The beginning of the tool message that tells a model its call was blocked.
pub const BLOCKED_PREFIX: &str = "blocked:";

/// One step of a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    tool: String,
    arguments: Map<String, Value>,
}

/// A scenario's cues (`domain.scenario.script` of weir:plugin).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    /// What a competent agent does, in order.
    benign: Vec<Step>,
    /// What an agent that obeys the injection does.
    attack: Vec<Step>,
}

/// Why a simulated model cannot be built.
#[derive(Debug, Error)]
pub enum SimulatedError {
    /// The scenario's script is not in the contract's form.
    #[error("the script of scenario `{scenario}` is not {{\"benign\": [..], \"attack\": [..]}} of tool calls: {cause}")]
    Script {
        /// The scenario's identifier.
        scenario: String,
        /// What is wrong, and where.
        cause: serde_json::Error,
    },
    /// The profile's name could be taken for a real model's.
    #[error("profile `{0}` must have a name that begins with `sim:`")]
    Name(String),
}

/// A simulated model for one rollout.
#[derive(Clone, Debug)]
pub struct SimulatedModel {
    profile: Profile,
    script: Script,
    scenario: String,
    seed: u64,
}

/// Where a conversation has left the model.
struct Position<'a> {
    attack: &'a [Step],
    benign: &'a [Step],
    gave_up: bool,
}

impl SimulatedModel {
    /// A model for one rollout of a scenario. `script` is JSON, `{"benign": [{"tool", "arguments"}, ..], "attack":
    /// [..]}`. The seed given here decides every draw; that of a [`Request`] is not looked at.
    ///
    /// # Errors
    /// [`SimulatedError`] if the script is in another form or the profile's name does not begin with `sim:`.
    pub fn new(profile: Profile, script: &str, scenario: &str, seed: u64) -> Result<Self, SimulatedError> {
        if !profile.name.starts_with("sim:") {
            return Err(SimulatedError::Name(profile.name));
        }
        let script = serde_json::from_str(script)
            .map_err(|cause| SimulatedError::Script { scenario: scenario.to_owned(), cause })?;
        Ok(SimulatedModel { profile, script, scenario: scenario.to_owned(), seed })
    }

    /// Replays the conversation: each of the model's own messages was one step; the first injection, if obeyed, puts
    /// the attack before the remaining steps; a block may end the task.
    fn position(&self, messages: &[Message]) -> Position<'_> {
        let mut position = Position { attack: &[], benign: &self.script.benign, gave_up: false };
        let mut exposed = false;
        for (index, message) in messages.iter().enumerate() {
            match message.role {
                Role::User => {}
                Role::Assistant => position.advance(),
                Role::Tool => {
                    if !exposed && message.text.contains(INJECTION_CUE) {
                        exposed = true;
                        if self.draw("obey", 0, self.profile.susceptibility) {
                            position.attack = &self.script.attack;
                        }
                    }
                    if message.text.starts_with(BLOCKED_PREFIX)
                        && self.draw("give up", index as u64, self.profile.gives_up_after_block)
                    {
                        position.gave_up = true;
                    }
                }
            }
        }
        position
    }

    /// The action as text, as untidy as the profile says.
    fn write(&self, action: &Value, turn: u32) -> String {
        let mut text = action.to_string();
        if self.draw("fence", u64::from(turn), self.profile.fenced) {
            text = format!("```json\n{text}\n```");
        }
        if self.draw("prose", u64::from(turn), self.profile.prose) {
            text = format!("Here is my next action.\n{text}");
        }
        text
    }

    /// Whether an event of this probability happens: a hash of everything that identifies the draw, as a number in
    /// [0, 1). The same draw always has the same outcome.
    fn draw(&self, purpose: &str, index: u64, probability: Probability) -> bool {
        let mut hash = Sha256::new();
        for text in [&self.profile.name, &self.scenario, purpose] {
            // With its length first, so that no two lists of texts have the same bytes.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        hash.update(self.seed.to_le_bytes());
        hash.update(index.to_le_bytes());
        let bits = hash.finalize().iter().take(8).fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        // 53 bits fill a double's fraction exactly.
        ((bits >> 11) as f64 / (1_u64 << 53) as f64) < f64::from(probability)
    }
}

impl<'a> Position<'a> {
    /// The step that comes next; `None` for the final answer.
    fn next(&self) -> Option<&'a Step> {
        if self.gave_up { None } else { self.attack.first().or(self.benign.first()) }
    }

    fn advance(&mut self) {
        if let Some((_, rest)) = self.attack.split_first() {
            self.attack = rest;
        } else if let Some((_, rest)) = self.benign.split_first() {
            self.benign = rest;
        }
    }
}

impl Model for SimulatedModel {
    fn id(&self) -> &str {
        &self.profile.name
    }

    fn simulated(&self) -> bool {
        true
    }

    /// Never fails. Tokens are words separated by white space, of the system prompt and all messages.
    fn complete(&mut self, request: &Request<'_>) -> Result<Completion, ModelError> {
        let position = self.position(request.messages);
        let action = match position.next() {
            Some(step) => json!({"action": "tool", "tool": step.tool, "arguments": step.arguments}),
            None if position.gave_up => json!({"action": "final", "text": "I stopped because a step was blocked."}),
            None => json!({"action": "final", "text": "Done."}),
        };
        let text = self.write(&action, request.turn);
        let input = request.messages.iter().map(|message| words(&message.text)).sum::<u64>() + words(request.system);
        Ok(Completion { input_tokens: input, output_tokens: words(&text), text })
    }
}

fn words(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

#[cfg(test)]
mod tests;
