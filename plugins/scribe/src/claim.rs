//! Clauses that say something worth keeping.

use crate::clause::{Clause, clauses, folded, words};
use crate::flatten::{Form, statements};
use crate::lexicon::{self, Marks};
use crate::sight::{Line, Voice};
use crate::source::heading;
use crate::value::{Precision, values};
use std::borrow::Cow;
use weir_plugin::writer::Kind;

/// How long what a clause says is good for, from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// A line of a record, a list or a report.
    Record,
    /// A one-off wish, or how things stand for the moment.
    Passing,
    /// A fact or a decision, stated once.
    Stated,
    /// A preference, a rule, a default: said to last.
    Standing,
}

/// A clause with something to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<'a> {
    /// Index of the turn.
    pub turn: u32,
    /// Under whose name the turn is shown.
    pub voice: Voice,
    /// Whether a tool returned it, whoever's name it bears.
    pub is_result: bool,
    /// The tool that returned it, where the history says.
    pub tool: Option<&'a str>,
    /// The clause as it stands.
    pub text: Cow<'a, str>,
    /// How it is meant.
    pub marks: Marks,
    /// Whether it is in the first person singular.
    pub first_person: bool,
    /// Its values, as written.
    pub values: Vec<String>,
    /// The most exact of them.
    pub precision: Precision,
    /// How long it is good for.
    pub durability: Durability,
    /// Whether it is a field with its value rather than words.
    pub is_field: bool,
    /// What it is about.
    pub slot: Slot,
}

impl<'a> Claim<'a> {
    /// The claim that a text makes in this voice; for memories that exist, [`Voice::User`].
    #[must_use]
    pub fn new(text: Cow<'a, str>, voice: Voice, is_field: bool) -> Self {
        let words = words(&text);
        let folds: Vec<Cow<'_, str>> = words.iter().map(|w| folded(w.text)).collect();
        let mut marks = lexicon::marks_of(&folds);
        if is_question(&text, folds.first().map_or("", AsRef::as_ref)) {
            marks = marks.with(Marks::QUESTION);
        }
        let found = values(&words);
        let precision = found.iter().map(|(_, p)| *p).max().unwrap_or_default();
        let values: Vec<String> = found.into_iter().map(|(value, _)| value.to_owned()).collect();
        let first_person =
            folds.iter().any(|w| matches!(w.as_ref(), "i" | "my" | "i'm" | "i'd" | "i'll" | "i've" | "me"));
        // A heading says where it stands, not what it is about.
        let heading = heading(&text).map_or(0, |(heading, _)| crate::clause::words(heading).len());
        let body = folds.get(heading..).unwrap_or_default();
        let durability = if leans(&folds, marks) || text.contains('|') {
            Durability::Record
        } else if is_step(body, marks, voice) || is_own_act(&folds, marks, voice) {
            Durability::Passing
        } else {
            durability(marks, voice, precision, is_field, first_person, folds.len())
        };
        let slot = Slot::new(body, &values);
        drop(folds);
        Claim {
            first_person,
            turn: 0,
            voice,
            is_result: voice == Voice::Tool,
            tool: None,
            text,
            marks,
            values,
            precision,
            durability,
            is_field,
            slot,
        }
    }

    /// What kind of statement it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        if self.marks.has(Marks::RULE) {
            Kind::Rule
        } else if self.marks.has(Marks::PREFERENCE) {
            Kind::Preference
        } else if self.marks.has(Marks::DECISION.with(Marks::INTENTION).with(Marks::REQUEST).with(Marks::ADVICE)) {
            Kind::Intention
        } else if self.precision > Precision::None {
            Kind::Fact
        } else {
            Kind::Other
        }
    }

    /// Durability, then exactness: what goes first when not all fits. A field can be looked up again, however exact it is.
    #[must_use]
    pub fn rank(&self) -> (Durability, Precision) {
        (self.durability, if self.is_field { Precision::None } else { self.precision })
    }

    /// Whether it says what another one says: all its values are among the other's, and it is about the same.
    #[must_use]
    pub fn repeats(&self, other: &Claim<'_>) -> bool {
        let told = |value: &String| other.values.iter().any(|known| known.eq_ignore_ascii_case(value));
        match self.values.is_empty() {
            true => self.text.eq_ignore_ascii_case(&other.text),
            false => self.values.iter().all(told) && self.slot.same(&other.slot),
        }
    }

    /// Whether it only says back values that the other one has.
    #[must_use]
    pub fn echoes(&self, other: &Claim<'_>) -> bool {
        let told = |value: &String| other.values.iter().any(|known| known.eq_ignore_ascii_case(value));
        self.precision >= Precision::Number && self.values.iter().all(told)
    }
}

/// The claims of these lines, oldest first.
#[must_use]
pub fn claims<'a>(lines: &[Line<'a>]) -> Vec<Claim<'a>> {
    let mut found = Vec::new();
    for line in lines {
        let mut take = |text: Cow<'a, str>, form| {
            let mut claim = Claim::new(text, line.voice, form != Form::Words);
            if form == Form::Identity {
                claim.durability = claim.durability.max(Durability::Stated);
            }
            if is_worth_keeping(&claim) {
                found.push(Claim { turn: line.turn, is_result: line.is_result, tool: line.tool, ..claim });
            }
        };
        if line.is_result {
            statements(line.text).into_iter().for_each(|s| take(s.text, s.form));
        } else {
            for Clause { text, .. } in clauses(line.text) {
                take(Cow::Borrowed(text), if is_list_line(text) { Form::Field } else { Form::Words });
            }
        }
    }
    found
}

/// `1. #W379: Skateboard` or `Battery: 80%`: a heading and a few words.
fn is_list_line(text: &str) -> bool {
    text.split_once(':').is_some_and(|(heading, rest)| {
        let short = words(rest).len() < 4 && words(heading).len() < 6;
        rest.starts_with([' ', '*']) && short
    })
}

fn is_question(text: &str, first: &str) -> bool {
    const OPENERS: [&str; 17] = [
        "are", "can", "could", "did", "do", "does", "has", "how", "is", "may", "was", "what", "when", "where", "which",
        "who", "why",
    ];
    text.ends_with('?') || (OPENERS.contains(&first) && !text.ends_with('.'))
}

/// Longest statement, in bytes: what is longer is a list or a dump.
const LONGEST: usize = 280;

fn is_worth_keeping(claim: &Claim<'_>) -> bool {
    let marks = claim.marks;
    // A user's question may be a wish; anybody else's is none.
    let asks = marks.has(Marks::QUESTION) && !(claim.voice == Voice::User && marks.has(Marks::REQUEST));
    let wish = Marks::PREFERENCE.with(Marks::STANDING).with(Marks::DECISION).with(Marks::INTENTION);
    let says = claim.precision > Precision::None || (claim.voice == Voice::User && marks.has(wish));
    // An agent's courtesy, its offers and its requests to the user are about the conversation alone.
    let chats = marks.has(Marks::COURTESY) && (claim.voice != Voice::User || claim.precision < Precision::Number);
    // Data that somebody quotes is no statement.
    let is_data = claim.text.starts_with('{') || (claim.text.contains('"') && claim.text.contains("\":"));
    says && !asks && !chats && !is_data && claim.text.len() <= LONGEST && claim.slot.is_about_something()
}

fn durability(
    marks: Marks,
    voice: Voice,
    precision: Precision,
    is_field: bool,
    first_person: bool,
    words: usize,
) -> Durability {
    let is_user = voice == Voice::User;
    let has_value = precision > Precision::None;
    if marks.has(Marks::STANDING) && (has_value || is_user) {
        return Durability::Standing;
    }
    if is_field {
        return Durability::Record;
    }
    if marks.has(Marks::DECISION) && has_value {
        return Durability::Stated;
    }
    let passing = Marks::PASSING.with(Marks::REQUEST).with(Marks::QUESTION);
    if !has_value || marks.has(passing) || (!is_user && marks.has(Marks::OFFER)) {
        return Durability::Passing;
    }
    let stated =
        marks.has(Marks::ADVICE.with(Marks::PREFERENCE)) || (is_user && first_person) || precision >= Precision::Number;
    if stated && words >= 4 { Durability::Stated } else { Durability::Passing }
}

/// "That would be K-9", "The code is K-9": it says nothing without what was said before, unless it decides or advises.
fn leans(folds: &[Cow<'_, str>], marks: Marks) -> bool {
    let first = folds.first().map_or("", AsRef::as_ref);
    let points = matches!(first, "it" | "its" | "it's" | "that" | "that's" | "they" | "these" | "this" | "those");
    let is_bare = first == "the" && folds.get(2).is_some_and(|word| matches!(word.as_ref(), "is" | "are"));
    (points || is_bare) && !marks.has(Marks::DECISION.with(Marks::ADVICE))
}

/// "I checked order K-9": what the agent itself does is over when it is done.
fn is_own_act(folds: &[Cow<'_, str>], marks: Marks, voice: Voice) -> bool {
    let first = folds.first().map_or("", AsRef::as_ref);
    let is_own = matches!(first, "i" | "i'd" | "i'll" | "i'm" | "i've" | "we" | "we've");
    voice == Voice::Assistant && is_own && !marks.has(Marks::ADVICE)
}

/// "Open the settings of your phone": a step that the agent asks the user to take. It begins with its verb.
fn is_step(folds: &[Cow<'_, str>], marks: Marks, voice: Voice) -> bool {
    const SUBJECTS: [&str; 24] = [
        "a",
        "according",
        "all",
        "an",
        "as",
        "based",
        "for",
        "from",
        "i",
        "i'd",
        "i've",
        "in",
        "it",
        "my",
        "on",
        "our",
        "since",
        "that",
        "the",
        "there",
        "this",
        "we",
        "you",
        "your",
    ];
    let first = folds.first().map_or("", AsRef::as_ref);
    let is_verb = first.bytes().all(|b| b.is_ascii_lowercase()) && !SUBJECTS.contains(&first);
    voice == Voice::Assistant && !marks.has(Marks::ADVICE) && is_verb && folds.iter().skip(1).any(|word| word == "your")
}

/// What a claim is about: its words but for values and for words that say nothing. Where it says that something is
/// something, only what stands before counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slot {
    words: Vec<String>,
}

impl Slot {
    /// Of a clause's folded words and its values.
    #[must_use]
    pub fn new(folds: &[Cow<'_, str>], values: &[String]) -> Self {
        let values: Vec<Cow<'_, str>> = values.iter().map(|value| folded(value)).collect();
        let about = |words: &[Cow<'_, str>]| -> Vec<String> {
            let mut about: Vec<String> = words
                .iter()
                .filter(|w| !lexicon::is_empty_word(w) && !values.contains(w) && w.chars().any(char::is_alphabetic))
                .map(|w| w.trim_end_matches("'s").trim_end_matches('s').to_owned())
                .collect();
            about.sort();
            about.dedup();
            about
        };
        let copula = folds.iter().position(|w| matches!(w.as_ref(), "is" | "are"));
        let before = copula.and_then(|at| folds.get(..at)).map(about).filter(|words| !words.is_empty());
        Slot { words: before.unwrap_or_else(|| about(folds)) }
    }

    /// Whether anything is left to be about.
    #[must_use]
    pub fn is_about_something(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether both are about the same: one's words are all among the other's, and there are at least two, or both have the
    /// same.
    #[must_use]
    pub fn same(&self, other: &Slot) -> bool {
        let (small, large) = if self.words.len() <= other.words.len() { (self, other) } else { (other, self) };
        let within = small.words.iter().all(|word| large.words.binary_search(word).is_ok());
        within && !small.words.is_empty() && (small.words.len() >= 2 || small.words.len() == large.words.len())
    }

    /// The words, sorted.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::{Native, lines};
    use crate::testing::{assistant, task, tool, user};

    fn one(voice: Voice, text: &str) -> Claim<'_> {
        Claim::new(Cow::Borrowed(text), voice, false)
    }

    #[test]
    fn what_lasts_ranks_before_what_is_said_once_and_that_before_a_wish_and_a_record() {
        let order = [
            one(Voice::User, "From now on, send my invoices to desk K-71."),
            one(Voice::User, "My customer number is 8841027."),
            one(Voice::User, "Please cancel order #W71 for me."),
            Claim::new(Cow::Borrowed("Order: #W71"), Voice::Tool, true),
        ];
        let ranks: Vec<Durability> = order.iter().map(|c| c.durability).collect();
        assert_eq!(ranks, [Durability::Standing, Durability::Stated, Durability::Passing, Durability::Record]);
        assert!(one(Voice::User, "My zip code is 40512.").rank() > one(Voice::User, "My name is Ada Byron.").rank());
    }

    #[test]
    fn kinds_follow_the_words() {
        let kind = |text| one(Voice::User, text).kind();
        assert_eq!(kind("Always ship to Basel."), Kind::Rule);
        assert_eq!(kind("My preferred seat is 12A."), Kind::Preference);
        assert_eq!(kind("I'll take the slot at 07:40."), Kind::Intention);
        assert_eq!(kind("My zip code is 40512."), Kind::Fact);
    }

    #[test]
    fn chat_and_questions_are_no_claims_but_a_wish_in_a_question_is_one() {
        let task = task([
            user("Hi! Thanks. What is order #W71? Could you use card K-9 for it?"),
            assistant("I can help with #W71. Would you like desk K-7? Please confirm the zip code 40512."),
            tool("Order #W71 was made in Basel."),
        ]);
        let found = claims(&lines(&task, Native::Shown));
        let texts: Vec<&str> = found.iter().map(|c| c.text.as_ref()).collect();
        assert_eq!(texts, ["Could you use card K-9 for it?", "I can help with #W71.", "Order #W71 was made in Basel."]);
    }

    #[test]
    fn a_slot_is_what_a_claim_is_about() {
        let slot = |text| one(Voice::User, text).slot;
        assert!(slot("My preferred refund account is GC-1.").same(&slot("Switch my refund account to GC-2.")));
        assert!(!slot("My alert email is a@b.org.").same(&slot("My alert number is 312.")));
        assert!(!slot("My preferred hotel partner is X-1.").same(&slot("My preferred car partner is X-2.")));
    }
}
