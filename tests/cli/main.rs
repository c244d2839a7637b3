//! The `weir` command as its users meet it: every case in `cases/` is a command with what it must print, and no test
//! looks inside the program. `cases/readme.toml` explains the cases.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod author;
mod bench;
mod built_in;
mod case;
mod case_files;
mod cases;
#[path = "../contract.rs"]
mod contract;
mod contract_versions;
mod determinism;
mod difference;
mod folder;
mod forgery;
mod forgery_live;
mod interop;
mod interruption;
mod json;
mod languages;
mod live;
mod live_traces;
mod llama;
mod normal;
mod real_models;
mod registry;
mod submission;
mod support;
mod tamper;
mod third_party;
mod twelve_mistakes;
mod watch;
