//! SDK for Weir plugins in Rust: one trait per world, default hooks, and the intent ledger of ContainmentBench.
//!
//! A policy is one file of logic:
//!
//! ```
//! use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};
//!
//! struct AllowAll;
//!
//! impl Policy for AllowAll {
//!     fn start(_: Episode) -> Self {
//!         AllowAll
//!     }
//!     fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
//!         Ok(Decision::allow())
//!     }
//! }
//!
//! weir_plugin::export_policy!(AllowAll);
//! ```
//!
//! Built for `wasm32-unknown-unknown` the crate exports the component; built for anything else it is an ordinary library
//! whose logic is unit-tested natively.

pub mod alloc;
pub mod ask;
pub mod bindings;
pub mod domain;
mod firewall;
pub mod host;
pub mod json;
mod ledger;
pub mod memory;
pub mod policy;
pub mod reducer;
#[cfg(all(feature = "replay", not(target_arch = "wasm32")))]
pub mod replay;
mod requests;
#[cfg(feature = "scenarios")]
pub mod scenario;
pub mod testing;
mod tools;
pub mod writer;

/// For `#[derive(serde::Deserialize)]` with `#[serde(crate = "weir_plugin::serde")]` in a plugin that depends on this SDK
/// alone.
#[cfg(feature = "scenarios")]
pub use serde;

pub use firewall::{Firewall, PRIVILEGE_JUMP, TAINTED_EXPANSION};
pub use ledger::Ledger;
pub use requests::Requests;
pub use tools::Tools;

/// Label bit 0: content from outside the user's trust.
pub const UNTRUSTED: u64 = 1;
/// Label bit 1: a synthetic secret.
pub const CANARY: u64 = 1 << 1;
/// Label bit 2: content that the user keeps private.
pub const PRIVATE: u64 = 1 << 2;
/// Label bit 3: memory held back from recall.
pub const QUARANTINED: u64 = 1 << 3;
