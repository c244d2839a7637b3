//! Which values a text says.

use super::words::{is_code, word_list};
use super::{Authority, Item};

/// The words of some texts.
#[derive(Clone, Debug, Default)]
pub struct Known(Vec<Vec<String>>);

impl Known {
    /// The words of these texts.
    #[must_use]
    pub fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Known(texts.into_iter().map(word_list).collect())
    }

    /// All words, text by text.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of the texts has the value's words, one after the other: `credit_card` where it says "credit card", but
    /// not where "credit" and "card" stand apart, since then two harmless words could be put together to a value.
    #[must_use]
    pub fn says(&self, value: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let wanted = word_list(value);
        let same = |said: &String, wanted: &String| said == wanted || wanted == "1" && said == "one";
        let at = |run: &[String]| run.iter().zip(&wanted).all(|(said, wanted)| same(said, wanted));
        !wanted.is_empty() && self.0.iter().any(|words| words.windows(wanted.len()).any(at))
    }
}

/// What memories say, apart by whether the user stands behind them.
#[derive(Clone, Debug, Default)]
pub struct Remembered {
    authorized: Known,
    below: Known,
}

impl Remembered {
    /// These memories, each with its label.
    #[must_use]
    pub fn new<'a>(memories: impl Iterator<Item = (&'a Item, Option<Authority>)>) -> Self {
        let (authorized, below): (Vec<_>, Vec<_>) =
            memories.partition(|(_, authority)| *authority == Some(Authority::Authorized));
        let known = |memories: Vec<(&Item, _)>| Known::new(memories.iter().map(|(memory, _)| memory.text.as_str()));
        Remembered { authorized: known(authorized), below: known(below) }
    }

    /// Whether nothing is remembered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.authorized.is_empty() && self.below.is_empty()
    }

    /// Whether a memory that the user stands behind says a value.
    #[must_use]
    pub fn authorizes(&self, value: &str) -> bool {
        self.authorized.says(value)
    }

    /// Whether a memory below Authorized is all that says a value, given what the user says. Content is the model's own wording:
    /// of it the codes are traced as well.
    pub fn is_below(&self, value: &str, is_content: bool, user_says: impl Fn(&str) -> bool) -> bool {
        let vouched = |value: &str| user_says(value) || self.authorizes(value);
        let below = |value: &str| !vouched(value) && self.below.says(value);
        below(value) || is_content && !vouched(value) && codes(value).any(|code| below(&code))
    }
}

/// Whether a value has to come from somewhere. One without letters and digits says nothing, and a switch is a choice between
/// two and names nothing of its own.
#[must_use]
pub fn needs_source(value: &str) -> bool {
    !matches!(value, "true" | "false") && value.chars().any(char::is_alphanumeric)
}

/// The codes and numbers in a text.
pub fn codes(text: &str) -> impl Iterator<Item = String> {
    word_list(text).into_iter().filter(|word| is_code(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_said_where_its_words_follow_each_other_however_they_are_written() {
        let known = Known::new(["Pay by credit card, $1,250 in all.", "One bag to gate B-12."]);
        for value in ["credit_card", "Credit Card", "1250.0", "B-12", "1"] {
            assert!(known.says(value), "{value}");
        }
        for value in ["card credit", "250", "12", "debit_card", "", "-", "in all one"] {
            assert!(!known.says(value), "{value}");
        }
    }

    #[test]
    fn switches_and_punctuation_need_no_source() {
        assert!(needs_source("no") && needs_source("0"));
        assert!(!needs_source("true") && !needs_source("-") && !needs_source(""));
        assert_eq!(codes("Refund 4411 to ann@x.org now").collect::<Vec<_>>(), ["4411", "ann@x.org"]);
    }
}
