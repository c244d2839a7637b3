//! Many rollouts: which ones, in what order, kept where, and checked how.
//!
//! A run is a folder ([`store`]). Its plan lists units in order; results and traces are appended in that order, whatever
//! the number of threads; what is left to do is plan minus results. So the same command again resumes, and two complete
//! runs are equal byte for byte.

mod again;
pub mod authority;
pub mod bases;
pub mod bench;
pub mod case_file;
pub mod cases;
pub mod check;
pub mod cut;
mod error;
pub mod executor;
mod frozen;
mod grid;
pub mod input;
pub mod live;
pub mod manifest;
pub mod models;
mod names;
pub mod noise;
pub mod perturb;
pub mod plan;
pub mod plugins;
pub mod published;
pub mod replay;
pub mod row;
mod sample;
pub mod share;
pub mod store;
pub mod suite_file;
pub mod verify;

pub use error::Error;
pub use executor::{Progress, Settings};
pub use manifest::Manifest;
pub use plugins::Plugins;
pub use row::{RecordedFacts, Row};
