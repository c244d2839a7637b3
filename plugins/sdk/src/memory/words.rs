//! Words of a text, for matching a memory with what was said. A code stays one word (`HAT-123`, `ann@corp.local`,
//! `mia_li_3668`, `14:30`), and one number is one word however it is written (`$1,250.00` and `1250`, `two` and `2`).

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Calls `each` for every word of a text, in order and in lower case. A word that has a digit or an `@` is a code and kept as
/// it is; any other is cut at what is no letter and loses the endings `'s`, `s`, `ed`, `ing` and `e`, so that what "she wants"
/// is what "you want". Number words up to twelve become digits, but for `one`, which is seldom a number.
pub fn each_word(text: &str, each: impl FnMut(&str)) {
    each_beginning(text, |_| true, each);
}

/// The same, but only for words of which `wanted` says so before they are cut: most words of a long history are in nobody's
/// vocabulary, and cutting them is most of the work. What is handed to it begins as the word does.
fn each_beginning(text: &str, wanted: impl Fn(&str) -> bool, mut each: impl FnMut(&str)) {
    let mut each = |word: &str, cut: fn(&str) -> &str| {
        if wanted(word) {
            each(cut(word));
        }
    };
    let mut unit = String::new();
    let mut coded = false;
    let mut before = ' ';
    let mut rest = text;
    loop {
        if unit.is_empty() {
            // Signs before a word are not of it.
            let signs = rest.bytes().position(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
            if let Some((skipped, after)) = rest.split_at_checked(signs.unwrap_or(rest.len())) {
                before = skipped.bytes().next_back().map_or(before, char::from);
                rest = after;
            }
        }
        // Most of a text is runs of ASCII letters and digits, taken whole: a history is read word by word for every memory.
        let run = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
        if let Some((piece, after)) = rest.split_at_checked(run).filter(|(piece, _)| !piece.is_empty()) {
            if !(unit.is_empty() && ends(after) && !wanted(piece)) {
                coded |= piece.bytes().any(|byte| byte.is_ascii_digit());
                let start = unit.len();
                unit.push_str(piece);
                if let Some(added) = unit.get_mut(start..) {
                    added.make_ascii_lowercase();
                }
            }
            before = piece.bytes().next_back().map_or(before, char::from);
            rest = after;
        }
        let mut chars = rest.chars();
        let Some(c) = chars.next() else { break };
        rest = chars.as_str();
        let next = chars.next().unwrap_or(' ');
        if c.is_alphanumeric() {
            coded |= c.is_numeric();
            unit.extend(c.to_lowercase());
        } else if unit.is_empty() {
            // Signs before a word are not of it.
        } else if matches!(c, '\'' | '’') && next.is_alphanumeric() {
            unit.push('\'');
        } else if joins(c, before, next) {
            coded |= c == '@';
            unit.push(c);
        } else if c == ',' && before.is_ascii_digit() && groups(rest.chars()) {
            // The comma of a thousand is no part of the number.
        } else {
            finish(&mut unit, coded, &mut each);
            coded = false;
        }
        before = c;
    }
    finish(&mut unit, coded, &mut each);
}

/// A text's words, in order.
#[must_use]
pub fn word_list(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// The set of a text's words.
#[must_use]
pub fn word_set(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    each_word(text, |word| {
        words.insert(word.to_owned());
    });
    words
}

/// Whether a word is a code: it identifies what it names better than an ordinary word does.
#[must_use]
pub fn is_code(word: &str) -> bool {
    word.contains(|c: char| c.is_numeric() || c == '@')
}

/// The words that a text writes in capitals amid other words, as record locators without a digit are written: `SDZQKO`.
/// Shorter ones name airports and currencies rather than one record.
pub(super) fn locators(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    if text.chars().any(char::is_lowercase) {
        let units = text.split(|c: char| !c.is_alphanumeric());
        for unit in units.filter(|unit| unit.len() >= 5 && unit.bytes().all(|b| b.is_ascii_uppercase())) {
            each_word(unit, |word| {
                words.insert(word.to_owned());
            });
        }
    }
    words
}

/// Whether a sign between two letters or digits is part of the word.
fn joins(sign: char, before: char, next: char) -> bool {
    match sign {
        ':' | '/' => before.is_ascii_digit() && next.is_ascii_digit(),
        '.' | '-' | '_' | '@' | '+' => before.is_alphanumeric() && next.is_alphanumeric(),
        _ => false,
    }
}

/// Whether exactly three digits follow.
fn groups(rest: impl Iterator<Item = char>) -> bool {
    rest.take(4).take_while(char::is_ascii_digit).count() == 3
}

fn finish(unit: &mut String, coded: bool, each: &mut impl FnMut(&str, fn(&str) -> &str)) {
    if coded {
        each(unit, number);
    } else if unit.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        if !unit.is_empty() {
            each(unit, stem);
        }
    } else {
        for word in unit.split(['.', '-', '_', '+']).filter(|word| !word.is_empty()) {
            each(word, stem);
        }
    }
    unit.clear();
}

/// Whether a word is certainly over where this text follows it.
fn ends(after: &str) -> bool {
    let mut bytes = after.bytes();
    match (bytes.next(), bytes.next()) {
        (None, _) => true,
        (Some(b'\'' | b'.' | b'-' | b'_' | b'@' | b'+' | b':' | b'/' | b','), next) => {
            next.is_none_or(|next| next.is_ascii() && !next.is_ascii_alphanumeric())
        }
        (Some(sign), _) => sign.is_ascii(),
    }
}

/// Words with a number each, looked up for every word of a history and never iterated over.
#[derive(Default)]
pub(super) struct Vocabulary {
    words: FxHashMap<String, usize>,
    /// Which beginnings there are, one bit each; several beginnings share a bit.
    beginnings: [u64; 16],
}

impl Vocabulary {
    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The number of a word, a new one if it is new.
    pub(super) fn number(&mut self, word: String) -> usize {
        let spelled = NUMBERS.iter().find(|(_, digits)| *digits == word).map(|(name, _)| *name);
        for beginning in std::iter::once(word.as_str()).chain(spelled) {
            let (place, bit) = beginning_of(beginning);
            if let Some(bits) = self.beginnings.get_mut(place) {
                *bits |= bit;
            }
        }
        let next = self.words.len();
        *self.words.entry(word).or_insert(next)
    }

    /// Calls `each` with the number of every word of a text that is in here.
    pub(super) fn each_in(&self, text: &str, mut each: impl FnMut(usize)) {
        let wanted = |word: &str| {
            let (place, bit) = beginning_of(word);
            self.beginnings.get(place).is_some_and(|bits| bits & bit != 0)
        };
        each_beginning(text, wanted, |word| {
            if let Some(&number) = self.words.get(word) {
                each(number);
            }
        });
    }
}

/// Place and bit of a word's first two letters or digits in lower case, which cutting its ending leaves as they are.
fn beginning_of(word: &str) -> (usize, u64) {
    let mut bytes = word.bytes().map(|byte| byte.to_ascii_lowercase());
    let first = usize::from(bytes.next().unwrap_or_default());
    let second = usize::from(bytes.next().filter(|byte| !matches!(byte, b'\'' | b'.')).unwrap_or_default());
    let hash = first.wrapping_mul(37).wrapping_add(second) % 1024;
    (hash / 64, 1 << (hash % 64))
}

/// A number without an empty fraction; any other code as it is.
fn number(code: &str) -> &str {
    match code.split_once('.') {
        Some((whole, fraction)) if whole.bytes().all(|b| b.is_ascii_digit()) && fraction.bytes().all(|b| b == b'0') => {
            whole
        }
        _ => code,
    }
}

/// Number words that become digits; `one` is seldom a number.
const NUMBERS: [(&str, &str); 11] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
];

fn stem(word: &str) -> &str {
    let word = word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(word);
    if let Some((_, digits)) = NUMBERS.iter().find(|(name, _)| *name == word) {
        return digits;
    }
    // Only where enough of the word is left to know it by.
    let left = |stem: &&str, least: usize| stem.chars().nth(least - 1).is_some();
    let cut = |ending: &str, least: usize| word.strip_suffix(ending).filter(|stem| left(stem, least));
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word;
    }
    let stem = match cut("ing", 4).or_else(|| cut("ed", 4)) {
        // `preferred` is of `prefer`, but `called` is of `call`.
        Some(stem) if doubled(stem) => stem.get(..stem.len() - 1).unwrap_or(stem),
        Some(stem) => stem,
        None => cut("s", 3).unwrap_or(word),
    };
    stem.strip_suffix('e').filter(|stem| left(stem, 4)).unwrap_or(stem)
}

fn doubled(stem: &str) -> bool {
    let mut ends = stem.bytes().rev();
    matches!((ends.next(), ends.next()), (Some(a), Some(b)) if a == b && a.is_ascii_lowercase() && !b"lszaeiou".contains(&a))
}

#[cfg(test)]
mod tests {
    use super::{word_list as words, *};

    #[test]
    fn codes_stay_whole_and_words_are_cut_and_lowered() {
        assert_eq!(
            words("Book HAT-123, as mia_li_3668 (ann@corp.local) wants; at 14:30."),
            ["book", "hat-123", "as", "mia_li_3668", "ann@corp.local", "want", "at", "14:30"]
        );
        assert_eq!(words("the third-party gold_member/user's"), ["the", "third", "party", "gold", "member", "user"]);
    }

    #[test]
    fn a_vocabulary_finds_what_going_through_all_words_finds() {
        let texts = [
            "Two bags, 2.0 bags and a's, ten o'clock; HAT-123 flew the user's third-party gold_member called É2 x.",
            "eleven 11 twelve preferred preferring 'quoted' 1,250.00 1250 ann@corp.local 東京 a b.c 5.5 5.",
        ];
        let all: BTreeSet<String> = texts.iter().flat_map(|text| words(text)).collect();
        for skip in 1..4 {
            let mut vocabulary = Vocabulary::default();
            let chosen: Vec<&String> = all.iter().step_by(skip).collect();
            for word in &chosen {
                vocabulary.number((*word).clone());
            }
            for text in texts {
                let mut found = Vec::new();
                vocabulary.each_in(text, |number| found.push(chosen[number].clone()));
                let expected: Vec<String> = words(text).into_iter().filter(|word| chosen.contains(&word)).collect();
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        for text in ["$1,250.00", "1250", "1,250", "(1250.0)"] {
            assert_eq!(words(text), ["1250"], "{text}");
        }
        assert_eq!(words("two bags, 2 bags"), ["2", "bag", "2", "bag"]);
        assert_eq!(words("1.50 or 12,34"), ["1.50", "or", "12", "34"]);
    }

    #[test]
    fn a_tools_answer_is_words_too() {
        assert_eq!(
            words(r#"{"seat":"14C","fee":25,"ids":["a1","b2"]}"#),
            ["seat", "14c", "fee", "25", "ids", "a1", "b2"]
        );
    }

    #[test]
    fn a_locator_is_in_capitals_where_others_are_not() {
        assert_eq!(locators("Reservation SDZQKO to DEN, for Ann"), BTreeSet::from(["sdzqko".to_owned()]));
        assert_eq!(locators("CANCEL SDZQKO NOW"), BTreeSet::new());
    }

    #[test]
    fn endings_go_where_enough_is_left() {
        assert_eq!(
            words("prefers preferred preferring called pass bus changes changed"),
            ["prefer", "prefer", "prefer", "call", "pass", "bus", "chang", "chang"]
        );
    }

    #[test]
    fn text_in_other_scripts_has_words_too() {
        assert_eq!(words("Größe İ — 東京"), ["größ", "i\u{307}", "東京"]);
        assert_eq!(words(""), Vec::<String>::new());
    }
}
