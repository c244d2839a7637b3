//! Figure 4: committed violations against all-stage logged spread, one point a policy.

use super::axis::Axis;
use super::mark::slots;
use super::place::{Area, labels};
use super::svg::{Anchor, Canvas, shorten, width};
use super::{Value, caption};
use crate::page::Figure;

/// A policy's two readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// The policy.
    pub policy: String,
    /// Committed policy violation, over all stages.
    pub violation: Value,
    /// Logged spread, over all stages, with the realized-trace denominator.
    pub spread: Value,
}

/// What the figure is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Stages, model and whether it is simulated.
    pub scope: String,
    /// In the order of the plan.
    pub points: Vec<Point>,
}

/// A mark at an end of the scale stays whole.
const INSET: f64 = 16.0;
/// Before a label: its policy's mark, since marks in one place cover each other.
const KEY: f64 = 14.0;
pub(super) const FRAME: Area = Area { left: 70.0, top: 18.0, right: 690.0, bottom: 388.0 };

/// A name with its two readings.
pub(super) struct Dot<'a> {
    pub(super) name: &'a str,
    pub(super) x: &'a Value,
    pub(super) y: &'a Value,
}

/// The scales of a plot whose marks stay whole at their ends.
pub(super) fn scales(x: impl IntoIterator<Item = f64>, y: impl IntoIterator<Item = f64>) -> (Axis, Axis) {
    (Axis::new(x, 5.0, (FRAME.left + INSET, FRAME.right - INSET)), Axis::new(y, 5.0, (FRAME.bottom, FRAME.top)))
}

/// Scales, intervals, marks, and names that do not cover each other.
pub(super) fn draw(canvas: &mut Canvas, (x, y): (&Axis, &Axis), dots: &[Dot]) {
    for (value, label) in x.ticks() {
        canvas.line("grid", (x.at(value), FRAME.top), (x.at(value), FRAME.bottom));
        canvas.text("dim", Anchor::Middle, (x.at(value), FRAME.bottom + 17.0), &label);
    }
    for (value, label) in y.ticks() {
        canvas.line("grid", (FRAME.left, y.at(value)), (FRAME.right, y.at(value)));
        canvas.text("dim", Anchor::End, (FRAME.left - 8.0, y.at(value) + 4.0), &label);
    }
    canvas.line("axis", (FRAME.left, FRAME.bottom), (FRAME.right, FRAME.bottom));
    canvas.line("axis", (FRAME.left, FRAME.top), (FRAME.left, FRAME.bottom));

    let all = slots(dots.iter().map(|dot| dot.name));
    let drawn: Vec<_> = dots
        .iter()
        .zip(all)
        .filter_map(|(dot, slot)| Some((dot, slot, (x.at(dot.x.known()?), y.at(dot.y.known()?)))))
        .collect();
    let mut soft = Vec::new();
    for (dot, slot, (px, py)) in &drawn {
        let class = format!("span {}", slot.colour());
        if let Some((low, high)) = dot.x.interval() {
            canvas.line(&class, (x.at(low), *py), (x.at(high), *py));
            soft.push(Area { left: x.at(low), top: py - 2.0, right: x.at(high), bottom: py + 2.0 });
        }
        if let Some((low, high)) = dot.y.interval() {
            canvas.line(&class, (*px, y.at(low)), (*px, y.at(high)));
            soft.push(Area { left: px - 2.0, top: y.at(high), right: px + 2.0, bottom: y.at(low) });
        }
    }
    let sized: Vec<_> =
        drawn.iter().map(|(dot, _, at)| (*at, (KEY + width(&shorten(dot.name, 28), 12.0), 15.0))).collect();
    let taken: Vec<Area> = drawn.iter().map(|(_, _, at)| Area::around(*at, (8.0, 8.0))).collect();
    for ((dot, slot, at), area) in drawn.iter().zip(labels(&sized, &FRAME, &taken, &soft)) {
        let near = (at.0.clamp(area.left - 1.0, area.right), at.1.clamp(area.top + 3.0, area.bottom - 3.0));
        if (near.0 - at.0).hypot(near.1 - at.1) > 13.0 {
            canvas.line("leader", *at, near);
        }
        let middle = (area.top + area.bottom) / 2.0;
        let name = shorten(dot.name, 28);
        // The mark is on the point's side: how wide the text really is, only the reader's browser knows.
        if at.0 > area.right {
            canvas.mark(*slot, (area.right - 5.0, middle), 4.0);
            canvas.text("halo", Anchor::End, (area.right - KEY, area.bottom - 3.5), &name);
        } else {
            canvas.mark(*slot, (area.left + 5.0, middle), 4.0);
            canvas.text("halo", Anchor::Start, (area.left + KEY, area.bottom - 3.5), &name);
        }
    }
    for (_, slot, at) in &drawn {
        canvas.mark(*slot, *at, 6.0);
    }
}

/// Names those that cannot be drawn, and returns where the figure ends.
pub(super) fn absent(canvas: &mut Canvas, dots: &[Dot]) -> f64 {
    let missing = dots.iter().filter(|dot| dot.x.known().is_none() || dot.y.known().is_none());
    let missing: Vec<&str> = missing.map(|dot| dot.name).collect();
    let bottom = FRAME.bottom + 50.0;
    if missing.is_empty() {
        return bottom;
    }
    let text = format!("N/A: {}", shorten(&missing.join(", "), 90));
    canvas.text("dim", Anchor::Start, (FRAME.left, bottom + 6.0), &text);
    bottom + 18.0
}

/// Figure 4.
#[must_use]
pub fn scatter(input: &Scatter) -> Figure {
    let title = "Committed violations against logged spread, by policy";
    let (x, y) = scales(
        [0.0].into_iter().chain(input.points.iter().flat_map(|p| p.violation.extent())),
        input.points.iter().flat_map(|p| p.spread.extent()),
    );
    let mut canvas = Canvas::default();
    let dots: Vec<Dot> = input.points.iter().map(|p| Dot { name: &p.policy, x: &p.violation, y: &p.spread }).collect();
    draw(&mut canvas, (&x, &y), &dots);
    canvas.text(
        "dim",
        Anchor::Middle,
        (380.0, FRAME.bottom + 38.0),
        "committed policy violation, all stages (lower is better)",
    );
    canvas.text("dim", Anchor::Start, (6.0, 10.0), "logged spread, all stages");
    let bottom = absent(&mut canvas, &dots);
    let words: Vec<String> = input
        .points
        .iter()
        .map(|p| format!("{}: violation {}, spread {}", p.policy, p.violation.words(), p.spread.words()))
        .collect();
    let denominators: Vec<String> = input
        .points
        .iter()
        .filter(|p| !p.violation.counts.is_empty())
        .map(|p| format!("{} {}", p.policy, p.violation.counts))
        .collect();
    let svg = canvas.finish(title, &format!("{}. {}.", input.scope, words.join("; ")), (710.0, bottom));
    Figure {
        id: "figure-4".into(),
        title: title.into(),
        caption: caption(
            &input.scope,
            &format!(
                "Violations: {}. The scale of the spread does not begin at 0. Logged spread is a ratio over each policy's own trace, composed of stages.",
                denominators.join(", ")
            ),
        ),
        svg,
    }
}
