//! Values in a clause: what makes it say something exact.

use crate::clause::Word;

/// How exactly a value picks out one thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// No value.
    #[default]
    None,
    /// A name, or one of a few words.
    Name,
    /// A number, an amount, a date, a time.
    Number,
    /// An identifier, a code, an address, a telephone number.
    Code,
}

/// The values among a clause's words, in order. A clause in capitals only, as notices have it, names nothing by them.
#[must_use]
pub fn values<'a>(words: &[Word<'a>]) -> Vec<(&'a str, Precision)> {
    let is_small = |word: &Word<'_>| match word.text.is_ascii() {
        true => word.text.bytes().any(|b| b.is_ascii_lowercase()),
        false => word.text.chars().any(char::is_lowercase),
    };
    let shouts = words.len() > 2 && !words.iter().any(is_small);
    words
        .iter()
        .enumerate()
        .filter_map(|(position, word)| {
            let precision = precision(word.text);
            let kept = match precision {
                Precision::None => false,
                // The first word of a clause has a capital anyway.
                Precision::Name => !shouts && (position > 0 || word.text.contains('_')) && !is_pronoun(word.text),
                _ => true,
            };
            kept.then_some((word.text, precision))
        })
        .collect()
}

fn is_pronoun(word: &str) -> bool {
    matches!(word, "I" | "OK" | "Ok" | "Okay") || word.starts_with("I'") || word.starts_with("I’")
}

/// How exact a word is by its form.
#[must_use]
pub fn precision(word: &str) -> Precision {
    // An ordinary word, as most are.
    if word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Precision::None;
    }
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_address = word.contains('@') || word.contains("://") || word.starts_with("www.");
    if is_address {
        return Precision::Code;
    }
    if digits > 0 {
        return number_or_code(word, digits, letters);
    }
    if word.contains('_') || word.chars().next().is_some_and(char::is_uppercase) {
        return Precision::Name;
    }
    Precision::None
}

fn number_or_code(word: &str, digits: usize, letters: usize) -> Precision {
    let amount = word.starts_with(['$', '€', '£']) || word.ends_with('%');
    if amount || is_date_or_time(word) {
        return Precision::Number;
    }
    if word.starts_with('#') {
        return Precision::Code;
    }
    if letters == 0 {
        let plain = word.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',');
        return if digits >= 5 && (!plain || !word.contains(['.', ','])) { Precision::Code } else { Precision::Number };
    }
    // `2GB`, `25ft`, `3rd`, `10am` are a number with its unit; `GC-12`, `HAT266`, `4G-X1` are codes.
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',' || c == '-');
    let is_measure = unit.len() < word.len() && unit.len() <= 6 && unit.bytes().all(|b| b.is_ascii_lowercase());
    let is_upper_measure =
        unit.len() < word.len() && matches!(unit, "GB" | "MB" | "TB" | "G" | "K" | "L" | "Mbps" | "AM" | "PM");
    if is_measure || is_upper_measure { Precision::Number } else { Precision::Code }
}

/// `2024-05-20`, `2024-05-20T15:00`, `12/2026`, `07:40`.
fn is_date_or_time(word: &str) -> bool {
    let mut groups = word.split(['-', '/', ':', 'T', 'Z', '.']).filter(|g| !g.is_empty());
    let shaped = groups.all(|g| g.len() <= 4 && g.bytes().all(|b| b.is_ascii_digit()));
    let year_first = word.get(4..5).is_some_and(|c| c == "-" || c == "/")
        && word.get(..4).is_some_and(|y| y.starts_with("19") || y.starts_with("20"));
    shaped && (year_first || word.contains([':', '/']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::words;

    #[test]
    fn codes_numbers_and_names_are_told_apart_by_their_form() {
        for (word, expected) in [
            ("GC-4821-937", Precision::Code),
            ("#W7181492", Precision::Code),
            ("credit_card_9302073", Precision::Code),
            ("555-123-2002", Precision::Code),
            ("60623", Precision::Code),
            ("a.b@c.org", Precision::Code),
            ("2024-05-20", Precision::Number),
            ("07:40", Precision::Number),
            ("$17.86", Precision::Number),
            ("2GB", Precision::Number),
            ("312", Precision::Number),
            ("basic_economy", Precision::Name),
            ("Zurich", Precision::Name),
            ("aisle", Precision::None),
        ] {
            assert_eq!(precision(word), expected, "{word}");
        }
    }

    #[test]
    fn a_first_capital_and_a_shouted_notice_name_nothing() {
        let of = |text| values(&words(text)).into_iter().map(|(v, _)| v.to_owned()).collect::<Vec<_>>();
        assert_eq!(of("Please fly from Basel, I said"), ["Basel"]);
        assert!(of("PLEASE HOLD ON").is_empty());
    }
}
