//! Finds the JSON objects that stand in a text, and what stands around them.

use crate::action::Repair;
use serde_json::{Deserializer, Map, Value};

/// What begins at a brace.
pub(super) enum Found<'a> {
    /// A complete JSON object.
    Object {
        /// The object.
        value: Map<String, Value>,
        /// The text before it.
        before: &'a str,
        /// The text after it.
        after: &'a str,
    },
    /// No JSON object.
    Broken {
        /// The text before the brace.
        before: &'a str,
        /// The text from the brace on, up to the end.
        rest: &'a str,
    },
}

/// The text around an object.
pub(super) struct Surroundings<'a> {
    before: &'a str,
    after: &'a str,
    fenced: bool,
}

impl<'a> Surroundings<'a> {
    /// Tells fences from other text. Reads as much as there is, so the parser asks once or twice, not for each object.
    pub(super) fn new(before: &'a str, after: &'a str) -> Self {
        let (before, after) = (before.trim(), after.trim());
        // A fence is a line of three backticks, which may name a language, directly before the object.
        let (rest, line) = before.rsplit_once('\n').unwrap_or(("", before));
        let opened = line.trim_start().strip_prefix("```").is_some_and(|language| !language.contains('`'));
        let closed = after.strip_prefix("```");
        Surroundings {
            before: if opened { rest.trim_end() } else { before },
            after: closed.unwrap_or(after).trim_start(),
            fenced: opened || closed.is_some(),
        }
    }

    /// Whether the object is all there is, fences aside.
    pub(super) fn is_bare(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// What the parser overlooks in taking the object for the whole completion.
    pub(super) fn repairs(&self) -> Vec<Repair> {
        let all = [
            (self.fenced, Repair::Fenced),
            (!self.before.is_empty(), Repair::PrefixText),
            (!self.after.is_empty(), Repair::SuffixText),
        ];
        all.into_iter().filter_map(|(applies, repair)| applies.then_some(repair)).collect()
    }
}

/// The objects of a text, in order. After a complete object the search goes on behind it; after a malformed one, where
/// JSON broke off. So nothing inside an object is found, not even inside half an object, and no byte is read more than
/// a few times whatever the text.
pub(super) fn objects(text: &str) -> impl Iterator<Item = Found<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find('{')?;
        let (before, rest) = text.split_at_checked(start)?;
        let mut stream = Deserializer::from_str(rest).into_iter::<Map<String, Value>>();
        match stream.next()? {
            Ok(value) => {
                from = start + stream.byte_offset();
                Some(Found::Object { value, before, after: text.get(from..)? })
            }
            Err(error) => {
                from = resume(text, start, broken_at(rest, error.line(), error.column()));
                Some(Found::Broken { before, rest })
            }
        }
    })
}

/// The byte offset of a line and column of serde_json: lines from 1, columns in bytes.
fn broken_at(rest: &str, line: usize, column: usize) -> usize {
    let lines = rest.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
    let start = std::iter::once(0).chain(lines).nth(line.saturating_sub(1)).unwrap_or(rest.len());
    start.saturating_add(column)
}

/// Where to search on: at the byte that broke JSON, which may itself be a brace, and always behind `start`.
fn resume(text: &str, start: usize, broken: usize) -> usize {
    let mut at = (start + broken.saturating_sub(1)).clamp(start + 1, text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
