//! One event as a shape: content is a rounded box, a state a pill, a proposal a hexagon, a decision a diamond, a commit a box
//! with a double frame.

use super::{HIGH, WIDE, marks};
use crate::cases::redact;
use crate::figures::svg::{Anchor, Canvas, shorten, wrap};
use weir_trace::{Body, Event, Hook, NodeKind, Repair, Trace, Verdict};

/// Draws it around its centre.
pub(super) fn draw(canvas: &mut Canvas, trace: &Trace, event: &Event, (x, y): (f64, f64)) {
    let marks = marks(trace, event.labels);
    let taint = marks.contains('T');
    let class = if taint { "node taint" } else { "node" };
    let (left, top) = (x - WIDE / 2.0, y - HIGH / 2.0);
    match event.kind {
        NodeKind::AgentState | NodeKind::Message => canvas.rect(class, (left, top), (WIDE, HIGH), HIGH / 2.0),
        NodeKind::Proposal => canvas.polygon(
            class,
            &[
                (left, y),
                (left + 10.0, top),
                (left + WIDE - 10.0, top),
                (left + WIDE, y),
                (left + WIDE - 10.0, top + HIGH),
                (left + 10.0, top + HIGH),
            ],
        ),
        NodeKind::Decision => canvas.polygon(class, &diamond((x, y), (WIDE / 2.0, HIGH * 0.72))),
        NodeKind::Commit | NodeKind::Recovery => {
            canvas.rect(class, (left, top), (WIDE, HIGH), 0.0);
            let inner = if taint { "inner taint" } else { "inner" };
            canvas.rect(inner, (left + 3.0, top + 3.0), (WIDE - 6.0, HIGH - 6.0), 0.0);
        }
        NodeKind::Source | NodeKind::ToolResult | NodeKind::MemoryRecord => {
            canvas.rect(class, (left, top), (WIDE, HIGH), 5.0);
        }
    }
    let verdict = match &event.body {
        Body::Decision { verdict: Verdict::Block | Verdict::Replace, .. } => "bad",
        Body::Decision { verdict: Verdict::Allow, .. } => "good",
        _ => "small",
    };
    canvas.text(
        verdict,
        Anchor::Middle,
        (x, y + 4.0),
        &shorten(&redact(&name(trace, event), &trace.header.canaries), 15),
    );
    if let Body::Decision { hook, rule, .. } = &event.body {
        let rule = rule.as_deref().unwrap_or(match hook {
            Hook::Start => "start of the session",
            Hook::Filter => "on an observation",
            Hook::Authorize => "on the proposal",
            Hook::Precommit => "before the commit",
            Hook::Recover => "end of the session",
            Hook::Endorse => "labels of memories",
            Hook::Render => "the memory block",
        });
        canvas.lines(
            "rule",
            Anchor::Middle,
            (x, y + HIGH * 0.72 + 12.0),
            11.0,
            &wrap(rule, 10.0, super::COLUMN - 8.0, 4),
        );
    }
    for (at, mark) in marks.char_indices() {
        // Three letters at most.
        let offset = f64::from(u8::try_from(at).unwrap_or_default()) * 13.0;
        badge(canvas, (left + WIDE - offset, top), mark.encode_utf8(&mut [0; 4]));
    }
}

/// A small disc with a letter.
pub(super) fn badge(canvas: &mut Canvas, (x, y): (f64, f64), letter: &str) {
    canvas.circle("badge", (x, y), 6.5);
    canvas.text("badgetext", Anchor::Start, (x, y + 3.2), letter);
}

/// The corners of a diamond.
pub(super) fn diamond((x, y): (f64, f64), (half_width, half_height): (f64, f64)) -> [(f64, f64); 4] {
    [(x, y - half_height), (x + half_width, y), (x, y + half_height), (x - half_width, y)]
}

/// What stands in the shape.
fn name(trace: &Trace, event: &Event) -> String {
    let tool = event
        .tool
        .and_then(|tool| usize::try_from(tool).ok())
        .and_then(|tool| trace.tools.get(tool))
        .map_or("?", |tool| tool.name.as_str());
    match &event.body {
        Body::Text { origin } if event.kind == NodeKind::AgentState => format!("{origin} {}", event.id),
        Body::Text { origin } => origin.clone(),
        Body::Message { to } => {
            let to = to.and_then(|to| usize::try_from(to).ok()).and_then(|to| trace.header.agents.get(to));
            format!("to {}", to.map_or("user", String::as_str))
        }
        Body::Proposal { .. } => tool.to_owned(),
        Body::ToolResult { error } => if *error { "no result" } else { tool }.to_owned(),
        Body::Commit { .. } => tool.to_owned(),
        Body::Decision { verdict, .. } => match verdict {
            Verdict::Allow => "allow",
            Verdict::Block => "block",
            Verdict::Confirm => "confirm",
            Verdict::Replace => "replace",
        }
        .to_owned(),
        Body::Repair { action, .. } => match action {
            Repair::Rollback => "rollback",
            Repair::Quarantine => "quarantine",
            Repair::Scrub => "scrub",
        }
        .to_owned(),
    }
}

/// An event for those who do not see the figure.
pub(super) fn words(trace: &Trace, event: &Event) -> String {
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
    let rule = match &event.body {
        Body::Decision { rule: Some(rule), .. } => format!(" by rule {rule}"),
        _ => String::new(),
    };
    let taint = if event.labels & trace.header.taint_vocabulary == 0 { "" } else { ", tainted" };
    format!("{} {kind} {}{rule}{taint}", event.id, shorten(&name(trace, event), 40))
}
