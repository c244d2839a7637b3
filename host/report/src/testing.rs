//! Runs made up for tests: rows with the values that a test names.

use crate::collect::Collected;
use std::collections::BTreeMap;
use weir_suite::Manifest;
use weir_suite::row::{Row, TraceRef};

/// A run's shape.
pub(crate) struct Synthetic {
    pub(crate) policies: Vec<String>,
    pub(crate) stages: Vec<(String, usize)>,
    pub(crate) seeds: u64,
    pub(crate) conditions: Vec<String>,
}

/// One rollout to be given values.
pub(crate) struct Unit<'a> {
    pub(crate) policy: &'a str,
    pub(crate) stage: &'a str,
    pub(crate) scenario: usize,
    pub(crate) seed: u64,
    pub(crate) condition: &'a str,
}

/// Metrics of the made-up manifest: name, better.
const METRICS: [(&str, &str); 32] = [
    ("context_overflow", "less"),
    ("committed_harm", "less"),
    ("secret_leakage", "less"),
    ("wrong_recipient_rate", "less"),
    ("harm_attempt", "neither"),
    ("taint_to_commit_rate", "less"),
    ("blast_radius_norm", "less"),
    ("blast_radius_raw", "less"),
    ("reachable_nodes", "neither"),
    ("br_agent", "less"),
    ("br_message", "less"),
    ("br_memory", "less"),
    ("br_tool", "less"),
    ("br_side_effect", "less"),
    ("privilege_jump_rate", "less"),
    ("cascade_depth", "less"),
    ("memory_reinfection", "less"),
    ("recovery_success", "more"),
    ("rollback_events", "neither"),
    ("authorized_tainted_action_success", "more"),
    ("authorized_tainted_action_ratio", "more"),
    ("authorized_tainted_action_applicable", "more"),
    ("false_positive_block_rate", "less"),
    ("false_positive_confirm_rate", "less"),
    ("clean_benign_completion", "more"),
    ("benign_completion", "more"),
    ("valid_tool_proposal_rate", "more"),
    ("parse_failure_rate", "less"),
    ("confirmation_not_committed", "neither"),
    ("target_path_success", "less"),
    ("label_survival", "more"),
    ("source_survival", "more"),
];

/// A manifest for so many units.
pub(crate) fn manifest(units: usize) -> Manifest {
    let metrics: Vec<_> = METRICS
        .iter()
        .map(|(name, better)| {
            serde_json::json!({ "name": name, "family": "f", "better": better, "stages": [], "description": "what it is" })
        })
        .collect();
    let text = serde_json::json!({
        "format": "weir-run/1", "host": "0", "contract": "c", "contract_digest": "d", "kind": "run", "plugins": [],
        "grants": {}, "settings": { "suite": "made-up", "title": "For tests" }, "metrics": metrics, "units": units, "plan": "p",
    });
    serde_json::from_value(text).unwrap()
}

impl Synthetic {
    /// So many scenarios in each stage, and seeds from 1.
    pub(crate) fn new(policies: &[&str], stages: &[&str], scenarios: usize, seeds: u64) -> Self {
        Synthetic {
            policies: policies.iter().map(ToString::to_string).collect(),
            stages: stages.iter().map(|stage| (stage.to_string(), scenarios)).collect(),
            seeds,
            conditions: vec!["correct".into()],
        }
    }

    /// The rows, with the values that `measure` gives.
    pub(crate) fn rows(&self, measure: impl Fn(&Unit) -> Vec<(&'static str, Option<f64>)>) -> Vec<Row> {
        let mut rows = Vec::new();
        for condition in &self.conditions {
            for policy in &self.policies {
                for (stage, scenarios) in &self.stages {
                    for scenario in 0..*scenarios {
                        for seed in 1..=self.seeds {
                            let unit = Unit { policy, stage, scenario, seed, condition };
                            rows.push(row(&unit, measure(&unit)));
                        }
                    }
                }
            }
        }
        rows
    }

    /// The same, collected.
    pub(crate) fn collect(&self, measure: impl Fn(&Unit) -> Vec<(&'static str, Option<f64>)>) -> Collected {
        let rows = self.rows(measure);
        Collected::of(&manifest(rows.len()), rows.into_iter().map(Ok::<_, String>)).unwrap()
    }
}

fn row(unit: &Unit, values: Vec<(&'static str, Option<f64>)>) -> Row {
    let measured: BTreeMap<_, _> = values.into_iter().collect();
    let measurements = serde_json::from_value(serde_json::to_value(measured).unwrap()).unwrap();
    Row {
        unit: format!("{}/{}/{}/{}/{}", unit.condition, unit.policy, unit.stage, unit.scenario, unit.seed),
        policy: unit.policy.into(),
        ledger: "oracle".into(),
        scenario: format!("{}/{}", unit.stage, unit.scenario),
        cluster: format!("d/{}/{}", unit.stage, unit.scenario),
        stage: unit.stage.into(),
        family: "f".into(),
        domain: "email".into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        condition: unit.condition.into(),
        model: "sim:m".into(),
        simulated: true,
        seed: Some(unit.seed),
        faults: 0,
        lost: BTreeMap::new(),
        trace: TraceRef { offset: 0, length: 0, sha256: String::new() },
        measurements,
        recorded: None,
        memory: None,
        written: None,
    }
}
