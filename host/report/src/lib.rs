//! Tables from results: aggregation first, into plain records that `--json` prints; then one rendering for terminal and page.
//!
//! A table never hides its denominator, prints what does not apply as N/A, and says of a comparison without enough events
//! that it is not discriminative.

pub mod authority;
pub mod board;
pub mod cases;
pub mod collect;
mod estimate;
pub mod figures;
mod gallery;
pub mod html;
mod ledger;
mod names;
mod outcome;
pub mod own;
pub mod page;
pub mod qualification;
pub mod render;
pub mod replay_table;
mod report;
pub mod stage_table;
mod table;
mod tables;
#[cfg(test)]
mod testing;
mod view;

pub use estimate::Estimate;
pub use ledger::{Demanded, Entry, Holding, Verdict};
pub use outcome::{Outcome, has_invalid_action};
pub use report::{Beside, Report};
