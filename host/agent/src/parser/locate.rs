//! Finds the JSON objects that stand in a text.

use super::json::Object;
use serde_json::Deserializer;

/// What begins at a brace.
pub(super) enum Found<'a> {
    /// A complete JSON object.
    Object {
        /// The object.
        object: Object,
        /// The text before it.
        before: &'a str,
        /// The text after it.
        after: &'a str,
    },
    /// A brace and a key as in JSON, Python or JavaScript, or a brace that ends the text, but no JSON object.
    Broken {
        /// The text before the brace.
        before: &'a str,
        /// The text from the brace on, as far as it may belong to the object.
        extent: &'a str,
    },
}

/// The objects of a text, in order. After an object the search goes on behind it, and so it does after a malformed one:
/// what stands inside it was no proposal, and a quotation mark that is missing must not make it one. A brace in prose
/// or code is passed over. No byte is read more than a few times, whatever the text.
pub(super) fn objects(text: &str) -> impl Iterator<Item = Found<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text.get(from..)?.find('{')?;
            let (before, rest) = text.split_at_checked(start)?;
            let mut stream = Deserializer::from_str(rest).into_iter::<Object>();
            match stream.next()? {
                Ok(object) => {
                    from = start + stream.byte_offset();
                    return Some(Found::Object { object, before, after: text.get(from..)? });
                }
                Err(_) if opens_with_key(rest) => {
                    let extent = extent(rest);
                    from = start + extent.len();
                    return Some(Found::Broken { before, extent });
                }
                Err(error) => from = resume(text, start, broken_at(rest, error.line(), error.column())),
            }
        }
    })
}

/// Whether a brace is followed by a key, as in JSON, in JSON inside a string, in Python or in JavaScript, or by nothing,
/// rather than by prose or code.
fn opens_with_key(rest: &str) -> bool {
    let key = rest.get(1..).unwrap_or_default().trim_start();
    let after_word = key.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let is_unquoted = after_word.len() < key.len() && after_word.trim_start().starts_with(':');
    key.is_empty() || key.starts_with(['"', '\'', '\u{201C}']) || key.starts_with("\\\"") || is_unquoted
}

/// How far a malformed object reaches: to the brace that closes it, and to the end of the text if none does. What is a
/// string in it is uncertain, since a quotation mark may be what is wrong. So braces are counted in three ways (all of
/// them, those outside "strings", and those outside strings of either quotation mark), and the longest extent holds.
fn extent(rest: &str) -> &str {
    let mut counts = [Braces::new(""), Braces::new("\""), Braces::new("\"'")];
    let mut escaped = false;
    for (at, character) in rest.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        escaped = character == '\\';
        for count in &mut counts {
            count.read(character);
        }
        if counts.iter().all(|count| count.closed) {
            // The last character was a brace, one byte long.
            return rest.get(..=at).unwrap_or(rest);
        }
    }
    rest
}

/// A count of open braces.
struct Braces {
    /// The characters that begin and end strings.
    quotes: &'static str,
    string: Option<char>,
    open: usize,
    closed: bool,
}

impl Braces {
    fn new(quotes: &'static str) -> Self {
        Braces { quotes, string: None, open: 0, closed: false }
    }

    fn read(&mut self, character: char) {
        match (character, self.string) {
            (_, Some(quote)) if quote == character => self.string = None,
            (_, Some(_)) => {}
            ('{', None) => self.open += 1,
            ('}', None) => {
                self.open = self.open.saturating_sub(1);
                self.closed |= self.open == 0;
            }
            (_, None) => self.string = self.quotes.contains(character).then_some(character),
        }
    }
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
