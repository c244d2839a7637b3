//! What each writer says about itself: its instructions for a model, and what its system shows.

use crate::model::{self, HostModel, Rendering};
use crate::sight::Native;
use weir_plugin::writer::{Error, Item, Method, Span, Task};

/// A memory-writing objective.
#[derive(Clone, Copy, Debug)]
pub struct Objective {
    /// What the system's native view does with tools' turns.
    pub native: Native,
    /// How the system's native view writes turns; none where the writer has no system of its own, so that its native view
    /// is the full one.
    pub rendering: Option<Rendering>,
    /// Whether memories that exist always stay: a model then only adds.
    pub adds_only: bool,
    /// Whether it keeps marked spans.
    pub takes_marks: bool,
    /// What to write, for a model.
    pub instructions: &'static str,
}

impl Objective {
    /// Consolidates by rules or by the granted model, as the task says.
    ///
    /// # Errors
    /// A mark that points nowhere, and whatever the model's side of [`model::consolidate`] names.
    pub fn consolidate(&self, task: &Task, rules: impl FnOnce(&Task) -> Vec<Item>) -> Result<Vec<Item>, Error> {
        if self.takes_marks {
            for mark in &task.marks {
                marked(task, *mark)?;
            }
        }
        match task.method {
            Method::Rules => Ok(rules(task)),
            Method::Model => model::consolidate(self, task, &mut HostModel),
        }
    }
}

/// The words of a marked span.
///
/// # Errors
/// Where the span points outside its turn or between the bytes of a character.
pub fn marked(task: &Task, mark: Span) -> Result<&str, Error> {
    let turn = task.history.iter().find(|turn| turn.index == mark.turn);
    let place = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
    let words = turn.and_then(|turn| turn.text.get(place(mark.start)..place(mark.end)));
    words.filter(|words| !words.trim().is_empty()).ok_or_else(|| {
        let length = turn.map_or_else(
            || "there is no such turn".to_owned(),
            |turn| format!("its text has {} bytes", turn.text.len()),
        );
        Error::InvalidInput(format!(
            "the mark on turn {}, bytes {} to {}, names no words: {length}; give a span of whole characters",
            mark.turn, mark.start, mark.end
        ))
    })
}
