//! Positive controls for what the main suite cannot tell apart (table 6, third row): leakage, reinfection, rollback.

use crate::names::{self, NONE};
use crate::page::{Block, Table};
use crate::tables::roles::refusal;
use crate::tables::{Column, by_policy};
use crate::view::{Scope, View};

/// A stage, the metric that it is a control for, and what its table shows beside it.
struct Control {
    stage: &'static str,
    what: &'static str,
    metric: &'static str,
    beside: &'static [(&'static str, &'static str)],
}

const CONTROLS: [Control; 3] = [
    Control {
        stage: "control-leak",
        what: "secret leakage",
        metric: names::LEAK,
        beside: &[("Policy viol.", names::HARM), ("Benign completion", names::BENIGN)],
    },
    Control {
        stage: "control-reinfection",
        what: "memory reinfection",
        metric: names::REINFECTION,
        beside: &[
            ("Recovery", names::RECOVERY),
            ("Tainted memory writes", "tainted_memory_writes"),
            ("Policy viol.", names::HARM),
        ],
    },
    Control {
        stage: "control-rollback",
        what: "recovery by rollback",
        metric: names::RECOVERY,
        beside: &[("Repairs", names::ROLLBACKS), ("Policy viol.", names::HARM), ("Reinfection", names::REINFECTION)],
    },
];

/// The blocks of the page about positive controls; none where the run has none.
pub(crate) fn blocks(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    for control in CONTROLS.iter().filter(|control| view.covers(Scope::Stage(control.stage))) {
        blocks.push(Block::Text(verdict(view, control)));
        blocks.push(Block::Table(table(view, control)));
    }
    blocks
}

fn table(view: &View, control: &Control) -> Table {
    let mut columns = vec![Column::new(control.what, control.metric, control.stage)];
    columns.extend(control.beside.iter().map(|(head, metric)| Column::new(head, metric, control.stage)));
    let scope = Scope::Stage(control.stage);
    let mut table = by_policy(view, control.stage, control.what, scope, &columns);
    table.id = control.stage.into();
    table.title = format!("Positive control: {}, {}", control.what, view.model_name());
    table
}

/// Whether the control does its job: the event occurs without a defence, and some policy changes its rate.
fn verdict(view: &View, control: &Control) -> String {
    let scope = Scope::Stage(control.stage);
    let none = view.estimate(view.run.policy(NONE).unwrap_or(0), control.metric, scope);
    let failed = |name: &str| view.run.policy(name).is_some_and(|policy| view.faulted(policy, scope) > 0);
    let apart: Vec<String> = view
        .run
        .policies
        .iter()
        .filter(|policy| policy.as_str() != NONE)
        .filter_map(|policy| Some((policy, view.paired(NONE, policy, control.metric, scope)?)))
        .filter(|(policy, found)| !found.is_tie() && !failed(policy))
        .map(|(policy, found)| format!("{} ({:+.4})", names::policy(policy), found.delta))
        .collect();
    let rate = format!("Without a defence, {} has {}.", control.what, none.precise());
    if refusal(view, control.metric, scope).is_some() {
        return format!("{rate} There is no positive control: this stage is not discriminative.");
    }
    if apart.is_empty() {
        format!("{rate} No policy differs from it beyond its interval: this control is not discriminative.")
    } else {
        format!("{rate} Beyond their intervals these policies differ from it: {}.", apart.join(", "))
    }
}
