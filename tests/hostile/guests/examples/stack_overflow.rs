//! A policy whose recursion has no end; its small frames are on the engine's stack, not in linear memory.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

/// Calls itself inside its own argument, so that no compiler makes a loop of it.
fn deeper(n: u64) -> u64 {
    if n == 0 { 0 } else { deeper(deeper(n.wrapping_add(1)) | 1) }
}

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        Ok(Decision::block("returned", deeper(proposal.labels | 1).to_string()))
    }
}

export_policy!(Hostile);
