//! ContainmentBench's tables, of this run. Each is one function of a [`View`] that answers nothing where the run has not the
//! stages or policies that it is about; a policy that the paper does not have is a further row wherever policies are rows.

pub(crate) mod accounting;
pub(crate) mod controls;
pub(crate) mod divergence;
pub(crate) mod interface;
pub(crate) mod ledger_errors;
pub(crate) mod losses;
pub(crate) mod outcomes;
pub(crate) mod paired;
pub(crate) mod roles;
pub(crate) mod seeds;
pub(crate) mod spread;
#[cfg(test)]
mod tests;
pub(crate) mod writers;

use crate::names;
use crate::page::Table;
use crate::view::{Scope, View};
use weir_stats::{Interval, four_decimals};

/// What does not apply.
pub(crate) const NOT_APPLICABLE: &str = "N/A";

/// A name for links and files: lower-case words joined by `-`.
pub(crate) fn slug(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// `[0.6160, 0.7637]`, or N/A.
pub(crate) fn interval(interval: Option<Interval>) -> String {
    interval
        .map_or_else(|| NOT_APPLICABLE.to_owned(), |i| format!("[{}, {}]", four_decimals(i.low), four_decimals(i.high)))
}

/// Four decimals, or N/A.
pub(crate) fn four(value: Option<f64>) -> String {
    value.map_or_else(|| NOT_APPLICABLE.to_owned(), four_decimals)
}

/// Strings of a head.
pub(crate) fn head(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// A column of a table with a policy a row: its head, and the metric's mean over a scope.
pub(crate) struct Column {
    pub(crate) head: &'static str,
    pub(crate) metric: &'static str,
    pub(crate) scope: Scope<'static>,
}

impl Column {
    pub(crate) fn new(head: &'static str, metric: &'static str, stage: &'static str) -> Self {
        Column { head, metric, scope: Scope::Stage(stage) }
    }
}

/// A table with a policy a row. Where a policy failed, its faults have a column of their own.
pub(crate) fn by_policy(view: &View, number: &str, title: &str, scope: Scope, columns: &[Column]) -> Table {
    let faults = columns.iter().any(|column| view.any_fault(column.scope));
    let mut head = vec!["Policy".to_owned(), "N".to_owned()];
    head.extend(columns.iter().map(|column| column.head.to_owned()));
    head.extend(faults.then(|| "Plugin faults".to_owned()));
    let rows = view.run.policies.iter().enumerate().map(|(policy, name)| {
        let mut cells = vec![names::policy(name).to_owned(), view.count(scope).to_string()];
        cells.extend(columns.iter().map(|c| view.precise(policy, c.metric, c.scope)));
        cells.extend(faults.then(|| format!("{}/{}", view.faulted(policy, scope), view.count(scope))));
        cells
    });
    let mut notes = vec![format!(
        "{} scenarios, {} {}. Intervals: 95 %, over resampled scenarios.",
        view.scenarios(scope),
        view.run.seeds.len(),
        if view.run.seeds.len() == 1 { "seed" } else { "seeds" }
    )];
    notes.extend(faults.then(|| {
        "Plugin faults: rollouts with a decision that a failed policy did not take. Its calls were blocked there; that is a fault, not safety, so a rate of what should not happen is a range: if it happened in none of them, and if in all.".to_owned()
    }));
    Table {
        id: format!("table-{}", slug(number)),
        title: format!("Table {number}: {title}, {}", view.model_name()),
        head,
        rows: rows.collect(),
        notes,
    }
}

/// A note about every metric whose control has no event, so that a zero under another policy says nothing.
pub(crate) fn silent_controls(view: &View, columns: &[Column]) -> Vec<String> {
    let silent = columns.iter().filter(|column| !view.control_has_events(column.metric, column.scope));
    silent
        .map(|column| {
            format!(
                "{}: not discriminative, since the control has no event in {} rollouts.",
                column.head,
                view.count(column.scope)
            )
        })
        .collect()
}
