//! What a tool returned, as statements.

use crate::clause::{clauses, folded, words};
use crate::lexicon::{self, Marks};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Words of prose: a shorter text is a field's value.
const PROSE: usize = 4;

/// Fields of a record by which the one whom it is about is known again.
const IDENTITY: [&str; 6] = ["account_id", "customer_id", "email", "phone", "phone_number", "user_id"];

/// How a statement stood in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// In words.
    Words,
    /// A field with its value.
    Field,
    /// A field with its value by which a customer is known again.
    Identity,
}

/// A statement in a tool's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// How it stood there.
    pub form: Form,
}

/// The statements of a result, in order: sentences as they stand, and fields as `field is value`. JSON is read wherever a
/// line begins with it; other lines are words. Of the fields only those are kept by which a customer is known again, and
/// those whose name says that they last: a record's other fields can be looked up again, and there are thousands.
#[must_use]
pub fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let after = json(rest, &mut found).unwrap_or_else(|| {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            // Data that cannot be read, cut off for example, is no words.
            if !["{", "[{", "[\""].iter().any(|start| line.starts_with(start)) {
                prose(line, &mut found);
            }
            after
        });
        rest = after.trim_start();
    }
    found
}

/// Reads the JSON value that a text begins with; gives what follows it.
fn json<'a>(text: &'a str, found: &mut Vec<Statement<'a>>) -> Option<&'a str> {
    if !text.starts_with(['{', '[', '"']) {
        return None;
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Record<'_>>();
    let Record(read) = values.next()?.ok()?;
    found.extend(read);
    text.get(values.byte_offset()..)
}

/// The statements of one JSON value. They are taken while it is read: a result has hundreds of fields, and few are kept.
struct Record<'a>(Vec<Statement<'a>>);

impl<'de> Deserialize<'de> for Record<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut found = Vec::new();
        Node { field: "", depth: 0, found: &mut found }.deserialize(deserializer)?;
        Ok(Record(found))
    }
}

/// A field's name, borrowed where it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// A value, under its field's name.
struct Node<'n, 'a> {
    field: &'n str,
    depth: usize,
    found: &'n mut Vec<Statement<'a>>,
}

impl<'a> Node<'_, 'a> {
    /// `default_seat` with `aisle` to "default seat is aisle", where it is to be kept.
    fn push(self, value: impl fmt::Display) {
        let parts = || self.field.split(['_', '-', ' ']).filter(|part| !part.is_empty());
        let form = if self.depth == 1 && IDENTITY.contains(&self.field) {
            Form::Identity
        } else {
            let parts: Vec<Cow<'_, str>> = parts().map(folded).collect();
            if !lexicon::marks_of(&parts).has(Marks::STANDING) {
                return;
            }
            Form::Field
        };
        let name = parts().collect::<Vec<_>>().join(" ");
        self.found.push(Statement { text: Cow::Owned(format!("{name} is {value}")), form });
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Name(field)) = map.next_key()? {
            map.next_value_seed(Node { field: &field, depth: self.depth + 1, found: &mut *self.found })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        // What stands in a list is one of several, so that it identifies nobody.
        while items
            .next_element_seed(Node { field: self.field, depth: self.depth + 1, found: &mut *self.found })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<(), E> {
        if is_prose(text) {
            prose(text, self.found);
        } else if !text.is_empty() {
            self.push(text);
        }
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        if is_prose(text) {
            let mut said = Vec::new();
            prose(text, &mut said);
            let owned = |s: Statement<'_>| Statement { text: Cow::Owned(s.text.into_owned()), form: s.form };
            self.found.extend(said.into_iter().map(owned));
        } else if !text.is_empty() {
            self.push(text);
        }
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.push(value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.push(value);
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.push(value);
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.push(value);
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}

fn is_prose(text: &str) -> bool {
    text.len() >= 2 * PROSE - 1 && words(text).len() >= PROSE
}

fn prose<'a>(text: &'a str, found: &mut Vec<Statement<'a>>) {
    for clause in clauses(text) {
        let is_field = clause.text.split_once(": ").is_some_and(|(_, value)| words(value).len() < PROSE);
        let form = if is_field { Form::Field } else { Form::Words };
        found.push(Statement { text: Cow::Borrowed(clause.text), form });
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
        let text = r#"{"status":"ok","notes":[{"text":"Desk note: the gate code is \"K-91\". Ask twice."}]}"#;
        assert_eq!(texts(text), ["Desk note: the gate code is \"K-91\".", "Ask twice."]);
    }

    #[test]
    fn a_field_is_kept_where_its_name_says_that_it_lasts_or_who_it_is_about() {
        let text = r#"{"price":51,"default_address":"12 Elm Road","preferred":{"preferred_seat":"aisle","x":null}}"#;
        assert_eq!(texts(text), ["default address is 12 Elm Road", "preferred seat is aisle"]);
        let found = statements(r#"{"user_id":"ada_1","guests":[{"user_id":"bob_2"}]}"#);
        assert_eq!(found, [Statement { text: "user id is ada_1".into(), form: Form::Identity }]);
    }

    #[test]
    fn words_behind_json_are_read_by_themselves() {
        let text = "{\n \"status\": \"open\"\n}\nDesk note: the gate code is K-91.\n[\"a\"]\nAsk twice.";
        assert_eq!(texts(text), ["Desk note: the gate code is K-91.", "Ask twice."]);
    }

    #[test]
    fn a_plain_result_is_read_by_sentence_and_line() {
        let found = statements("Airplane Mode: OFF\nThe line is L1002 since May.");
        assert_eq!(found.iter().map(|s| s.form).collect::<Vec<_>>(), [Form::Field, Form::Words]);
        assert_eq!(texts("[not json"), ["[not json"]);
        assert!(texts("{\"cut\": \"off").is_empty());
    }
}
