//! From the speaker's person to the third: "my" to "the user's".

use crate::clause::{capitalised, folded, words};
use crate::sight::Voice;
use std::borrow::Cow;

/// Verbs that a "you" before them is the subject of. After other words it is an object.
const YOUR_VERBS: [&str; 22] = [
    "are", "aren't", "choose", "do", "don't", "fly", "go", "have", "haven't", "keep", "like", "live", "need", "pay",
    "plan", "prefer", "take", "travel", "use", "want", "were", "wish",
];

/// Words that may stand between a subject and its verb.
const ADVERBS: [&str; 12] = [
    "actually",
    "also",
    "always",
    "generally",
    "just",
    "never",
    "normally",
    "only",
    "really",
    "still",
    "typically",
    "usually",
];

/// Forms that are the same in all persons, or past.
const FIXED: [&str; 64] = [
    "added",
    "ate",
    "began",
    "booked",
    "bought",
    "brought",
    "built",
    "came",
    "can",
    "can't",
    "cannot",
    "chose",
    "could",
    "couldn't",
    "cut",
    "did",
    "didn't",
    "drove",
    "felt",
    "flew",
    "forgot",
    "found",
    "gave",
    "got",
    "had",
    "heard",
    "held",
    "hit",
    "kept",
    "knew",
    "left",
    "let",
    "lost",
    "made",
    "may",
    "met",
    "might",
    "must",
    "paid",
    "put",
    "ran",
    "read",
    "reset",
    "said",
    "saw",
    "sent",
    "set",
    "should",
    "slept",
    "sold",
    "spent",
    "spoke",
    "stood",
    "thought",
    "told",
    "took",
    "understood",
    "was",
    "went",
    "will",
    "won",
    "wore",
    "would",
    "wrote",
];

/// The clause in the third person. In the user's words "I" is the user; in others' words "you" is.
#[must_use]
pub fn shifted(text: &str, voice: Voice) -> String {
    let mut out = String::with_capacity(text.len() + 32);
    let mut copied = 0;
    let mut verb_expected = false;
    let all = words(text);
    for (position, word) in all.iter().enumerate() {
        let fold = folded(word.text);
        let next = || all.get(position + 1).map(|w| folded(w.text)).unwrap_or_default();
        let replaced = match replacement(&fold, next, voice) {
            Some((phrase, subject)) => {
                verb_expected = subject;
                Some(phrase.to_owned())
            }
            None if verb_expected && is_adverb(&fold) => None,
            None if verb_expected => {
                verb_expected = false;
                Some(third_person(word.text))
            }
            None => None,
        };
        let Some(replaced) = replaced else { continue };
        out.push_str(text.get(copied..word.start).unwrap_or_default());
        out.push_str(&replaced);
        copied = word.start + word.text.len();
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    capitalised(&out)
}

/// What stands for a pronoun, and whether a verb agrees with it.
fn replacement<'a>(fold: &str, next: impl Fn() -> Cow<'a, str>, voice: Voice) -> Option<(&'static str, bool)> {
    let (i, my, you, your) = match voice {
        Voice::User => ("the user", "the user's", "the assistant", "the assistant's"),
        Voice::Assistant => ("the assistant", "the assistant's", "the user", "the user's"),
        Voice::Tool => ("the sender", "the sender's", "the user", "the user's"),
    };
    let is_user = voice == Voice::User;
    Some(match fold {
        "i" => (i, true),
        "me" | "myself" => (i, false),
        "my" | "mine" => (my, false),
        // A user's "we" is the user's household; anybody else's is a company.
        "we" if is_user => (i, true),
        "us" if is_user => (i, false),
        "our" if is_user => (my, false),
        "i'm" | "we're" if is_user => ("the user is", false),
        "i've" | "we've" if is_user => ("the user has", false),
        "i'd" if is_user => ("the user would", false),
        "i'll" if is_user => ("the user will", false),
        "i'm" => ("the assistant is", false),
        "i've" => ("the assistant has", false),
        "i'd" => ("the assistant would", false),
        "i'll" => ("the assistant will", false),
        "you" => (you, agrees(&next())),
        "your" | "yours" => (your, false),
        "you're" if !is_user => ("the user is", false),
        "you've" if !is_user => ("the user has", false),
        "you'd" if !is_user => ("the user would", false),
        "you'll" if !is_user => ("the user will", false),
        _ => return None,
    })
}

/// Whether a word may stand between a subject and its verb; "fly" and "supply" are verbs.
fn is_adverb(fold: &str) -> bool {
    ADVERBS.contains(&fold) || (fold.len() > 6 && fold.ends_with("ly"))
}

/// Whether a "you" before this word is its subject.
fn agrees(next: &str) -> bool {
    YOUR_VERBS.contains(&next) || is_adverb(next)
}

/// A verb in the third person singular.
pub(crate) fn third_person(verb: &str) -> String {
    let fold = folded(verb);
    match fold.as_ref() {
        "am" | "are" => "is".into(),
        "were" => "was".into(),
        "have" => "has".into(),
        "haven't" => "hasn't".into(),
        "aren't" => "isn't".into(),
        "don't" => "doesn't".into(),
        "weren't" => "wasn't".into(),
        "need" => "needs".into(),
        known if FIXED.contains(&known) || known.ends_with("ed") || known.ends_with("n't") => verb.to_owned(),
        other if !other.bytes().all(|b| b.is_ascii_lowercase()) || other.len() < 2 => verb.to_owned(),
        other if other.ends_with(['s', 'x', 'o']) || other.ends_with("ch") || other.ends_with("sh") => {
            format!("{other}es")
        }
        other => match other.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{other}s"),
        },
    }
}

/// Without its subject, where that is the user: "Prefers the aisle", "Zip code is 4051".
#[must_use]
pub fn without_subject(text: &str) -> String {
    let rest = ["The user's ", "The user "].iter().find_map(|subject| text.strip_prefix(subject));
    capitalised(rest.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_words_become_statements_about_the_user() {
        for (said, expected) in [
            ("My refund account is GC-1", "The user's refund account is GC-1"),
            ("I always fly from Zurich", "The user always flies from Zurich"),
            ("I’ve moved and I’d like my card back", "The user has moved and the user would like the user's card back"),
            ("I prefer it, but I don't pay more", "The user prefers it, but the user doesn't pay more"),
            ("I chose it and I watch it", "The user chose it and the user watches it"),
            ("I found it and I flew there", "The user found it and the user flew there"),
            ("I really need it and I reset it", "The user really needs it and the user reset it"),
            ("I recently moved", "The user recently moved"),
            ("Send it to me", "Send it to the user"),
        ] {
            assert_eq!(shifted(said, Voice::User), expected);
        }
    }

    #[test]
    fn an_agents_you_is_the_user_and_agrees_where_it_is_the_subject() {
        assert_eq!(
            shifted("You have a card and I can help you with it", Voice::Assistant),
            "The user has a card and the assistant can help the user with it"
        );
        assert_eq!(shifted("Your seat is 12A", Voice::Tool), "The user's seat is 12A");
        assert_eq!(shifted("We keep our word", Voice::Assistant), "We keep our word");
    }

    #[test]
    fn a_subject_that_is_the_user_may_go() {
        assert_eq!(without_subject("The user's zip is 4051"), "Zip is 4051");
        assert_eq!(without_subject("The user prefers tea"), "Prefers tea");
        assert_eq!(without_subject("Use K-9"), "Use K-9");
    }
}
