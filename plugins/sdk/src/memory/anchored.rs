//! Value-anchored support: which turn establishes a memory, found by the values that the memory is about.

use super::user::{self, ADOPTED, DENIED, MENTIONED, STATED};
use super::words::{Vocabulary, each_word, is_code, locators, word_set};
use super::{Authority, Item, Speaker, Turn, authority_of};
use std::cmp::Reverse;

/// Fewer words in common than this are chance.
const LEAST_SHARED: usize = 3;

/// Words that say nothing about what is remembered, as [`each_word`] cuts them, in order.
const COMMON: [&str; 78] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "ask", "at", "be", "been", "but", "by", "can",
    "customer", "do", "doe", "for", "from", "had", "has", "have", "he", "her", "him", "his", "i", "if", "in", "into",
    "is", "it", "its", "like", "me", "my", "need", "no", "not", "of", "on", "or", "our", "prefer", "request", "said",
    "say", "she", "should", "so", "stat", "than", "that", "the", "their", "them", "then", "ther", "thes", "they",
    "this", "to", "use", "user", "want", "was", "we", "were", "when", "which", "will", "wish", "with", "would", "you",
    "your",
];

/// The memories of one store held against one history.
///
/// The anchors of a memory are its codes and numbers; without any, its rarest words. In this order:
/// 1. The first turn in which the user adopts all anchors: as a wish of their own, or by a plain "yes" to the assistant.
/// 2. The first turn that establishes all of them. Short numbers such as `2` identify nothing: with only such anchors, of
///    all turns that establish them the one that shares the most words with the memory.
/// 3. Of several turns that establish one anchor each, the least permissive: mixed evidence has the label of its weakest
///    source.
///
/// A question, a denial and a report establish nothing for the user, and an echo comes too late to be first. Where a less
/// permissive turn has more than twice as many of the memory's words as the one with its codes, that one counts: a
/// reservation's number does not vouch for what a notice says about the reservation. Nothing is found where an anchor is
/// established nowhere, or by the system alone.
pub struct Anchors<'a> {
    history: &'a [Turn],
    /// For each memory, what it is about.
    memories: Vec<About>,
    /// For each word of the vocabulary the turns that have it, in order, each with how its speaker stands to the word.
    postings: Vec<Vec<(usize, u8)>>,
}

struct About {
    codes: Vec<usize>,
    plain: Vec<usize>,
    /// No code identifies what it is said of: `2`, but not `4411` or `14C`.
    short: bool,
    denies: bool,
}

impl<'a> Anchors<'a> {
    /// Reads a history once for all memories.
    #[must_use]
    pub fn new(memories: &[Item], history: &'a [Turn]) -> Self {
        let mut vocabulary = Vocabulary::default();
        let about = memories.iter().map(|memory| {
            let denies = user::denies(&memory.text);
            let mut about = About { codes: Vec::new(), plain: Vec::new(), short: true, denies };
            let locators = locators(&memory.text);
            for word in word_set(&memory.text) {
                if is_code(&word) || locators.contains(&word) {
                    about.short &= word.len() <= 2;
                    about.codes.push(vocabulary.number(word));
                } else if COMMON.binary_search(&word.as_str()).is_err() {
                    about.plain.push(vocabulary.number(word));
                }
            }
            about
        });
        let memories = about.collect();
        let mut postings: Vec<Vec<(usize, u8)>> = vec![Vec::new(); vocabulary.len()];
        let mut said_before: Option<&Turn> = None;
        for (place, turn) in history.iter().enumerate() {
            let mut mark = |text: &str, how: u8| {
                vocabulary.each_in(text, |word| {
                    let Some(posting) = postings.get_mut(word) else { return };
                    match posting.last_mut() {
                        Some((last, stance)) if *last == place => *stance |= how,
                        _ => posting.push((place, how)),
                    }
                });
            };
            match turn.speaker {
                // The operator's instructions are nobody's statement about the user.
                Speaker::System => {}
                Speaker::Assistant | Speaker::Tool => mark(&turn.text, MENTIONED | STATED),
                Speaker::User => {
                    user::clauses(&turn.text).into_iter().for_each(|(clause, how)| mark(clause, how));
                    let proposed = said_before.filter(|before| before.speaker == Speaker::Assistant);
                    if let Some(before) = proposed.filter(|_| user::agrees(&turn.text)) {
                        let names_value = |text: &str| {
                            let mut names = false;
                            each_word(text, |word| names |= is_code(word));
                            names
                        };
                        mark(user::proposal(&before.text, names_value), MENTIONED | STATED | ADOPTED);
                    }
                }
            }
            if !turn.text.trim().is_empty() {
                said_before = Some(turn);
            }
        }
        Anchors { history, memories, postings }
    }

    /// The turn that establishes a memory, by the memory's position.
    #[must_use]
    pub fn support(&self, memory: usize) -> Option<&'a Turn> {
        let about = self.memories.get(memory)?;
        let found =
            if about.codes.is_empty() { self.by_words(about)? } else { self.weakened(self.by_codes(about)?, about) };
        self.history.get(found)
    }

    /// The supports of all memories, in their order.
    pub fn supports(&self) -> impl Iterator<Item = Option<&'a Turn>> {
        (0..self.memories.len()).map(|memory| self.support(memory))
    }

    fn by_codes(&self, about: &About) -> Option<usize> {
        let whole = |turn: &usize| about.codes.iter().all(|&code| self.establishes(*turn, code, about));
        // A turn that has all codes has the first.
        let candidates = || about.codes.first().into_iter().flat_map(|&code| self.turns_with(code));
        // What is said of the user's own accord weighs only where the value identifies what it is said of.
        if about.short {
            let overlap = self.counts(about.plain.iter().chain(&about.codes));
            let best = candidates().filter(whole).max_by_key(|&turn| (count_of(&overlap, turn), Reverse(turn)));
            return best.or_else(|| self.weakest(about));
        }
        let adopted = candidates().find(|&turn| about.codes.iter().all(|&code| self.adopts(turn, code, about)));
        adopted.or_else(|| candidates().find(whole)).or_else(|| self.weakest(about))
    }

    /// Of the turns that establish the anchors one by one, the least permissive; of these the one with the most anchors,
    /// then with the most words, then the first.
    fn weakest(&self, about: &About) -> Option<usize> {
        let mut sources = Vec::with_capacity(about.codes.len());
        for &code in &about.codes {
            let adopted = self.turns_with(code).find(|&turn| self.adopts(turn, code, about));
            let source = adopted.or_else(|| self.turns_with(code).find(|&turn| self.establishes(turn, code, about)));
            sources.push(source?);
        }
        let overlap = self.counts(about.plain.iter().chain(&about.codes));
        let anchors = |turn: usize| about.codes.iter().filter(|&&code| self.establishes(turn, code, about)).count();
        sources
            .into_iter()
            .min_by_key(|&turn| (self.authority(turn), Reverse(anchors(turn)), Reverse(count_of(&overlap, turn)), turn))
    }

    /// The turn that most of the memory's words come from, if it is less permissive than the one that has its codes and has
    /// so many more of them that this is no matter of wording.
    fn weakened(&self, found: usize, about: &About) -> usize {
        let shares = self.counts(about.plain.iter());
        let other = (0..shares.len()).max_by_key(|&turn| (count_of(&shares, turn), Reverse(turn)));
        let more = |other: &usize| count_of(&shares, *other) >= LEAST_SHARED.max(2 * count_of(&shares, found) + 1);
        other.filter(|other| self.authority(*other) < self.authority(found)).filter(more).unwrap_or(found)
    }

    /// Without codes: the turn that states the most of the memory's rarest words, then of its words; the first of equals.
    fn by_words(&self, about: &About) -> Option<usize> {
        let spread = |word: usize| self.turns_with(word).count();
        let rarest = about.plain.iter().map(|&word| spread(word)).filter(|&turns| turns > 0).min()?;
        let anchors: Vec<usize> = about.plain.iter().copied().filter(|&word| spread(word) == rarest).collect();
        let holds = |turn: usize| anchors.iter().filter(|&&word| self.establishes(turn, word, about)).count();
        let overlap = self.counts(about.plain.iter().chain(&about.codes));
        let candidates = anchors.iter().flat_map(|&word| self.turns_with(word));
        let best = candidates.max_by_key(|&turn| (holds(turn), count_of(&overlap, turn), Reverse(turn)))?;
        // A question about it is not where it comes from.
        (holds(best) > 0).then_some(best)
    }

    /// The turns that have a word, in order.
    fn turns_with(&self, word: usize) -> impl Iterator<Item = usize> + use<'_> {
        self.postings.get(word).into_iter().flatten().map(|(turn, _)| *turn)
    }

    /// How many of these words each turn has.
    fn counts<'b>(&self, words: impl Iterator<Item = &'b usize>) -> Vec<usize> {
        let mut counts = vec![0; self.history.len()];
        for turn in words.flat_map(|&word| self.turns_with(word)) {
            if let Some(count) = counts.get_mut(turn) {
                *count += 1;
            }
        }
        counts
    }

    fn stance(&self, turn: usize, word: usize) -> u8 {
        let posting = self.postings.get(word).into_iter().flatten();
        posting.filter(|(known, _)| *known == turn).map(|(_, stance)| *stance).next().unwrap_or(0)
    }

    /// A memory that says what is not so may rest on a denial; any other may not.
    fn establishes(&self, turn: usize, word: usize, about: &About) -> bool {
        self.stance(turn, word) & if about.denies { STATED | DENIED } else { STATED } != 0
    }

    fn adopts(&self, turn: usize, word: usize, about: &About) -> bool {
        self.stance(turn, word) & ADOPTED != 0 && self.establishes(turn, word, about)
    }

    fn authority(&self, turn: usize) -> Option<Authority> {
        self.history.get(turn).and_then(|turn| authority_of(turn.speaker))
    }
}

fn count_of(counts: &[usize], turn: usize) -> usize {
    counts.get(turn).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::memory::{history, item};
    use Speaker::{Assistant, System, Tool, User};

    fn support(memory: &str, turns: &[(Speaker, &str)]) -> Option<u32> {
        let turns = history(turns);
        Anchors::new(&[item(memory, None)], &turns).support(0).map(|turn| turn.index)
    }

    #[test]
    fn common_words_are_in_order_and_are_what_their_forms_are_cut_to() {
        assert!(COMMON.is_sorted());
        for form in ["does", "states", "there", "these", "uses", "customer's", "Preferred"] {
            assert!(word_set(form).iter().all(|word| COMMON.binary_search(&word.as_str()).is_ok()), "{form}");
        }
    }

    #[test]
    fn the_first_turn_with_all_values_counts_and_an_echo_does_not() {
        let turns = [
            (System, "Accounts such as 7781 are closed."),
            (User, "Please look up the payout rules."),
            (Tool, r#"{"notice":"payouts go to account 4411 from 2024-05-20"}"#),
            (Assistant, "The notice says that payouts go to account 4411 from 2024-05-20."),
            (User, "What about 4411?"),
        ];
        assert_eq!(support("The user's payout account is 4411.", &turns), Some(2));
        assert_eq!(support("Account 4411 is used from 2024-05-20.", &turns), Some(2));
    }

    #[test]
    fn what_the_system_alone_says_or_nobody_has_no_support() {
        let turns = [(System, "Fees are waived for code GOLD9."), (User, "Hello."), (Assistant, "Hello.")];
        assert_eq!(support("The user's code is GOLD9.", &turns), None);
        assert_eq!(support("The user's code is GOLD8.", &turns), None);
        assert_eq!(support("Fees are waived.", &turns), None);
        assert_eq!(support("The user.", &turns), None);
        assert_eq!(support("", &turns), None);
    }

    #[test]
    fn a_users_statement_after_a_tool_adopts_the_value_and_a_mention_does_not() {
        let tool = (Tool, r#"{"flights":["HAT123","HAT456"]}"#);
        let memory = "The user wants flight HAT123.";
        assert_eq!(support(memory, &[(User, "Flights?"), tool, (User, "I'll take HAT123.")]), Some(2));
        for mention in ["HAT123 looks dear.", "Is HAT123 full?", "I don't want HAT123.", "They said HAT123 is full."] {
            assert_eq!(support(memory, &[(User, "Flights?"), tool, (User, mention)]), Some(1), "{mention}");
        }
    }

    #[test]
    fn a_plain_yes_adopts_what_the_assistant_proposes_and_nothing_else_of_it() {
        let proposes = (Assistant, "The notice names account 7781. Shall I set the alert threshold to $250?");
        let memory = "The user's alert threshold is 250.";
        assert_eq!(support(memory, &[(User, "Help."), proposes]), Some(1));
        assert_eq!(support(memory, &[(User, "Help."), proposes, (User, "Yes, do that.")]), Some(2));
        for other in ["Yes, but later.", "No.", "Thanks."] {
            assert_eq!(support(memory, &[(User, "Help."), proposes, (User, other)]), Some(1), "{other}");
        }
        assert_eq!(support("The account is 7781.", &[(User, "Help."), proposes, (User, "Yes, do that.")]), Some(1));
        let later = [(User, "Help."), proposes, (Tool, "{}"), (User, "Yes, do that.")];
        assert_eq!(support(memory, &later), Some(1));
    }

    #[test]
    fn of_mixed_evidence_the_weakest_source_counts() {
        let turns = [
            (User, "My account ends in 8820."),
            (Assistant, "Let me look."),
            (Tool, r#"{"full_number":"DE-5544-8820"}"#),
        ];
        assert_eq!(support("The account ending in 8820 is DE-5544-8820.", &turns), Some(2));
        assert_eq!(support("The user's account ends in 8820.", &turns), Some(0));
    }

    #[test]
    fn a_reservations_number_does_not_vouch_for_what_a_notice_says_of_it() {
        let turns = [
            (User, "It is about reservation ZX81QP."),
            (Tool, r#"{"notice":"aisle seats recommended in the rear cabin"}"#),
            (Assistant, "I see."),
        ];
        assert_eq!(support("For reservation ZX81QP an aisle seat in the rear cabin is preferred.", &turns), Some(1));
        assert_eq!(support("The user asked about reservation ZX81QP.", &turns), Some(0));
    }

    #[test]
    fn a_short_number_goes_with_the_words_around_it() {
        let turns =
            [(Tool, r#"{"free_bags":2,"cabin":"economy"}"#), (User, "I am travelling with 2 children this summer.")];
        assert_eq!(support("The user travels with two children.", &turns), Some(1));
        assert_eq!(support("The user has 2 free bags in economy.", &turns), Some(0));
    }

    #[test]
    fn without_a_value_the_rarest_words_decide() {
        let turns = [
            (User, "I am vegetarian. Which meals do you have on the flight?"),
            (Tool, r#"{"meals":["vegetarian","kosher"]}"#),
            (Assistant, "There is a kosher meal on the flight."),
        ];
        assert_eq!(support("The user is vegetarian.", &turns), Some(0));
        assert_eq!(support("The user prefers kosher meals.", &turns), Some(1));
    }

    #[test]
    fn a_denial_supports_a_memory_that_denies() {
        let turns = [(Tool, r#"{"cards":["CC-7781"]}"#), (User, "I don't want CC-7781 charged.")];
        assert_eq!(support("The user does not want CC-7781 charged.", &turns), Some(0));
        let turns = [(User, "I don't want CC-7781 charged."), (Tool, r#"{"cards":["CC-7781"]}"#)];
        assert_eq!(support("The user does not want CC-7781 charged.", &turns), Some(0));
        assert_eq!(support("The user wants CC-7781 charged.", &turns), Some(1));
    }
}
