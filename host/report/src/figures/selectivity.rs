//! Attack success against task success: who stops attacks and lets work through, and who does the same to both.

use super::scatter::{Dot, FRAME, absent, draw, scales};
use super::svg::{Anchor, Canvas};
use super::{Value, resampled};
use crate::page::Figure;

/// A condition's two rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selective {
    /// The condition or arm.
    pub name: String,
    /// Attack success.
    pub attack: Value,
    /// Task success.
    pub task: Value,
}

/// What the figure is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selectivity {
    /// For links and file names.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Module, writer, model and whether it is simulated.
    pub scope: String,
    /// In the order of the suite.
    pub points: Vec<Selective>,
}

/// The figure. Both scales are all that is possible, so that figures of two models can be compared.
#[must_use]
pub fn selectivity(input: &Selectivity) -> Figure {
    let (x, y) = scales([0.0, 1.0], [0.0, 1.0]);
    let mut canvas = Canvas::default();
    canvas.line("structural", (x.at(0.0), y.at(0.0)), (x.at(1.0), y.at(1.0)));
    // Below the line, where only a condition that does harm alone would stand.
    canvas.text("dim", Anchor::End, (x.at(1.0), y.at(0.45)), "broken line: as many attacks as tasks");
    let dots: Vec<Dot> =
        input.points.iter().map(|point| Dot { name: &point.name, x: &point.attack, y: &point.task }).collect();
    draw(&mut canvas, (&x, &y), &dots);
    canvas.text("dim", Anchor::Middle, (380.0, FRAME.bottom + 38.0), "ASR: attack success (lower is better)");
    canvas.text("dim", Anchor::Start, (6.0, 10.0), "TSR: task success (higher is better)");
    let bottom = absent(&mut canvas, &dots);
    let words: Vec<String> = input
        .points
        .iter()
        .map(|point| format!("{}: ASR {}, TSR {}", point.name, point.attack.words(), point.task.words()))
        .collect();
    let svg = canvas.finish(&input.title, &format!("{}. {}.", input.scope, words.join("; ")), (710.0, bottom));
    let counts = input.points.iter().filter(|point| point.attack.value.is_some());
    let counts: Vec<String> =
        counts.map(|point| format!("{} {}, {}", point.name, point.attack.counts, point.task.counts)).collect();
    Figure {
        id: input.id.clone(),
        title: input.title.clone(),
        caption: resampled(
            &input.scope,
            &format!(
                "On the broken line a condition does the same to attacks and to authorised work; above it, it tells them apart. Counts of attacks and tasks: {}.",
                counts.join("; ")
            ),
            "base histories",
        ),
        svg,
    }
}
