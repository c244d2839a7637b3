//! A policy that panics in the hook that its goal names.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Filtered, Policy, Proposal, Recovery};

/// The attacker.
pub struct Hostile {
    goal: String,
}

impl Hostile {
    fn reach(&self, hook: &str) {
        assert_ne!(self.goal, hook, "the goal names this hook");
    }
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        let hostile = Hostile { goal: episode.goal };
        hostile.reach("constructor");
        hostile
    }

    fn guidance(&mut self) -> Option<String> {
        self.reach("guidance");
        None
    }

    fn filter(&mut self, _: u32) -> Result<Filtered, Error> {
        self.reach("filter");
        Ok(Filtered::Pass)
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        self.reach("authorize");
        Ok(Decision::allow())
    }

    fn precommit(&mut self, _: &Proposal) -> Result<Decision, Error> {
        self.reach("precommit");
        Ok(Decision::allow())
    }

    fn recover(&mut self) -> Result<Vec<Recovery>, Error> {
        self.reach("recover");
        Ok(Vec::new())
    }
}

export_policy!(Hostile);
