//! A policy that panics at every proposal, with words and two named frames.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

struct Hostile;

#[inline(never)]
fn look_into(proposal: &Proposal) -> Result<Decision, Error> {
    panic!("call {} is \u{1b}[31mnot to my taste", proposal.call_id)
}

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, proposal: &Proposal) -> Result<Decision, Error> {
        look_into(proposal)
    }
}

export_policy!(Hostile);
