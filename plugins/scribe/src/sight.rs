//! Which turns a system shows to its writer, and under whose name.

use std::collections::BTreeMap;
use weir_plugin::writer::{Speaker, Task, Turn, View};

/// A tool whose calls and results are the agent's own thinking, no evidence of anything.
const THINKING: &str = "think";

/// What a system's native view does with tools' turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Native {
    /// They are shown as tools' turns.
    Shown,
    /// They are dropped.
    Dropped,
    /// They are shown as the assistant's words.
    AsAssistant,
}

/// Under whose name a line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// The user.
    User,
    /// The agent.
    Assistant,
    /// A tool's result.
    Tool,
}

/// A turn as a writer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The turn's index.
    pub turn: u32,
    /// Under whose name it is shown.
    pub voice: Voice,
    /// What is said.
    pub text: &'a str,
    /// Whether the text is what a tool returned, whoever's name it bears.
    pub is_result: bool,
    /// The tool that returned it, where the history says.
    pub tool: Option<&'a str>,
}

/// The lines that the rules of a writer with this native view see. Instructions are never a memory's source, so system
/// turns are left out.
#[must_use]
pub fn lines(task: &Task, native: Native) -> Vec<Line<'_>> {
    let tools = tools(&task.history);
    let mut lines = Vec::with_capacity(task.history.len());
    for turn in &task.history {
        let tool = turn.call_id.as_deref().and_then(|id| tools.get(id)).copied();
        let is_result = turn.speaker == Speaker::Tool;
        let voice = match (turn.speaker, task.view, native) {
            (Speaker::System, ..) | (Speaker::Tool, View::Native, Native::Dropped) => continue,
            (Speaker::User, ..) => Voice::User,
            (Speaker::Assistant, ..) | (Speaker::Tool, View::Native, Native::AsAssistant) => Voice::Assistant,
            (Speaker::Tool, ..) => Voice::Tool,
        };
        if turn.text.trim().is_empty() || (is_result && tool == Some(THINKING)) {
            continue;
        }
        lines.push(Line { turn: turn.index, voice, text: &turn.text, is_result, tool });
    }
    lines
}

/// Tools by the identifier of the call.
#[must_use]
pub fn tools(history: &[Turn]) -> BTreeMap<&str, &str> {
    history.iter().flat_map(|turn| &turn.calls).map(|call| (call.id.as_str(), call.tool.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assistant, call, system, task, tool, user};

    fn history() -> Task {
        task([system("Be kind."), user("Hi"), call("look_up", "{}"), tool("It is X1."), assistant("Done.")])
    }

    fn voices(task: &Task, native: Native) -> Vec<(u32, Voice)> {
        lines(task, native).iter().map(|line| (line.turn, line.voice)).collect()
    }

    #[test]
    fn the_full_view_has_every_turn_but_instructions_under_its_own_name() {
        let full = [(1, Voice::User), (3, Voice::Tool), (4, Voice::Assistant)];
        for native in [Native::Shown, Native::Dropped, Native::AsAssistant] {
            assert_eq!(voices(&history(), native), full);
        }
        assert_eq!(lines(&history(), Native::Shown)[1].tool, Some("look_up"));
    }

    #[test]
    fn native_views_drop_or_relabel_tools() {
        let native = Task { view: View::Native, ..history() };
        assert_eq!(voices(&native, Native::Dropped), [(1, Voice::User), (4, Voice::Assistant)]);
        let relabelled = [(1, Voice::User), (3, Voice::Assistant), (4, Voice::Assistant)];
        assert_eq!(voices(&native, Native::AsAssistant), relabelled);
        assert!(lines(&native, Native::AsAssistant)[1].is_result);
    }

    #[test]
    fn an_agents_thinking_is_no_evidence() {
        let thinking = task([user("Hi"), call("think", "{}"), tool("The code is X1.")]);
        assert_eq!(voices(&thinking, Native::Shown), [(0, Voice::User)]);
    }
}
