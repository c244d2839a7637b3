//! The report of an authority suite (AuthMem-Bench): what writers keep, what agents do with it, and what labels are worth.
//!
//! Rows are read once, into a few bytes each ([`gather`]); every table is a function of one stage of them ([`study`]). The
//! paper's pairs and any other stage are never pooled.

mod error;
mod figures;
mod gather;
mod grid;
mod labels;
mod ledger;
mod names;
mod rates;
mod report;
mod study;
mod tables;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use error::{GatherError, Place};
pub use gather::{Group, Writer};
pub use rates::{Acted, Difference, Sides, Wrote};
pub use report::{AuthorityReport, Choices, Rows};
pub use tables::acting::ActingRow;
pub use tables::labels::LabelRow;
pub use tables::pipeline::PipelineRow;
pub use tables::writing::WritingRow;
