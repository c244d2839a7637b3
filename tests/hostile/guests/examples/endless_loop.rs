//! A policy whose `authorize` never returns.

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
            std::hint::black_box(());
        }
    }
}

export_policy!(Hostile);
