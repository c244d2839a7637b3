//! Figure 3: authorised tainted completion by policy, as bars.

use super::axis::Axis;
use super::mark::slots;
use super::svg::{Anchor, Canvas, shorten, width};
use super::{Value, caption};
use crate::page::Figure;

/// What the figure is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Stage, model and whether it is simulated.
    pub scope: String,
    /// A policy and its rate, in the order of the plan.
    pub bars: Vec<(String, Value)>,
}

const ROW: f64 = 30.0;
const PLOT: f64 = 400.0;

/// Figure 3.
#[must_use]
pub fn bars(input: &Bars) -> Figure {
    let title = "Authorised tainted completion, by policy";
    let names: Vec<String> = input.bars.iter().map(|(policy, _)| shorten(policy, 28)).collect();
    let left = names.iter().map(|name| width(name, 12.0)).fold(60.0, f64::max) + 20.0;
    // A completion is a share: the scale is all that is possible, so that bars of two runs can be compared.
    let axis = Axis::new([0.0, 1.0], 4.0, (left, left + PLOT));
    let top = 14.0;
    let bottom = top + ROW * count(input.bars.len());
    let mut canvas = Canvas::default();
    for (value, label) in axis.ticks() {
        canvas.line("grid", (axis.at(value), top), (axis.at(value), bottom));
        canvas.text("dim", Anchor::Middle, (axis.at(value), bottom + 16.0), &label);
    }
    let mut y = top;
    for (((_, value), name), slot) in
        input.bars.iter().zip(&names).zip(slots(input.bars.iter().map(|(policy, _)| policy.as_str())))
    {
        let middle = y + ROW / 2.0;
        canvas.text("t", Anchor::End, (left - 10.0, middle + 4.0), name);
        match value.known() {
            None => canvas.text("dim", Anchor::Start, (left + 6.0, middle + 4.0), "N/A"),
            Some(known) => {
                let end = axis.at(known);
                canvas.rect(&format!("bar {}", slot.colour()), (left, y + 6.0), (end - left, ROW - 12.0), 1.0);
                let mut free = end;
                if let Some((low, high)) = value.interval() {
                    let (low, high) = (axis.at(low), axis.at(high));
                    free = free.max(high);
                    canvas.line("whisker", (low, middle), (high, middle));
                    canvas.line("whisker", (low, middle - 4.0), (low, middle + 4.0));
                    canvas.line("whisker", (high, middle - 4.0), (high, middle + 4.0));
                }
                canvas.text("head", Anchor::Start, (free + 8.0, middle + 4.0), &format!("{known:.3}"));
                canvas.text("dim", Anchor::Start, (free + 54.0, middle + 4.0), &value.counts);
            }
        }
        y += ROW;
    }
    canvas.line("axis", (left, top), (left, bottom));
    canvas.text(
        "dim",
        Anchor::Middle,
        (left + PLOT / 2.0, bottom + 34.0),
        "authorised tainted completion (higher is better)",
    );
    let words: Vec<String> = input.bars.iter().map(|(policy, value)| format!("{policy}: {}", value.words())).collect();
    let svg =
        canvas.finish(title, &format!("{}. {}.", input.scope, words.join("; ")), (left + PLOT + 130.0, bottom + 44.0));
    Figure {
        id: "figure-3".into(),
        title: title.into(),
        caption: caption(
            &input.scope,
            "Beside each bar: the rate and its counts. A policy without applicable rollouts is N/A.",
        ),
        svg,
    }
}

/// Rows are few; the cast is exact.
#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
pub(super) fn count(rows: usize) -> f64 {
    rows as f64
}
