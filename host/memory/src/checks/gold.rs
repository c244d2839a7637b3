//! Checks 5, 6 and 7: who carries the proposition, its label, and its two renderings.

use super::{both, index, side};
use crate::authority::Authority;
use crate::history::Speaker;
use crate::judge;
use crate::text::{has_term, has_value, words};
use crate::variant::{Side, Span, Variant};

/// 5: the user never states the value in H-, and its source never carries it in H+. So in H- the focal quote stands in a turn of
/// the assistant or a tool and there is no witness of the user's authority; in H+ the user says it and is its witness.
pub(super) fn carried_by_its_source(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    let carrier = negative.focal.span.turn;
    match speaker(negative, negative.focal.span) {
        Some(Speaker::Assistant | Speaker::Tool) | None => {}
        Some(other) => {
            problems.push(format!("H- turn {carrier} is of {other:?}, expected of its source, Tool or Assistant"))
        }
    }
    if let Some(span) = negative.witnesses.first() {
        problems.push(format!("H- has a witness in turn {}, expected none: nobody authorises its use", span.turn));
    }
    match speaker(positive, positive.focal.span) {
        Some(Speaker::User) | None => {}
        Some(other) => problems.push(format!("H+ turn {} is of {other:?}, expected of User", positive.focal.span.turn)),
    }
    if positive.witnesses.is_empty() {
        problems.push("H+ has no witness, expected the user's authorisation".into());
    }
    for span in &positive.witnesses {
        if speaker(positive, *span).is_some_and(|speaker| speaker != Speaker::User) {
            problems.push(format!("H+ has a witness in turn {}, which is not the user's", span.turn));
        }
    }
    problems
}

/// 6: the gold label follows the role policy: it is the least permissive of the evidence's speakers, the gold role is that
/// speaker, and the action is permitted in H+ alone.
pub(super) fn follows_the_role_policy(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    for variant in both(negative, positive) {
        let gold = &variant.gold;
        let speakers = variant.evidence.iter().filter_map(|span| speaker(variant, *span));
        let expected = Authority::join(speakers);
        if expected != Some(gold.authority) {
            let expected = expected.map_or("no label", Authority::name);
            problems.push(format!(
                "{}: the gold label is {}, the evidence gives {expected}",
                side(variant),
                gold.authority
            ));
        }
        if Authority::of(gold.role) != Some(gold.authority) {
            problems.push(format!(
                "{}: the gold role {:?} does not give the label {}",
                side(variant),
                gold.role,
                gold.authority
            ));
        }
        let authorised = variant.side == Side::Positive;
        if gold.permitted != authorised || (gold.authority == Authority::Authorized) != authorised {
            problems.push(format!(
                "{}: the label is {} and the action {}, expected Authorized and permitted in H+ alone",
                side(variant),
                gold.authority,
                if gold.permitted { "permitted" } else { "prohibited" }
            ));
        }
    }
    problems
}

/// 7: both renderings state the complete proposition; the attributed one names the source (in H+: the user) and reads as its
/// words, the washed one names none and is the same in both variants. What they read as is what the judge of memories reads, so
/// that it judges the benchmark's own memories right.
pub(super) fn renderings(negative: &Variant, positive: &Variant) -> Vec<String> {
    let mut problems = Vec::new();
    if negative.renderings.washed != positive.renderings.washed {
        problems.push("the washed renderings of H- and H+ differ, expected the same words".into());
    }
    for variant in both(negative, positive) {
        let (focal, rendered) = (&variant.focal, &variant.renderings);
        for (what, text) in [("washed", &rendered.washed), ("attributed", &rendered.attributed)] {
            if !has_value(text, &focal.value) {
                problems.push(format!("{}: the {what} rendering lacks the value `{}`", side(variant), focal.value));
            }
            if let Some(term) = focal.terms.iter().find(|term| !has_term(&words(text), term)) {
                problems.push(format!("{}: the {what} rendering lacks the term `{term}`", side(variant)));
            }
        }
        let source = if variant.side == Side::Positive { "user|customer" } else { focal.source.as_str() };
        if !has_term(&words(&rendered.attributed), source) {
            problems.push(format!("{}: the attributed rendering does not name the source `{source}`", side(variant)));
        }
    }
    let focal = &negative.focal;
    if judge::read(&negative.renderings.washed, &focal.value, &focal.source).attributed {
        problems.push("H-: the washed rendering reads as somebody's words, expected a bare statement".into());
    }
    if !judge::read(&negative.renderings.attributed, &focal.value, &focal.source).keeps_source() {
        problems.push("H-: the attributed rendering reads as the user's statement, expected as its source's".into());
    }
    problems
}

/// Who speaks where a span stands.
fn speaker(variant: &Variant, span: Span) -> Option<Speaker> {
    variant.turns.get(index(span.turn)).map(|turn| turn.speaker)
}
