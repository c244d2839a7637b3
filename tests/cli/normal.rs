//! What may vary between machines and builds is replaced by a placeholder, and nothing else.

use std::path::Path;

/// Numbers that a new build of a plugin changes stand after one of these...
const BEFORE: [&str; 12] = [
    "fuel ",
    "fuel used ",
    "most locals ",
    "largest body ",
    "\"bytes\": ",
    "\"code_bytes\": ",
    "\"custom_bytes\": ",
    "\"declarations\": ",
    "\"functions\": ",
    "\"largest_function\": ",
    "\"most_locals\": ",
    "\"size\": ",
];
/// ... or before one of these.
const AFTER: [&str; 6] =
    [" bytes, sha256", " bytes (limit", " bytes\n", " bytes of code", " functions,", " in the largest,"];

/// The paths of one case.
pub struct Normal {
    paths: Vec<(String, &'static str)>,
}

impl Normal {
    /// Placeholders for these folders.
    pub fn new(tmp: &Path, samples: &Path, cache: &Path) -> Self {
        let named = [(tmp, "{tmp}"), (samples, "{samples}"), (cache, "{cache}")];
        Normal { paths: named.iter().map(|(path, name)| (path.display().to_string(), *name)).collect() }
    }

    /// A text with placeholders.
    pub fn text(&self, text: &str) -> String {
        let text = self.paths.iter().fold(text.to_owned(), |text, (path, name)| text.replace(path, name));
        numbers(&digests(&text))
    }
}

/// SHA-256 in hex, whole or its first 12 digits. Other hex of this length does not occur in what is printed: it has to
/// have a letter and a digit.
fn digests(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
        let (body, end) = match word.char_indices().next_back() {
            Some((at, last)) if !last.is_ascii_alphanumeric() => word.split_at(at),
            _ => (word, ""),
        };
        let hex = body.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            && body.bytes().any(|b| b.is_ascii_digit())
            && body.bytes().any(|b| b.is_ascii_alphabetic());
        match body.len() {
            64 if hex => out.push_str("<sha256>"),
            12 if hex => out.push_str("<sha256:12>"),
            _ => out.push_str(body),
        }
        out.push_str(end);
    }
    out
}

fn numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (head, tail) = rest.split_at(start);
        let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (number, after) = tail.split_at(end);
        out.push_str(head);
        let varies = BEFORE.iter().any(|mark| out.ends_with(mark)) || AFTER.iter().any(|mark| after.starts_with(mark));
        if varies {
            // Columns are as wide as their numbers.
            out.truncate(out.trim_end_matches(' ').len());
            out.push_str(" <n>");
        } else {
            out.push_str(number);
        }
        rest = after;
    }
    out + rest
}

#[test]
fn paths_digests_and_sizes_get_placeholders_and_other_numbers_stay() {
    let normal = Normal::new(Path::new("/tmp/x1"), Path::new("/s"), Path::new("/c"));
    let digest = "0a".repeat(32);
    let text = format!("policy  none  0123456789ab    45392 bytes\n/tmp/x1/a: {digest}, 12 of 34 (fuel 77)\n");
    assert_eq!(normal.text(&text), "policy  none  <sha256:12> <n> bytes\n{tmp}/a: <sha256>, 12 of 34 (fuel <n>)\n");
}
