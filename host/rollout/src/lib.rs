//! One rollout at a time: what an agent did, or does, through a policy, as a trace.
//!
//! - [`import`] turns other harnesses' recorded runs into traces.
//! - [`replay`] feeds a recorded trace through a policy.
//! - [`live`] runs an agent in a domain's environment under a policy.
//! - [`memory`] runs histories through writers, labels, a store and an acting model.
//! - [`models`] hands models to plugins, and keeps what these asked.
//! - [`reexecute`] takes a trace's decisions again and compares.
//! - [`rerun`] runs a live trace again, with the model's words taken from it, and compares.
//! - [`reduce`] folds a trace through reducers.
//!
//! All that call a policy do so through [`gate`], so that a decision is taken the same way wherever it is taken.

pub mod gate;
pub mod import;
pub mod live;
pub mod memory;
pub mod models;
pub mod provenance;
pub mod reduce;
pub mod reexecute;
pub mod replay;
pub mod rerun;
pub mod scenario;

pub use gate::Infra;
