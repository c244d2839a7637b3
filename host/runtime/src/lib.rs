//! Loads, checks, limits and calls Weir's plugins.
//!
//! The way of a component through this crate, each step before the next ([`load`]): size gate, digest, structural
//! pre-scan, validation, what it says of itself, world conformance, import report against grants, limits wanted against
//! those allowed, compilation in a limited child process, compiled cache, link. From then on each rollout gets a fresh store
//! ([`world`]); every fault is a [`Fault`].

pub mod cache;
pub mod capability;
pub mod check;
pub mod compile;
pub mod contract;
pub mod convert;
pub mod engine;
pub mod fault;
pub mod grants;
pub mod limits;
pub mod load;
pub mod meter;
pub mod models;
pub mod state;
mod wasi;
pub mod wit;
pub mod world;

pub use engine::Engines;
pub use fault::{Cause, Fault, Phase};
pub use grants::Grants;
pub use limits::Limits;
pub use load::{Component, Loader};
pub use weir_metadata::{Capability, Kind, Metadata};
