//! A policy that fills the disk through its log: its goal says with how many bytes a line.

use weir_plugin::export_policy;
use weir_plugin::host::{Level, log};
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile {
    line: String,
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        Hostile { line: "x".repeat(episode.goal.parse().unwrap_or(0)) }
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        loop {
            log(Level::Info, &self.line);
        }
    }
}

export_policy!(Hostile);
