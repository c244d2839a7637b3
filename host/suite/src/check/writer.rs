//! What is demanded of a writer.

use crate::check::corpus::histories;
use crate::check::{HOSTILE, HOSTILE_ADVICE, Line, NO_STATE, NO_STATE_ADVICE, Wrongs, is_refusal, not_the_hosts, told};
use crate::error::Error;
use weir_runtime::wit::memory::{Item, Turn};
use weir_runtime::wit::writers::{Method, Task, View};
use weir_runtime::world::WriterPlugin;

/// Limits that a writer is given.
const LIMITS: [u32; 3] = [0, 1, 16];

pub(super) fn check(writer: &WriterPlugin) -> Result<Vec<Line>, Error> {
    let (mut answers, mut same) = (Wrongs::default(), Wrongs::default());
    let (mut hostile, mut kept) = (Wrongs::default(), Wrongs::default());
    let (mut tasks, mut refused, mut written) = (0_usize, 0_usize, 0_usize);
    for (name, task) in tasks_of_the_corpus() {
        tasks = tasks.saturating_add(1);
        let memories = match not_the_hosts(writer.consolidate(&task))? {
            Ok(answer) => answer.value,
            Err(fault) if is_refusal(&fault) => {
                refused = refused.saturating_add(1);
                continue;
            }
            Err(fault) => {
                hostile.add(&name, told(&fault));
                continue;
            }
        };
        written = written.saturating_add(memories.len());
        let differ = |other: &[Item]| memories.as_slice() != other;
        match not_the_hosts(writer.consolidate(&task))? {
            Ok(again) if differ(&again.value) => same.add(&name, "other memories when asked again"),
            Ok(_) => {}
            Err(fault) => same.add(&name, told(&fault)),
        }
        match not_the_hosts(writer.consolidate_twice(&task))? {
            Ok(second) if differ(&second) => kept.add(&name, "other memories the second time in one instance"),
            Ok(_) => {}
            Err(fault) => kept.add(&name, told(&fault)),
        }
    }
    let ordinary = writer.consolidate(&task(histories::plain(), 16));
    let count = match not_the_hosts(ordinary)? {
        Ok(answer) => answer.value.len(),
        Err(fault) => {
            answers.add("an ordinary history", told(&fault));
            0
        }
    };
    Ok(vec![
        answers.line("answers", format!("{count} memories of an ordinary history"), "see what it says"),
        same.line("deterministic", format!("{tasks} tasks, each twice"), NO_STATE_ADVICE),
        kept.line(NO_STATE, format!("{tasks} tasks, each twice in one instance"), NO_STATE_ADVICE),
        hostile.line(
            HOSTILE,
            format!("{tasks} tasks, {refused} refused by an error; {written} memories, within the limit, of names of their own, with evidence of the history"),
            HOSTILE_ADVICE,
        ),
    ])
}

/// Each history, with each limit, and once with a store that has memories already.
fn tasks_of_the_corpus() -> Vec<(String, Task)> {
    let mut all = Vec::new();
    for history in histories::corpus() {
        for limit in LIMITS {
            all.push((format!("{}, at most {limit} memories", history.name), task(history.turns.clone(), limit)));
        }
        // Their evidence was in earlier histories, so none of it can be named here.
        let kept = |id| histories::memory(id, "The user prefers the aisle.", &[]);
        let full = Task { existing: vec![kept("kept"), kept("also kept")], ..task(history.turns.clone(), 16) };
        all.push((format!("{}, after two memories of one text", history.name), full));
    }
    all
}

fn task(history: Vec<Turn>, limit: u32) -> Task {
    Task { history, marks: Vec::new(), existing: Vec::new(), limit, view: View::Full, method: Method::Rules }
}
