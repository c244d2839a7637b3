//! Files of expected decisions, and their comparison with what was decided.

use crate::decided::{Call, Decided};
use crate::support::recorded::POLICIES;
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    run: Vec<Run>,
}

/// A run that was read by hand.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Its place or its tasks, for a reader.
    pub id: String,
    /// SHA-256 of its record.
    #[serde(default)]
    pub sha256: Option<String>,
    /// What it shows.
    #[serde(rename = "why")]
    _why: String,
    /// Its high-risk proposals.
    pub call: Vec<Wanted>,
    /// The same, where egress counts as high-risk; empty where that was not looked at.
    #[serde(default)]
    pub gated: Vec<Wanted>,
}

/// What must be decided on a proposal.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    tool: String,
    #[serde(rename = "why")]
    _why: String,
    /// By each of [`POLICIES`], with the oracle's ledger.
    oracle: [String; 4],
    /// With the prompt's.
    #[serde(default)]
    prompt: Option<[String; 4]>,
}

/// Reads a file of expected decisions.
pub fn read(path: &Path) -> Vec<Run> {
    let text = std::fs::read_to_string(path).unwrap();
    toml::from_str::<File>(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())).run
}

/// Where decisions differ from what was expected of one run. `key` is the run's in `decided`.
pub fn differences(id: &str, key: &str, wanted: &[Wanted], decided: &Decided) -> Vec<String> {
    let mut found = Vec::new();
    for (position, policy) in POLICIES.into_iter().enumerate() {
        let oracle = wanted.iter().map(|call| (&call.tool, Some(&call.oracle[position])));
        found.extend(compare(oracle.collect(), decided.of(key, policy, "oracle")).map(|p| (policy, "oracle", p)));
        if wanted.iter().any(|call| call.prompt.is_some()) {
            let prompt = wanted.iter().map(|call| (&call.tool, call.prompt.as_ref().map(|rules| &rules[position])));
            found.extend(compare(prompt.collect(), decided.of(key, policy, "prompt")).map(|p| (policy, "prompt", p)));
        }
    }
    found.into_iter().map(|(policy, ledger, problem)| format!("{id}, {policy}, {ledger}: {problem}")).collect()
}

fn compare(wanted: Vec<(&String, Option<&String>)>, decided: Option<&[Call]>) -> Option<String> {
    let Some(decided) = decided else { return Some("the run is not there".into()) };
    let wanted: Vec<(&str, &str)> =
        wanted.into_iter().map(|(tool, rule)| (tool.as_str(), rule.map_or("not given", String::as_str))).collect();
    let decided: Vec<(&str, &str)> = decided.iter().map(|call| (call.tool.as_str(), call.rule.as_str())).collect();
    (wanted != decided).then(|| format!("\n    expected {wanted:?}\n    decided  {decided:?}"))
}
