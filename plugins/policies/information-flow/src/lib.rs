//! Information flow, after the ideas of "Securing AI Agents with Information-Flow Control" (Fides, arXiv 2505.23643) and
//! "Defeating Prompt Injections by Design" (CaMeL, arXiv 2503.18813): a call is judged by where each of its arguments comes
//! from and by who would get to read it, and not by what was read before it. Rules and code are this project's own.
//!
//! - Integrity: a value is trusted if the user's own words have it, or a memory that the user stands behind, or if nothing
//!   untrusted or unendorsed had a part in it. What a call is about must be trusted: whom it reaches, what it acts on, who may
//!   see it, how much. What it says need not be, so untrusted content may shape words and decide nothing.
//! - The ledger endorses: recipients and targets that an entry names, and whatever else it has a rule on. That the call is made
//!   at all must be trusted too. An agent that has read nothing untrusted makes it for the user; one that has needs an entry.
//! - Confidentiality: a secret may be read by the user and nobody else, whatever the ledger says. What is private goes to those
//!   whom the call may reach only if an entry speaks of that argument, or if the user had it read: untrusted content does not
//!   decide what is declassified, since agents that have read it could be made to look private things up.
//!
//! Where an entry matches and only an argument that it leaves open is untrusted, the user is asked, and so they are where all
//! that the call names stands in their own words and nothing but the entry is missing. Everything else is blocked.
//!
//! Known limits: a value's origin is found by its text, so a private text that is told in other words is not recognised. A
//! trusted value may have been chosen by untrusted content among several trusted ones; there the ledger decides.

mod call;
mod private;

use call::{Call, Origin};
use private::Private;
use weir_plugin::memory::{Remembered, endorsed, labelled};
use weir_plugin::policy::{Decision, Effect, Endorsement, Episode, Error, Event, Item, Policy, Proposal, Role, Turn};
use weir_plugin::{CANARY, Ledger, Requests, export_policy};

/// What is known of the flows in one rollout.
pub struct InformationFlow {
    ledger: Ledger,
    requests: Requests,
    memory: Remembered,
    private: Private,
}

impl Policy for InformationFlow {
    fn start(episode: Episode) -> Self {
        InformationFlow {
            requests: Requests::new(episode.goal.clone(), episode.taint_vocabulary),
            ledger: Ledger::new(episode),
            memory: Remembered::default(),
            private: Private::default(),
        }
    }

    fn observe(&mut self, events: &[Event]) {
        self.requests.observe(events);
        self.private.observe(events);
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        let call = Call::new(proposal, &self.ledger, &self.requests, &self.memory)?;
        match self.ledger.tools().effect(proposal) {
            Some(Effect::Read) => {
                self.private.reads(proposal, call.is_asked_for());
                return Ok(Decision::allow_by("allow_read", "what is read flows to the agent only"));
            }
            Some(Effect::Draft) => {
                return Ok(Decision::allow_by("allow_draft", "what is drafted flows to the user only"));
            }
            _ => {}
        }
        if let Some(secret) = call.bears(CANARY) {
            return Ok(block("block_secret_flow", call.name(secret), "carries a secret, which only the user may read"));
        }
        if self.ledger.tools().effect(proposal) == Some(Effect::EgressRead) {
            return self.contact(&call);
        }
        if self.ledger.matching(proposal)?.is_some() { self.granted(&call) } else { self.ungranted(&call) }
    }

    /// A memory is as trusted as the turn that establishes its values.
    fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<Vec<Endorsement>, Error> {
        let labels = endorsed(memories, history);
        self.memory = Remembered::new(memories.iter().zip(labels.iter().map(|label| label.authority)));
        Ok(labels)
    }

    /// The memories that are shown are the ones that a call can rest on.
    fn render(&mut self, memories: &[Item]) -> Result<Option<String>, Error> {
        self.memory = Remembered::new(memories.iter().map(|memory| (memory, memory.authority)));
        Ok(Some(labelled(memories)))
    }
}

impl InformationFlow {
    /// A call that an entry matches: action, recipients, targets and rules are endorsed. What is left is what the entry leaves
    /// open, and what would be disclosed.
    fn granted(&self, call: &Call<'_>) -> Result<Decision, Error> {
        let named = |role: Role| matches!(role, Role::Recipient | Role::Target);
        let mut open: Vec<u32> = call.low().filter(|value| !named(value.role)).map(|v| v.argument.parameter).collect();
        let entry = self.ledger.matching_on(call.proposal, &open)?;
        if let (Some(&argument), None) = (open.first(), entry) {
            let why = "is not the user's word, and the ledger leaves it open";
            return Ok(Decision::confirm("confirm_untrusted_argument", format!("`{}` {why}", call.name(argument))));
        }
        let disclosed = self.private.disclosed(call);
        let Some(&private) = disclosed.first() else {
            return Ok(Decision::allow_by("allow_endorsed", "a ledger entry endorses what it decides"));
        };
        open.extend(&disclosed);
        Ok(match self.ledger.matching_on(call.proposal, &open)? {
            Some(_) => Decision::allow_by("allow_declassified", "a ledger entry speaks of what is private in it"),
            None => block("block_private_flow", call.name(private), PRIVATE),
        })
    }

    /// A call that no entry matches: it needs trust of its own.
    fn ungranted(&self, call: &Call<'_>) -> Result<Decision, Error> {
        let untrusted = |role: Role, origin| role != Role::Content && origin == Origin::Untrusted;
        if let Some(argument) = call.first(untrusted) {
            let why = "comes from untrusted content, and the ledger does not endorse it";
            return Ok(block("block_untrusted_argument", call.name(argument), why));
        }
        if let Some(argument) = call.first(|_, origin| origin == Origin::Unendorsed) {
            let why = "rests on a memory that the user does not stand behind";
            return Ok(block("block_unendorsed_memory", call.name(argument), why));
        }
        if self.ledger.boundary(call.proposal)?.is_some() {
            let why = "the ledger grants action and targets, but not with these arguments";
            return Ok(Decision::block("block_argument_beyond_ledger", why));
        }
        if call.is_tainted() {
            return Ok(if call.is_named_by_user() {
                let why =
                    "the user named all that it names, but untrusted content was read and no entry endorses the call";
                Decision::confirm("confirm_untrusted_control", why)
            } else {
                Decision::block("block_untrusted_control", "untrusted content was read and no entry endorses the call")
            });
        }
        if let Some(argument) = call.first(|role, origin| role != Role::Content && origin == Origin::Untraced) {
            let why = "is nobody's word, and the ledger does not endorse it";
            return Ok(block("block_untraced_argument", call.name(argument), why));
        }
        if self.ledger.knows_action(call.proposal) {
            return Ok(Decision::confirm("confirm_beyond_ledger", "the ledger grants this action for others"));
        }
        Ok(self.undisclosed(call, "nothing untrusted had a part in the call or in what it is about"))
    }

    /// A read that contacts an address: whoever runs the address gets to read the request.
    fn contact(&self, call: &Call<'_>) -> Result<Decision, Error> {
        if self.ledger.boundary(call.proposal)?.is_some() {
            return Ok(Decision::allow_by("allow_endorsed", "a ledger entry endorses the address"));
        }
        if let Some(value) = call.low().next() {
            let why = "would be contacted on the word of untrusted content";
            return Ok(block("block_untrusted_argument", call.name(value.argument.parameter), why));
        }
        Ok(self.undisclosed(call, "nothing untrusted had a part in the address"))
    }

    /// A call that is trusted, and that no entry declassifies anything for.
    fn undisclosed(&self, call: &Call<'_>, why: &str) -> Decision {
        match self.private.disclosed(call).first() {
            Some(&private) => block("block_private_flow", call.name(private), PRIVATE),
            None => Decision::allow_by("allow_trusted", why),
        }
    }
}

/// What is said of an argument with something private in it.
const PRIVATE: &str = "carries something private that the user did not have read, and no ledger entry speaks of it";

fn block(rule: &str, argument: &str, why: &str) -> Decision {
    Decision::block(rule, format!("`{argument}` {why}"))
}

export_policy!(InformationFlow);

#[cfg(test)]
mod tests;
