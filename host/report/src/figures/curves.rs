//! What errors in the ledger cost: completion and violation by the rate of errors, a line a policy.

use super::axis::Axis;
use super::bars::count;
use super::mark::{Slot, slots};
use super::place::spread;
use super::svg::{Anchor, Canvas, shorten, width, wrap};
use super::{Value, caption};
use crate::page::Figure;

/// One policy's line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// The policy.
    pub policy: String,
    /// The rate of errors, from 0 to 1, and the reading there; in any order.
    pub points: Vec<(f64, Value)>,
}

/// One metric under one kind of error.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurvePanel {
    /// The kind of error, for example `omitted`.
    pub kind: String,
    /// The metric for a reader, with its direction.
    pub metric: String,
    /// In the order of the plan.
    pub curves: Vec<Curve>,
}

/// What the figure is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// Stages, model and whether it is simulated.
    pub scope: String,
    /// Two stand beside each other: for each kind of error first completion, then violation.
    pub panels: Vec<CurvePanel>,
}

const PLOT: (f64, f64) = (220.0, 170.0);
const LEFT: f64 = 44.0;
const HEAD: f64 = 44.0;
const FOOT: f64 = 46.0;
const GAP: f64 = 13.0;

/// The curves, with each policy's name at the end of its line.
#[must_use]
pub fn curves(input: &Curves) -> Figure {
    let title = "Errors in the ledger: what they cost, and what they let through";
    let all = || input.panels.iter().flat_map(|panel| &panel.curves);
    let label = all().map(|curve| width(&shorten(&curve.policy, 22), 10.0)).fold(40.0, f64::max) + 26.0;
    let mut names: Vec<&str> = Vec::new();
    for curve in all() {
        if !names.contains(&curve.policy.as_str()) {
            names.push(&curve.policy);
        }
    }
    let looks: Vec<(&str, Slot)> = names.iter().copied().zip(slots(names.iter().copied())).collect();
    let cell = LEFT + PLOT.0 + label;
    // Room for a label of each line, however many there are.
    let height = PLOT.1.max(count(names.len()) * GAP + 6.0);
    let mut canvas = Canvas::default();
    let mut top = 0.0;
    for row in input.panels.chunks(2) {
        for (column, panel) in row.iter().enumerate() {
            one(&mut canvas, panel, &looks, (count(column) * cell + LEFT, top + HEAD), height);
        }
        top += HEAD + height + FOOT;
    }
    let words: Vec<String> = input
        .panels
        .iter()
        .flat_map(|panel| {
            panel.curves.iter().map(move |curve| {
                let points: Vec<String> =
                    curve.points.iter().map(|(rate, value)| format!("at {rate:.2}: {}", value.words())).collect();
                format!("{}, {}, {}: {}", panel.kind, panel.metric, curve.policy, points.join(", "))
            })
        })
        .collect();
    let svg = canvas.finish(
        title,
        &format!("{}. {}.", input.scope, words.join("; ")),
        (cell * count(input.panels.len().clamp(1, 2)), top.max(40.0)),
    );
    let mut denominators: Vec<&str> =
        all().flat_map(|curve| &curve.points).map(|(_, value)| value.counts.as_str()).collect();
    denominators.retain(|counts| !counts.is_empty());
    let rollouts: Vec<&str> = denominators.iter().filter_map(|counts| counts.split(['/', '=']).nth(1)).collect();
    let span = rollouts.iter().filter_map(|n| n.parse::<u64>().ok()).fold(None, |span: Option<(u64, u64)>, n| {
        span.map_or(Some((n, n)), |(low, high)| Some((low.min(n), high.max(n))))
    });
    let of = match span {
        Some((low, high)) if low == high => format!("Each point is of {low} rollouts. "),
        Some((low, high)) => format!("Each point is of {low} to {high} rollouts. "),
        None => String::new(),
    };
    Figure {
        id: "figure-ledger-errors".into(),
        title: title.into(),
        caption: caption(
            &input.scope,
            &format!(
                "{of}The rate is the share of entries, or of confirmations, that are wrong. Lines that lie on each other have their names beside each other."
            ),
        ),
        svg,
    }
}

fn one(canvas: &mut Canvas, panel: &CurvePanel, looks: &[(&str, Slot)], (left, top): (f64, f64), height: f64) {
    let bottom = top + height;
    let right = left + PLOT.0;
    canvas.text("head", Anchor::Start, (left, top - 26.0), &shorten(&panel.kind, 40));
    for line in wrap(&panel.metric, 11.0, PLOT.0 + 60.0, 1) {
        canvas.text("dim", Anchor::Start, (left, top - 10.0), &line);
    }
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let x = Axis::new([0.0].into_iter().chain(points().map(|(rate, _)| *rate)), 4.0, (left, right));
    // From 0, so that the two panels of an error can be read together.
    let y = Axis::new([0.0].into_iter().chain(points().flat_map(|(_, value)| value.extent())), 4.0, (bottom, top));
    for (value, label) in y.ticks() {
        canvas.line("grid", (left, y.at(value)), (right, y.at(value)));
        canvas.text("dim", Anchor::End, (left - 6.0, y.at(value) + 4.0), &label);
    }
    for (value, label) in x.ticks() {
        canvas.text("dim", Anchor::Middle, (x.at(value), bottom + 15.0), &label);
    }
    canvas.line("axis", (left, bottom), (right, bottom));
    canvas.text("dim", Anchor::Middle, ((left + right) / 2.0, bottom + 30.0), "rate of errors");
    let mut ends: Vec<(&Curve, Slot, (f64, f64))> = Vec::new();
    for curve in &panel.curves {
        let Some((_, slot)) = looks.iter().find(|(name, _)| *name == curve.policy) else { continue };
        let mut drawn: Vec<(f64, f64, &Value)> =
            curve.points.iter().filter_map(|(rate, value)| Some((x.at(*rate), y.at(value.known()?), value))).collect();
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
        let places: Vec<(f64, f64)> = drawn.iter().map(|(px, py, _)| (*px, *py)).collect();
        canvas.polyline(&format!("curve {} {}", slot.colour(), slot.dash()), &places);
        for (px, py, value) in drawn {
            if let Some((low, high)) = value.interval() {
                canvas.line(&format!("faint {}", slot.colour()), (px, y.at(low)), (px, y.at(high)));
            }
            canvas.mark(*slot, (px, py), 3.6);
        }
        match places.last() {
            Some(end) => ends.push((curve, *slot, *end)),
            None => ends.push((curve, *slot, (right, bottom))),
        }
    }
    let wanted: Vec<f64> = ends.iter().map(|(_, _, (_, py))| *py).collect();
    for ((curve, slot, end), py) in ends.iter().zip(spread(&wanted, GAP, (top + 4.0, bottom))) {
        let absent = curve.points.iter().all(|(_, value)| value.known().is_none());
        let name = shorten(&curve.policy, 22);
        if absent {
            canvas.text("smalldim", Anchor::Start, (right + 22.0, py + 3.5), &format!("{name} N/A"));
            continue;
        }
        canvas.line("leader", (end.0 + 5.0, end.1), (right + 12.0, py));
        canvas.mark(*slot, (right + 16.0, py), 3.4);
        canvas.text("small", Anchor::Start, (right + 22.0, py + 3.5), &name);
    }
}
