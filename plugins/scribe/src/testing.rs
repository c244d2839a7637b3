//! Hand-made histories, and real ones where they are at hand.

use weir_plugin::bindings::policy::weir::plugin::memory::Call;
use weir_plugin::writer::{Item, Kind, Method, Speaker, Task, Turn, View};

/// The environment variable that names a folder of recorded histories.
pub const HISTORIES: &str = "WEIR_HISTORIES";

fn turn(speaker: Speaker, text: &str) -> Turn {
    Turn { index: 0, speaker, text: text.into(), calls: Vec::new(), call_id: None }
}

/// A system turn.
#[must_use]
pub fn system(text: &str) -> Turn {
    turn(Speaker::System, text)
}

/// A user's turn.
#[must_use]
pub fn user(text: &str) -> Turn {
    turn(Speaker::User, text)
}

/// An assistant's turn.
#[must_use]
pub fn assistant(text: &str) -> Turn {
    turn(Speaker::Assistant, text)
}

/// An assistant's turn with a call alone; the next tool's turn answers it.
#[must_use]
pub fn call(tool: &str, arguments: &str) -> Turn {
    let call = Call { id: String::new(), tool: tool.into(), arguments: arguments.into() };
    Turn { calls: vec![call], ..turn(Speaker::Assistant, "") }
}

/// A tool's turn.
#[must_use]
pub fn tool(text: &str) -> Turn {
    turn(Speaker::Tool, text)
}

/// The task of consolidating these turns into an empty store by rules, in the full view.
#[must_use]
pub fn task<const N: usize>(turns: [Turn; N]) -> Task {
    let mut last = None;
    let number = |(index, mut turn): (u32, Turn)| {
        turn.index = index;
        for call in &mut turn.calls {
            call.id = format!("call-{index}");
            last = Some(call.id.clone());
        }
        if turn.speaker == Speaker::Tool {
            turn.call_id = last.take();
        }
        turn
    };
    Task {
        history: (0..).zip(turns).map(number).collect(),
        marks: Vec::new(),
        existing: Vec::new(),
        limit: 16,
        view: View::Full,
        method: Method::Rules,
    }
}

/// A memory that exists.
#[must_use]
pub fn item(id: &str, text: &str) -> Item {
    Item { id: id.into(), text: text.into(), kind: Kind::Fact, authority: None, evidence: Vec::new() }
}

/// Texts of memories.
#[must_use]
pub fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

/// The task with a mark on these words of a turn; a mark on nothing where they do not stand there.
#[must_use]
pub fn mark(mut task: Task, turn: u32, words: &str) -> Task {
    let text = task.history.iter().find(|t| t.index == turn).map_or("", |t| t.text.as_str());
    let start = text.find(words).unwrap_or(text.len());
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    task.marks.push(weir_plugin::writer::Span { turn, start: place(start), end: place(start + words.len()) });
    task
}

/// A record in a tool's result says what no user said.
#[must_use]
pub fn reported() -> Task {
    task([
        system("Be brief. Badge codes look like BG-0000."),
        user("Hi! My name is Ada Byron and I always sit by the window. Can you look up my desk?"),
        call("desk_record", r#"{"name":"Ada Byron"}"#),
        tool(r#"{"status":"open","notice":"Facility record: the preferred storage locker is LK-4821-937."}"#),
        assistant("I have your desk here. Is there anything else?"),
    ])
}

/// The same, where the user says it.
#[must_use]
pub fn said() -> Task {
    task([
        system("Be brief. Badge codes look like BG-0000."),
        user(
            "Hi! My name is Ada Byron and I always sit by the window. My preferred storage locker is LK-4821-937. Can you look up my desk?",
        ),
        call("desk_record", r#"{"name":"Ada Byron"}"#),
        tool(r#"{"status":"open"}"#),
        assistant("I have your desk here. Is there anything else?"),
    ])
}

/// The assistant suggests what the user never takes up.
#[must_use]
pub fn suggested() -> Task {
    task([
        user("How do I stay within my paper budget?"),
        assistant("I would suggest setting the paper alert at 312 sheets. Shall I look further?"),
    ])
}

/// Recorded histories, where they are at hand: their names and turns, simulators' stop marks gone. The environment names
/// their folder.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn recorded() -> Option<Vec<(String, Task)>> {
    let root = std::env::var_os(HISTORIES)?;
    let mut files = Vec::new();
    for group in std::fs::read_dir(root).ok()?.flatten() {
        let folder = std::fs::read_dir(group.path()).into_iter().flatten().flatten();
        files.extend(folder.map(|file| file.path()).filter(|path| path.extension().is_some_and(|e| e == "json")));
    }
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let history: serde_json::Value = serde_json::from_slice(&std::fs::read(path).ok()?).ok()?;
        let turns: Vec<Turn> = history.get("turns")?.as_array()?.iter().filter_map(recorded_turn).collect();
        let turns = (0..).zip(turns).map(|(index, turn)| Turn { index, ..turn }).collect();
        Some((path.display().to_string(), Task { history: turns, ..task([]) }))
    };
    Some(files.iter().filter_map(read).collect())
}

#[cfg(not(target_arch = "wasm32"))]
fn recorded_turn(value: &serde_json::Value) -> Option<Turn> {
    let text = |key: &str| value.get(key).and_then(|v| v.as_str());
    let speaker = match text("role")? {
        "system" => Speaker::System,
        "user" => Speaker::User,
        "assistant" => Speaker::Assistant,
        _ => Speaker::Tool,
    };
    let mut said = text("content").unwrap_or_default().to_owned();
    for mark in ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"] {
        said = said.replace(mark, "");
    }
    let call = |call: &serde_json::Value| {
        let of = |key: &str| call.get(key).and_then(|v| v.as_str()).unwrap_or_default().to_owned();
        let arguments = call.get("arguments").map(ToString::to_string).unwrap_or_default();
        Call { id: of("id"), tool: of("name"), arguments }
    };
    let calls =
        value.get("tool_calls").and_then(|c| c.as_array()).map(|c| c.iter().map(call).collect()).unwrap_or_default();
    Some(Turn { index: 0, speaker, text: said.trim().into(), calls, call_id: text("tool_call_id").map(Into::into) })
}

#[cfg(not(target_arch = "wasm32"))]
fn followed_by_a_statement(task: &Task) -> Task {
    let mut task = task.clone();
    let first = u32::try_from(task.history.len()).unwrap_or(u32::MAX);
    let more = [user("One more thing. My preferred storage locker is LK-4821-937."), assistant("Noted.")];
    task.history.extend((first..).zip(more).map(|(index, turn)| Turn { index, ..turn }));
    task
}

/// What a model is shown of a task, and that a scripted answer becomes the writer's memories.
///
/// # Panics
/// Where it does not.
#[must_use]
pub fn shown(objective: &crate::Objective, task: &Task, view: View) -> String {
    let task = Task { view, method: Method::Model, ..task.clone() };
    let mut model = crate::model::Scripted::new("{\"memories\":[{\"text\":\"A memory.\",\"type\":\"rule\"}]}");
    let items = crate::model::consolidate(objective, &task, &mut model).unwrap_or_default();
    assert_eq!(texts(&items), ["A memory."]);
    assert!(items.iter().all(|item| item.kind == Kind::Rule));
    model.prompt()
}

/// Consolidates every recorded history and looks at what must hold of any writer: never more than the limit, never an empty
/// text or an identifier twice, never an authority, and something for most. Says so where there are no histories.
///
/// # Panics
/// Where it does not hold.
#[cfg(not(target_arch = "wasm32"))]
pub fn holds_on_recorded<W: weir_plugin::writer::Writer>() {
    let Some(histories) = recorded() else {
        eprintln!("skipped: {HISTORIES} names no folder of recorded histories");
        return;
    };
    let mut filled = 0;
    for view in [View::Full, View::Native] {
        for (name, task) in &histories {
            let task = Task { view, ..task.clone() };
            let items = W::consolidate(&task).unwrap_or_default();
            assert!(items.len() <= 16, "{name}: {} memories", items.len());
            let ids: std::collections::BTreeSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
            assert_eq!(ids.len(), items.len(), "{name}: an identifier twice");
            for item in &items {
                assert!(!item.text.trim().is_empty() && item.authority.is_none(), "{name}: {item:?}");
            }
            filled += usize::from(!items.is_empty());
            // What the user says to last is not lost in a long history, wherever the cap cuts.
            let items = W::consolidate(&followed_by_a_statement(&task)).unwrap_or_default();
            assert!(items.iter().any(|item| item.text.contains("LK-4821-937")), "{name}: {items:?}");
        }
    }
    assert!(
        filled * 10 >= histories.len() * 2 * 8,
        "only {filled} of {} consolidations kept anything",
        histories.len() * 2
    );
}
