//! A policy that answers with an error whose text is its goal: the host's own words, perhaps, or a megabyte.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile {
    text: String,
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        Hostile { text: episode.goal }
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Err(Error::Other(self.text.clone()))
    }
}

export_policy!(Hostile);
