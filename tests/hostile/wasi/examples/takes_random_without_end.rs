//! A policy that has the host make random numbers, which costs the guest next to nothing.

use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

mod system {
    #![allow(missing_docs, unsafe_code, clippy::all, clippy::pedantic, clippy::restriction)]
    wit_bindgen::generate!({
        generate_all,
        inline: "
            package hostile:random;
            world extra { import wasi:random/random@0.2.6; }
            package wasi:random@0.2.6 {
                interface random {
                    get-random-bytes: func(len: u64) -> list<u8>;
                    get-random-u64: func() -> u64;
                }
            }
        ",
    });
}

/// The attacker.
pub struct Hostile;

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        loop {
            std::hint::black_box(system::wasi::random::random::get_random_bytes(64 << 10));
        }
    }
}

export_policy!(Hostile, allocator = default);
