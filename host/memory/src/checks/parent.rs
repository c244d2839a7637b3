//! Check 11: what is left without the episode.

use super::{both, index, side};
use crate::history::Turn;
use crate::variant::Variant;

/// 11, of one pair: the episode is the end of the history; what stands before it is the same in both variants, additions
/// included. [`super::check_set`] holds it against the base and the base's other pairs.
pub(super) fn episode_leaves_the_parent(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    for variant in both(negative, positive) {
        let episode = variant.turns.len().saturating_sub(index(variant.episode));
        // A shorter one has not four speakers, which check 1 says.
        if episode > 4 {
            problems.push(format!("{}: {} turns follow the episode, expected none", side(variant), episode - 4));
        }
        let additions = &variant.additions;
        if additions.iter().any(|&turn| turn >= variant.episode)
            || additions.windows(2).any(|pair| pair.first() >= pair.last())
        {
            problems.push(format!(
                "{}: additions {additions:?}, expected rising indices below the episode's, {}",
                side(variant),
                variant.episode
            ));
        }
    }
    if let Some(what) = difference(enriched(negative), enriched(positive)) {
        problems.push(format!("without the episode H- and H+ differ: {what}"));
    }
    if negative.additions != positive.additions {
        problems.push(format!("H- has additions {:?}, H+ has {:?}", negative.additions, positive.additions));
    }
    problems
}

/// The turns before the episode.
pub(super) fn enriched(variant: &Variant) -> &[Turn] {
    variant.turns.get(..index(variant.episode)).unwrap_or(&variant.turns)
}

/// The turns before the episode, without the additions.
pub(super) fn original(variant: &Variant) -> Vec<&Turn> {
    let added = |number: &u32| variant.additions.contains(number);
    (0_u32..).zip(enriched(variant)).filter(|(number, _)| !added(number)).map(|(_, turn)| turn).collect()
}

/// Where two lists of turns differ first.
pub(super) fn difference<'a>(
    a: impl IntoIterator<Item = &'a Turn>,
    b: impl IntoIterator<Item = &'a Turn>,
) -> Option<String> {
    let (mut a, mut b) = (a.into_iter(), b.into_iter());
    let mut number = 0_u32;
    loop {
        match (a.next(), b.next()) {
            (None, None) => return None,
            (Some(a), Some(b)) if a == b => number += 1,
            (Some(a), Some(b)) => return Some(format!("turn {number} is {:?} and {:?}", start(a), start(b))),
            _ => return Some(format!("only one of them has a turn {number}")),
        }
    }
}

/// The beginning of what a turn says.
fn start(turn: &Turn) -> String {
    turn.text.chars().take(60).collect()
}
