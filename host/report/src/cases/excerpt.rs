//! A trace in lines, as `weir trace` prints it, shortened and without canaries.

use super::redact;
use crate::figures::shorten;
use crate::html::visible;
use weir_trace::{Body, Event, Hook, NodeKind, Repair, Trace, Verdict, fact, label};

/// Events of an excerpt; of a longer trace the middle is left out, and said to be.
const EVENTS: usize = 36;
/// Characters of an event's text.
const SHOWN: usize = 150;

/// The lines.
pub(super) fn excerpt(trace: &Trace) -> String {
    let events = &trace.events;
    let out = events.len().saturating_sub(EVENTS);
    let head = if out == 0 { events.len() } else { EVENTS / 2 };
    let mut lines: Vec<String> = events.iter().take(head).map(|event| line(trace, event)).collect();
    if out > 0 {
        lines.push(format!("     … {out} events are left out here …"));
        lines.extend(events.iter().skip(head + out).map(|event| line(trace, event)));
    }
    lines.join("\n")
}

fn line(trace: &Trace, event: &Event) -> String {
    let kind = match event.kind {
        NodeKind::Source => "source",
        NodeKind::AgentState => "agent state",
        NodeKind::Message => "message",
        NodeKind::MemoryRecord => "memory",
        NodeKind::Proposal => "proposal",
        NodeKind::Decision => "decision",
        NodeKind::ToolResult => "result",
        NodeKind::Commit => "commit",
        NodeKind::Recovery => "repair",
    };
    let text = || clean(trace, &event.text);
    let what = match &event.body {
        Body::Proposal { .. } => format!("{} {}", tool(trace, event), text()),
        Body::Decision { verdict, rule, message, .. } => {
            format!("{} {} {}", word(*verdict), clean(trace, rule.as_deref().unwrap_or("-")), clean(trace, message))
        }
        Body::Commit { targets } => format!("{} {}", tool(trace, event), clean(trace, &targets.join(", "))),
        Body::Text { origin } => format!("[{}] {}", clean(trace, origin), text()),
        Body::ToolResult { .. } => text(),
        Body::Message { to } => {
            let to = to.and_then(|to| usize::try_from(to).ok()).and_then(|to| trace.header.agents.get(to));
            format!("[to {}] {}", clean(trace, to.map_or("user", String::as_str)), text())
        }
        Body::Repair { action, target, done } => {
            let done = if *done { "" } else { " (not possible)" };
            format!("{} {}{done}", repair(*action), clean(trace, target))
        }
    };
    let parents: Vec<String> = event.edges.iter().map(|edge| edge.parent.to_string()).collect();
    let from = if parents.is_empty() { String::new() } else { format!("  <- {}", parents.join(",")) };
    let facts = facts(event);
    let facts = if facts.is_empty() { facts } else { format!("  {{{facts}}}") };
    format!("{:>4} {kind:<11} {:<3} {}{facts}{from}", event.id, labels(event), what.trim_end())
}

/// Text of a trace for a reader: no canary, nothing hidden, one line, not too long. Canaries go before anything is cut, so
/// that no half of one is left.
pub(super) fn clean(trace: &Trace, text: &str) -> String {
    shorten(&visible(&redact(text, &trace.header.canaries)), SHOWN)
}

/// A tool's name.
pub(super) fn tool(trace: &Trace, event: &Event) -> String {
    let tool = event.tool.and_then(|tool| usize::try_from(tool).ok()).and_then(|tool| trace.tools.get(tool));
    clean(trace, tool.map_or("?", |tool| tool.name.as_str()))
}

/// A verdict, as it is printed.
pub(super) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "ALLOW",
        Verdict::Block => "BLOCK",
        Verdict::Confirm => "CONFIRM",
        Verdict::Replace => "REPLACE",
    }
}

/// A hook, as it is printed.
pub(super) fn hook(hook: Hook) -> &'static str {
    match hook {
        Hook::Start => "start",
        Hook::Filter => "filter",
        Hook::Authorize => "authorize",
        Hook::Precommit => "precommit",
        Hook::Recover => "recover",
        Hook::Endorse => "endorse",
        Hook::Render => "render",
    }
}

fn repair(action: Repair) -> &'static str {
    match action {
        Repair::Rollback => "rollback of call",
        Repair::Quarantine => "quarantine of memory",
        Repair::Scrub => "scrub of memory",
    }
}

/// `!` untrusted, `c` canary, `p` private, `q` quarantined.
pub(super) fn labels(event: &Event) -> String {
    let marks = [(label::UNTRUSTED, '!'), (label::CANARY, 'c'), (label::PRIVATE, 'p'), (label::QUARANTINED, 'q')];
    marks.iter().filter(|(bit, _)| event.labels & bit != 0).map(|(_, mark)| *mark).collect()
}

/// What the host and the oracle know of an event.
pub(super) fn facts(event: &Event) -> String {
    fact::SHOWN.iter().filter(|(bit, _)| event.is(*bit)).map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
}
