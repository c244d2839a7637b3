//! Components that attack the host. Each attack ends as one exact fault, and the host goes on: in the same process, with
//! the same engines and loader, the built-in policy `none` still decides.
//!
//! [`registry`] lists them all, each with the end that it must come to.
//!
//! - [`resources`]: fuel, stacks, memory, tables, the log, the transcript
//! - [`answers`]: traps, forged rules and errors, answers that are too large
//! - [`lies`]: what domains, writers and reducers answer
//! - [`forged`]: what breaks the canonical ABI: handles, pointers, lengths, discriminants; loops where no call is
//! - [`bytes`]: what is no component at all, or hardly one
//! - [`worlds`]: imports and exports that the contract does not have
//! - [`undecodable`]: valid components that no world describes
//! - [`proposals`]: WebAssembly that plugins may not use
//! - [`compiling`]: components that are dear to compile
//! - [`probe`]: guests that try all they can, with WASI and without, and report what they got
//! - [`models`]: what plugins ask of models: grants, budgets, record and replay
//! - [`reports`]: what a fault report says, and that a guest cannot write in it what it likes
//! - [`terminal`]: what becomes of a plugin's words where commands print them
//! - [`rollout`]: whole rollouts, which fail closed
//!
//! Guests in `guests/examples`, and those with WASI in `wasi/examples`, are constants here, by name. Attacks that Rust cannot
//! express are WebAssembly text that rides on a built-in policy, see [`common::with_rider`], a policy written by hand, see
//! [`forge`], or a world of its own, see [`worlds`].

// A test reports by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

mod answers;
mod bytes;
mod common;
mod compiling;
#[path = "../contract.rs"]
mod contract;
mod forge;
mod forged;
mod lies;
mod models;
mod probe;
mod proposals;
mod registry;
mod reports;
mod resources;
mod rollout;
mod terminal;
mod undecodable;
mod worlds;

/// Every guest's test, by the guest's name: a guest without a test does not compile.
mod every_guest_has_a_test {
    #[allow(unused_imports)]
    use crate::{answers::*, lies::*, models::*, probe::*, reports::*, resources::*, terminal::*};

    macro_rules! tested {
        ($guest:ident) => {
            const _: fn() = $guest;
        };
    }
    for_each_guest!(tested);
}
