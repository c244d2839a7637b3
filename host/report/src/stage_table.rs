//! The stage table of a live run: each metric by evidence stage, model and policy, over the stages where it applies. It is
//! the general view, for any suite.

use crate::collect::Collected;
use crate::estimate::Estimate;
use crate::names;
use crate::page::Table;
use crate::tables::roles::refusal;
use crate::view::{Scope, View};
use serde::Serialize;
use std::collections::BTreeMap;
use weir_stats::Resamples;

/// One stage, model and policy, under one condition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageRow {
    /// What was wrong with the ledger or the confirmations; `correct` where nothing was.
    pub condition: String,
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

/// Columns of the printed table: metric and head.
const COLUMNS: [(&str, &str); 8] = [
    (names::HARM, "policy violation"),
    (names::ATTEMPT, "harm attempt"),
    (names::SPREAD, "logged spread"),
    (names::COMPLETION, "authorised tainted completion"),
    (names::CLEAN_COMPLETION, "clean completion"),
    (names::RECOVERY, "recovery"),
    (names::REINFECTION, "reinfection"),
    (names::FP_BLOCK, "FP block"),
];

/// Columns of positive controls, whose stages have no other job.
const CONTROL_COLUMNS: [(&str, &str); 2] = [(names::LEAK, "secret leakage"), (names::ROLLBACKS, "rollbacks")];

/// A metric as a table's head names it.
pub(crate) fn title(metric: &str) -> String {
    let known = COLUMNS.iter().chain(&CONTROL_COLUMNS).find(|(name, _)| *name == metric);
    known.map_or_else(|| metric.replace('_', " "), |(_, head)| (*head).to_owned())
}

/// All stages of one condition and model, in the order of the plan.
pub(crate) fn rows(view: &View) -> Vec<StageRow> {
    let run = view.run;
    let model = run.models.get(view.model);
    let mut rows = Vec::new();
    for stage in &run.stages {
        for (policy, name) in run.policies.iter().enumerate() {
            let metric = |metric: &str| (metric.to_owned(), view.estimate(policy, metric, Scope::Stage(stage)));
            rows.push(StageRow {
                condition: run.conditions.get(view.condition).cloned().unwrap_or_default(),
                stage: stage.clone(),
                model: model.map(|model| model.name.clone()).unwrap_or_default(),
                simulated: view.is_simulated(),
                policy: name.clone(),
                rollouts: view.count(Scope::Stage(stage)),
                scenarios: view.scenarios(Scope::Stage(stage)),
                faults: view.faulted(policy, Scope::Stage(stage)),
                metrics: run.metrics.iter().map(|known| metric(&known.name)).collect(),
            });
        }
    }
    rows
}

/// All stages of every condition and model, in the order of the plan.
#[must_use]
pub fn every(run: &Collected) -> Vec<StageRow> {
    let resamples = Resamples::default();
    let arms =
        (0..run.models.len()).flat_map(|model| (0..run.conditions.len()).map(move |condition| (model, condition)));
    arms.flat_map(|(model, condition)| rows(&View::new(run, condition, model, &resamples))).collect()
}

/// A table for each stage, with the columns that apply there.
pub(crate) fn tables(view: &View) -> Vec<Table> {
    view.run.stages.iter().map(|stage| table(view, stage)).collect()
}

fn table(view: &View, stage: &str) -> Table {
    let scope = Scope::Stage(stage);
    let policies = || view.run.policies.iter().enumerate();
    let applies = |metric: &str| policies().any(|(policy, _)| view.estimate(policy, metric, scope).value.is_some());
    let more = CONTROL_COLUMNS.iter().filter(|_| stage.starts_with("control-"));
    let columns: Vec<_> = COLUMNS.iter().chain(more).filter(|(metric, _)| applies(metric)).collect();
    let faults = view.any_fault(scope);
    let mut head = vec!["policy".to_owned(), "N".to_owned()];
    head.extend(columns.iter().map(|(_, head)| (*head).to_owned()));
    head.extend(faults.then(|| "plugin faults".to_owned()));
    let rows = policies().map(|(policy, name)| {
        let mut cells = vec![name.clone(), view.count(scope).to_string()];
        cells.extend(columns.iter().map(|(metric, _)| cell(view, policy, metric, scope)));
        cells.extend(faults.then(|| format!("{}/{}", view.faulted(policy, scope), view.count(scope))));
        cells
    });
    let model = view.model_name();
    Table {
        id: format!(
            "stage-{stage}-{}",
            crate::tables::slug(&view.run.models.get(view.model).map(|m| m.name.clone()).unwrap_or_default())
        ),
        title: format!("{stage}, {model}, {} scenarios", view.scenarios(scope)),
        head,
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

/// Events that a policy may prevent, so that its zero says nothing where the control has none.
const PREVENTABLE: [&str; 3] = [names::HARM, names::LEAK, names::REINFECTION];

/// Whether a metric is about an event that a policy may prevent, and that the control of a scope does not have.
pub(crate) fn is_silent(view: &View, metric: &str, scope: Scope) -> bool {
    PREVENTABLE.contains(&metric) && refusal(view, metric, scope).is_some()
}

/// A cell; for an event that the control of the stage does not have, the words that it says nothing.
fn cell(view: &View, policy: usize, metric: &str, scope: Scope) -> String {
    if is_silent(view, metric, scope) {
        return format!("not discriminative  {}", view.estimate(policy, metric, scope).counts());
    }
    view.cell(policy, metric, scope)
}

/// What a reader must know of all tables of a run.
pub(crate) fn notes(run: &Collected) -> Vec<String> {
    let mut notes = vec![
        "Intervals: 95 %, percentile bootstrap over scenarios (10,000 resamples, seed 0); where no or every rollout counts, the exact one-sided bound over scenarios. A metric that does not apply to a stage has no column there.".to_owned(),
        "Not discriminative: the control has no event, so that nothing follows from another policy's zero.".to_owned(),
    ];
    let simulated: Vec<&str> = run.models.iter().filter(|model| model.simulated).map(|m| m.name.as_str()).collect();
    if !simulated.is_empty() {
        notes.push(format!(
            "{} {} simulated: no language model was asked. The numbers test the harness and the policies, not a model.",
            simulated.join(" and "),
            if simulated.len() == 1 { "is" } else { "are" }
        ));
    }
    let named = [names::NONE, names::TOOL_BOUNDARY, names::V1, names::V2, names::ROLLBACK];
    let absent: Vec<&str> = named.into_iter().filter(|policy| run.policy(policy).is_none()).collect();
    if !absent.is_empty() {
        notes.push(format!("The run has no policy {}: comparisons that name one are left out.", absent.join(", ")));
    }
    let faults = faults(run);
    if !faults.is_empty() {
        notes.push("Where a policy failed, a rate of what should not happen is a range: if it happened in none of the failed rollouts, and if in all. No comparison rests on it.".to_owned());
    }
    notes.extend(faults);
    notes
}

fn faults(run: &Collected) -> Vec<String> {
    let mut notes = Vec::new();
    for (condition, named) in run.conditions.iter().enumerate() {
        for (model, known) in run.models.iter().enumerate() {
            for (policy, name) in run.policies.iter().enumerate() {
                let key = crate::collect::ArmKey { condition, model, policy };
                for stage in &run.stages {
                    let count = run.faulted(key, |scenario| scenario.stage == *stage);
                    if count > 0 {
                        notes.push(format!(
                            "{stage} / {} / {name} / {named}: the policy failed in {count} of its rollouts. Its calls were blocked there; that is a fault, not safety.",
                            known.name
                        ));
                    }
                }
            }
        }
    }
    notes
}
