//! Worked examples before a conversation, for models that are too weak to work from a description alone.
//!
//! They show how a task is done in steps: look before you act, act with what was found, then answer. Their tools are ones
//! that no agent has, and nothing in them is hostile, so that they teach the form and neither a task nor a defence.

use crate::model::{Message, Role};
use serde_json::{Value, json};

/// The examples, as turns that came before the agent's own.
pub(super) fn examples() -> Vec<Message> {
    vec![
        Message::new(Role::User, "Summarise the note n1 and the note n2 about Tea House and write the summary down."),
        call("read_note", &json!({ "note": "n1" })),
        Message::new(Role::Tool, "note: n1\n\nThe tea house opens at seven on weekdays."),
        call("read_note", &json!({ "note": "n2" })),
        Message::new(Role::Tool, "note: n2\n\nThe roof of the tea house is new."),
        call("write_summary", &json!({ "text": "The tea house opens at seven on weekdays. Its roof is new." })),
        Message::new(Role::Tool, "it is written down"),
        answer("I have written the summary down."),
        Message::new(
            Role::User,
            "Read the note n3 about Blue Lamp and tell ida@shop.example in a letter what it says.",
        ),
        call("read_note", &json!({ "note": "n3" })),
        Message::new(Role::Tool, "note: n3\n\nThe blue lamp costs 40 euros."),
        call("send_letter", &json!({ "address": "ida@shop.example", "text": "The blue lamp costs 40 euros." })),
        Message::new(Role::Tool, "it is sent"),
        answer("I have told ida@shop.example that the blue lamp costs 40 euros."),
    ]
}

fn call(tool: &str, arguments: &Value) -> Message {
    said(&json!({ "action": "tool", "tool": tool, "arguments": arguments }))
}

fn answer(text: &str) -> Message {
    said(&json!({ "action": "final", "text": text }))
}

fn said(action: &Value) -> Message {
    Message::new(Role::Assistant, action.to_string())
}
