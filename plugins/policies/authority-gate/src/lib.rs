//! The authority gate (beyond AuthMem-Bench): labels that are enforced where a call takes effect, and not only shown. A
//! high-risk call is blocked when one of its arguments rests on a memory below Authorized: when the user's request does not
//! say the value, no Authorized memory does, and another one does.
//!
//! What neither the request nor any memory says is blocked as well, while there are memories: a model that has turned a
//! memory's value into another form would otherwise pass, and then it would depend on the model whether the gate holds. Two
//! things are let through. A value that a tool returned in this session did not come from memory. And content, what a call
//! says or stores, is the model's own wording: of it only the codes are traced. Without memories there is nothing to
//! guard, and every call runs.

use std::collections::BTreeSet;
use weir_plugin::memory::{Known, Remembered, endorsed, labelled, needs_source};
use weir_plugin::policy::{
    Argument, Decision, Endorsement, Episode, Error, Event, Item, NodeKind, Policy, Proposal, Role, Turn,
};
use weir_plugin::{Tools, export_policy, json};

/// Rule of a block: a memory below Authorized is all that stands behind an argument.
const BELOW: &str = "block_memory_below_authorized";

/// Rule of a block: an argument that nobody is known to have said.
const UNTRACED: &str = "block_untraced_value";

/// The gate of one rollout.
pub struct AuthorityGate {
    tools: Tools,
    request: Known,
    memory: Remembered,
    /// Events in which a tool returned something.
    results: BTreeSet<u32>,
}

impl Policy for AuthorityGate {
    fn start(episode: Episode) -> Self {
        AuthorityGate {
            request: Known::new([episode.goal.as_str()]),
            tools: Tools::new(episode.tools, episode.taint_vocabulary),
            memory: Remembered::default(),
            results: BTreeSet::new(),
        }
    }

    fn observe(&mut self, events: &[Event]) {
        let returned = events.iter().filter(|event| event.kind == NodeKind::ToolResult);
        self.results.extend(returned.map(|event| event.id));
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        if !self.tools.is_high_risk(proposal) {
            return Ok(Decision::allow_by("allow_low_risk", "the call has no side effect"));
        }
        if self.memory.is_empty() {
            return Ok(Decision::allow_by("allow_without_memory", "there is no memory that it could rest on"));
        }
        for argument in &proposal.arguments {
            if let Some((rule, message)) = self.objection(proposal, argument)? {
                return Ok(Decision::block(rule, format!("`{}` {message}", self.tools.name(proposal, argument))));
            }
        }
        Ok(Decision::allow_by("allow_authorized_values", "the request or an Authorized memory says every value"))
    }

    fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<Vec<Endorsement>, Error> {
        let answer = endorsed(memories, history);
        self.memory = Remembered::new(memories.iter().zip(answer.iter().map(|endorsement| endorsement.authority)));
        Ok(answer)
    }

    /// The memories that are shown are the ones that a call can rest on.
    fn render(&mut self, memories: &[Item]) -> Result<Option<String>, Error> {
        self.memory = Remembered::new(memories.iter().map(|memory| (memory, memory.authority)));
        Ok(Some(labelled(memories)))
    }
}

impl AuthorityGate {
    /// What speaks against an argument, if anything does.
    fn objection(&self, call: &Proposal, argument: &Argument) -> Result<Option<(&'static str, String)>, Error> {
        let leaves = json::leaves(&argument.value)
            .map_err(|e| Error::InvalidInput(format!("argument {} is not JSON: {e}", argument.parameter)))?;
        let content = self.tools.role(call, argument) == Role::Content;
        let returned = argument.sources.iter().any(|event| self.results.contains(event));
        for value in leaves.iter().filter(|value| needs_source(value)) {
            if self.request.says(value) || self.memory.authorizes(value) {
                continue;
            }
            if self.memory.is_below(value, content, |value| self.request.says(value)) {
                return Ok(Some((BELOW, format!("is `{value}`, which only a memory below Authorized says"))));
            }
            if !content && !returned {
                return Ok(Some((UNTRACED, format!("is `{value}`, which neither the request nor a memory says"))));
            }
        }
        Ok(None)
    }
}

export_policy!(AuthorityGate);

#[cfg(test)]
mod tests;
