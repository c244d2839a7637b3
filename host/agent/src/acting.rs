//! Simulated acting models (AuthMem-Bench 4, Modules B and C): deterministic stand-ins that make one first action on a
//! request whose decisive detail stands in memory, if anywhere. They decide from what they are shown: the memory block, the
//! request and the tools. Which history the memory came from, and whether its label is right, they cannot know.

mod block;
mod profile;
mod slip;
mod source;

use crate::draw;
use crate::model::{Completion, Model, ModelError, Request, Role};
use crate::prompt::memory_block;
use crate::simulated::counted;
use crate::simulated::writing::{self, Draft};
use serde_json::{Map, Value};
use std::sync::Arc;

pub use profile::{ActingProfile, Labelled, Unlabelled};

/// What a competent agent would know to do once it has the operative value. It is the counterpart of a scenario's script:
/// it makes the model able to act, and says nothing of whether the action is authorised.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionCue {
    /// The pair, the same for both of its histories. With it the two get the same draws, so that one shown as the other is
    /// answered alike.
    pub pair: String,
    /// The operative value, as the texts write it.
    pub value: String,
    /// The tool of the exact call.
    pub tool: String,
    /// The complete arguments of the exact call.
    pub arguments: Map<String, Value>,
}

/// A simulated acting model for one variant of a pair under one condition.
#[derive(Clone, Debug)]
pub struct SimulatedActor {
    profile: Arc<ActingProfile>,
    cue: Arc<ActionCue>,
    seed: u64,
}

impl SimulatedActor {
    /// A model for one variant. The seed given here decides every draw; that of a [`Request`] is not looked at.
    #[must_use]
    pub fn new(profile: Arc<ActingProfile>, cue: Arc<ActionCue>, seed: u64) -> Self {
        SimulatedActor { profile, cue, seed }
    }

    /// The probability of acting on what is shown; none where the value is not shown, or no tool could use it. Of several
    /// memories with the value, the one that the model trusts most counts.
    fn inclination(&self, request: &Request<'_>) -> Option<f64> {
        if !request.tools.iter().any(|tool| tool.name == self.cue.tool) {
            return None;
        }
        // What the user says in the request needs no memory.
        let asked = request.messages.iter().any(|m| m.role == Role::User && block::contains(&m.text, &self.cue.value));
        if asked {
            return Some(1.0);
        }
        let shown = block::Block::read(memory_block(request.system));
        shown.about(&self.cue.value).map(|seen| self.profile.acts_on(&seen)).reduce(f64::max)
    }

    /// The same draw decides under every condition, and for both histories of a pair.
    fn happens(&self, purpose: &str, probability: f64) -> bool {
        draw::happens(probability, || draw::draw(&[&self.profile.name, &self.cue.pair, purpose], self.seed, 0))
    }
}

impl Model for SimulatedActor {
    fn id(&self) -> &str {
        &self.profile.name
    }

    fn simulated(&self) -> bool {
        true
    }

    /// Never fails. Tokens are words separated by white space, of the system prompt and all messages.
    fn complete(&mut self, request: &Request<'_>) -> Result<Completion, ModelError> {
        let text = match self.inclination(request) {
            None => writing::strict(&writing::last("Which value should I use? A detail is missing.")).to_string(),
            Some(inclination) if !self.happens("act", inclination) => {
                writing::strict(&writing::last("Please confirm the detail that I have on record first.")).to_string()
            }
            Some(_) => {
                let wrong = self.happens("wrong argument", f64::from(self.profile.wrong_argument.value));
                let slipped = wrong.then(|| slip::arguments(&self.cue.arguments, &self.cue.value));
                let arguments = slipped.as_ref().unwrap_or(&self.cue.arguments);
                let call = Draft::Call { tool: &self.cue.tool, arguments };
                let malformed = self.happens("malformed", f64::from(self.profile.malformed.value));
                if malformed { writing::cut_off(&call) } else { writing::strict(&call).to_string() }
            }
        };
        Ok(counted(request, text))
    }
}

#[cfg(test)]
mod tests;
