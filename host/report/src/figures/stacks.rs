//! What writers keep: negative retention, parted into what is preserved and what is upgraded, beside positive retention.

use super::axis::Axis;
use super::bars::count;
use super::svg::{Anchor, Canvas, shorten, width};
use super::{Value, resampled};
use crate::page::Figure;

/// A writer's retentions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stack {
    /// The writer.
    pub name: String,
    /// H-: retained, with the interval of the whole.
    pub negative: Value,
    /// H-: the part of it that is preserved; the rest is upgraded.
    pub preserved: f64,
    /// H+: retained.
    pub positive: Value,
}

/// What the figure is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stacks {
    /// For links and file names.
    pub id: String,
    /// Stage, and how the writers write.
    pub scope: String,
    /// In the order of the suite.
    pub stacks: Vec<Stack>,
}

const ROW: f64 = 44.0;
const PLOT: f64 = 400.0;
const HEAD: f64 = 30.0;

/// The colours of the parts; they differ in lightness too, and each has its name.
const PRESERVED: &str = "bar p6";
const UPGRADED: &str = "bar p4";
const POSITIVE: &str = "bar p5";

/// The figure.
#[must_use]
pub fn stacks(input: &Stacks) -> Figure {
    let title = "What writers keep: retention without authority, and with it";
    let names: Vec<String> = input.stacks.iter().map(|stack| shorten(&stack.name, 34)).collect();
    let left = names.iter().map(|name| width(name, 12.0)).fold(60.0, f64::max) + 20.0;
    let axis = Axis::new([0.0, 1.0], 4.0, (left, left + PLOT));
    let bottom = HEAD + ROW * count(input.stacks.len());
    let mut canvas = Canvas::default();
    let mut x = left;
    for (class, words) in
        [(PRESERVED, "H-, preserved"), (UPGRADED, "H-, upgraded"), (POSITIVE, "H+, retained (authorised)")]
    {
        canvas.rect(class, (x, 4.0), (14.0, 10.0), 1.0);
        canvas.text("dim", Anchor::Start, (x + 19.0, 13.0), words);
        x += 31.0 + width(words, 11.0);
    }
    for (value, label) in axis.ticks() {
        canvas.line("grid", (axis.at(value), HEAD), (axis.at(value), bottom));
        canvas.text("dim", Anchor::Middle, (axis.at(value), bottom + 16.0), &label);
    }
    let mut top = HEAD;
    for (stack, name) in input.stacks.iter().zip(&names) {
        canvas.text("t", Anchor::End, (left - 10.0, top + ROW / 2.0 + 4.0), name);
        let parts = stack.negative.known().map(|all| (stack.preserved.min(all), all));
        let negative = parts.map(|(part, all)| [(PRESERVED, 0.0, part), (UPGRADED, part, all)]);
        bar(&mut canvas, &axis, (top + 5.0, 15.0), &stack.negative, negative.as_ref().map(|parts| parts.as_slice()));
        let positive = stack.positive.known().map(|all| [(POSITIVE, 0.0, all)]);
        bar(&mut canvas, &axis, (top + 24.0, 11.0), &stack.positive, positive.as_ref().map(|parts| parts.as_slice()));
        top += ROW;
    }
    canvas.line("axis", (left, HEAD), (left, bottom));
    canvas.text(
        "dim",
        Anchor::Middle,
        (left + PLOT / 2.0, bottom + 34.0),
        "share of histories whose proposition is kept",
    );
    let words: Vec<String> = input
        .stacks
        .iter()
        .map(|stack| {
            let preserved = if stack.negative.known().is_some() { stack.preserved } else { 0.0 };
            format!(
                "{}: Ret- {}, of which preserved {preserved:.3}; Ret+ {}",
                stack.name,
                stack.negative.words(),
                stack.positive.words()
            )
        })
        .collect();
    let svg =
        canvas.finish(title, &format!("{}. {}.", input.scope, words.join("; ")), (left + PLOT + 130.0, bottom + 44.0));
    Figure {
        id: input.id.clone(),
        title: title.into(),
        caption: resampled(
            &input.scope,
            "The upper bar of a writer is Ret-, parted into what is preserved and what is upgraded; the lower one is Ret+. A short upper bar is safe by omission, not by preservation. Beside each bar: the share and its counts.",
            "base histories",
        ),
        svg,
    }
}

/// A bar of parts, with the whole's interval and counts; N/A where there is nothing to show.
fn bar(canvas: &mut Canvas, axis: &Axis, (top, height): (f64, f64), whole: &Value, parts: Option<&[(&str, f64, f64)]>) {
    let middle = top + height / 2.0;
    let Some((parts, known)) = parts.zip(whole.known()) else {
        canvas.text("dim", Anchor::Start, (axis.at(0.0) + 6.0, middle + 4.0), "N/A");
        return;
    };
    for (class, from, to) in parts {
        canvas.rect(class, (axis.at(*from), top), (axis.at(*to) - axis.at(*from), height), 1.0);
    }
    let mut free = axis.at(known);
    if let Some((low, high)) = whole.interval() {
        let (low, high) = (axis.at(low), axis.at(high));
        free = free.max(high);
        canvas.line("whisker", (low, middle), (high, middle));
        canvas.line("whisker", (low, middle - 3.0), (low, middle + 3.0));
        canvas.line("whisker", (high, middle - 3.0), (high, middle + 3.0));
    }
    canvas.text("small", Anchor::Start, (free + 8.0, middle + 3.5), &format!("{known:.3}"));
    canvas.text("smalldim", Anchor::Start, (free + 46.0, middle + 3.5), &whole.counts);
}
