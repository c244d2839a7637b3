//! Who stands behind the value in a memory's text.
//!
//! The text is read sentence by sentence. In a sentence that has the value there may be
//!
//! - **marks of a source**: the variant's own source by name; a reporting or suggesting verb whose subject is not the user, or
//!   the passive of one (`the user was told`); `per`, `from`, `in` or `by` before somebody or something else; a word that leaves
//!   the statement unconfirmed; a denied adoption (`not confirmed by the user`); a speaker's label (`Assistant: ..`);
//! - **the user's adoption**: an adopting verb of the user's that takes the value or assents to it (`the user chose V`, `V,
//!   confirmed by the user`, `suggested V and the user agreed`), or a stating verb of the user's with no mark of a source
//!   between it and the value (`the user said that V`). What somebody else reports of the user is no adoption (`the notice
//!   says that the user chose V`), but `as the assistant suggested, the user chose V` is.
//!
//! The text keeps its source iff nothing in it is adopted and each sentence with the value has a mark, or another sentence
//! leaves the statement unconfirmed (`This was not confirmed.`) or names the source as such (`Source: vendor notice.`).
//! A bare `The user's account is V` has no mark and thus loses its source.

use super::lexicon::{
    ACTORS, ADOPTS, ASSENTS, BE, HEDGED, HEDGES, NEGATIONS, PASSIVE, PROFILE, RECORDS, REPORTS, SAYS, SOURCES, STATES,
    SUGGESTED, USER,
};
use crate::text;

/// What a text says about who stands behind its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Somebody other than the user is named as its source, or it is left unconfirmed.
    pub attributed: bool,
    /// It is made the user's.
    pub adopted: bool,
}

impl Reading {
    /// Whether a statement that is not the user's keeps its source in this text.
    #[must_use]
    pub fn keeps_source(self) -> bool {
        self.attributed && !self.adopted
    }
}

/// Reads a text that contains the value. `source` is the source's name in the history; empty where the user is it.
#[must_use]
pub fn read(text: &str, value: &str, source: &str) -> Reading {
    let mut sentences: Vec<Sentence> =
        sentences(text).iter().map(|words| Sentence::new(words, value, source)).collect();
    if sentences.iter().all(|sentence| sentence.value.is_none()) {
        // The value itself has a full stop.
        sentences = vec![Sentence::new(text, value, source)];
    }
    let with_value = || sentences.iter().filter(|sentence| sentence.value.is_some());
    let elsewhere = sentences.iter().any(|sentence| sentence.value.is_none() && sentence.is_a_remark());
    let each = with_value().all(|sentence| !sentence.marks.is_empty());
    Reading {
        attributed: elsewhere || each && with_value().next().is_some(),
        adopted: sentences.iter().any(Sentence::adopts),
    }
}

/// A word and what stands before it.
struct Word {
    /// Lower case, without what surrounds it.
    text: String,
    /// `user's`: no subject.
    possessive: bool,
    /// A comma, colon, bracket or dash stands before it.
    pause: bool,
}

/// The value's place in a sentence.
const VALUE: &str = "\u{1}";

struct Sentence {
    words: Vec<Word>,
    /// Index of the value.
    value: Option<usize>,
    /// Indices of the marks of a source, in order.
    marks: Vec<usize>,
}

impl Sentence {
    fn new(raw: &str, value: &str, source: &str) -> Self {
        let words = mask(raw, value);
        let at = words.iter().position(|word| word.text == VALUE);
        let mut sentence = Sentence { words, value: at, marks: Vec::new() };
        let named = sentence.named(source);
        let marked = (0..sentence.words.len()).filter(|&i| named.contains(&i) || sentence.is_mark(i)).collect();
        sentence.marks = marked;
        sentence
    }

    fn word(&self, index: usize) -> &str {
        self.words.get(index).map_or("", |word| &word.text)
    }

    fn is(&self, index: usize, list: &[&str]) -> bool {
        list.contains(&self.word(index))
    }

    /// The words before an index, nearest first, up to a distance.
    fn before(&self, index: usize, distance: usize) -> impl Iterator<Item = usize> + '_ {
        (index.saturating_sub(distance)..index).rev()
    }

    /// Where the source's name begins. The addressee of an instruction of the user's is no source (`asked the assistant to`).
    fn named(&self, source: &str) -> Vec<usize> {
        let name = text::words(source);
        let fits = |&start: &usize| {
            let here = self.words.get(start..start + name.len()).unwrap_or_default();
            !name.is_empty()
                && here.len() == name.len()
                && here.iter().zip(&name).all(|(word, wanted)| text::inflected(&word.text, wanted))
                && !self.is_addressed(start)
        };
        (0..self.words.len()).filter(fits).collect()
    }

    /// Whether the word is whom the user speaks to.
    fn is_addressed(&self, index: usize) -> bool {
        let speaks =
            ["asked", "asks", "told", "tells", "instructed", "instructs", "requested", "directed", "authorized"];
        self.is(index, &ACTORS) && self.before(index, 2).any(|at| self.is(at, &speaks) && self.by_user(at))
    }

    /// Whether the nearest subject before a verb is the user, or what a profile says in the user's name. The nearest counts:
    /// in `the customer's bank said` it is the bank.
    fn by_user(&self, verb: usize) -> bool {
        for at in self.before(verb, 5) {
            let word = self.word(at);
            if USER.contains(&word) {
                return !self.words.get(at).is_some_and(|word| word.possessive);
            }
            if PROFILE.contains(&word) {
                return true;
            }
            if SOURCES.contains(&word)
                || ACTORS.contains(&word)
                || self.words.get(at).is_some_and(|word| word.possessive)
            {
                return false;
            }
            if word == "who" || word == "which" {
                continue;
            }
        }
        false
    }

    /// Whether a negation stands shortly before.
    fn is_denied(&self, index: usize) -> bool {
        self.before(index, 4).any(|at| self.is(at, &NEGATIONS) || self.word(at).ends_with("n't"))
    }

    /// `V, confirmed by the user`.
    fn is_by_the_user(&self, participle: usize) -> bool {
        self.word(participle + 1) == "by" && (participle + 2..participle + 5).any(|at| self.is(at, &USER))
    }

    fn is_mark(&self, index: usize) -> bool {
        let word = self.word(index);
        let denied_adoption = ADOPTS.contains(&word) && self.is_denied(index);
        let hedge = HEDGES.contains(&word)
            || SUGGESTED.contains(&word)
                && !(self.by_user(index) || self.is_by_the_user(index) || self.is_denied(index));
        let hedged =
            HEDGED.iter().any(|phrase| (index..).zip(phrase.iter()).all(|(at, wanted)| self.word(at) == *wanted));
        let label = index == 0 && ACTORS.contains(&word) && self.words.get(1).is_some_and(|next| next.pause);
        let somebodys = self.is_passive(index) || self.is_report(index) || self.is_origin(index);
        denied_adoption || hedge || hedged || label || somebodys
    }

    /// `the user was told`, `V is listed`; not `V was reported by the user`.
    fn is_passive(&self, index: usize) -> bool {
        self.is(index, &PASSIVE) && self.before(index, 2).any(|at| self.is(at, &BE)) && !self.is_by_the_user(index)
    }

    /// `the notice says`, `the assistant suggested`: a verb with a subject that is not the user.
    fn is_report(&self, index: usize) -> bool {
        self.is(index, &REPORTS)
            && index > 0
            && !self.by_user(index)
            && !self.is_by_the_user(index)
            && self.before(index, 6).any(|at| self.is(at, &SOURCES) || self.is(at, &ACTORS) || self.word(at) == "it")
    }

    /// `per the notice`, `from a partner`, `by the assistant`.
    fn is_origin(&self, index: usize) -> bool {
        let preposition = self.word(index);
        if !matches!(preposition, "per" | "from" | "in" | "by") {
            return false;
        }
        // The noun must follow within the phrase: `from the airline's notice`.
        let inside = |at: &usize| {
            let ends = self.word(*at) == VALUE || self.is(*at, &["and", "or", "but", "for"]) || self.is(*at, &STATES);
            !ends && self.words.get(*at).is_some_and(|word| !word.pause)
        };
        (index + 1..index + 6).take_while(inside).any(|at| match preposition {
            "by" => self.is(at, &ACTORS),
            "in" => self.is(at, &SOURCES) && !self.is(at, &RECORDS),
            _ => self.is(at, &SOURCES),
        })
    }

    /// A sentence without the value that says where the statement before it is from.
    fn is_a_remark(&self) -> bool {
        let opens =
            |word: &str| ["source", "this", "it", "that", "not", "according", "based", "origin"].contains(&word);
        !self.marks.is_empty()
            && !self.adopts()
            && (opens(self.word(0))
                || self.words.iter().any(|word| {
                    matches!(
                        word.text.as_str(),
                        "unconfirmed" | "unverified" | "confirmed" | "verified" | "endorsed" | "agreed"
                    )
                }))
    }

    /// Whether the user takes the statement over in this sentence.
    fn adopts(&self) -> bool {
        (0..self.words.len()).any(|verb| self.is_adopting(verb))
    }

    fn is_adopting(&self, verb: usize) -> bool {
        let by_user = self.by_user(verb);
        if self.is_denied(verb) {
            return false;
        }
        if self.is(verb, &ADOPTS) && self.is_by_the_user(verb) {
            return true;
        }
        // `asked to confirm`: not done yet.
        let to_come = verb.checked_sub(1).is_some_and(|before| self.word(before) == "to");
        if !by_user || to_come || self.is_governed(verb) {
            return false;
        }
        match self.value {
            Some(value) if verb < value => {
                let between = self.marks.iter().any(|&mark| verb < mark && mark < value);
                let after = self.marks.iter().any(|&mark| value < mark && !self.is_aside(mark));
                // A passive is done to the user.
                let passive = self.before(verb, 2).any(|at| self.is(at, &BE));
                let own = self.is(verb, &ADOPTS)
                    || self.is(verb, &SAYS) && !between
                    || self.is(verb, &STATES) && !between && !after;
                own && !passive && !self.other_clause(verb, value)
            }
            // After the value, and in a sentence of its own, assent is to what was said before.
            _ => self.is(verb, &ASSENTS) && self.is_without_object(verb),
        }
    }

    /// Whether a mark before the user's verb makes it hearsay: `the notice says that the user chose`. Marks of another clause
    /// (`as the assistant suggested, the user chose`, `the assistant suggested it and the user chose`) do not.
    fn is_governed(&self, verb: usize) -> bool {
        let Some(subject) = self.before(verb, 5).find(|&at| self.is(at, &USER) || self.is(at, &PROFILE)) else {
            return false;
        };
        let governing = self.marks.iter().filter(|&&mark| mark < subject);
        governing.into_iter().any(|&mark| !self.is_aside(mark) && !self.other_clause(mark, subject))
    }

    /// `as the assistant suggested`, `following the notice`: what was followed, not who says so. `As an assistant, I would`
    /// is no such thing.
    fn is_aside(&self, mark: usize) -> bool {
        let reported = |from: usize| (from..from + 6).any(|at| self.is(at, &REPORTS) || self.is(at, &SUGGESTED));
        self.before(mark, 4).any(|at| match self.word(at) {
            "as" => reported(at),
            "following" | "after" | "accepting" => true,
            _ => false,
        })
    }

    /// Whether a conjunction that opens a clause stands between.
    fn other_clause(&self, from: usize, to: usize) -> bool {
        (from + 1..to).any(|at| self.is(at, &["but", "while", "although", "though", "whereas"]))
            || (from + 1..to).any(|at| self.word(at) == "and" && (at + 1..at + 4).any(|next| self.is(next, &USER)))
            || (from + 1..to).any(|at| self.word(at) == "and" && (at + 1..at + 4).any(|next| self.is(next, &ACTORS)))
    }

    /// Whether an assenting verb has no object but what was said: `agreed`, `agreed to it`, `accepted the suggestion`.
    fn is_without_object(&self, verb: usize) -> bool {
        let next = verb + 1;
        let taken_up = ["it", "this", "that", "to", "with", "and", "so"];
        let nouns = ["suggestion", "recommendation", "proposal", "offer", "choice", "option"];
        self.words.get(next).is_none_or(|word| word.pause)
            || self.is(next, &taken_up)
            || (next..next + 3).any(|at| self.is(at, &nouns))
    }
}

/// Cuts a text into sentences: at `.`, `!`, `?` before white space, at `;` and at new lines.
fn sentences(text: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let ends = match c {
            '.' | '!' | '?' => characters.peek().is_none_or(|next| next.is_whitespace()),
            ';' | '\n' => true,
            _ => false,
        };
        if ends {
            sentences.push(String::new());
        } else if let Some(last) = sentences.last_mut() {
            last.push(c);
        }
    }
    sentences
}

/// A sentence's words, with [`VALUE`] in the value's place, so that the value's own words say nothing about its source.
fn mask(sentence: &str, value: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut pause = false;
    for chunk in sentence.split_whitespace() {
        for (index, piece) in chunk.split_inclusive(['(', ')', '—', '–', '"', '“', '”']).enumerate() {
            let opens = index > 0 || piece.starts_with(|c: char| "([—–-\"“".contains(c));
            let found = text::words(piece);
            // One piece may be several words (`20GB`, `window-seat`): for the value they count apiece, for the lexicon too.
            let possessive = piece.trim_end_matches(|c: char| !c.is_alphanumeric()).replace('’', "'").ends_with("'s");
            for (nth, word) in found.into_iter().enumerate() {
                words.push(Word { text: word, possessive, pause: nth == 0 && (pause || opens) });
                pause = false;
            }
            pause |= piece.ends_with(|c: char| ",:()—–\"“”".contains(c));
        }
    }
    let wanted = text::words(value);
    let plain: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    // Names of currencies beside a number are dropped only where words stand together, so once more over the whole.
    if let Some(start) = text::position(&plain, &wanted) {
        let pause = words.get(start).is_some_and(|word| word.pause);
        words.splice(start..start + wanted.len(), [Word { text: VALUE.to_owned(), possessive: false, pause }]);
        return mask_rest(words, &wanted, start + 1);
    }
    words
}

/// The same for further places of the value.
fn mask_rest(mut words: Vec<Word>, wanted: &[String], from: usize) -> Vec<Word> {
    let plain: Vec<String> = words.iter().skip(from).map(|word| word.text.clone()).collect();
    let Some(at) = text::position(&plain, wanted) else { return words };
    let start = from + at;
    words.splice(start..start + wanted.len(), [Word { text: VALUE.to_owned(), possessive: false, pause: false }]);
    mask_rest(words, wanted, start + 1)
}
