//! A policy that sleeps for a hundred years, and then says how long it slept.

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
        std::thread::sleep(Duration::from_secs(100 * 365 * 24 * 60 * 60));
        let days = before.elapsed().as_secs() / (24 * 60 * 60);
        Ok(Decision::block("slept", format!("{days} days")))
    }
}

export_policy!(Hostile, allocator = default);
