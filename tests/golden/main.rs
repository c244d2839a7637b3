//! Decisions and counts that were worked out without Weir. On the sample always; on recorded AgentDojo runs where they
//! are at hand: they are not Weir's to give away, so set `WEIR_AGENTDOJO_DATA` to a folder of them with a manifest.jsonl,
//! and `WEIR_AGENTDOJO_SUITES` to the suites file of their versions.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod counts;
mod data;
mod decided;
mod expected;
mod hand_checked;
mod numbering;
mod sample;
#[path = "../cli/support/mod.rs"]
mod support;
