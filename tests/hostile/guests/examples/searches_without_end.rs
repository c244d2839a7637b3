//! A policy that has the host search all that it was shown, without end: it costs the guest next to no fuel.

use weir_plugin::export_policy;
use weir_plugin::host::find;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        loop {
            std::hint::black_box(find("not there", u32::MAX));
        }
    }
}

export_policy!(Hostile);
