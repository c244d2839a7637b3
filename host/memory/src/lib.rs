//! AuthMem-Bench's records (paper sections 3 and 4): role-labelled histories, paired variants of them with gold labels and
//! predicates, the checks that every set of pairs must pass, the judge of what a writer kept, and the predicate on what an
//! agent did. Pure data and rules: no plugin, no file, no model.
//!
//! - [`checks`] are the eleven mechanical checks of pairs.
//! - [`judge`] tells what a writer made of a proposition.
//! - [`predicate`] tells whether an action is the registered one.
//! - [`partition`] splits bases into validation, held-out and main.
//! - [`scores`] turns counts into the paper's metrics.
//! - [`text`] and [`schema`] are what these share: when a text contains a value, and when arguments fit a tool.

pub mod authority;
pub mod checks;
pub mod facts;
pub mod history;
pub mod judge;
pub mod partition;
pub mod predicate;
pub mod schema;
pub mod scores;
pub mod text;
pub mod variant;

#[cfg(test)]
mod samples;

pub use authority::Authority;
pub use facts::Facts;
pub use history::{History, Speaker, Turn};
pub use variant::{Partition, Side, Variant};
