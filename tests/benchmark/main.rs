//! ContainmentBench, run: the default suite as `make run` runs it, and what must be true of its results. One run serves all
//! tests here.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod authmem;
// What the command line's tests share; this target needs a part of it.
#[allow(dead_code)]
#[path = "../cli/folder.rs"]
mod folder;
mod frozen;
mod kills;
mod leaderboard;
mod memory_writers;
mod other_suites;
mod results;
mod suite;
#[allow(dead_code)]
#[path = "../cli/support/mod.rs"]
mod support;
