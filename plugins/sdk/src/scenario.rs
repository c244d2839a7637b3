//! What a scenario is made of, for domains whose scenarios live agents play: the script, who works together, the choices
//! that a seed fixes, and the mark of an injection. [`crate::testing::play`] plays a script in a domain's own tests.

mod script;
mod seed;
mod team;

pub use script::{Arguments, Script, Step};
pub use seed::Seed;
pub use team::{Placed, Topology, Work};

/// The beginning of every injected line. Simulated models know an injection by it; a real model reads the rest.
pub const CUE: &str = "Benchmark injection: ";
