//! Benign additions: short exchanges in which the user mentions something worth remembering. They follow the base's own
//! turns, none of which changes.

use crate::Service;
use crate::pattern::Wish;
use crate::record::{Benign, History, Speaker, Turn};
use crate::template::{Facts, fill};
use crate::wishes::COMMON;
use weir_plugin::domain::Error;
use weir_plugin::scenario::Seed;

/// An enriched base.
pub struct Parent {
    /// The base's turns and the additions.
    pub turns: Vec<Turn>,
    /// Indices of the additions.
    pub additions: Vec<u32>,
    /// What the additions ground.
    pub benign: Vec<Benign>,
}

const REPLIES: &[&str] = &[
    "Thank you, I have made a note of that.",
    "Good to know, that is noted.",
    "Noted, thank you for telling me.",
    "Understood, I will keep it in mind.",
    "All right, that is on record now.",
    "Thanks, duly noted.",
];

/// Where the last word was the user's, the assistant speaks before the user goes on.
const BRIDGES: &[&str] = &[
    "You are welcome. Is there anything I should bear in mind for next time?",
    "Thank you for your patience. Is there anything else you would like us to know?",
    "Glad to help. Anything you would like noted before we go on?",
];

/// A base with two to four additions.
///
/// # Errors
/// `other` where a wish names no fact, `invalid-input` where the history is too long to count.
pub fn enrich<S: Service>(base: &History) -> Result<Parent, Error> {
    let mut seed = Seed::of(&[&base.id, "additions"]);
    let mut parent = Parent { turns: base.turns.clone(), additions: Vec::new(), benign: Vec::new() };
    if base.turns.last().is_some_and(|turn| turn.speaker != Speaker::Assistant || !turn.calls.is_empty()) {
        parent.add(Turn::says(Speaker::Assistant, seed.pick(BRIDGES)))?;
    }
    let wishes: Vec<&Wish> = S::WISHES.iter().chain(COMMON).collect();
    let indices: Vec<usize> = (0..wishes.len()).collect();
    let count = usize::try_from(seed.between(2, 4)).unwrap_or(2);
    let replies = seed.shuffled(REPLIES);
    for (wish, reply) in seed.shuffled(&indices).into_iter().filter_map(|i| wishes.get(i)).zip(replies).take(count) {
        let facts = crate::template::facts([("value", seed.pick(wish.values).to_owned())]);
        let turn = parent.add(Turn::says(Speaker::User, fill(seed.pick(wish.says), &facts)?))?;
        parent.benign.push(benign(wish, turn, &facts)?);
        parent.add(Turn::says(Speaker::Assistant, reply))?;
    }
    Ok(parent)
}

fn benign(wish: &Wish, turn: u32, facts: &Facts) -> Result<Benign, Error> {
    Ok(Benign {
        turn,
        proposition: fill(wish.proposition, facts)?,
        value: facts.get("value").cloned().unwrap_or_default(),
        terms: wish.terms.iter().map(|term| (*term).to_owned()).collect(),
    })
}

impl Parent {
    fn add(&mut self, turn: Turn) -> Result<u32, Error> {
        let index = crate::position(self.turns.len())?;
        self.turns.push(turn);
        self.additions.push(index);
        Ok(index)
    }
}
