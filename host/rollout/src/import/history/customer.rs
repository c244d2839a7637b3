//! Who the customer of a conversation is.

use serde_json::Value;
use weir_memory::history::{Call, Speaker, Turn};

/// Arguments and fields that name a customer in the public environments.
const FIELDS: [&str; 2] = ["user_id", "customer_id"];

/// Tools whose whole answer is a customer's identifier begin so.
const FINDERS: &str = "find_user_id";

/// The first identifier of a customer that a tool accepted: an argument of a call that did not fail, or what such a call
/// returned. None where there is no such call, for example in a conversation that never got so far.
pub(super) fn of(turns: &[Turn]) -> Option<String> {
    let mut calls: Vec<&Call> = Vec::new();
    for turn in turns {
        calls.extend(&turn.calls);
        if turn.speaker != Speaker::Tool || turn.text.starts_with("Error") {
            continue;
        }
        let call = calls.iter().find(|call| Some(&call.id) == turn.call_id.as_ref())?;
        let result: Option<Value> = serde_json::from_str(&turn.text).ok();
        let asked = FIELDS.iter().find_map(|field| call.arguments.get(*field)).and_then(Value::as_str);
        let told = || FIELDS.iter().find_map(|field| result.as_ref()?.get(field)?.as_str());
        let found = || call.tool.starts_with(FINDERS).then_some(turn.text.trim());
        let is_word = |name: &&str| !name.is_empty() && !name.contains(char::is_whitespace);
        if let Some(name) = asked.or_else(told).or_else(found).filter(is_word) {
            return Some(name.trim_matches('"').to_owned());
        }
    }
    None
}
