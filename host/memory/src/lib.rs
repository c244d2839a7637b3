//! AuthMem-Bench's records (paper sections 3 and 4): role-labelled histories, paired variants of them with gold labels and
//! predicates, the checks that every set of pairs must pass, the judge of what a writer kept, and the predicate on what an
//! agent did. Pure data and rules: no plugin, no file, no model.

pub mod authority;
pub mod facts;
pub mod history;
pub mod variant;

pub use authority::Authority;
pub use facts::Facts;
pub use history::{History, Speaker, Turn};
pub use variant::{Partition, Side, Variant};
