//! The sample's recorded runs, imported and replayed.

use super::program::{cache, samples, weir};
use std::path::Path;

/// The policies of a replay or run, in the order of the golden files.
pub const POLICIES: [&str; 4] = ["none", "tool-boundary", "taint-only", "intent-ledger"];

/// Imports the sample to `traces.jsonl.zst` in a folder.
pub fn import(folder: &Path) {
    let samples = samples().join("agentdojo");
    let (path, suites) = (samples.display().to_string(), samples.join("suites.json").display().to_string());
    let arguments = ["import", "agentdojo", &path, "--suites", &suites, "--out", "traces.jsonl.zst"];
    weir(folder, &with_cache(&arguments)).good();
}

/// A replay of `traces.jsonl.zst` through all policies with both ledgers.
pub fn replay(folder: &Path, out: &str, more: &[&str]) {
    let policies = POLICIES.join(",");
    let arguments = ["replay", "traces.jsonl.zst", "--policy", &policies, "--ledger", "oracle,prompt", "--out", out];
    weir(folder, &with_cache(&[&arguments, more].concat())).good();
}

/// Arguments with this process's cache.
pub fn with_cache(arguments: &[&str]) -> Vec<String> {
    let cache = cache().display().to_string();
    arguments.iter().copied().chain(["--cache", &cache]).map(str::to_owned).collect()
}
