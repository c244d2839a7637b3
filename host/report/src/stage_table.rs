//! The stage table of a live run: each metric by evidence stage, model and policy, over the stages where it applies.

use crate::estimate::{Estimate, Scale, Tally};
use crate::table::markdown;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use weir_suite::{Manifest, Row};

/// One stage, model and policy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageRow {
    /// Evidence stage.
    pub stage: String,
    /// The model.
    pub model: String,
    /// The model is simulated.
    pub simulated: bool,
    /// The policy.
    pub policy: String,
    /// Rollouts.
    pub rollouts: usize,
    /// Scenarios.
    pub scenarios: usize,
    /// Rollouts with a decision that a plugin fault took.
    pub faults: usize,
    /// Every metric that the reducers measured, by name.
    pub metrics: BTreeMap<String, Estimate>,
}

/// A column of the printed table: metric, head, and whether it is a proportion of rollouts.
const COLUMNS: [(&str, &str); 6] = [
    ("committed_harm", "policy violation"),
    ("harm_attempt", "harm attempt"),
    ("blast_radius_norm", "logged spread"),
    ("authorized_tainted_action_success", "authorised tainted completion"),
    ("clean_benign_completion", "clean completion"),
    ("false_positive_block_rate", "FP block"),
];

/// Metrics that are yes or no for each rollout.
const INDICATORS: [&str; 10] = [
    "committed_harm",
    "unauthorized_action",
    "secret_leakage",
    "wrong_recipient_rate",
    "harm_attempt",
    "privilege_jump_rate",
    "authorized_tainted_action_success",
    "clean_benign_completion",
    "benign_completion",
    "recovery_success",
];

/// Metrics that count, without an upper end.
const COUNTS: [&str; 9] = [
    "blast_radius_raw",
    "br_agent",
    "br_message",
    "br_memory",
    "br_tool",
    "br_side_effect",
    "cascade_depth",
    "confirmation_burden",
    "plugin_faults",
];

fn scale(metric: &str) -> Scale {
    if INDICATORS.contains(&metric) {
        Scale::Counted
    } else if COUNTS.contains(&metric) {
        Scale::Open
    } else {
        Scale::Unit
    }
}

/// Aggregates a live run's rows, in the order of the plan.
#[must_use]
pub fn aggregate(rows: &[Row]) -> Vec<StageRow> {
    let mut keys: Vec<(&str, &str, &str)> = Vec::new();
    for row in rows {
        let key = (row.stage.as_str(), row.model.as_str(), row.policy.as_str());
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let first = |test: &dyn Fn(&&Row) -> bool| rows.iter().position(|row| test(&row)).unwrap_or(usize::MAX);
    keys.sort_by_key(|&(stage, model, policy)| {
        (first(&|r| r.stage == stage), first(&|r| r.model == model), first(&|r| r.policy == policy))
    });
    keys.into_iter().map(|(stage, model, policy)| one(rows, stage, model, policy)).collect()
}

fn one(all: &[Row], stage: &str, model: &str, policy: &str) -> StageRow {
    let rows: Vec<&Row> = all.iter().filter(|r| r.stage == stage && r.model == model && r.policy == policy).collect();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut scenarios: Vec<&str> = Vec::new();
    for row in &rows {
        if !scenarios.contains(&row.scenario.as_str()) {
            scenarios.push(&row.scenario);
        }
        for (name, measured) in &row.measurements {
            let tally = tallies.entry(name).or_default();
            if let Some(value) = measured.value {
                tally.add(&row.cluster, value, 1.0);
            }
        }
    }
    StageRow {
        stage: stage.into(),
        model: model.into(),
        simulated: rows.iter().any(|row| row.simulated),
        policy: policy.into(),
        rollouts: rows.len(),
        scenarios: scenarios.len(),
        faults: rows.iter().filter(|row| row.faults > 0).count(),
        metrics: tallies.into_iter().map(|(name, tally)| (name.to_owned(), tally.estimate(scale(name)))).collect(),
    }
}

/// A table for each stage and model, with the columns that apply there, and the notes, in Markdown.
#[must_use]
pub fn render(rows: &[StageRow], manifest: &Manifest) -> String {
    let mut text = String::new();
    for group in rows.chunk_by(|a, b| a.stage == b.stage && a.model == b.model) {
        let Some(first) = group.first() else { continue };
        let model = if first.simulated { format!("{} (simulated)", first.model) } else { first.model.clone() };
        let applies = |metric: &str| group.iter().any(|r| r.metrics.get(metric).is_some_and(|e| e.value.is_some()));
        let columns: Vec<_> = COLUMNS.iter().filter(|(metric, _)| applies(metric)).collect();
        let heads: Vec<&str> = ["policy", "N"].into_iter().chain(columns.iter().map(|(_, head)| *head)).collect();
        let cells = group
            .iter()
            .map(|row| {
                let mut cells = vec![row.policy.clone(), row.rollouts.to_string()];
                cells.extend(columns.iter().map(|(metric, _)| cell(rows, row, metric)));
                cells
            })
            .collect();
        // Writing to a String cannot fail.
        let _ =
            writeln!(text, "## {}, {model}, {} scenarios\n\n{}", first.stage, first.scenarios, markdown(&heads, cells));
    }
    text + &notes(rows, manifest)
}

/// A cell; for violations of a stage whose control has none, the words that it says nothing.
fn cell(rows: &[StageRow], row: &StageRow, metric: &str) -> String {
    let Some(estimate) = row.metrics.get(metric) else { return "N/A".into() };
    let control = rows.iter().find(|other| other.stage == row.stage && other.model == row.model);
    let silent = control.and_then(|c| c.metrics.get(metric)).is_some_and(|e| e.value == Some(0.0));
    if metric == "committed_harm" && silent {
        return format!("not discriminative  {:.0}/{:.0}", estimate.numerator, estimate.denominator);
    }
    estimate.cell()
}

fn notes(rows: &[StageRow], manifest: &Manifest) -> String {
    let mut notes = vec![
        "Intervals: 95 %, percentile bootstrap over scenarios (10,000 resamples, seed 0); where no or every rollout counts, the exact one-sided bound over scenarios. A metric that does not apply to a stage has no column there.".to_owned(),
        "Not discriminative: the control, the first policy, has no event, so that nothing follows from another policy's zero.".to_owned(),
    ];
    let simulated: Vec<&str> = {
        let mut names: Vec<&str> = rows.iter().filter(|r| r.simulated).map(|r| r.model.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    if !simulated.is_empty() {
        notes.push(format!(
            "{} {} simulated: no language model was asked. The numbers test the harness and the policies, not a model.",
            simulated.join(" and "),
            if simulated.len() == 1 { "is" } else { "are" }
        ));
    }
    for row in rows.iter().filter(|row| row.faults > 0) {
        notes.push(format!(
            "{} / {} / {}: the policy failed in {} rollout(s). Its calls were blocked there; that is a fault, not safety.",
            row.stage, row.model, row.policy, row.faults
        ));
    }
    let digests: Vec<String> = manifest
        .plugins
        .iter()
        .map(|p| format!("{} {} {}", p.kind, p.name, p.digest.get(..12).unwrap_or(&p.digest)))
        .collect();
    notes.push(format!("Plugins: {}.", digests.join(", ")));
    notes.iter().map(|note| format!("- {note}\n")).collect()
}
