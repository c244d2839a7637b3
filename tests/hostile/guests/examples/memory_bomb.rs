//! A policy that takes memory, a mebibyte at a time, and never gives it back.

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
            std::mem::forget(std::hint::black_box(Vec::<u8>::with_capacity(1 << 20)));
        }
    }
}

export_policy!(Hostile);
