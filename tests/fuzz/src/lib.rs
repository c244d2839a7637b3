//! What is fuzzed: one function for each reader of bytes that come from outside. It panics where a promise does not hold;
//! that a reader refuses its input is none. `fuzz/` runs them under libFuzzer, `replay.rs` on the seeds and on all former
//! findings, as a part of the tests.

// A promise that does not hold is told by a panic.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod agentdojo;
mod case;
mod completion;
mod component;
mod histories;
mod host;
mod settings;
mod submission;
mod trace;

pub use agentdojo::agentdojo;
pub use case::case;
pub use completion::completion;
pub use component::{component, interfaces, interfaces_by_the_child};
pub use histories::histories;
pub use host::{agentdojo_domain, begin, compile_with};
pub use settings::settings;
pub use submission::submission;
pub use trace::{trace_file, trace_text};

/// A function that is fuzzed.
pub type Target = fn(&[u8]);

/// All of them, each under the name of its binary and of its folders of seeds and findings, as the tests run them. They differ
/// from what is fuzzed in one: there, interfaces are read in the fuzzer's own process, since a fuzzer sees no other.
pub const TARGETS: [(&str, Target); 10] = [
    ("agentdojo", agentdojo),
    ("case", case),
    ("completion", completion),
    ("component", component),
    ("histories", histories),
    ("interfaces", interfaces_by_the_child),
    ("settings", settings),
    ("submission", submission),
    ("trace_file", trace_file),
    ("trace_text", trace_text),
];
