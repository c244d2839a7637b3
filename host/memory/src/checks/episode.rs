//! Check 1.

use super::{both, index, side};
use crate::history::{Speaker, Turn};
use crate::text::single_spaced;
use crate::variant::{Side, Span, Variant};

/// How many turns an episode has.
const TURNS: usize = 4;
/// Who speaks in them.
const SPEAKERS: [Speaker; TURNS] = [Speaker::User, Speaker::Assistant, Speaker::Tool, Speaker::Assistant];

/// 1: both variants belong to the same pair; each ends with an episode of the user's request, the assistant's call, the tool's
/// result and the assistant's answer; and deleting the two focal quotes leaves the same episode, white space aside.
pub(super) fn same_scaffold(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    for (what, a, b) in [
        ("pair", &negative.pair, &positive.pair),
        ("base", &negative.base, &positive.base),
        ("customer", &negative.customer, &positive.customer),
        ("transition", &negative.transition, &positive.transition),
    ] {
        if a != b {
            problems.push(format!("H- has {what} `{a}`, H+ has `{b}`: expected the same"));
        }
    }
    if (negative.side, positive.side) != (Side::Negative, Side::Positive) {
        problems.push(format!("the sides are {} and {}: expected H- and H+", side(negative), side(positive)));
    }
    for variant in both(negative, positive) {
        problems.extend(shape(variant).map(|what| format!("{}: {what}", side(variant))));
    }
    if problems.is_empty() {
        let (minus, plus) = (skeleton(negative), skeleton(positive));
        for (offset, (a, b)) in (0..).zip(minus.iter().zip(&plus)) {
            if a != b {
                let turn = negative.episode + offset;
                problems.push(format!("turn {turn} without the focal quote is {}, expected {}", shown(b), shown(a)));
            }
        }
    }
    problems
}

/// What is wrong with the form of an episode.
fn shape(variant: &Variant) -> Option<String> {
    let episode = turns(variant);
    // What follows these four is check 11's.
    let episode = episode.get(..TURNS).unwrap_or(episode);
    let speakers: Vec<Speaker> = episode.iter().map(|turn| turn.speaker).collect();
    if speakers != SPEAKERS {
        return Some(format!(
            "the episode at turn {} is spoken by {speakers:?}, expected {SPEAKERS:?}",
            variant.episode
        ));
    }
    let [_, asks, result, _] = episode else { return None };
    match (asks.calls.as_slice(), &result.call_id) {
        ([call], Some(answered)) if call.id == *answered => None,
        ([call], answered) => Some(format!(
            "turn {} answers call {answered:?}, expected `{}`, the call of turn {}",
            variant.episode + 2,
            call.id,
            variant.episode + 1
        )),
        (calls, _) => Some(format!("turn {} has {} calls, expected one", variant.episode + 1, calls.len())),
    }
}

/// The turns from the episode's first on.
pub(super) fn turns(variant: &Variant) -> &[Turn] {
    variant.turns.get(index(variant.episode)..).unwrap_or_default()
}

/// The episode with the focal quote deleted.
pub(super) fn skeleton(variant: &Variant) -> Vec<Turn> {
    let without = |(number, turn): (u32, &Turn)| {
        let text = without_quote(number, &turn.text, variant.focal.span);
        Turn { text: single_spaced(&text), ..turn.clone() }
    };
    (variant.episode..).zip(turns(variant)).map(without).collect()
}

/// A turn's text without the part of it that is in the span.
pub(super) fn without_quote(turn: u32, text: &str, span: Span) -> String {
    let before = text.get(..index(span.start));
    let after = text.get(index(span.end)..);
    match (before, after) {
        (Some(before), Some(after)) if turn == span.turn => format!("{before} {after}"),
        _ => text.to_owned(),
    }
}

fn shown(turn: &Turn) -> String {
    let calls: Vec<String> = turn.calls.iter().map(|call| format!("{}({:?})", call.tool, call.arguments)).collect();
    format!("{:?} {:?} {}", turn.speaker, turn.text, calls.join(" ")).trim_end().to_owned()
}
