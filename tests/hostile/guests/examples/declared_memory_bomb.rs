//! A policy that asks for more memory than any may have before its first instruction: a static, zeroed buffer.

use std::sync::atomic::{AtomicU8, Ordering};
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

static BUFFER: [AtomicU8; 80 << 20] = [const { AtomicU8::new(0) }; 80 << 20];

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        let cell = BUFFER.get(proposal.call_id as usize);
        Ok(Decision::block("wrote", format!("{:?}", cell.map(|c| c.fetch_add(1, Ordering::Relaxed)))))
    }
}

export_policy!(Hostile);
