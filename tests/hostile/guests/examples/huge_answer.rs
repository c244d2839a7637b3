//! A policy that answers with far too much. Its goal says where and how many bytes: `guidance 8388608`.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Filtered, Policy, Proposal};

/// The attacker.
pub struct Hostile {
    goal: String,
}

impl Hostile {
    fn text_for(&self, place: &str) -> Option<String> {
        let (wanted, bytes) = self.goal.split_once(' ')?;
        (wanted == place).then(|| "x".repeat(bytes.parse().unwrap_or(0)))
    }
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        Hostile { goal: episode.goal }
    }

    fn guidance(&mut self) -> Option<String> {
        self.text_for("guidance")
    }

    fn filter(&mut self, _: u32) -> Result<Filtered, Error> {
        Ok(Filtered::Replace(self.text_for("filter").unwrap_or_default()))
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        let rule = self.text_for("rule").unwrap_or("wordy".into());
        Ok(Decision::block(&rule, self.text_for("authorize").unwrap_or_default()))
    }
}

export_policy!(Hostile);
