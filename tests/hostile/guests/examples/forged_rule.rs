//! A policy whose rule is its goal, whatever that is. The call's number picks the verdict.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Filtered, Policy, Proposal, Reason};

/// The attacker.
pub struct Hostile {
    rule: String,
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        Hostile { rule: episode.goal }
    }

    fn filter(&mut self, _: u32) -> Result<Filtered, Error> {
        Ok(Filtered::Withhold(Reason { rule: self.rule.clone(), message: String::new() }))
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        Ok(match proposal.call_id {
            0 => Decision::allow_by(&self.rule, ""),
            1 => Decision::block(&self.rule, ""),
            _ => Decision::confirm(&self.rule, ""),
        })
    }

    fn precommit(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        self.authorize(proposal)
    }
}

export_policy!(Hostile);
