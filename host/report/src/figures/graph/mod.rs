//! Figure 1: a rollout as the paper's typed graph (ContainmentBench 3.5), from a real trace. Content enters at the top, each
//! agent has a lane, the policy layer stands between what is proposed and what happens, and effects are at the bottom. Edges
//! that carry labels are apart from those that do not, and what bears taint is coloured, framed and marked.

mod layout;
mod node;

use super::svg::{Anchor, Canvas, shorten, width, wrap};
use crate::cases::redact;
use crate::page::Figure;
use layout::{Lane, Layout, Place};
use weir_trace::{EdgeKind, Trace, label};

const WIDE: f64 = 92.0;
const HIGH: f64 = 30.0;
const COLUMN: f64 = 114.0;
const LEFT: f64 = 132.0;
const LEGEND: f64 = 64.0;

/// Events that are drawn. A longer trace is cut there, and the caption says so.
const DRAWN: usize = 64;

/// The whole graph of a trace.
#[must_use]
pub fn graph(trace: &Trace) -> Figure {
    let header = &trace.header;
    let shown = trace.events.get(..DRAWN).unwrap_or(&trace.events);
    let layout = Layout::of(shown, header.agents.len());
    let mut canvas = Canvas::default();
    let right = LEFT + COLUMN * layout.columns() + 10.0;
    lanes(&mut canvas, trace, &layout, right);
    for event in shown {
        for edge in &event.edges {
            let (Some(from), Some(to)) = (layout.place(edge.parent), layout.place(event.id)) else { continue };
            let parent = shown.iter().find(|other| other.id == edge.parent);
            let taint = parent.is_some_and(|parent| parent.labels & header.taint_vocabulary != 0);
            arrow(&mut canvas, edge.kind, taint, from, to);
        }
    }
    for event in shown {
        if let Some(place) = layout.place(event.id) {
            node::draw(&mut canvas, trace, event, centre(place));
        }
    }
    let foot = layout.bottom();
    let width = right.max(LEFT + 560.0);
    legend(&mut canvas, foot + 14.0);
    let policy = header.policy.as_ref().map_or("no policy", |policy| policy.name.as_str());
    let tainted = shown.iter().filter(|event| event.labels & header.taint_vocabulary != 0).count();
    let description = format!(
        "{} events of scenario {} under {policy}; {tainted} bear taint. {}",
        shown.len(),
        header.scenario,
        shown.iter().map(|event| node::words(trace, event)).collect::<Vec<_>>().join("; ")
    );
    let title = "Threat model and taint/intent graph of one rollout";
    let cut = if trace.events.len() > shown.len() {
        format!(" The first {} of {} events are drawn.", shown.len(), trace.events.len())
    } else {
        String::new()
    };
    Figure {
        id: "figure-1".into(),
        title: title.into(),
        caption: redact(
            &format!(
                "Scenario {}, stage {}, policy {policy}, unit {}. Only data-flow edges carry taint; the policy layer is given the labels of the prefix and the intent ledger, and decides before any effect.{cut}",
                header.scenario,
                header.stage,
                header.unit.get(..12).unwrap_or(&header.unit),
            ),
            &header.canaries,
        ),
        svg: canvas.finish(title, &redact(&description, &header.canaries), (width, foot + LEGEND)),
    }
}

fn centre(place: Place) -> (f64, f64) {
    (LEFT + COLUMN * (place.column + 0.5), place.y)
}

fn lanes(canvas: &mut Canvas, trace: &Trace, layout: &Layout, right: f64) {
    for (lane, top, bottom) in layout.lanes() {
        let gate = lane == Lane::Policy;
        let class = if gate { "gatelane" } else { "lane" };
        canvas.rect(class, (4.0, top + 3.0), (right - 8.0, bottom - top - 6.0), 5.0);
        let (name, about) = match lane {
            Lane::Outside => ("Content", "sources, results and memory".to_owned()),
            Lane::Agent(index) => (
                trace.header.agents.get(index).map_or("agent", String::as_str),
                "agent: states, messages, proposals".to_owned(),
            ),
            Lane::Policy => (trace.header.policy.as_ref().map_or("no policy", |p| p.name.as_str()), intent(trace)),
            Lane::Effect => ("Effects", "commits and repairs".to_owned()),
        };
        canvas.text(if gate { "gate" } else { "head" }, Anchor::Start, (12.0, top + 22.0), &shorten(name, 17));
        canvas.lines(
            "smalldim",
            Anchor::Start,
            (12.0, top + 37.0),
            13.0,
            &wrap(&redact(&about, &trace.header.canaries), 10.0, LEFT - 22.0, if gate { 6 } else { 3 }),
        );
    }
}

/// What the policy layer reads: taint, and the intent that the ledger holds.
fn intent(trace: &Trace) -> String {
    let entries: Vec<String> = trace
        .header
        .ledgers
        .iter()
        .flat_map(|ledger| &ledger.entries)
        .map(|entry| match entry.targets.first() {
            Some(target) if entry.targets.len() == 1 => format!("{} to {target}", entry.action),
            Some(target) => format!("{} to {target} and {} more", entry.action, entry.targets.len() - 1),
            None => entry.action.clone(),
        })
        .collect();
    let ledger = if entries.is_empty() { "no entry".to_owned() } else { entries.join(", ") };
    format!("is given taint, and intent: {ledger}")
}

/// Data flow is solid, and coloured where the parent bears taint; what carries no labels is broken and thin.
fn arrow(canvas: &mut Canvas, kind: EdgeKind, taint: bool, from: Place, to: Place) {
    let (line, tip) = match kind {
        EdgeKind::DataFlow if taint => ("flow taint", "tip taint"),
        EdgeKind::DataFlow => ("flow", "tip"),
        EdgeKind::Structural => ("structural", "tip thin"),
        EdgeKind::Temporal => ("temporal", "tip thin"),
        EdgeKind::Audit => ("audit", "tip thin"),
    };
    let ((x1, y1), (x2, y2)) = (centre(from), centre(to));
    // Kinds leave and arrive side by side, so that two edges between the same nodes stay two lines.
    let shift = if kind == EdgeKind::DataFlow { 0.0 } else { 9.0 };
    let half = (WIDE / 2.0, HIGH / 2.0 + 1.0);
    let (start, control, end) = if from.lane == to.lane {
        let y = y1 + shift * 0.6;
        let (start, end) = ((x1 + half.0, y), (x2 - half.0 - 1.0, y2 + shift * 0.6));
        if to.column - from.column < 1.5 {
            (start, ((start.0 + end.0) / 2.0, y), end)
        } else {
            // Over the nodes between them.
            let rise = (half.1 + 10.0 + 3.0 * (to.column - from.column)).min(36.0) * 2.0;
            let (start, end) = ((x1 + half.0 * 0.6, y1 - half.1), (x2 - half.0 * 0.6, y2 - half.1));
            (start, ((start.0 + end.0) / 2.0, y1 - rise), end)
        }
    } else if (to.column - from.column).abs() < 0.1 && to.lane == Lane::Effect && from.lane != Lane::Policy {
        // Around the decision between them.
        let (start, end) = ((x1 + half.0 * 0.75, y1 + half.1), (x2 + half.0 * 0.75, y2 - half.1));
        (start, (x1 + COLUMN * 0.72, (y1 + y2) / 2.0), end)
    } else if (to.column - from.column).abs() < 0.1 {
        let (a, b) = if y2 > y1 { (y1 + half.1, y2 - half.1) } else { (y1 - half.1, y2 + half.1) };
        ((x1 + shift, a), (x1 + shift, (a + b) / 2.0), (x2 + shift, b))
    } else {
        let down = y2 > y1;
        let start = (x1 + half.0 * 0.7, if down { y1 + half.1 } else { y1 - half.1 });
        let end = (x2 - half.0 * 0.7 + shift, if down { y2 - half.1 } else { y2 + half.1 });
        let control = if down {
            (x1 + COLUMN * 0.55, y1 + (y2 - y1) * 0.25)
        } else {
            (x2 - COLUMN * 0.55, y2 + (y1 - y2) * 0.35)
        };
        (start, control, end)
    };
    canvas.curve(line, start, control, end);
    head(canvas, tip, control, end);
}

/// An arrow's head, in the direction in which the curve arrives.
fn head(canvas: &mut Canvas, class: &str, from: (f64, f64), (x, y): (f64, f64)) {
    let length = (x - from.0).hypot(y - from.1).max(1e-6);
    let (ux, uy) = ((x - from.0) / length, (y - from.1) / length);
    let back = (x - ux * 7.0, y - uy * 7.0);
    canvas.polygon(class, &[(x, y), (back.0 - uy * 3.4, back.1 + ux * 3.4), (back.0 + uy * 3.4, back.1 - ux * 3.4)]);
}

fn legend(canvas: &mut Canvas, top: f64) {
    let lines = [
        ("flow taint", "data flow of tainted content"),
        ("flow", "data flow"),
        ("structural", "structural: exists because of"),
        ("audit", "audit: a record about"),
    ];
    let mut x = 12.0;
    for (class, words) in lines {
        canvas.line(class, (x, top), (x + 28.0, top));
        canvas.text("dim", Anchor::Start, (x + 34.0, top + 4.0), words);
        x += 46.0 + width(words, 11.0);
    }
    canvas.rect("node taint", (12.0, top + 16.0), (28.0, 16.0), 3.0);
    node::badge(canvas, (40.0, top + 16.0), "T");
    canvas.text("dim", Anchor::Start, (54.0, top + 28.0), "bears taint (T); canary or private (C, P)");
    let x = 66.0 + width("bears taint (T); canary or private (C, P)", 11.0);
    canvas.polygon("node", &node::diamond((x + 14.0, top + 24.0), (14.0, 9.0)));
    canvas.text("dim", Anchor::Start, (x + 34.0, top + 28.0), "decision; its rule beneath it");
    let x = x + 46.0 + width("decision; its rule beneath it", 11.0);
    canvas.rect("node", (x, top + 16.0), (28.0, 16.0), 0.0);
    canvas.rect("inner", (x + 3.0, top + 19.0), (22.0, 10.0), 0.0);
    canvas.text("dim", Anchor::Start, (x + 34.0, top + 28.0), "commit: a side effect that took place");
}

/// Letters of an event's labels.
fn marks(trace: &Trace, labels: u64) -> String {
    let taint = (labels & trace.header.taint_vocabulary != 0, "T");
    let canary = (labels & label::CANARY != 0, "C");
    let private = (labels & label::PRIVATE != 0, "P");
    [taint, canary, private].into_iter().filter(|(has, _)| *has).map(|(_, mark)| mark).collect()
}
