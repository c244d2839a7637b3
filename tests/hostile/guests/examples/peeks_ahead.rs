//! A policy that asks for the text of events that it was not shown; it blocks with all that it got.

use weir_plugin::export_policy;
use weir_plugin::host::text;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        let seen: Vec<String> = (0..100).chain(u32::MAX - 100..=u32::MAX).filter_map(text).collect();
        Ok(Decision::block("peeked", seen.join("|")))
    }
}

export_policy!(Hostile);
