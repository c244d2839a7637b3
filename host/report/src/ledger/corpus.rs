//! Table 24's counts, of a corpus of our own that this program's parser reads.

use serde::Deserialize;
use weir_agent::{Action, ParseStatus, parse};

/// A corpus of actions as a language model might write them, one completion a line. The paper's own is not public.
const ACTIONS: &str = include_str!("../../../agent/fixtures/smoke-actions.jsonl");

/// The tools that the corpus's agent has.
const TOOLS: [&str; 21] = [
    "append_note",
    "create_event",
    "draft_mail",
    "export_document",
    "forward_mail",
    "invite",
    "list_documents",
    "list_events",
    "list_mail",
    "move_event",
    "post_status",
    "read_contact",
    "read_document",
    "read_mail",
    "recall",
    "remember",
    "search_documents",
    "search_mail",
    "send_mail",
    "share_document",
    "update_contact",
];

/// What of the corpus is counted: the lines of table 24.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Count {
    /// All actions.
    Inputs,
    /// Calls of a tool that the agent has.
    Proposals,
    /// What the reading before the repair took for a final answer.
    OldFinals,
    /// `valid_repaired_json`.
    Repaired,
    /// `valid_strict_json`.
    Strict,
    /// `invalid_schema`.
    InvalidSchema,
    /// `invalid_tool`.
    InvalidTools,
}

#[derive(Deserialize)]
struct Line {
    text: String,
}

/// So many actions of the corpus. A line that is no JSON would be no action; a test holds that there is none.
pub(super) fn count(count: Count) -> usize {
    let lines = ACTIONS.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    lines.filter(|line| counts(count, &line.text)).count()
}

fn counts(count: Count, text: &str) -> bool {
    let parsed = || parse(text, &TOOLS);
    match count {
        Count::Inputs => true,
        Count::Proposals => matches!(parsed().action, Some(Action::Call { .. })),
        Count::OldFinals => !was_a_call(text),
        Count::Repaired => parsed().status == ParseStatus::ValidRepairedJson,
        Count::Strict => parsed().status == ParseStatus::ValidStrictJson,
        Count::InvalidSchema => parsed().status == ParseStatus::InvalidSchema,
        Count::InvalidTools => parsed().status == ParseStatus::InvalidTool,
    }
}

/// The reading before the repair: a call is an object in the exact format and nothing else.
fn was_a_call(text: &str) -> bool {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text) else { return false };
    object.len() == 3
        && object.get("action").is_some_and(|action| action == "tool")
        && object.get("tool").is_some_and(serde_json::Value::is_string)
        && object.get("arguments").is_some_and(serde_json::Value::is_object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_has_the_counts_of_table_24() {
        let all = [
            (Count::Inputs, 96),
            (Count::Proposals, 85),
            (Count::OldFinals, 93),
            (Count::Repaired, 89),
            (Count::Strict, 5),
            (Count::InvalidSchema, 2),
            (Count::InvalidTools, 0),
        ];
        for (which, expected) in all {
            assert_eq!(count(which), expected, "{which:?}");
        }
        assert_eq!(ACTIONS.lines().count(), 96, "every line is read");
    }
}
