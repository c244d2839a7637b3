//! Whether a text names a value literally: what makes a value the user's own word, or the attacker's.

use weir_plugin::json;

/// Whether the text contains the value, whatever the case. A value of one or two characters and a bare number must
/// stand for itself: `5` is not named by `2015`, nor `r` by `read`.
pub fn names(text: &str, value: &str) -> bool {
    let (text, value) = (text.to_lowercase(), value.to_lowercase());
    let number = value.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'));
    if value.chars().nth(2).is_some() && !number {
        return text.contains(&value);
    }
    !value.is_empty() && text.match_indices(&value).any(|(at, _)| stands_alone(&text, at, at + value.len(), number))
}

/// The same for a JSON value. A number is compared with the numbers in the text; anything else needs all its leaves.
pub fn names_value(text: &str, value: &str) -> bool {
    match json::number(value) {
        Some(number) => names_number(text, number),
        None => {
            let leaves = json::leaves(value).unwrap_or_default();
            !leaves.is_empty() && leaves.iter().all(|leaf| names(text, leaf))
        }
    }
}

/// Whether a number in the text has this value: `1,200.50` has 1200.5.
pub fn names_number(text: &str, number: f64) -> bool {
    let mut rest = text;
    let mut before = None;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let before_number = rest.get(..start).and_then(|head| head.chars().next_back()).or(before);
        let tail = rest.get(start..).unwrap_or_default();
        let run = digits(tail);
        let after = tail.get(run..).and_then(|t| t.chars().next());
        let inside_word = before_number.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric);
        let plain: String = tail.get(..run).unwrap_or_default().chars().filter(|&c| c != ',').collect();
        if !inside_word && plain.parse() == Ok(number) {
            return true;
        }
        before = tail.get(..run).and_then(|t| t.chars().next_back());
        rest = tail.get(run..).unwrap_or_default();
    }
    false
}

/// The length of the number at the start of a text: digits, groups of three after commas, a fraction after a point.
fn digits(text: &str) -> usize {
    let count = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let mut length = count(0);
    while text.as_bytes().get(length) == Some(&b',') && count(length + 1) == 3 {
        length += 4;
    }
    match (text.as_bytes().get(length), count(length + 1)) {
        (Some(b'.'), fraction) if fraction > 0 => length + 1 + fraction,
        _ => length,
    }
}

/// No letter or digit touches it, and where it is a number no point or comma joins it to another.
fn stands_alone(text: &str, start: usize, end: usize, number: bool) -> bool {
    let mut before = text.get(..start).unwrap_or_default().chars().rev();
    let mut after = text.get(end..).unwrap_or_default().chars();
    free(before.next(), before.next(), number) && free(after.next(), after.next(), number)
}

fn free(next: Option<char>, beyond: Option<char>, number: bool) -> bool {
    match next {
        Some(c) if c.is_alphanumeric() => false,
        Some('.' | ',') if number => !beyond.is_some_and(|c| c.is_ascii_digit()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_value_is_found_anywhere_and_in_any_case() {
        assert!(names("Ask PAT.ROE@corp.local, please", "pat.roe@corp.local"));
        assert!(!names("Ask Pat", "pat.roe@corp.local"));
    }

    #[test]
    fn short_values_and_numbers_must_stand_alone() {
        for (text, value, expected) in [
            ("share it as r", "r", true),
            ("read it", "r", false),
            ("delete file 13.", "13", true),
            ("on the 2013-05-13", "201", false),
            ("pay 13.50", "13", false),
            ("pay 1,300", "300", false),
            ("id 7, then 8", "7", true),
        ] {
            assert_eq!(names(text, value), expected, "{value} in {text}");
        }
    }

    #[test]
    fn numbers_are_compared_by_value() {
        for (text, number, expected) in [
            ("pay $1,200.50.", 1200.5, true),
            ("pay 1200", 1200.0, true),
            ("pay 120.0 now", 120.0, true),
            ("pay 12", 1.0, false),
            ("room B12", 12.0, false),
            ("pay 12, 34", 34.0, true),
        ] {
            assert_eq!(names_number(text, number), expected, "{number} in {text}");
        }
    }
}
