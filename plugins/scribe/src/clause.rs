//! From text to clauses and words.

use std::borrow::Cow;

/// A clause: a sentence, or a part of one that stands by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause<'a> {
    /// Where it begins in the text, in bytes.
    pub start: usize,
    /// Its words, without list marks around them.
    pub text: &'a str,
}

/// Words before a full stop that end no sentence.
const ABBREVIATIONS: [&str; 16] =
    ["a.m", "apt", "ave", "approx", "dr", "e.g", "etc", "i.e", "inc", "ltd", "mr", "mrs", "ms", "no", "p.m", "st"];

/// Beginnings of a second statement within a sentence: it has a subject of its own.
const JOINTS: [&str; 10] = [
    ", and I ",
    ", and my ",
    ", but I ",
    ", but my ",
    ", so I ",
    ", so my ",
    " and I ",
    ", and I'd ",
    ", and I'm ",
    " and my ",
];

/// The clauses of a text, in order.
#[must_use]
pub fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    // Everything that ends a clause is one byte, so that the bytes between need no look at all.
    for (at, c) in text.bytes().enumerate().filter(|(_, c)| matches!(c, b'\n' | b'!' | b'?' | b';' | b'.')) {
        if at < start {
            continue;
        }
        let end = at + 1;
        let rest = text.get(end..).unwrap_or_default();
        // A closing quote or bracket belongs to the sentence that ends within it.
        let closed = rest.trim_start_matches(['"', '”', '’', ')', ']', '*']);
        let at_gap = closed.chars().next().is_none_or(char::is_whitespace);
        let ends = match c {
            b'\n' => true,
            // What goes on with "it" says nothing by itself.
            b';' => at_gap && !rest.trim_start().starts_with("it "),
            b'.' => at_gap && !goes_on(text.get(start..at).unwrap_or_default()),
            _ => at_gap,
        };
        if ends {
            let next = if c == b'\n' { end } else { text.len() - closed.len() };
            push(text, start, if c == b';' { at } else { next }, &mut found);
            start = next;
        }
    }
    push(text, start, text.len(), &mut found);
    found
}

/// Whether a full stop after these words belongs to an abbreviation or to a list's number.
fn goes_on(before: &str) -> bool {
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(['(', '"', '\'']);
    let is_list_number =
        word.len() == before.trim_start().len() && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    is_list_number || ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn push<'a>(text: &'a str, start: usize, end: usize, found: &mut Vec<Clause<'a>>) {
    let Some(piece) = text.get(start..end) else { return };
    // Without a comma, what "and my" begins may be a second object: "my son and my daughter".
    let is_statement = |at: usize| piece.get(at..).is_some_and(|rest| rest.contains(" is ") || rest.contains(" are "));
    // Every joint ends in one of these, and most clauses have neither.
    let may_join = piece.as_bytes().windows(2).any(|pair| matches!(pair, b" I" | b" m"));
    let joints = JOINTS.iter().filter(|_| may_join).filter_map(|joint| piece.find(joint).map(|at| (at, *joint)));
    let joint = joints.filter(|(at, joint)| *joint != " and my " || is_statement(*at)).min();
    if let Some((at, joint)) = joint {
        // The second statement begins after the conjunction.
        let before = joint.trim_start_matches([',', ' ']);
        let conjunction = before.find(' ').map_or(0, |space| space + 1);
        let skipped = joint.len() - before.len() + conjunction;
        trimmed(text, start, start + at, found);
        push(text, start + at + skipped, end, found);
    } else {
        trimmed(text, start, end, found);
    }
}

fn trimmed<'a>(text: &'a str, start: usize, end: usize, found: &mut Vec<Clause<'a>>) {
    let Some(piece) = text.get(start..end) else { return };
    let body = unlisted(piece.trim_start());
    let body = body.trim_matches(|c: char| c.is_whitespace() || c == '*');
    if body.chars().any(char::is_alphanumeric) {
        let offset = body.as_ptr().addr().saturating_sub(text.as_ptr().addr());
        found.push(Clause { start: offset, text: body });
    }
}

/// The text after a list's bullet or number.
fn unlisted(text: &str) -> &str {
    if let Some(rest) = ["- ", "* ", "• ", "– "].iter().find_map(|bullet| text.strip_prefix(bullet)) {
        return rest.trim_start();
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    match text.get(digits..) {
        Some(rest) if (1..=2).contains(&digits) && (rest.starts_with(". ") || rest.starts_with(") ")) => {
            rest.get(2..).unwrap_or_default().trim_start()
        }
        _ => text,
    }
}

/// A word of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// Where it begins in the clause, in bytes.
    pub start: usize,
    /// Without the punctuation around it.
    pub text: &'a str,
}

/// Words with their places. A code, an address or an amount is one word, with what is inside it.
#[must_use]
pub fn words(text: &str) -> Vec<Word<'_>> {
    if text.is_ascii() {
        return ascii_words(text);
    }
    let mut found = Vec::new();
    let breaks = |c: char| c.is_whitespace() || matches!(c, '—' | '"' | '“' | '”' | '(' | ')' | '[' | ']' | '*');
    for raw in text.split(breaks) {
        let word = raw.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '’', '-', '–']);
        let word = word.trim_start_matches([',', '.', ':', ';', '\'', '‘', '-', '–']);
        if word.chars().any(char::is_alphanumeric) {
            found.push(Word { start: word.as_ptr().addr().saturating_sub(text.as_ptr().addr()), text: word });
        }
    }
    found
}

/// The same, where each character is a byte.
fn ascii_words(text: &str) -> Vec<Word<'_>> {
    let breaks = |b: u8| matches!(b, b' ' | b'\t'..=b'\r' | b'"' | b'(' | b')' | b'[' | b']' | b'*');
    let opens = |b: u8| matches!(b, b',' | b'.' | b':' | b';' | b'\'' | b'-');
    let closes = |b: u8| opens(b) || matches!(b, b'!' | b'?');
    let mut found = Vec::with_capacity(text.len() / 5);
    let mut start = 0;
    for raw in text.as_bytes().split(|b| breaks(*b)) {
        let kept = raw.iter().rposition(|b| !closes(*b)).map_or(0, |last| last + 1);
        let opening = raw.iter().take(kept).position(|b| !opens(*b)).unwrap_or(kept);
        let word = text.get(start + opening..start + kept).unwrap_or_default();
        if word.bytes().any(|b| b.is_ascii_alphanumeric()) {
            found.push(Word { start: start + opening, text: word });
        }
        start += raw.len() + 1;
    }
    found
}

/// A word as the lexicons have it: lower case, with a straight apostrophe.
#[must_use]
pub fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return match word.bytes().any(|b| b.is_ascii_uppercase()) {
            true => Cow::Owned(word.to_ascii_lowercase()),
            false => Cow::Borrowed(word),
        };
    }
    word.chars().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect()
}

/// With a capital first letter.
#[must_use]
pub fn capitalised(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) => first.to_uppercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// With a small first letter, unless the first word is a name or a code.
#[must_use]
pub fn uncapitalised(text: &str) -> String {
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    let inner = first.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit());
    let is_pronoun = first == "I" || first.starts_with("I'") || first.starts_with("I’");
    if inner || is_pronoun {
        return text.into();
    }
    let mut rest = text.chars();
    match rest.next() {
        Some(letter) => letter.to_lowercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// A full sentence: a capital first letter and a full stop.
#[must_use]
pub fn sentence(text: &str) -> String {
    let body = text.trim().trim_end_matches(['.', '!', '?', ',', ';', ':']);
    let is_closed = [".”", ".\"", "!”", "?”", "!\"", "?\""].iter().any(|end| body.ends_with(end));
    format!("{}{}", capitalised(body), if is_closed { "" } else { "." })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        clauses(text).into_iter().map(|c| c.text).collect()
    }

    #[test]
    fn sentences_and_lines_are_clauses_and_list_marks_go() {
        let text = "Hi! Two things:\n- my code is AB-1.5\n2. arrive at 7 a.m. sharp. Done";
        assert_eq!(texts("It said “No.” Why? (So.) End"), ["It said “No.”", "Why?", "(So.)", "End"]);
        assert_eq!(texts(text), ["Hi!", "Two things:", "my code is AB-1.5", "arrive at 7 a.m. sharp.", "Done"]);
    }

    #[test]
    fn a_second_statement_with_its_own_subject_is_a_clause() {
        let text = "I live in Basel and my zip code is 4051, so I fly from Zurich.";
        assert_eq!(texts(text), ["I live in Basel", "my zip code is 4051", "I fly from Zurich."]);
        assert_eq!(texts("Send it to my son and my daughter"), ["Send it to my son and my daughter"]);
    }

    #[test]
    fn a_clause_knows_where_it_stands() {
        let text = "Yes.  My code is X1.";
        let last = clauses(text)[1];
        assert_eq!(text.get(last.start..last.start + last.text.len()), Some(last.text));
    }

    #[test]
    fn codes_amounts_and_addresses_are_single_words() {
        let found = words("“GC-4821-937”, #W717, $4.50 (a.b@c.org)—I’m in.");
        let found: Vec<&str> = found.iter().map(|w| w.text).collect();
        assert_eq!(found, ["GC-4821-937", "#W717", "$4.50", "a.b@c.org", "I’m", "in"]);
    }

    #[test]
    fn only_an_ordinary_first_word_loses_its_capital() {
        assert_eq!(uncapitalised("The code"), "the code");
        assert_eq!(uncapitalised("GC-1 is it"), "GC-1 is it");
        assert_eq!(uncapitalised("I am"), "I am");
    }
}
