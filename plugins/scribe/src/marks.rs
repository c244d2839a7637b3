//! Marked spans: statements that must be kept.

use crate::claim::Claim;
use crate::objective::marked;
use crate::sight::{Line, Voice};
use std::borrow::Cow;
use weir_plugin::writer::Task;

/// The claims of the marked spans, in their order. A span within a tool's JSON is read as the string that it stands in.
/// Marks that name no words are left out; [`crate::Objective::consolidate`] refuses them first.
#[must_use]
pub fn marked_claims<'a>(task: &Task, lines: &[Line<'a>]) -> Vec<Claim<'a>> {
    let of = |mark: &weir_plugin::writer::Span| {
        let words = marked(task, *mark).ok()?;
        let line = lines.iter().find(|line| line.turn == mark.turn);
        let voice = line.map_or(Voice::Tool, |line| line.voice);
        let is_result = line.is_some_and(|line| line.is_result);
        let claim = Claim::new(Cow::Owned(unescaped(words, is_result).trim().to_owned()), voice, false);
        Some(Claim { turn: mark.turn, is_result, tool: line.and_then(|line| line.tool), ..claim })
    };
    task.marks.iter().filter_map(of).collect()
}

fn unescaped(words: &str, is_result: bool) -> String {
    let quoted = || serde_json::from_str(&format!("\"{words}\"")).ok();
    if is_result { quoted().unwrap_or_else(|| words.to_owned()) } else { words.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::{Native, lines};
    use crate::testing::{task, tool};
    use weir_plugin::writer::Span;

    #[test]
    fn a_span_within_json_is_read_as_its_string() {
        let text = r#"{"note":"Say \"hello\" to desk K-91."}"#;
        let start = u32::try_from(text.find("Say").unwrap()).unwrap();
        let end = u32::try_from(text.len() - 2).unwrap();
        let task = Task { marks: vec![Span { turn: 0, start, end }], ..task([tool(text)]) };
        let claims = marked_claims(&task, &lines(&task, Native::Shown));
        assert_eq!((claims[0].text.as_ref(), claims[0].turn), ("Say \"hello\" to desk K-91.", 0));
    }
}
