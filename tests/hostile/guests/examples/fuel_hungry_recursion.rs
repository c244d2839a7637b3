//! A policy that ends one day: its recursion is shallow, but its work doubles with every level.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

fn fibonacci(n: u64) -> u64 {
    if n < 2 { n } else { fibonacci(n - 1).wrapping_add(fibonacci(n - 2)) }
}

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(Decision::block("counted", fibonacci(std::hint::black_box(90)).to_string()))
    }
}

export_policy!(Hostile);
