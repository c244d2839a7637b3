//! Components that attack the host. Each attack ends as one exact fault, and the host goes on: in the same process, with
//! the same engines and loader, the built-in policy `none` still decides.
//!
//! - [`resources`]: fuel, stacks, memory, tables, the log, the transcript
//! - [`answers`]: traps, forged rules and errors, answers that are too large
//! - [`bytes`]: what is no component at all, or hardly one
//! - [`worlds`]: imports and exports that the contract does not have
//! - [`undecodable`]: valid components that no world describes
//! - [`compiling`]: components that are dear to compile
//! - [`models`]: what plugins ask of models: grants, budgets, record and replay
//! - [`reports`]: what a fault report says, and that a guest cannot write in it what it likes
//! - [`rollout`]: whole rollouts, which fail closed
//!
//! Guests in `guests/examples` are constants here, by name. Attacks that Rust cannot express are WebAssembly text that rides
//! on a built-in policy, see [`common::with_rider`], or a world of its own, see [`worlds`].

// A test reports by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

mod answers;
mod bytes;
mod common;
mod compiling;
mod models;
mod reports;
mod resources;
mod rollout;
mod undecodable;
mod worlds;

/// Every guest's test, by the guest's name: a guest without a test does not compile.
mod every_guest_has_a_test {
    #[allow(unused_imports)]
    use crate::{answers::*, reports::*, resources::*};

    macro_rules! tested {
        ($guest:ident) => {
            const _: fn() = $guest;
        };
    }
    for_each_guest!(tested);
}
