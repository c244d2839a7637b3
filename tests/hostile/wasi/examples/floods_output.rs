//! A policy that writes to standard output and error without end.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        loop {
            println!("{}", "x".repeat(1_000));
            eprintln!("{}", "y".repeat(1_000));
        }
    }
}

export_policy!(Hostile, allocator = default);
