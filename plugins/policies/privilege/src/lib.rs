//! Privileges, after the idea of "Progent: Programmable Privilege Control for LLM Agents" (arXiv 2504.11703): rules over a
//! call's tool and arguments, written down beforehand, decide deterministically what may run, what needs the user's
//! confirmation and what is forbidden; whatever no rule grants is forbidden. The language of the rules and the rules
//! themselves are this project's own: `rules.toml`, read and checked when the crate is built.
//!
//! Rules speak of what the contract says of any domain, a tool's effect and a parameter's role, and not of one domain's
//! names. As in Progent they fit themselves to the task, but no model is asked for that: a rule may depend on the ledger and on
//! what the user has said so far. The user's words narrow the ledger, so that an entry which should not be there grants
//! less, and widen it as far as a question to the user, so that one which is missing costs a question and not the work. Nothing
//! that an agent reads changes a privilege.
//!
//! Known limits: privileges have no provenance. Who brought an argument that the ledger leaves open makes no difference, and
//! what a text says is looked at for the names of credentials only.

mod call;
mod rule;
mod words;

use call::Call;
use rule::Rules;
use weir_plugin::policy::{Decision, Episode, Error, Event, Policy, Proposal};
use weir_plugin::{Ledger, Requests, export_policy};
use words::{Found, Words};

/// The rules of `rules.toml`.
static RULES: Rules = {
    use rule::{Argument, Effect, Granted, Named, Risk, Rule, Task, Test, Which, Within};
    use weir_plugin::policy::{Effect as Kind, Role};
    include!(concat!(env!("OUT_DIR"), "/rules.rs"))
};

/// The privileges of one rollout.
pub struct Privilege {
    ledger: Ledger,
    /// The tools' names in lower case, in the episode's order.
    tools: Vec<String>,
    requests: Requests,
    /// What is known of the user's words.
    found: Found,
}

impl Policy for Privilege {
    fn start(episode: Episode) -> Self {
        Privilege {
            tools: episode.tools.iter().map(|tool| tool.name.to_lowercase()).collect(),
            requests: Requests::new(episode.goal.clone(), episode.taint_vocabulary),
            ledger: Ledger::new(episode),
            found: Found::default(),
        }
    }

    fn observe(&mut self, events: &[Event]) {
        self.requests.observe(events);
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        let words = Words::new(&self.requests, &self.ledger, proposal.event, &mut self.found);
        let index = usize::try_from(proposal.tool).ok();
        let tool = index.and_then(|index| self.tools.get(index)).map_or("", String::as_str);
        RULES.decide(&mut Call::new(proposal, tool, &self.ledger, words)?)
    }
}

export_policy!(Privilege);

#[cfg(test)]
#[path = "../rules_file.rs"]
mod rules_file;
#[cfg(test)]
mod tests;
