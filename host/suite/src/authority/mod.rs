//! Authority suites: what memory writers keep, and what agents do with it (AuthMem-Bench). `weir run authmem` is one.
//!
//! A run of such a suite is a folder like every other run's. Its units are those of Module A (each history with each writer),
//! B (each history with each condition and acting model) and C (each history with each writer, arm and acting model).

mod cases;
mod cut;
mod run;
mod setup;
mod suite_file;
mod written;

pub use cases::BASES;
pub(crate) use cut::{cut, published, shared};
pub use run::{Prepared, prepare};
pub use suite_file::{AuthoritySuite, KIND, MethodName};
