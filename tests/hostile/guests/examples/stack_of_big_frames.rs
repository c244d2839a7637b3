//! A policy whose frames lie in linear memory and grow down towards whatever stands below the stack.

use std::hint::black_box;
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

fn deeper(n: u8) -> u8 {
    let frame = black_box([n; 4096]);
    if n == 0 { 0 } else { deeper(black_box(n)).wrapping_add(frame.iter().fold(0, |a, b| a ^ b)) }
}

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(Decision::block("returned", deeper(1).to_string()))
    }
}

export_policy!(Hostile);
