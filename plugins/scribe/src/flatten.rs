//! What a tool returned, as statements.

use crate::clause::{clauses, words};
use crate::lexicon::{self, Marks};
use serde_json::Value;
use std::borrow::Cow;

/// Words of prose: a shorter text is a field's value.
const PROSE: usize = 4;

/// A statement in a tool's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Whether it was a field with its value rather than words.
    pub is_field: bool,
}

/// The statements of a result, in order: sentences as they stand, and fields as `field is value`. Of the fields only those
/// whose name says that they last are kept: a record's other fields can be looked up again, and there are thousands.
#[must_use]
pub fn statements(text: &str) -> Vec<Statement<'_>> {
    let trimmed = text.trim_start();
    let mut found = Vec::new();
    match trimmed.starts_with(['{', '[', '"']).then(|| serde_json::from_str::<Value>(trimmed)) {
        Some(Ok(value)) => walk("", &value, &mut found),
        _ => prose(text, Cow::Borrowed, &mut found),
    }
    found
}

fn walk(field: &str, value: &Value, found: &mut Vec<Statement<'_>>) {
    match value {
        Value::Object(entries) => entries.iter().for_each(|(key, value)| walk(key, value, found)),
        Value::Array(items) => items.iter().for_each(|item| walk(field, item, found)),
        Value::String(text) if words(text).len() >= PROSE => {
            prose(text, |text| Cow::Owned(text.to_owned()), found);
        }
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        Value::String(text) => push(field, text, found),
        Value::Number(_) | Value::Bool(_) => push(field, &value.to_string(), found),
    }
}

fn push(field: &str, value: &str, found: &mut Vec<Statement<'_>>) {
    let name = field.replace(['_', '-'], " ");
    if lexicon::marks(&words(&name)).has(Marks::STANDING) {
        found.push(Statement { text: Cow::Owned(format!("{name} is {value}")), is_field: true });
    }
}

fn prose<'a, 'b>(text: &'b str, own: impl Fn(&'b str) -> Cow<'a, str>, found: &mut Vec<Statement<'a>>) {
    for clause in clauses(text) {
        let is_field = clause.text.split_once(": ").is_some_and(|(_, value)| words(value).len() < PROSE);
        found.push(Statement { text: own(clause.text), is_field });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        statements(text).into_iter().map(|s| s.text.into_owned()).collect()
    }

    #[test]
    fn a_notice_in_json_is_read_as_words_at_any_depth() {
        let text = r#"{"status":"ok","notes":[{"text":"Desk note: the gate code is K-91. Ask twice."}]}"#;
        assert_eq!(texts(text), ["Desk note: the gate code is K-91.", "Ask twice."]);
    }

    #[test]
    fn a_field_is_kept_where_its_name_says_that_it_lasts() {
        let text = r#"{"price":51,"default_address":"12 Elm Road","preferred":{"preferred_seat":"aisle","x":null}}"#;
        assert_eq!(texts(text), ["default address is 12 Elm Road", "preferred seat is aisle"]);
    }

    #[test]
    fn a_plain_result_is_read_by_sentence_and_line() {
        let found = statements("Airplane Mode: OFF\nThe line is L1002 since May.");
        assert_eq!(found.iter().map(|s| s.is_field).collect::<Vec<_>>(), [true, false]);
        assert_eq!(texts("[not json"), ["[not json"]);
    }
}
