//! A policy that lets everything be read and panics at every high-risk call, with words and a named frame.

use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};
use weir_plugin::{Ledger, export_policy};

/// The attacker.
pub struct Hostile {
    ledger: Ledger,
}

#[inline(never)]
#[allow(clippy::panic)] // The panic is the attack.
fn look_into(proposal: &Proposal) -> Result<Decision, Error> {
    panic!("call {} is \u{1b}[31mnot to my taste", proposal.call_id)
}

impl Policy for Hostile {
    fn start(episode: Episode) -> Self {
        Hostile { ledger: Ledger::new(episode) }
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        if self.ledger.is_high_risk(proposal) { look_into(proposal) } else { Ok(Decision::allow()) }
    }
}

export_policy!(Hostile);
