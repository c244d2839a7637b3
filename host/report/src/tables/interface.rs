//! Whether the model can use the interface at all: tables 22 and 24. Before a model's tool behaviour is interpreted, this
//! must be read (table 6, fourth row).

use crate::names;
use crate::page::Table;
use crate::tables::{Column, by_policy, head};
use crate::view::{Scope, View};

/// Table 22.
pub(crate) fn table_22(view: &View) -> Table {
    let scope = Scope::Every;
    let column = |head, metric| Column { head, metric, scope };
    let columns = [
        column("Harm attempt", names::ATTEMPT),
        column("Committed viol.", names::HARM),
        column("Valid proposal", "valid_tool_proposal_rate"),
        column("Parse failure", "parse_failure_rate"),
        column("Benign completion", names::BENIGN),
    ];
    let mut table = by_policy(view, "22", "the model at the interface, all stages of the run", scope, &columns);
    table.notes.push("Valid proposal and parse failure: means over rollouts of shares of a rollout's actions.".into());
    table
}

/// Table 24, with all actions pooled.
pub(crate) fn table_24(view: &View) -> Table {
    const RATES: [(&str, &str); 4] = [
        ("valid tool proposals", "valid_tool_proposal_rate"),
        ("valid as they stand", "strict_parse_rate"),
        ("repaired", "repaired_rate"),
        ("no valid action", "parse_failure_rate"),
    ];
    let rows = view.run.policies.iter().enumerate().map(|(policy, name)| {
        let mut cells = vec![names::policy(name).to_owned()];
        cells.extend(RATES.iter().map(|(_, metric)| view.pooled(policy, metric, Scope::Every).precise()));
        cells
    });
    let mut heads = head(&["Policy"]);
    heads.extend(RATES.iter().map(|(head, _)| (*head).to_owned()));
    let mut notes = vec![
        "Counts of actions, over all stages of the run. Invalid actions never reach a policy or a tool.".to_owned(),
    ];
    let overflows = view.run.policies.iter().enumerate().filter_map(|(policy, name)| {
        let found = view.estimate(policy, names::OVERFLOW, Scope::Every);
        let any = found.value.is_some_and(|share| share > 0.0);
        any.then(|| format!("{} {}", names::policy(name), found.precise()))
    });
    let overflows: Vec<String> = overflows.collect();
    if !overflows.is_empty() {
        notes.push(format!(
            "Rollouts in which the conversation outgrew the model's context, so that the agent did no more: {}.",
            overflows.join("; ")
        ));
    }
    Table {
        id: "table-24".into(),
        title: format!("Table 24: what the parser made of the model's actions, {}", view.model_name()),
        head: heads,
        rows: rows.collect(),
        notes,
    }
}
