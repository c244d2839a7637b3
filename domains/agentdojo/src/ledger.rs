//! Two trusted intent ledgers for a task.
//!
//! `oracle` is read off the user task's ground truth: one entry for each side effect or egress-read, with every
//! recipient and target that the ground truth names. It is an oracle because the user's prompt often does not hold these
//! values (an address stands in a file, an amount on a bill): no one who reads only the prompt could write this ledger,
//! so results under it say what enforcement can do given a perfect ledger (ContainmentBench 5.3), not what a deployment
//! would get.
//!
//! `prompt` keeps of those entries only what the user's own words contain literally: a lower bound of what can be known
//! from the prompt. An entry that loses all its targets goes; a rule whose value the prompt does not contain goes, and
//! leaves its argument free; a rule that an argument be absent stays.

use crate::catalogue::Kind;
use crate::reading::Reading;
use crate::request::Task;
use crate::words;
use weir_plugin::domain::{Authorization, Constraint, Ledger, Role, Rule};
use weir_plugin::json;

/// The ledger that the ground truth gives.
pub fn oracle(task: &Task) -> Ledger {
    Ledger { form: "oracle".into(), entries: merged(entries(task)) }
}

/// The part of it that the user's prompt names.
pub fn prompt(task: &Task) -> Ledger {
    let entries = entries(task).filter_map(|entry| spoken(entry, &task.goal));
    Ledger { form: "prompt".into(), entries: merged(entries) }
}

/// The rules that a ground-truth call puts on the arguments of a call like it. Content and times are free.
pub fn rules(call: &Reading) -> Vec<Constraint> {
    let mut rules = Vec::new();
    for parameter in call.tool.parameters {
        let value = call.given(parameter.name);
        let rule = match value {
            // What is attached is never free: it is how a file leaves.
            None if parameter.kind == Kind::Attachments => Some(Rule::Absent),
            None => None,
            Some(value) if parameter.name == "amount" => json::number(value).map(Rule::AtMost),
            Some(value) if parameter.kind == Kind::Attachments || parameter.role == Role::Visibility => {
                Some(Rule::Equals(value.into()))
            }
            // Without anybody to name, the values are all that tells one call from another.
            Some(value) if !call.tool.names_targets() => Some(Rule::Equals(value.into())),
            Some(_) => None,
        };
        rules.extend(rule.map(|rule| Constraint { argument: parameter.name.into(), rule }));
    }
    rules
}

fn entries(task: &Task) -> impl Iterator<Item = Authorization> {
    task.user.iter().filter(|call| call.tool.needs_authority()).map(|call| {
        let mut targets = Vec::new();
        for (_, leaf) in call.leaves(&[Role::Recipient, Role::Target]) {
            if !targets.contains(&leaf) {
                targets.push(leaf);
            }
        }
        Authorization { action: call.tool.name.into(), targets, constraints: rules(call) }
    })
}

fn spoken(mut entry: Authorization, goal: &str) -> Option<Authorization> {
    let had_targets = !entry.targets.is_empty();
    entry.targets.retain(|target| words::names(goal, target));
    entry.constraints.retain(|constraint| match &constraint.rule {
        Rule::Equals(value) => words::names_value(goal, value),
        Rule::AtMost(number) => words::names_number(goal, *number),
        _ => true,
    });
    (!had_targets || !entry.targets.is_empty()).then_some(entry)
}

fn merged(entries: impl Iterator<Item = Authorization>) -> Vec<Authorization> {
    let mut all: Vec<Authorization> = Vec::new();
    for entry in entries {
        if !all.contains(&entry) {
            all.push(entry);
        }
    }
    all
}
