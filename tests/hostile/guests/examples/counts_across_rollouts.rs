//! A policy that would spend one allowance over all rollouts: the first three calls of the process are allowed.

use std::sync::atomic::{AtomicU32, Ordering};
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

static CALLS: AtomicU32 = AtomicU32::new(0);

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        let calls = CALLS.fetch_add(1, Ordering::Relaxed);
        Ok(if calls < 3 { Decision::allow() } else { Decision::block("spent", format!("call {calls}")) })
    }
}

export_policy!(Hostile);
