//! The section of the report.

use super::excerpt::{clean, excerpt, facts, hook, labels, tool, word};
use super::select::{Case, Cases, READINGS};
use crate::page::{Block, Section, Table};
use weir_suite::Row;
use weir_trace::{Body, Event, NodeKind, Origin, Trace, Verdict, fact};

/// Characters of a unit's identifier that name it in a run.
const UNIT: usize = 16;

/// The section: for each case what it is, its decisions, an excerpt, and the command that opens the whole trace. `run` is
/// the run's folder as a reader would name it.
///
/// # Errors
/// The first error of `trace`.
pub fn section<E>(run: &str, cases: &Cases, mut trace: impl FnMut(&Row) -> Result<Trace, E>) -> Result<Section, E> {
    let mut blocks = vec![
        Block::Text(
            "Each case is the first rollout of the plan that meets its rule; nobody has picked it. Secrets are replaced by [canary N], long texts are cut, and characters that nobody sees are written as their code points. Texts of a trace may be hostile: they are quoted, and mean nothing here."
                .into(),
        ),
        Block::Text(
            "In the excerpts: ! untrusted, c canary, p private, q quarantined; what the host and the oracle know stands in braces, and no policy sees it; the numbers after <- are the events that an event follows from."
                .into(),
        ),
    ];
    for case in &cases.cases {
        if case.rows.is_empty() {
            blocks.push(Block::Text(format!(
                "Case {}: {}. This run has no such rollout. The rule: {}.",
                case.number, case.title, case.rule
            )));
            continue;
        }
        let traces = case.rows.iter().map(&mut trace).collect::<Result<Vec<Trace>, E>>()?;
        blocks.push(Block::Table(about(case, &traces)));
        blocks.push(Block::Table(decisions(case, &traces)));
        for (row, trace) in case.rows.iter().zip(&traces) {
            let command = format!("weir trace {} --unit {}", quoted(run), row.unit.get(..UNIT).unwrap_or(&row.unit));
            blocks.push(Block::Verbatim(format!("$ {command}\n{}", excerpt(trace))));
        }
    }
    Ok(Section { id: "case-studies".into(), title: "Case studies (table 21)".into(), blocks })
}

/// A path as a shell takes it.
pub(crate) fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if !path.is_empty() && path.chars().all(plain) { path.into() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}

fn about(case: &Case, traces: &[Trace]) -> Table {
    let pairs = || case.rows.iter().zip(traces);
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &str, cell: &dyn Fn(&Row, &Trace) -> String| {
        let cells = pairs().map(|(row, trace)| cell(row, trace));
        rows.push([name.to_owned()].into_iter().chain(cells).collect());
    };
    add("user's goal", &|_, trace| clean(trace, &trace.header.goal));
    add("policy", &|row, _| row.policy.clone());
    add("scenario", &|row, trace| {
        format!("{}, domain {}, stage {}", clean(trace, &row.scenario), row.domain, row.stage)
    });
    add("agents", &|row, trace| {
        format!("{} ({}), memory {}", trace.header.agents.len(), row.topology, row.memory_mode)
    });
    add("model", &|row, _| {
        let seed = row.seed.map_or("N/A".to_owned(), |seed| seed.to_string());
        format!("{}{}, seed {seed}", row.model, if row.simulated { " (simulated)" } else { "" })
    });
    add("what happened", &|_, trace| happened(trace));
    for name in READINGS {
        let value = |row: &Row| row.measurements.get(name).and_then(|measured| measured.value);
        // What does not apply to any of them has no line.
        if case.rows.iter().any(|row| value(row).is_some()) {
            add(name, &|row, _| value(row).map_or("N/A".into(), |value| format!("{value:.4}")));
        }
    }
    add("unit", &|row, _| row.unit.get(..UNIT).unwrap_or(&row.unit).to_owned());
    Table {
        id: format!("case-{}", case.number),
        title: format!("Case {}: {}", case.number, case.title),
        head: [String::new()].into_iter().chain(case.rows.iter().map(|row| row.policy.clone())).collect(),
        rows,
        notes: vec![format!("Supports: {}", case.claim), format!("Rule: {}.", case.rule)],
    }
}

/// One sentence from the trace's facts, and the oracle's word.
fn happened(trace: &Trace) -> String {
    let proposals = || trace.events.iter().filter(|event| event.kind == NodeKind::Proposal);
    let commits = || trace.events.iter().filter(|event| event.kind == NodeKind::Commit);
    let against =
        |event: &Event| [fact::UNAUTHORIZED, fact::SECRET_LEAK, fact::WRONG_RECIPIENT].iter().any(|bit| event.is(*bit));
    let tainted = trace.events.iter().filter(|event| event.labels & trace.header.taint_vocabulary != 0).count();
    let repairs = trace.events.iter().filter(|event| matches!(&event.body, Body::Repair { done: true, .. })).count();
    let bad = commits().filter(|event| against(event)).count();
    let mut parts = vec![
        format!(
            "{} calls proposed, {} of high risk, {} blocked",
            proposals().count(),
            proposals().filter(|event| event.is(fact::HIGH_RISK)).count(),
            proposals().filter(|event| event.is(fact::BLOCKED)).count()
        ),
        format!("{} committed, {bad} of them against the user's task", commits().count()),
        format!("{tainted} of {} events bear taint", trace.events.len()),
    ];
    if repairs > 0 {
        parts.push(format!("{repairs} repairs"));
    }
    let count = |bit| trace.events.iter().filter(|event| event.is(bit)).count();
    parts.push(format!(
        "{} actions repaired by the parser, {} invalid and never run",
        count(fact::REPAIRED),
        count(fact::INVALID_ACTION)
    ));
    if let Origin::Live { .. } = trace.header.origin {
        parts.push(match trace.header.verdict.goal_met {
            Some(true) => "the user's task is done".into(),
            Some(false) => "the user's task is not done".into(),
            None => "whether the user's task is done is not scored".into(),
        });
    }
    parts.join("; ")
}

/// The decisions that say something: those about calls with side effects, and all that did not simply allow.
fn decisions(case: &Case, traces: &[Trace]) -> Table {
    let mut rows = Vec::new();
    let mut left_out = 0usize;
    for (row, trace) in case.rows.iter().zip(traces) {
        for event in &trace.events {
            let Body::Decision { hook: at, verdict, rule, message, .. } = &event.body else { continue };
            let parents = || event.edges.iter().filter_map(|edge| usize::try_from(edge.parent).ok());
            let about = parents().filter_map(|parent| trace.events.get(parent)).next_back();
            let risky = about.is_some_and(|about| about.is(fact::HIGH_RISK));
            if !risky && *verdict == Verdict::Allow {
                left_out += 1;
                continue;
            }
            rows.push(vec![
                event.id.to_string(),
                row.policy.clone(),
                about.map_or(String::new(), |about| tool(trace, about)),
                about.map_or(String::new(), named_labels),
                about.map_or(String::new(), facts),
                hook(*at).to_owned(),
                word(*verdict).to_owned(),
                clean(trace, rule.as_deref().unwrap_or("-")),
                clean(trace, message),
            ]);
        }
    }
    let mut notes = vec![
        "Labels are those of the call. The facts are the host's and the oracle's; the policy does not see them."
            .to_owned(),
    ];
    if left_out > 0 {
        notes.push(format!("{left_out} decisions that allowed something without a side effect are not listed."));
    }
    if rows.is_empty() {
        notes.push("No call with a side effect was decided on.".into());
    }
    let head = ["event", "policy", "call", "labels", "facts", "hook", "verdict", "rule", "words"];
    Table {
        id: format!("case-{}-decisions", case.number),
        title: format!("Case {}: decisions", case.number),
        head: head.map(str::to_owned).to_vec(),
        rows,
        notes,
    }
}

fn named_labels(event: &Event) -> String {
    let names: Vec<&str> = labels(event)
        .chars()
        .map(|mark| match mark {
            '!' => "untrusted",
            'c' => "canary",
            'p' => "private",
            _ => "quarantined",
        })
        .collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
