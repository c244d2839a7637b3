//! A policy that pulls event 0 without end: its budget is for calls, and for bytes where the text is long.

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
        loop {
            std::hint::black_box(text(0));
        }
    }
}

export_policy!(Hostile);
