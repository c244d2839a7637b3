//! Figures 5 and 6 and the positive controls: dots with intervals, a panel a metric, each on a scale of its own.

use super::Value;
use super::axis::Axis;
use super::bars::count;
use super::mark::slots;
use super::svg::{Anchor, Canvas, shorten, width, wrap};
use crate::page::Figure;

/// One metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The metric's name for a reader, with its stage.
    pub title: String,
    /// `higher is better`, `lower is better`, or what is wrong with the comparison, for example `not discriminative`.
    pub note: String,
    /// A policy and its reading, in the order of the plan; the same policies in all panels.
    pub rows: Vec<(String, Value)>,
    /// The policy whose interval is drawn as a band behind the others, so that a separation can be seen: the control.
    pub control: Option<String>,
}

/// What the figure is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panels {
    /// For links and file names.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Stages, model and whether it is simulated.
    pub scope: String,
    /// What to see in it.
    pub caption: String,
    /// In order; up to three stand beside each other.
    pub panels: Vec<Panel>,
}

const ROW: f64 = 34.0;
const PLOT: f64 = 200.0;
const GAP: f64 = 44.0;
const HEAD: f64 = 68.0;
const FOOT: f64 = 34.0;

/// Dots with intervals. Figure 5: endpoint, utility and spread of two policies; figure 6: memory and recovery by policy;
/// the separation of the positive controls, where [`Panel::control`] is set.
#[must_use]
pub fn panels(input: &Panels) -> Figure {
    let mut names: Vec<&str> = Vec::new();
    for (policy, _) in input.panels.iter().flat_map(|panel| &panel.rows) {
        if !names.contains(&policy.as_str()) {
            names.push(policy);
        }
    }
    let left = names.iter().map(|name| width(&shorten(name, 28), 12.0)).fold(60.0, f64::max) + 20.0;
    // Four are two and two, not three and one.
    let across = if input.panels.len() == 4 { 2 } else { input.panels.len().clamp(1, 3) };
    let total = left + count(across) * (PLOT + GAP);
    let mut canvas = Canvas::default();
    let mut top = 0.0;
    for line in input.panels.chunks(across) {
        let first = top + HEAD;
        let last = first + ROW * count(names.len());
        for (index, name) in names.iter().enumerate() {
            let middle = first + ROW * (count(index) + 0.62);
            canvas.text("t", Anchor::End, (left - 12.0, middle + 4.0), &shorten(name, 28));
        }
        for (column, panel) in line.iter().enumerate() {
            let from = left + count(column) * (PLOT + GAP) + 8.0;
            one(&mut canvas, panel, &names, (from, from + PLOT - 8.0), (first, last));
        }
        top = last + FOOT;
    }
    let words: Vec<String> = input
        .panels
        .iter()
        .map(|panel| {
            let rows: Vec<String> =
                panel.rows.iter().map(|(policy, value)| format!("{policy} {}", value.words())).collect();
            format!("{} ({}): {}", panel.title, panel.note, rows.join(", "))
        })
        .collect();
    let svg = canvas.finish(&input.title, &format!("{}. {}.", input.scope, words.join("; ")), (total, top.max(40.0)));
    let band = if input.panels.iter().any(|panel| panel.control.is_some()) {
        " The band is the control's interval: an interval that does not touch it stands apart from the control."
    } else {
        ""
    };
    Figure {
        id: input.id.clone(),
        title: input.title.clone(),
        caption: super::caption(
            &input.scope,
            &format!("{} Above each dot: the value and its denominator.{band} Scales differ.", input.caption),
        ),
        svg,
    }
}

fn one(canvas: &mut Canvas, panel: &Panel, names: &[&str], (from, to): (f64, f64), (first, last): (f64, f64)) {
    // Both stand on the plot, however many lines they have.
    let title = wrap(&panel.title, 12.5, to - from + 20.0, 2);
    let note = wrap(&panel.note, 11.0, to - from + 20.0, 2);
    let notes = first - 8.0 - 14.0 * (count(note.len()) - 1.0);
    canvas.lines("head", Anchor::Start, (from, notes - 15.0 * count(title.len())), 15.0, &title);
    let class = if panel.note.ends_with("is better") || panel.note.is_empty() { "dim" } else { "warn" };
    canvas.lines(class, Anchor::Start, (from, notes), 14.0, &note);
    let extent: Vec<f64> = panel.rows.iter().flat_map(|(_, value)| value.extent()).collect();
    if extent.is_empty() {
        canvas.text("dim", Anchor::Start, (from, first + 24.0), "N/A: applies to no rollout");
        return;
    }
    let axis = Axis::new(extent, 3.0, (from, to));
    if let Some(band) = panel.control.as_ref().and_then(|control| {
        panel.rows.iter().find(|(policy, _)| policy == control).and_then(|(_, value)| value.interval())
    }) {
        let (low, high) = (axis.at(band.0), axis.at(band.1));
        canvas.rect("band", (low, first), ((high - low).max(2.0), last - first), 0.0);
    }
    for (value, label) in axis.ticks() {
        canvas.line("grid", (axis.at(value), first), (axis.at(value), last));
        canvas.text("dim", Anchor::Middle, (axis.at(value), last + 16.0), &label);
    }
    canvas.line("axis", (from, last), (to, last));
    for ((index, name), slot) in names.iter().enumerate().zip(slots(names.iter().copied())) {
        let middle = first + ROW * (count(index) + 0.62);
        let Some((_, value)) = panel.rows.iter().find(|(policy, _)| policy == name) else { continue };
        let Some(known) = value.known() else {
            canvas.text("dim", Anchor::Start, (from + 4.0, middle + 4.0), "N/A");
            continue;
        };
        let x = axis.at(known);
        if let Some((low, high)) = value.interval() {
            canvas.line(&format!("span {}", slot.colour()), (axis.at(low), middle), (axis.at(high), middle));
        }
        canvas.mark(slot, (x, middle), 5.0);
        let label =
            if value.counts.is_empty() { format!("{known:.3}") } else { format!("{known:.3}  {}", value.counts) };
        let half = width(&label, 10.0) / 2.0;
        canvas.text("value", Anchor::Middle, (x.clamp(from + half - 4.0, to - half + 8.0), middle - 9.0), &label);
    }
}
