//! What a user's own words establish. A question, a denial and a report of somebody else's words mention a value without
//! standing for it; a statement stands for it, and so does a plain "yes" to what the assistant has just said.

/// The words stand in the turn, in whatever way.
pub(super) const MENTIONED: u8 = 1;
/// The speaker states them.
pub(super) const STATED: u8 = 2;
/// The speaker states that something is not so.
pub(super) const DENIED: u8 = 4;
/// The user takes them for their own wish.
pub(super) const ADOPTED: u8 = 8;

/// A wish or a decision, which stands even where the value comes from elsewhere.
const ADOPTS: [&str; 23] = [
    " please ",
    " i want ",
    " i'd like ",
    " i would like ",
    " i'll ",
    " i will ",
    " i choose ",
    " i chose ",
    " i prefer ",
    " i've decided ",
    " i have decided ",
    " i decided ",
    " i need ",
    " i authorize ",
    " i approve ",
    " i confirm ",
    " go with ",
    " let's ",
    " let us ",
    " make it ",
    " go ahead ",
    " i requested ",
    " i asked for ",
];

/// A clause that begins so orders something.
const ORDERS: [&str; 21] = [
    "add", "apply", "book", "cancel", "change", "charge", "choose", "exchange", "keep", "make", "move", "pay", "put",
    "refund", "return", "send", "set", "switch", "take", "upgrade", "use",
];

/// A question that begins so asks for something to be done.
const REQUESTS: [&str; 8] =
    [" can you ", " could you ", " would you ", " will you ", " can we ", " may i ", " can i ", " could i "];

/// Unless it goes on so: then it asks for knowledge.
const INQUIRIES: [&str; 11] = [
    " tell me ",
    " whether ",
    " if ",
    " check ",
    " confirm ",
    " verify ",
    " explain ",
    " what ",
    " why ",
    " how ",
    " know ",
];

/// Somebody else's words, or a guess.
const REPORTS: [&str; 19] = [
    " said ",
    " says ",
    " told me ",
    " was told ",
    " claims ",
    " claimed ",
    " suggested ",
    " suggests ",
    " recommended ",
    " recommends ",
    " according to ",
    " mentioned ",
    " i heard that ",
    " i read that ",
    " apparently ",
    " maybe ",
    " perhaps ",
    " might ",
    " not sure ",
];

/// The user's own words, spoken of.
const OWN: [&str; 6] =
    [" i said ", " i mentioned ", " i suggested ", " as mentioned ", " according to my ", " i recommended "];

/// A denial.
const DENIALS: [&str; 6] = [" not ", "n't ", " never ", " no longer ", " neither ", " cannot "];

/// What follows names what is not wanted.
const REPLACES: [&str; 2] = [" instead of ", " rather than "];

/// Agreement, in the whole of a short answer or at its beginning.
const AGREES: [&str; 20] = [
    " yes ",
    " yeah ",
    " yep ",
    " sure ",
    " correct ",
    " confirmed ",
    " i confirm ",
    " i agree ",
    " agreed ",
    " absolutely ",
    " go ahead ",
    " please do ",
    " do it ",
    " do that ",
    " sounds good ",
    " that works ",
    " that's right ",
    " that is right ",
    " that's correct ",
    " please proceed ",
];

/// What takes an agreement back.
const HEDGES: [&str; 9] =
    [" but ", " except ", " instead ", " wait ", " however ", " no ", " unless ", " rather ", " not "];

/// The clauses of a user's turn, each with how the user stands to it.
pub(super) fn clauses(text: &str) -> Vec<(&str, u8)> {
    let mut all = Vec::new();
    for sentence in sentences(text) {
        let flat = Flat::new(sentence);
        let adopts = flat.has_any(&ADOPTS) || [" yes ", " sure "].iter().any(|yes| flat.text.starts_with(yes));
        let asks = sentence.trim_end_matches(['"', '\'', ')', '”', ' ']).ends_with('?');
        let requests = REQUESTS.iter().any(|start| flat.text.starts_with(start)) && !flat.has_any(&INQUIRIES);
        let reports = || match flat.has_any(&OWN) {
            true => Flat::of(OWN.iter().fold(flat.text.clone(), |text, own| text.replace(own, " "))).has_any(&REPORTS),
            false => flat.has_any(&REPORTS),
        };
        let stands = if asks { requests } else { adopts || !reports() };
        for clause in sentence.split([',', ';', ':']) {
            all.extend(stance(clause, stands, adopts || requests));
        }
    }
    all
}

/// A clause in its parts: what is said, and what it is said instead of.
fn stance(clause: &str, stands: bool, adopts: bool) -> Vec<(&str, u8)> {
    let lower = clause.to_ascii_lowercase();
    let at = REPLACES.iter().filter_map(|phrase| lower.find(phrase)).min().unwrap_or(clause.len());
    let (said, replaced) = clause.split_at_checked(at).unwrap_or((clause, ""));
    let how = match (stands, stands && denies(said)) {
        (false, _) => 0,
        (true, true) => DENIED,
        (true, false) if adopts || orders(said) => STATED | ADOPTED,
        (true, false) => STATED,
    };
    vec![(said, MENTIONED | how), (replaced, MENTIONED | if stands { DENIED } else { 0 })]
}

fn orders(clause: &str) -> bool {
    let first = clause.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    ORDERS.contains(&first.as_str())
}

/// Whether a text denies something.
pub(super) fn denies(text: &str) -> bool {
    Flat::new(text).has_any(&DENIALS)
}

/// Whether a turn plainly agrees with what was said before it. An agreement with conditions is none: what it leaves
/// standing, only a person can tell.
pub(super) fn agrees(text: &str) -> bool {
    let Some(first) = sentences(text).into_iter().next() else { return false };
    if first.contains('?') {
        return false;
    }
    let (first, whole) = (Flat::new(first).text, Flat::new(text));
    let begins = AGREES.iter().any(|phrase| {
        // Behind at most two words: "okay, go ahead".
        first.find(phrase).is_some_and(|at| first.get(..at).is_some_and(|before| before.split(' ').count() <= 3))
    });
    begins && !whole.has_any(&HEDGES) && !whole.text.contains("n't ")
}

/// What an agreement to this turn is about: the question, where that names the values itself; the whole turn, where it
/// only asks whether to go on.
pub(super) fn proposal(text: &str, names_value: impl Fn(&str) -> bool) -> &str {
    let last = sentences(text).into_iter().rfind(|sentence| sentence.trim_end().ends_with('?'));
    last.filter(|question| names_value(question)).unwrap_or(text)
}

/// The sentences of a text, with the signs that end them.
fn sentences(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut start = 0;
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map_or(' ', |(_, next)| *next);
        if c == '\n' || matches!(c, '.' | '?' | '!') && (next.is_whitespace() || matches!(next, '"' | '”' | ')')) {
            let end = at + c.len_utf8();
            all.extend(text.get(start..end));
            start = end;
        }
    }
    all.extend(text.get(start..));
    all.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    all
}

/// A text in lower case with single blanks between its words and at its ends, so that phrases can be found in it.
struct Flat {
    text: String,
    /// The words' first letters and lengths, one bit each; several of them share a bit.
    words: u64,
}

impl Flat {
    fn new(text: &str) -> Self {
        let mut flat = String::with_capacity(text.len() + 2);
        flat.push(' ');
        for c in text.chars() {
            match c {
                '’' | '\'' => flat.push('\''),
                c if c.is_ascii_alphanumeric() => flat.push(c.to_ascii_lowercase()),
                c if c.is_alphanumeric() => flat.extend(c.to_lowercase()),
                _ if flat.ends_with(' ') => {}
                _ => flat.push(' '),
            }
        }
        if !flat.ends_with(' ') {
            flat.push(' ');
        }
        Flat::of(flat)
    }

    /// A text that is flat already.
    fn of(text: String) -> Self {
        let words = text.as_bytes().split(|byte| *byte == b' ').fold(0, |words, word| words | bit(word));
        Flat { text, words }
    }

    /// Whether any of these phrases stands in it. Of the many phrases most begin with a word that the text does not have,
    /// which the set of its words tells without a search.
    fn has_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| match phrase.as_bytes().split_first() {
            Some((b' ', rest)) => {
                let first = rest.split(|byte| *byte == b' ').next().unwrap_or_default();
                self.words & bit(first) != 0 && self.has_from_blank(rest)
            }
            // It may begin within a word.
            _ => self.text.contains(phrase),
        })
    }

    /// Whether these words follow a blank.
    fn has_from_blank(&self, words: &[u8]) -> bool {
        let text = self.text.as_bytes();
        (1..)
            .zip(text)
            .any(|(next, byte)| *byte == b' ' && text.get(next..).is_some_and(|text| text.starts_with(words)))
    }
}

fn bit(word: &[u8]) -> u64 {
    let first = word.first().copied().unwrap_or_default();
    1_u64 << ((usize::from(first) * 5 + word.len()) % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How the user stands to the value `4411`.
    fn stands(text: &str) -> u8 {
        let of = clauses(text).into_iter().filter(|(clause, _)| clause.contains("4411"));
        of.map(|(_, how)| how).fold(0, |all, how| all | how) & !MENTIONED
    }

    #[test]
    fn a_statement_stands_and_a_wish_is_adopted() {
        assert_eq!(stands("Hi. My account is 4411."), STATED);
        for text in [
            "Please use 4411.",
            "Use 4411 from now on.",
            "Yes, account 4411.",
            "Sorry, change it to 4411.",
            "I'd like 4411, thanks.",
            "Can you move me to 4411?",
            "They said 4411, please use it",
        ] {
            assert_eq!(stands(text), STATED | ADOPTED, "{text}");
        }
    }

    #[test]
    fn a_question_a_report_and_a_guess_establish_nothing() {
        for text in [
            "Is it 4411?",
            "Could you check whether 4411 is right?",
            "What about 4411? I do not know.",
            "The notice says it is 4411.",
            "I was told 4411.",
            "Maybe 4411.",
            "According to the airline it is 4411.",
        ] {
            assert_eq!(stands(text), 0, "{text}");
        }
        for text in ["As I said, it is 4411.", "I read 4411 letters a year."] {
            assert_eq!(stands(text), STATED, "{text}");
        }
    }

    #[test]
    fn a_denial_is_one_and_what_is_replaced_is_denied() {
        assert_eq!(stands("It is not 4411."), DENIED);
        assert_eq!(stands("I don't want 4411, I want 7781."), DENIED);
        assert_eq!(stands("Use 7781 instead of 4411."), DENIED);
        assert_eq!(stands("I use 4411 instead of 7781."), STATED);
        assert_eq!(stands("What never changes: my account is 4411."), STATED);
    }

    #[test]
    fn a_plain_yes_agrees_and_a_yes_but_does_not() {
        for text in ["Yes, do that.", "yes", "Okay, go ahead!", "Sounds good. Thank you.", "That's right."] {
            assert!(agrees(text), "{text}");
        }
        for text in [
            "Okay, thanks.",
            "No.",
            "Yes, but only for the first bag.",
            "I don't think so.",
            "Yes? Which one?",
            "",
            "Wait, yes",
            "I have been thinking about it and I am sure of it.",
        ] {
            assert!(!agrees(text), "{text}");
        }
    }

    #[test]
    fn an_agreement_is_about_the_question_if_that_names_a_value() {
        let coded = |text: &str| text.contains(char::is_numeric);
        assert_eq!(proposal("It may be 7781. Shall I use 4411?", coded).trim(), "Shall I use 4411?");
        assert_eq!(proposal("I will use 4411. Shall I go on?", coded), "I will use 4411. Shall I go on?");
    }
}
