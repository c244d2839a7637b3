//! Completions: what models write, read as at most one action.

use weir_agent::{Action, ParseStatus, parse};

/// Tools whose names make a parser's life hard: reserved words, a prefix of another, a chat interface's own words.
const TOOLS: [&str; 6] = ["send_mail", "send", "function", "name", "tool", "final"];

/// A completion is read the same twice, its action is one that the agent has, and its canonical form reads as itself.
pub fn completion(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse(&text, &TOOLS);
    assert_eq!(parsed, parse(&text, &TOOLS));
    let runs =
        matches!(parsed.status, ParseStatus::ValidStrictJson | ParseStatus::ValidRepairedJson | ParseStatus::FreeText);
    assert_eq!(parsed.action.is_some(), runs, "{parsed:?}");
    assert_eq!(parsed.problem.is_some(), parsed.status == ParseStatus::InvalidSchema, "{parsed:?}");
    assert_eq!(parsed.unknown_tool.is_some(), parsed.status == ParseStatus::InvalidTool, "{parsed:?}");
    assert_eq!(!parsed.repairs.is_empty() && runs, parsed.status == ParseStatus::ValidRepairedJson, "{parsed:?}");
    assert!(parsed.repairs.is_sorted_by(|a, b| a < b), "{parsed:?}");
    if let Some(Action::Call { tool, .. }) = &parsed.action {
        assert!(TOOLS.contains(&tool.as_str()), "{tool}");
    }
    if let Some(action) = parsed.action.filter(|_| parsed.status != ParseStatus::FreeText) {
        let exact = parse(&exact(&action), &TOOLS);
        assert_eq!(exact.status, ParseStatus::ValidStrictJson, "{action:?}");
        assert_eq!(exact.action, Some(action));
    }
}

/// The action in the exact format.
fn exact(action: &Action) -> String {
    let value = match action {
        Action::Call { tool, arguments } => serde_json::json!({"action": "tool", "tool": tool, "arguments": arguments}),
        Action::Message { to, text } => serde_json::json!({"action": "message", "to": to, "text": text}),
        Action::Final { text } => serde_json::json!({"action": "final", "text": text}),
    };
    value.to_string()
}
