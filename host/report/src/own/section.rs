//! The section, and the same as JSON.

use super::{Finding, Findings, Own};
use crate::cases::quoted;
use crate::html::visible;
use crate::page::{Block, Section, Table};
use crate::tables::{head, slug};
use serde_json::{Value, json};

/// The sections, one a policy. `run` is the run's folder as a reader would name it.
#[must_use]
pub fn section(run: &str, own: &Own) -> Section {
    let mut blocks = vec![Block::Text(work(own)), Block::Text(through(own)), Block::Text(faults(own))];
    if !own.without.is_empty() {
        let models = own.without.join(", ");
        blocks
            .push(Block::Text(format!("Left out, since no policies are compared on it: what was run with {models}.")));
    }
    let kinds = [
        ("lost", "Authorised work lost, by rule and scenario", "Rule that stopped the authorised call", &own.lost),
        ("through", "Violations that got through", "What got through", &own.through),
        ("faults", "Faults of the plugin", "The fault", &own.faults),
    ];
    for (id, title, what, findings) in kinds {
        if !findings.shown.is_empty() {
            let id = format!("own-{}-{id}", slug(&own.policy));
            blocks.push(Block::Table(table(id, &format!("{}: {title}", own.policy), what, findings)));
            blocks.push(Block::Verbatim(commands(run, findings)));
        }
    }
    let several = format!("your-policy-{}", slug(&own.policy));
    Section { id: several, title: format!("Your policy: {}", own.policy), blocks }
}

/// The same for a script, with the commands.
#[must_use]
pub fn json(run: &str, own: &[Own]) -> Value {
    let findings = |findings: &Findings| {
        let one = |finding: &Finding| {
            let mut value = serde_json::to_value(finding).unwrap_or_default();
            if let Some(object) = value.as_object_mut() {
                object.insert("trace".into(), trace_command(run, finding).into());
                object.insert("case".into(), case_command(run, finding).into());
            }
            value
        };
        json!({ "shown": findings.shown.iter().map(one).collect::<Vec<_>>(), "more": findings.more })
    };
    let one = |own: &Own| {
        json!({
            "policy": own.policy, "without": own.without, "rollouts": own.rollouts, "violations": own.violations, "faulted": own.faulted,
            "against": own.against, "lost": findings(&own.lost), "through": findings(&own.through),
            "faults": findings(&own.faults),
        })
    };
    own.iter().map(one).collect()
}

fn work(own: &Own) -> String {
    if own.against.is_empty() {
        return format!(
            "Neither `none` nor `tool-boundary` takes part in this run, so that nothing says which work {} lost.",
            own.policy
        );
    }
    let each = own
        .against
        .iter()
        .map(|one| format!("{} of the {} rollouts that {} completes", one.lost, one.completes, one.policy));
    format!("Authorised work: {} does not complete {}.", own.policy, each.collect::<Vec<_>>().join(", nor "))
}

fn through(own: &Own) -> String {
    let others =
        own.against.iter().map(|one| format!("{} {}", one.policy, one.violations)).collect::<Vec<_>>().join(", ");
    let others = if others.is_empty() { others } else { format!(" ({others})") };
    format!("Violations: they get through in {} of its {} rollouts{others}.", own.violations, own.rollouts)
}

fn faults(own: &Own) -> String {
    format!("Faults: the plugin failed in {} of its {} rollouts.", own.faulted, own.rollouts)
}

fn table(id: String, title: &str, what: &str, findings: &Findings) -> Table {
    let row = |finding: &Finding| {
        let condition = (finding.condition != "correct").then(|| format!(", {}", finding.condition));
        vec![
            visible(&finding.what),
            format!("{}{}", finding.stage, condition.unwrap_or_default()),
            visible(&format!("{}/{}", finding.domain, finding.scenario)),
            finding.rollouts.to_string(),
            finding.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            finding.unit.to_string(),
            finding.event.map_or_else(|| "N/A".to_owned(), |event| event.to_string()),
        ]
    };
    let more = (findings.more > 0).then(|| format!("and {} more", findings.more));
    Table {
        id,
        title: title.to_owned(),
        head: head(&[what, "Stage", "Scenario", "Rollouts", "Seeds", "Unit of the first", "Decision in it"]),
        rows: findings.shown.iter().map(row).collect(),
        notes: more.into_iter().collect(),
    }
}

/// For each finding the command that opens its trace, and the one that makes a case of the decision.
fn commands(run: &str, findings: &Findings) -> String {
    let lines = findings.shown.iter().flat_map(|finding| {
        [Some(trace_command(run, finding)), case_command(run, finding)]
            .into_iter()
            .flatten()
            .map(|line| format!("$ {line}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn trace_command(run: &str, finding: &Finding) -> String {
    format!("weir trace {} --unit {}", quoted(run), finding.unit)
}

fn case_command(run: &str, finding: &Finding) -> Option<String> {
    finding.event.map(|event| format!("{} --as-case {event}", trace_command(run, finding)))
}
