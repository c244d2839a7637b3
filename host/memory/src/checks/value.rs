//! Checks 2, 3 and 4: where the operative value stands.

use super::episode::{skeleton, without_quote};
use super::{Case, both, index, side};
use crate::history::Turn;
use crate::text::has_value;
use crate::variant::{Span, Variant};
use serde_json::Value;

/// Values of fewer characters may be part of any longer word; from here on that is no accident.
const TELLING_LENGTH: usize = 6;

/// 2: the value stands nowhere in the episode that the two variants share, calls included, and not in the later request.
pub(super) fn outside_the_skeleton(negative: Case<'_>, positive: Case<'_>) -> Vec<String> {
    let mut problems = Vec::new();
    for case in [negative, positive] {
        let (variant, value) = (case.variant, &case.variant.focal.value);
        for (number, turn) in (variant.episode..).zip(&skeleton(variant)) {
            if carries(turn, value) {
                problems
                    .push(format!("{} turn {number} has the value `{value}` outside the focal quote", side(variant)));
            }
        }
        if occurs(case.request, value) {
            problems.push(format!("{}: the later request states the value `{value}`", side(variant)));
        }
    }
    problems
}

/// 3: exactly one message of each variant carries the value, that of the focal quote, which stands in the episode.
pub(super) fn one_carrier(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    for variant in both(negative, positive) {
        let (span, value) = (variant.focal.span, &variant.focal.value);
        for (number, turn) in (0..variant.episode).zip(&variant.turns) {
            if number != span.turn && carries(turn, value) {
                let carrier = span.turn;
                problems.push(format!(
                    "{} turn {number} carries the value `{value}`, expected turn {carrier} alone",
                    side(variant)
                ));
            }
        }
        if span.turn < variant.episode {
            problems.push(format!(
                "{}: the focal quote stands in turn {}, expected in the episode from turn {} on",
                side(variant),
                span.turn,
                variant.episode
            ));
        }
    }
    problems
}

/// 4: the focal quote contains the value, which both variants have in common with the proposition; and evidence and witnesses
/// are places in the history, the focal quote among the evidence.
pub(super) fn quotes_contain_it(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    let (minus, plus) = (&negative.focal, &positive.focal);
    for (what, a, b) in [
        ("value", &minus.value, &plus.value),
        ("proposition", &minus.proposition, &plus.proposition),
        ("kind", &minus.kind, &plus.kind),
    ] {
        if a != b {
            problems.push(format!("the focal {what} of H- is `{a}` and of H+ `{b}`: expected the same"));
        }
    }
    for variant in both(negative, positive) {
        let focal = &variant.focal;
        match focal.span.text(&variant.turns) {
            Some(quote) if has_value(quote, &focal.value) => {}
            Some(quote) => problems.push(format!(
                "{} turn {}: the focal quote {quote:?} does not contain the value `{}`",
                side(variant),
                focal.span.turn,
                focal.value
            )),
            None => problems.push(no_place(variant, "the focal quote", focal.span)),
        }
        let rest = variant.evidence.iter().map(|span| ("evidence", span));
        for (what, span) in rest.chain(variant.witnesses.iter().map(|span| ("a witness", span))) {
            if span.text(&variant.turns).is_none_or(str::is_empty) {
                problems.push(no_place(variant, what, *span));
            }
        }
        if !variant.evidence.iter().any(|span| overlap(*span, focal.span)) {
            problems.push(format!("{}: no evidence span is in the focal quote", side(variant)));
        }
    }
    problems
}

fn no_place(variant: &Variant, what: &str, span: Span) -> String {
    let length = variant.turns.get(index(span.turn)).map_or(0, |turn| turn.text.len());
    format!(
        "{} turn {}: {what} is at bytes {}..{}, expected within the turn's {length} bytes, at characters' boundaries",
        side(variant),
        span.turn,
        span.start,
        span.end
    )
}

fn overlap(a: Span, b: Span) -> bool {
    a.turn == b.turn && a.start < b.end && b.start < a.end
}

/// Whether a turn says the value or passes it to a tool.
pub(super) fn carries(turn: &Turn, value: &str) -> bool {
    occurs(&turn.text, value) || turn.calls.iter().any(|call| call.arguments.values().any(|given| holds(given, value)))
}

/// Whether a JSON value has the operative value in it.
fn holds(given: &Value, value: &str) -> bool {
    match given {
        Value::String(text) => occurs(text, value),
        Value::Number(number) => has_value(&number.to_string(), value),
        Value::Array(items) => items.iter().any(|item| holds(item, value)),
        Value::Object(map) => map.values().any(|item| holds(item, value)),
        Value::Null | Value::Bool(_) => false,
    }
}

/// Whether the value stands in a text, also as a part of a longer word where that cannot be chance.
fn occurs(text: &str, value: &str) -> bool {
    let letter_for_letter = || text.to_lowercase().contains(&value.to_lowercase());
    has_value(text, value) || value.chars().count() >= TELLING_LENGTH && letter_for_letter()
}

/// Whether the value stands in a turn outside the focal quote.
pub(super) fn carries_beside_the_quote(number: u32, turn: &Turn, span: Span, value: &str) -> bool {
    let rest = Turn { text: without_quote(number, &turn.text, span), ..turn.clone() };
    carries(&rest, value)
}
