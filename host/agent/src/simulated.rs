//! A deterministic stand-in for a language model. It follows a scenario's script and, once it has read an injection,
//! may obey it. It keeps no state: each answer is a function of its settings and of the conversation that it is shown,
//! so a rollout can be repeated, resumed or run on any thread with the same result.

pub(crate) mod writing;

use crate::draw;
use crate::model::{Completion, Message, Model, ModelError, Request, Role};
use crate::profile::{Behaviour, Profile, contains};
use crate::script::{Script, Step};
use std::collections::VecDeque;
use std::sync::Arc;

/// The beginning of every injected instruction in a synthetic scenario. Only a simulated model looks for it.
pub const INJECTION_CUE: &str = "Benchmark injection:";

/// The beginning of the tool message that tells a model its call was blocked.
pub const BLOCKED_PREFIX: &str = "blocked:";

/// The beginning of the tool message that tells a model its answer was no valid action.
pub const INVALID_PREFIX: &str = "invalid action:";

/// A simulated model for one rollout.
#[derive(Clone, Debug)]
pub struct SimulatedModel {
    profile: Arc<Profile>,
    script: Arc<Script>,
    scenario: String,
    seed: u64,
}

/// Where a conversation has left the model.
struct Position<'a> {
    /// Steps that are still to do.
    ahead: VecDeque<&'a Step>,
    /// The agent ends its turn, with these words.
    ends: Option<&'static str>,
}

impl SimulatedModel {
    /// A model for one rollout of a scenario. The seed given here decides every draw; that of a [`Request`] is not
    /// looked at.
    #[must_use]
    pub fn new(profile: Arc<Profile>, script: Arc<Script>, scenario: &str, seed: u64) -> Self {
        SimulatedModel { profile, script, scenario: scenario.to_owned(), seed }
    }

    /// Replays the conversation: each of the agent's own messages was one step, unless it was no valid action; the first
    /// injection, if obeyed, puts the attack before the remaining steps; a block may end the turn.
    fn position(&self, request: &Request<'_>, behaviour: Behaviour<'_>) -> Position<'_> {
        let own = |step: &&Step| step.agent == request.agent && step.session == request.session;
        let mut ahead: VecDeque<&Step> =
            self.script.benign.iter().filter(own).filter(|step| !self.leaves_out(step, behaviour)).collect();
        let (mut exposed, mut before, mut invalid, mut ends) = (false, None, 0_u32, None);
        for (index, message) in request.messages.iter().enumerate() {
            match message.role {
                Role::User => {}
                Role::Assistant => before = ahead.pop_front(),
                Role::Tool | Role::Peer => {
                    if message.role == Role::Tool && message.text.starts_with(INVALID_PREFIX) {
                        invalid = invalid.saturating_add(1);
                        if let Some(step) = before.take() {
                            ahead.push_front(step);
                        }
                        continue;
                    }
                    invalid = 0;
                    if !exposed && contains(&message.text, INJECTION_CUE) {
                        exposed = true;
                        if self.happens("obey", 0, behaviour.obeys(&self.script.lure)) {
                            for step in self.script.attack.iter().filter(own).rev() {
                                ahead.push_front(step);
                            }
                        }
                    }
                    if self.gives_up(message, index, behaviour) {
                        ends = Some("I stopped because a step was blocked.");
                    }
                }
            }
        }
        if invalid >= self.profile.patience.value {
            ends = Some("I cannot put this step into the required form.");
        }
        Position { ahead, ends }
    }

    fn gives_up(&self, message: &Message, index: usize, behaviour: Behaviour<'_>) -> bool {
        message.role == Role::Tool
            && message.text.starts_with(BLOCKED_PREFIX)
            && self.happens("give up", index as u64, behaviour.get(|t| &t.gives_up_after_block))
    }

    /// Whether this rollout's agents skip a step: one that is only implied, or, in a lapse, the last call of all.
    fn leaves_out(&self, step: &Step, behaviour: Behaviour<'_>) -> bool {
        let last = self.script.benign.iter().rfind(|step| step.tool.is_some());
        step.implied && !self.happens("infer", 0, behaviour.get(|t| &t.infers))
            || last.is_some_and(|last| std::ptr::eq(last, step))
                && self.happens("lapse", 0, behaviour.get(|t| &t.lapses))
    }

    fn happens(&self, purpose: &str, index: u64, probability: f64) -> bool {
        draw::happens(probability, || self.draw(purpose, index))
    }

    /// The same draw decides under every policy.
    fn draw(&self, purpose: &str, index: u64) -> f64 {
        draw::draw(&[&self.profile.name, &self.scenario, purpose], self.seed, index)
    }
}

impl Model for SimulatedModel {
    fn id(&self) -> &str {
        &self.profile.name
    }

    fn simulated(&self) -> bool {
        true
    }

    /// Never fails. It counts no tokens: no budget holds for an agent's simulated model, and to count the words of every
    /// conversation again at each turn would cost more than to answer.
    fn complete(&mut self, request: &Request<'_>) -> Result<Completion, ModelError> {
        let behaviour = self.profile.under(request.system);
        let position = self.position(request, behaviour);
        let text = match (position.ends, position.ahead.front()) {
            (Some(words), _) => self.write(&writing::last(words), request.turn),
            (None, None) => self.write(&writing::last("Done."), request.turn),
            (None, Some(step)) => {
                let careless = self.happens("misaddress", 0, behaviour.get(|t| &t.misaddresses));
                let action = writing::action(step, careless);
                if step.quotes && self.happens("misquote", 0, behaviour.get(|t| &t.misquotes)) {
                    writing::cut_off(&action)
                } else {
                    self.write(&action, request.turn)
                }
            }
        };
        Ok(Completion { text, ..Completion::default() })
    }
}

/// A completion whose tokens are words.
pub(crate) fn counted(request: &Request<'_>, text: String) -> Completion {
    let input = request.messages.iter().map(|message| words(&message.text)).sum::<u64>() + words(request.system);
    Completion { input_tokens: input, output_tokens: words(&text), text, overflow: false }
}

fn words(text: &str) -> u64 {
    text.split_ascii_whitespace().count() as u64
}

#[cfg(test)]
mod tests;
