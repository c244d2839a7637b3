//! A policy that waits for a year by looking at the clock.

use std::time::{Duration, Instant};
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        let before = Instant::now();
        while before.elapsed() < Duration::from_secs(365 * 24 * 60 * 60) {}
        Ok(Decision::allow())
    }
}

export_policy!(Hostile, allocator = default);
