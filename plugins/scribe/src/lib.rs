//! What memory writers have in common.
//!
//! Each writer emulates one system's objective: what it selects, how it words a memory, and how it updates what it has. Its
//! rules read and write through these steps, all of them deterministic:
//!
//! 1. [`sight`]: which turns the system shows to its writer, and under whose name;
//! 2. [`clause`] and [`flatten`]: turns to clauses, a tool's JSON to prose and to `field is value`;
//! 3. [`claim`]: clauses that say something worth keeping: with a value ([`value`]) or a wish of the user's, tagged with
//!    their modality ([`lexicon`]), how lasting they are and what they are about;
//! 4. [`person`], [`source`] and [`wash`]: wording, from "my" to "the user's", without or with the source;
//! 5. [`store`]: updates against the memories that exist, and the cap.
//!
//! The lexicons are ordinary English of customer service. Nothing here knows the benchmark's pairs: no word of theirs, no
//! position in a history, no tool's name.
//!
//! The method `model` asks a model once, with the writer's own instructions ([`model`]).

pub mod claim;
pub mod clause;
pub mod flatten;
pub mod lexicon;
pub mod marks;
pub mod model;
pub mod objective;
pub mod person;
pub mod sight;
pub mod source;
pub mod store;
pub mod testing;
pub mod value;
pub mod wash;

pub use claim::{Claim, Durability, Slot};
pub use objective::Objective;
pub use sight::{Line, Native, Voice};
pub use store::{Draft, Store};
