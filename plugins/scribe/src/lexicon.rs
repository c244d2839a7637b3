//! Ordinary words that tell how a clause is meant: a request, a preference, a doubt.

mod empty;

pub use empty::is_empty_word;

use crate::clause::{Word, folded};
use std::borrow::Cow;

/// How a clause is meant, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks(u16);

impl Marks {
    /// Asks for something to be done.
    pub const REQUEST: Marks = Marks(1);
    /// Says what somebody likes.
    pub const PREFERENCE: Marks = Marks(1 << 1);
    /// Says that it holds from now on.
    pub const STANDING: Marks = Marks(1 << 2);
    /// Says it with a doubt.
    pub const HEDGE: Marks = Marks(1 << 3);
    /// Says it in another's name.
    pub const QUOTED: Marks = Marks(1 << 4);
    /// Denies.
    pub const NEGATED: Marks = Marks(1 << 5);
    /// Holds under a condition.
    pub const CONDITIONAL: Marks = Marks(1 << 6);
    /// Advises.
    pub const ADVICE: Marks = Marks(1 << 7);
    /// Decides.
    pub const DECISION: Marks = Marks(1 << 8);
    /// Intends.
    pub const INTENTION: Marks = Marks(1 << 9);
    /// Reports what is so for the moment or was just done.
    pub const PASSING: Marks = Marks(1 << 10);
    /// Courtesy, or an offer to help.
    pub const COURTESY: Marks = Marks(1 << 11);
    /// Takes back what held before.
    pub const REVOKED: Marks = Marks(1 << 12);
    /// Asks.
    pub const QUESTION: Marks = Marks(1 << 13);
    /// A rule of conduct: "always", "never", "whenever".
    pub const RULE: Marks = Marks(1 << 14);
    /// Speaks of offers, prices and bookings, which an agent or a tool reports as they are at the moment.
    pub const OFFER: Marks = Marks(1 << 15);

    /// Whether any of these is in the set.
    #[must_use]
    pub fn has(self, any: Marks) -> bool {
        self.0 & any.0 != 0
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }
}

const RULE: Marks = Marks::STANDING.with(Marks::RULE);
const LIKING: Marks = Marks::PREFERENCE;
const LASTING_LIKING: Marks = Marks::PREFERENCE.with(Marks::STANDING);
const WISH: Marks = Marks::REQUEST.with(Marks::INTENTION);
/// "I want the" chooses a thing, where "I want to" asks for a step.
const CHOICE: Marks = WISH.with(Marks::DECISION);
const REVOKED: Marks = Marks::REVOKED.with(Marks::NEGATED);

/// Phrases and what they mark, sorted by their words.
const PHRASES: &[(&str, Marks)] = &[
    ("according to", Marks::QUOTED),
    ("advisable", Marks::ADVICE),
    ("advise", Marks::ADVICE),
    ("advised", Marks::QUOTED.with(Marks::ADVICE)),
    ("advises", Marks::ADVICE),
    ("all future", RULE),
    ("always", RULE),
    ("any future", RULE),
    ("apologize", Marks::COURTESY),
    ("apparently", Marks::HEDGE),
    ("appears", Marks::HEDGE),
    ("approximately", Marks::HEDGE),
    ("arrives", Marks::OFFER),
    ("arriving", Marks::OFFER),
    ("as a rule", RULE),
    ("as long as", Marks::CONDITIONAL),
    ("as per", Marks::QUOTED),
    ("at all times", RULE),
    ("attempting", Marks::PASSING),
    ("available", Marks::OFFER),
    ("booked", Marks::OFFER),
    ("by default", RULE),
    ("can you", Marks::REQUEST),
    ("can't", Marks::NEGATED),
    ("cancelled", Marks::PASSING),
    ("cannot", Marks::NEGATED),
    ("claims that", Marks::QUOTED),
    ("consider", Marks::ADVICE),
    ("cost", Marks::OFFER),
    ("costs", Marks::OFFER),
    ("could be", Marks::HEDGE),
    ("could you", Marks::REQUEST),
    ("currently", Marks::PASSING),
    ("decided", Marks::DECISION),
    ("default", Marks::STANDING),
    ("delivered", Marks::PASSING),
    ("departing", Marks::OFFER),
    ("departs", Marks::OFFER),
    ("designated", Marks::STANDING),
    ("didn't", Marks::NEGATED),
    ("difference", Marks::OFFER),
    ("dislike", LIKING),
    ("doesn't", Marks::NEGATED),
    ("don't", Marks::NEGATED),
    ("each month", RULE),
    ("each time", RULE),
    ("eligible", Marks::OFFER),
    ("enjoy", LIKING),
    ("every month", RULE),
    ("every time", RULE),
    ("failed", Marks::PASSING),
    ("favorite", LASTING_LIKING),
    ("favourite", LASTING_LIKING),
    ("feel free", Marks::COURTESY),
    ("for future", RULE),
    ("forget", REVOKED),
    ("found", Marks::PASSING),
    ("from here on", RULE),
    ("from now on", RULE),
    ("from this point", RULE),
    ("from today", RULE),
    ("glad", Marks::COURTESY),
    ("go ahead", Marks::REQUEST),
    ("go with", Marks::DECISION),
    ("going forward", RULE),
    ("going to", Marks::INTENTION),
    ("going with", Marks::DECISION),
    ("happy to", Marks::COURTESY),
    ("hate", LIKING),
    ("have been", Marks::PASSING),
    ("heard", Marks::QUOTED),
    ("help me", Marks::REQUEST),
    ("henceforth", RULE),
    ("here are", Marks::PASSING),
    ("here is", Marks::PASSING),
    ("here's", Marks::PASSING),
    ("hereafter", RULE),
    ("how can", Marks::QUESTION),
    ("i believe", Marks::HEDGE),
    ("i choose", Marks::DECISION),
    ("i chose", Marks::DECISION),
    ("i guess", Marks::HEDGE),
    ("i have chosen", Marks::DECISION),
    ("i have opted", Marks::DECISION),
    ("i have picked", Marks::DECISION),
    ("i have selected", Marks::DECISION),
    ("i hope", Marks::INTENTION),
    ("i intend", Marks::INTENTION),
    ("i like", LIKING),
    ("i need", WISH),
    ("i opt", Marks::DECISION),
    ("i pick", Marks::DECISION),
    ("i picked", Marks::DECISION),
    ("i plan", Marks::INTENTION),
    ("i select", Marks::DECISION),
    ("i selected", Marks::DECISION),
    ("i suppose", Marks::HEDGE),
    ("i think", Marks::HEDGE),
    ("i want", WISH),
    ("i want it", CHOICE),
    ("i want my", CHOICE),
    ("i want the", CHOICE),
    ("i will", Marks::INTENTION),
    ("i will take", Marks::DECISION),
    ("i would like", WISH),
    ("i would like my", CHOICE),
    ("i would like the", CHOICE),
    ("i'd like", WISH),
    ("i'd like my", CHOICE),
    ("i'd like the", CHOICE),
    ("i'll", Marks::INTENTION),
    ("i'll have", Marks::DECISION),
    ("i'll take", Marks::DECISION),
    ("i'm choosing", Marks::DECISION),
    ("i'm planning", Marks::INTENTION),
    ("i'm taking", Marks::DECISION),
    ("i've chosen", Marks::DECISION),
    ("i've opted", Marks::DECISION),
    ("i've picked", Marks::DECISION),
    ("i've selected", Marks::DECISION),
    ("if", Marks::CONDITIONAL),
    ("in case", Marks::CONDITIONAL),
    ("in future", RULE),
    ("in the future", RULE),
    ("indicates that", Marks::QUOTED),
    ("isn't", Marks::NEGATED),
    ("it is settled", Marks::DECISION),
    ("it's settled", Marks::DECISION),
    ("just", Marks::PASSING),
    ("kindly", Marks::REQUEST),
    ("let me", Marks::COURTESY),
    ("let's", Marks::REQUEST),
    ("likely", Marks::HEDGE),
    ("listed", Marks::QUOTED),
    ("long-term", Marks::STANDING),
    ("looking to", Marks::INTENTION),
    ("love", LIKING),
    ("made up my mind", Marks::DECISION),
    ("may be", Marks::HEDGE),
    ("may want", Marks::ADVICE),
    ("maybe", Marks::HEDGE),
    ("mentions that", Marks::QUOTED),
    ("might", Marks::HEDGE),
    ("might want", Marks::ADVICE),
    ("my choice", Marks::DECISION),
    ("my decision", Marks::DECISION),
    ("my pick", Marks::DECISION),
    ("never", RULE.with(Marks::NEGATED)),
    ("no longer", REVOKED),
    ("normally", Marks::STANDING),
    ("not", Marks::NEGATED),
    ("not sure", Marks::HEDGE),
    ("now", Marks::OFFER),
    ("onwards", RULE),
    ("otherwise", Marks::CONDITIONAL),
    ("pending", Marks::PASSING),
    ("perhaps", Marks::HEDGE),
    ("permanent", Marks::STANDING),
    ("permanently", Marks::STANDING),
    ("please", Marks::REQUEST),
    ("please confirm", Marks::COURTESY),
    ("please hold", Marks::COURTESY),
    ("please let", Marks::COURTESY),
    ("possibly", Marks::HEDGE),
    ("prefer", LASTING_LIKING),
    ("preference", LASTING_LIKING),
    ("preferences", LASTING_LIKING),
    ("preferred", LASTING_LIKING),
    ("prefers", LASTING_LIKING),
    ("price", Marks::OFFER),
    ("prices", Marks::OFFER),
    ("primary", Marks::STANDING),
    ("probably", Marks::HEDGE),
    ("proceed", Marks::REQUEST),
    ("processed", Marks::PASSING),
    ("propose", Marks::ADVICE),
    ("proposed", Marks::ADVICE),
    ("provided", Marks::CONDITIONAL),
    ("rather", LIKING),
    ("reads that", Marks::QUOTED),
    ("recommend", Marks::ADVICE),
    ("recommendation", Marks::ADVICE),
    ("recommended", Marks::ADVICE),
    ("recommends", Marks::ADVICE),
    ("refunded", Marks::OFFER),
    ("regular", Marks::STANDING),
    ("regularly", Marks::STANDING),
    ("remains", Marks::OFFER),
    ("reported", Marks::QUOTED),
    ("reportedly", Marks::QUOTED.with(Marks::HEDGE)),
    ("reports that", Marks::QUOTED),
    ("right now", Marks::PASSING),
    ("rule", Marks::STANDING),
    ("said", Marks::QUOTED),
    ("says", Marks::QUOTED),
    ("seems", Marks::HEDGE),
    ("settled on", Marks::DECISION),
    ("shipped", Marks::OFFER),
    ("sorry", Marks::COURTESY),
    ("standing", Marks::STANDING),
    ("states that", Marks::QUOTED),
    ("successfully", Marks::PASSING),
    ("suggest", Marks::ADVICE),
    ("suggested", Marks::ADVICE),
    ("suggestion", Marks::ADVICE),
    ("suggests", Marks::ADVICE),
    ("tells", Marks::QUOTED),
    ("thank", Marks::COURTESY),
    ("thanks", Marks::COURTESY),
    ("today", Marks::PASSING),
    ("told", Marks::QUOTED),
    ("total", Marks::PASSING),
    ("transferred", Marks::PASSING),
    ("unable", Marks::PASSING.with(Marks::NEGATED)),
    ("unconfirmed", Marks::HEDGE),
    ("unless", Marks::CONDITIONAL),
    ("unverified", Marks::HEDGE),
    ("usual", LASTING_LIKING),
    ("usually", Marks::STANDING),
    ("we recommend", Marks::ADVICE),
    ("welcome", Marks::COURTESY),
    ("whenever", RULE),
    ("won't", Marks::NEGATED),
    ("would be best", Marks::ADVICE),
    ("would you like", Marks::COURTESY),
    ("would you please", Marks::REQUEST),
    ("writes", Marks::QUOTED),
    ("wrote", Marks::QUOTED),
    ("you could", Marks::ADVICE),
    ("you should", Marks::ADVICE),
];

/// Lengths and second letters of the words that begin with a letter, each a set of bits.
type Shapes = [(u32, u32); 26];

/// Shapes of the first words of phrases: most words of a text begin none.
const HEADS: Shapes = {
    let mut shapes = [(0, 0); 26];
    let mut left = PHRASES;
    while let [(phrase, _), rest @ ..] = left {
        shapes = with_shape(shapes, phrase.as_bytes());
        left = rest;
    }
    shapes
};

/// Runs while the program is built, which fails where an index is out of bounds.
#[allow(clippy::indexing_slicing)]
const fn with_shape(mut shapes: Shapes, phrase: &[u8]) -> Shapes {
    let mut length = 0;
    while length < phrase.len() && phrase[length] != b' ' {
        length += 1;
    }
    let second = if length > 1 { phrase[1] } else { 0 };
    let (lengths, seconds) = shapes[(phrase[0] - b'a') as usize];
    shapes[(phrase[0] - b'a') as usize] = (lengths | 1 << length, seconds | 1 << (second % 32));
    shapes
}

/// Whether a word of this shape may be in a table.
fn may_be(table: &Shapes, word: &str) -> bool {
    let mut bytes = word.bytes();
    let letter = bytes.next().and_then(|b| b.checked_sub(b'a'));
    let (lengths, seconds) = letter.and_then(|letter| table.get(usize::from(letter))).copied().unwrap_or_default();
    word.len() < 32 && lengths & (1 << word.len()) != 0 && seconds & (1 << (bytes.next().unwrap_or(0) % 32)) != 0
}

/// How a clause with these words is meant.
#[must_use]
pub fn marks(words: &[Word<'_>]) -> Marks {
    let folded: Vec<Cow<'_, str>> = words.iter().map(|w| folded(w.text)).collect();
    marks_of(&folded)
}

/// The same, of folded words.
#[must_use]
pub fn marks_of(folded: &[Cow<'_, str>]) -> Marks {
    let mut all = Marks::default();
    for (position, first) in folded.iter().enumerate().filter(|(_, word)| may_be(&HEADS, word)) {
        let letter = usize::from(first.bytes().next().unwrap_or_default());
        let range = FROM.get(letter).zip(FROM.get(letter + 1)).map_or(0..0, |(from, to)| *from..*to);
        for (phrase, marks) in PHRASES.get(range).unwrap_or_default() {
            if !phrase.strip_prefix(first.as_ref()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')) {
                continue;
            }
            let mut rest = folded.get(position..).unwrap_or_default().iter();
            if phrase.split(' ').all(|word| rest.next().is_some_and(|found| found == word)) {
                all = all.with(*marks);
            }
        }
    }
    all
}

/// For each first byte, where its phrases begin: a history has thousands of words, and a search for each would take as long
/// as all the rest of a clause.
#[allow(clippy::indexing_slicing, reason = "the compiler evaluates it, and refuses what is out of bounds")]
const FROM: [usize; 257] = {
    let mut from = [0; 257];
    let (mut byte, mut at) = (0, 0);
    while byte < 257 {
        while at < PHRASES.len() && (PHRASES[at].0.as_bytes()[0] as usize) < byte {
            at += 1;
        }
        from[byte] = at;
        byte += 1;
    }
    from
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::words;

    #[test]
    fn the_tables_are_sorted_so_that_lookups_find_all() {
        assert!(PHRASES.is_sorted_by(|a, b| a.0.split(' ').lt(b.0.split(' '))));
    }

    #[test]
    fn phrases_are_found_by_whole_words_anywhere() {
        let of = |text: &str| marks(&words(text));
        assert!(of("From now on, use it").has(Marks::RULE));
        assert!(of("I’d like the aisle").has(Marks::REQUEST));
        assert!(of("It is, perhaps, true").has(Marks::HEDGE));
        assert!(of("it might be").has(Marks::HEDGE) && !of("it might be").has(Marks::ADVICE));
        assert_eq!(of("the ifs and nots"), Marks::default());
    }
}
