//! Whose word a memory is, by its own text. This reads English by its surface: reporting verbs with their subjects, "by" and
//! "according to", possessed statements, and a source before a colon. It knows no names, so a person who is called by
//! theirs counts as somebody else; and "the user wants" names nobody, because a wish is no statement of whose word it is.

use std::ops::Range;

/// Whose word a text says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// It does not say.
    Nobody,
    /// The user's.
    User,
    /// Somebody else's, or not the user's.
    Other,
}

/// What the user is called.
const USER: [&str; 7] = ["user", "customer", "client", "passenger", "traveler", "traveller", "subscriber"];

/// A text of more words before its first colon does not open with a source.
const HEAD: usize = 9;

/// Verbs that report words or thoughts.
const REPORTS: [&str; 57] = [
    "said",
    "says",
    "stated",
    "states",
    "reported",
    "reports",
    "suggested",
    "suggests",
    "recommended",
    "recommends",
    "claimed",
    "claims",
    "mentioned",
    "mentions",
    "noted",
    "notes",
    "advised",
    "advises",
    "proposed",
    "proposes",
    "indicated",
    "indicates",
    "asserted",
    "asserts",
    "told",
    "tells",
    "announced",
    "announces",
    "listed",
    "lists",
    "showed",
    "shows",
    "wrote",
    "writes",
    "confirmed",
    "confirms",
    "instructed",
    "instructs",
    "declared",
    "declares",
    "endorsed",
    "verified",
    "approved",
    "authorized",
    "adopted",
    "bet",
    "infer",
    "infers",
    "inferred",
    "guess",
    "guesses",
    "guessed",
    "assumes",
    "assumed",
    "believes",
    "believed",
    "thinks",
];

/// Statements that somebody has made.
const STATEMENTS: [&str; 20] = [
    "suggestion",
    "recommendation",
    "claim",
    "advice",
    "report",
    "proposal",
    "statement",
    "instruction",
    "notice",
    "words",
    "word",
    "observation",
    "guess",
    "inference",
    "idea",
    "tip",
    "summary",
    "draft",
    "request",
    "decision",
];

/// Where words are found that are not the user's.
const DOCUMENTS: [&str; 24] = [
    "notice",
    "report",
    "bulletin",
    "memo",
    "advisory",
    "suggestion",
    "recommendation",
    "newsletter",
    "directory",
    "lookup",
    "assistant",
    "vendor",
    "tool",
    "handbook",
    "procedure",
    "log",
    "form",
    "reminder",
    "template",
    "entry",
    "claim",
    "tip",
    "sheet",
    "result",
];

/// Words by which a text says that it is not settled.
const HEARSAY: [&str; 9] = [
    "reportedly",
    "allegedly",
    "apparently",
    "supposedly",
    "unconfirmed",
    "unverified",
    "third-party",
    "hearsay",
    "unendorsed",
];

/// Articles and the like, behind which a verb's form is an adjective or a noun: "the recommended seat", "their reports".
const DETERMINERS: [&str; 14] =
    ["a", "an", "the", "any", "its", "their", "his", "her", "all", "no", "these", "those", "this", "that"];

/// Prepositions: what follows one is not the subject.
const PREPOSITIONS: [&str; 12] = ["to", "for", "of", "with", "about", "from", "in", "on", "at", "by", "via", "behind"];

/// Words that open a clause with a subject of its own.
const CLAUSES: [&str; 5] = ["that", "which", "but", "because", "while"];

/// What makes a statement the user's, if the user does it.
const AGREEMENTS: [&str; 7] = ["confirm", "endorse", "approve", "adopt", "authorize", "accept", "verify"];

/// Forms of "to be", behind which a report is passive.
const PASSIVE: [&str; 7] = ["was", "were", "been", "is", "are", "be", "being"];

struct Word {
    text: String,
    /// A sign ends the clause behind it.
    ends: bool,
}

/// Whose word a text says it is. If it names the user and somebody else, it is not the user's alone.
pub(super) fn of(text: &str) -> Source {
    let words: Vec<Word> = text.split_whitespace().filter_map(word).collect();
    let plain = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut source = before_colon(text);
    for at in 0..words.len() {
        let named = match plain(at) {
            text if HEARSAY.contains(&text) => Source::Other,
            "according" if plain(at + 1) == "to" => owner(&words, at + 2),
            "per" => owner(&words, at + 1),
            "from" | "in" if mentions(&words, at + 1, &DOCUMENTS) => owner(&words, at + 1),
            "explicitly" | "directly" | "personally" | "themselves" | "themself"
                if subject(&words, at) == Source::User =>
            {
                Source::User
            }
            text if AGREEMENTS.contains(&text) && denied(&words, at.saturating_sub(3)..at) => Source::Other,
            text if REPORTS.contains(&text) => reported(&words, at),
            text if STATEMENTS.contains(&text) => possessed(&words, at),
            _ => Source::Nobody,
        };
        match named {
            Source::Other => return Source::Other,
            Source::User => source = Source::User,
            Source::Nobody => {}
        }
    }
    source
}

fn word(text: &str) -> Option<Word> {
    let ends = text.ends_with([',', ';', ':', '.', ')', '?', '!']);
    let text = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'");
    (!text.is_empty()).then_some(Word { text, ends })
}

/// The source that a text opens with: `Vendor notice, third of May: ...`, `The user asked: ...`.
fn before_colon(text: &str) -> Source {
    let Some((head, _)) = text.split_once(": ").filter(|(head, _)| head.split_whitespace().count() <= HEAD) else {
        return Source::Nobody;
    };
    let words: Vec<Word> = head.split_whitespace().filter_map(word).collect();
    let first = words.iter().find(|word| !DETERMINERS.contains(&word.text.as_str()));
    if first.is_some_and(|word| USER.contains(&word.text.as_str())) {
        Source::User
    } else if words.iter().any(|word| DOCUMENTS.contains(&word.text.as_str())) {
        Source::Other
    } else {
        Source::Nobody
    }
}

/// Whose report a reporting verb is part of.
fn reported(words: &[Word], at: usize) -> Source {
    let plain = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let before = at.checked_sub(1).map_or("", plain);
    if DETERMINERS.contains(&before) || before.ends_with("'s") {
        return Source::Nobody;
    }
    // "reported by the vendor", "suggested earlier by the assistant"
    let by = (at + 1..=at + 3).find(|&next| plain(next) == "by");
    if let Some(by) = by.filter(|&by| !(at..by).any(|inside| words.get(inside).is_some_and(|word| word.ends))) {
        return owner(words, by + 1);
    }
    // "the user was told", "it was reported": by whom, it does not say; not by the user.
    if PASSIVE.contains(&before) {
        return Source::Other;
    }
    subject(words, at)
}

/// Who does what the verb at this place says. A user who has not done it is not behind it.
fn subject(words: &[Word], verb: usize) -> Source {
    let ends = |word: &Word| word.ends || CLAUSES.contains(&word.text.as_str());
    let start = words.iter().take(verb).rposition(ends).map_or(0, |end| end + 1);
    let clause: Vec<&str> = words.iter().skip(start).take(verb - start).map(|word| word.text.as_str()).collect();
    let user = clause.iter().enumerate().any(|(at, word)| {
        let before = |back| at.checked_sub(back).and_then(|at| clause.get(at));
        USER.contains(word) && !(1..=2).filter_map(before).any(|word| PREPOSITIONS.contains(word))
    });
    if user && !denied(words, start..verb) { Source::User } else { Source::Other }
}

/// Whether these words deny something.
fn denied(words: &[Word], range: Range<usize>) -> bool {
    let denial = |word: &Word| matches!(word.text.as_str(), "not" | "never") || word.text.ends_with("n't");
    words.get(range).is_some_and(|words| words.iter().any(denial))
}

/// Whose statement it is: "the assistant's suggestion", "the user's own words", "a suggestion of the assistant".
fn possessed(words: &[Word], at: usize) -> Source {
    let near = (1..=2).filter_map(|back| at.checked_sub(back).and_then(|at| words.get(at)));
    match near.filter_map(|word| word.text.strip_suffix("'s")).next() {
        Some(owner) if USER.contains(&owner) => Source::User,
        Some(_) => Source::Other,
        None if words.get(at + 1).is_some_and(|word| word.text == "of") => owner(words, at + 2),
        None => Source::Nobody,
    }
}

/// Who stands from this place on, up to the end of the clause: the user, or what the user has said, or somebody else.
fn owner(words: &[Word], from: usize) -> Source {
    let near = words.get(from..).unwrap_or_default();
    let own = |at: usize| near.iter().skip(at + 1).take(2).any(|word| STATEMENTS.contains(&word.text.as_str()));
    for (at, word) in near.iter().take(4).enumerate() {
        let possessed = word.text.strip_suffix("'s").filter(|_| own(at));
        if USER.contains(&possessed.unwrap_or(&word.text)) {
            return Source::User;
        }
        if word.ends {
            break;
        }
    }
    Source::Other
}

/// Whether any of these stands within four words from this place on, in the same clause.
fn mentions(words: &[Word], from: usize, wanted: &[&str]) -> bool {
    for word in words.iter().skip(from).take(4) {
        let text = word.text.strip_suffix("'s").unwrap_or(&word.text);
        if wanted.contains(&text) {
            return true;
        }
        if word.ends {
            return false;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_washed_memory_names_nobody() {
        for text in [
            "The user's payroll account is 4411.",
            "User prefers aisle seats.",
            "The user wants a refund from the airline to card 4411.",
            "Alerts for the customer go out below 250.",
            "The recommended plan is Harbor Blue.",
            "Use gate B-12 for this customer's deliveries: 4411.",
            "The user has decided on a threshold of 250.",
            "",
        ] {
            assert_eq!(of(text), Source::Nobody, "{text}");
        }
    }

    #[test]
    fn a_memory_that_reports_somebody_else_names_another_source() {
        for text in [
            "A vendor notice reported that the user's account is 4411.",
            "According to the partner directory, the account is 4411.",
            "The assistant suggested a threshold of 250.",
            "Suggested by the assistant: 250.",
            "Vendor notice: the account is 4411.",
            "The account is 4411, as stated in a bulletin; the user has not confirmed it.",
            "The notice sent to the user says 4411.",
            "The user was told by the carrier that it is 4411.",
            "The user was told that it is 4411.",
            "It was reported that the account is 4411.",
            "The account is reportedly 4411.",
            "The assistant's suggestion is 250.",
            "A suggestion of the user's assistant is 250.",
            "An assistant might infer that it is 250.",
            "Clerk's memo, third of May: the account is 4411.",
            "According to the user's bank, the account is 4411.",
            "Account 4411 comes from the airline's notice.",
            "The user said that the vendor claims it is 4411.",
            "The customer didn't confirm 4411.",
            "A seat (14C) was recommended to the customer.",
            "A third-party report gives 4411.",
        ] {
            assert_eq!(of(text), Source::Other, "{text}");
        }
    }

    #[test]
    fn a_memory_that_reports_the_user_names_the_user() {
        for text in [
            "The user said that the account is 4411.",
            "The user directly chose plan Harbor Blue.",
            "The customer confirmed seat 14C.",
            "As stated by the user, the account is 4411.",
            "According to the customer, the account is 4411.",
            "In the user's own words: the account is 4411.",
            "The user decided: it is account 4411.",
            "By decision of the user, alerts go out below 250.",
            "According to the user's statement, the account is 4411.",
            "The user has explicitly instructed us to use 4411.",
        ] {
            assert_eq!(of(text), Source::User, "{text}");
        }
    }
}
