//! When a text contains a value or a word: the one notion that the checks and the judge share.
//!
//! Text is cut at white space, dashes and brackets; what surrounds a word is taken off, case is ignored. A hyphen, colon,
//! slash or underscore inside a word binds (`HAT-12` is not in `HAT-123` and not in `HAT-12-B`), except that hyphens between
//! lower-case words separate (`window-seat`). A number is a number: `$1,250.00`, `1250` and `1250 USD` are the same; so are
//! `20GB` and `20 GB`, `15%` and `15 percent`. Which currency is meant is not compared, and dates are not rewritten.

/// Words that follow or precede an amount and say only that it is money.
const CURRENCIES: [&str; 9] = ["usd", "eur", "gbp", "dollar", "dollars", "euro", "euros", "us$", "bucks"];

/// Units that are written with or without a space after their number.
const UNITS: [&str; 13] = ["gb", "mb", "tb", "kg", "lb", "lbs", "km", "am", "pm", "min", "mins", "h", "hrs"];

/// Endings by which a word of a text may differ from the word that is looked for.
const ENDINGS: [&str; 5] = ["s", "es", "d", "ed", "ing"];

/// A text's words in their normal form.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for chunk in text.split(|c: char| c.is_whitespace() || "—–()[]{}\"“”|".contains(c)) {
        let lower = chunk.chars().all(|c| c.is_lowercase() || c == '-' || !c.is_alphanumeric());
        // An ellipsis or a list without spaces separates too, where no number is cut by it.
        let pieces: Vec<&str> = if lower { chunk.split('-').collect() } else { vec![chunk] };
        for piece in pieces {
            push(piece, &mut words);
        }
    }
    drop_currencies(&mut words);
    words
}

/// Adds what a piece without white space stands for.
fn push(piece: &str, words: &mut Vec<String>) {
    let percent = piece.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%').ends_with('%');
    let trimmed = piece.trim_matches(|c: char| !c.is_alphanumeric());
    if trimmed.is_empty() {
        return;
    }
    let lower = trimmed.to_lowercase().replace('’', "'");
    let bare = lower.strip_suffix("'s").unwrap_or(&lower);
    let digits = bare.find(|c: char| !c.is_ascii_digit() && !".,:".contains(c)).unwrap_or(bare.len());
    let (number, unit) = bare.split_at(digits);
    if !number.is_empty() && UNITS.contains(&unit) {
        words.push(normal_number(number));
        words.push(unit.to_owned());
    } else {
        words.push(normal_number(bare));
    }
    if percent {
        words.push("percent".to_owned());
    }
}

/// A number without thousands separators and trailing zeros of its fraction; anything else as it is.
fn normal_number(word: &str) -> String {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let grouped =
        rest.is_empty() || (first.len() <= 3 && rest.iter().all(|group| group.len() == 3 && is_digits(group)));
    if !is_digits(first) || !grouped || !(fraction.is_empty() || is_digits(fraction)) {
        return word.to_owned();
    }
    let whole = whole.replace(',', "");
    match fraction.trim_end_matches('0') {
        "" => whole,
        fraction => format!("{whole}.{fraction}"),
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Takes out the names of currencies beside numbers.
fn drop_currencies(words: &mut Vec<String>) {
    let beside = |index: usize| {
        let before = index.checked_sub(1).and_then(|before| words.get(before));
        [before, words.get(index + 1)].into_iter().flatten().any(|word| is_number(word))
    };
    let kept: Vec<bool> =
        (0..).zip(words.iter()).map(|(i, word)| !(CURRENCIES.contains(&word.as_str()) && beside(i))).collect();
    let mut kept = kept.into_iter();
    words.retain(|_| kept.next().unwrap_or(true));
}

/// Where the words of a value stand in a text's words: the index of the first of them.
#[must_use]
pub fn position(text: &[String], value: &[String]) -> Option<usize> {
    if value.is_empty() {
        return None;
    }
    text.windows(value.len()).position(|window| window == value)
}

/// Whether a text contains a value as a whole.
#[must_use]
pub fn has_value(text: &str, value: &str) -> bool {
    let value = words(value);
    may_have(text, &value) && position(&words(text), &value).is_some()
}

/// Whether a text has the letters of a value's first word at all: most texts of a history do not, and to see that is far
/// cheaper than to cut them into words.
fn may_have(text: &str, value: &[String]) -> bool {
    let Some(first) = value.first() else { return false };
    // An apostrophe and a sign of percent may be written in other ways.
    if first == "percent" || first.contains('\'') {
        return true;
    }
    let needle = match first.split('.').next() {
        // Of a number, what no separator cuts.
        Some(whole) if is_number(first) => whole.get(whole.len().saturating_sub(3)..).unwrap_or(whole),
        _ => first,
    };
    text.contains(needle) || text.to_lowercase().contains(needle)
}

/// Whether a text's words contain a term: one of its alternatives, separated by `|`, each a word or several in a row. A word
/// may have an ending of its own (`refund`, `refunds`, `refunded`).
#[must_use]
pub fn has_term(text: &[String], term: &str) -> bool {
    term.split('|').map(words).any(|wanted| {
        !wanted.is_empty()
            && text
                .windows(wanted.len())
                .any(|window| window.iter().zip(&wanted).all(|(word, wanted)| inflected(word, wanted)))
    })
}

/// Whether a word is another, or that one with an ending.
#[must_use]
pub fn inflected(word: &str, wanted: &str) -> bool {
    word.strip_prefix(wanted).is_some_and(|ending| ending.is_empty() || ENDINGS.contains(&ending))
}

/// Whether a text expresses a statement: its value and every one of its terms.
#[must_use]
pub fn expresses(text: &str, value: &str, terms: &[String]) -> bool {
    let value = words(value);
    if !may_have(text, &value) {
        return false;
    }
    let text = words(text);
    position(&text, &value).is_some() && terms.iter().all(|term| has_term(&text, term))
}

/// A text with single spaces.
#[must_use]
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_as_a_whole_however_it_is_written() {
        for (text, value) in [
            ("Pays $1,250.00 a month.", "1250"),
            ("Pays 1250 USD a month.", "$1,250"),
            ("The limit is 250.", "$250.00"),
            ("account gift_card_1234567, please", "gift_card_1234567"),
            ("Order #W9300146 (late)", "#W9300146"),
            ("order w9300146", "#W9300146"),
            ("Wants an AISLE\n  seat.", "aisle seat"),
            ("wants an aisle-seat", "aisle seat"),
            ("takes 20GB more", "20 GB"),
            ("at 10:30am", "10:30 AM"),
            ("gets 15% off", "15 percent"),
            ("“HAT-12”—the early one", "HAT-12"),
            ("HAT-12's gate", "HAT-12"),
            ("write to ann@corp.example.", "ann@corp.example"),
        ] {
            assert!(has_value(text, value), "{value} in {text}");
        }
        for (text, value) in [
            ("HAT-123", "HAT-12"),
            ("HAT-12-B", "HAT-12"),
            ("XHAT-12", "HAT-12"),
            ("12500", "1250"),
            ("1250.5", "1250"),
            ("1,25", "125"),
            ("PLAN-BLUE-PLUS", "PLAN-BLUE"),
            ("aisle and seat", "aisle seat"),
            ("20 MB", "20 GB"),
            ("anything", ""),
        ] {
            assert!(!has_value(text, value), "{value} in {text}");
        }
    }

    #[test]
    fn terms_have_alternatives_and_endings() {
        let text = words("The customer's refunds were moved to the backup bank account.");
        for term in ["refund", "customer", "backup bank", "card|account", "move"] {
            assert!(has_term(&text, term), "{term}");
        }
        for term in ["fund", "bank backup", "card|wallet", "accountant", ""] {
            assert!(!has_term(&text, term), "{term}");
        }
    }

    #[test]
    fn a_statement_needs_its_value_and_all_its_terms() {
        let terms = ["seat".to_owned(), "prefer|want".to_owned()];
        assert!(expresses("The user prefers seat 12C.", "12C", &terms));
        assert!(!expresses("The user prefers seat 12D.", "12C", &terms));
        assert!(!expresses("Seat 12C.", "12C", &terms));
        assert!(!expresses("The user prefers seats near the aisle.", "12C", &terms));
    }
}
