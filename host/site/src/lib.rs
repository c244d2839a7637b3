//! A leaderboard or a run as a site: static files that open from disk and from any static host, and a server on loopback.
//!
//! [`build()`] reads each run once and hands files to a [`Sink`]: a [`Folder`], or [`Memory`] to be served at once. What the
//! files hold is documented where they are read, in `web/src/data.ts`. Every estimate is the report's
//! ([`weir_report::board`]); every trace is its run's frame, to the byte.

mod authority;
mod build;
mod containment;
mod contract;
mod folder;
mod frames;
pub mod given;
mod id;
pub mod input;
mod plugins;
mod rows;
pub mod script;
pub mod serve;
mod sink;

pub use build::build;
pub use contract::FORMAT;
pub use folder::{Folder, MARKER, Written, is_site};
pub use sink::{Memory, Place, Sink};
