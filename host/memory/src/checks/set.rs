//! The checks of a whole set: check 10, and what check 11 asks of the pairs of one base.

use super::parent::{difference, enriched, original};
use super::value::carries_beside_the_quote;
use super::{Case, Failure, check_pair, failures, side};
use crate::history::{History, Turn};
use crate::schema::Tool;
use crate::text::words;
use crate::variant::Variant;
use std::collections::BTreeMap;

/// A pair of a set.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// H-.
    pub negative: Case<'a>,
    /// H+.
    pub positive: Case<'a>,
    /// The tools of the pair's domain.
    pub tools: &'a [Tool],
}

/// All eleven checks of a set of pairs. `bases` are those that the caller has, by name: without a pair's base it is only held
/// against the other pairs of that base.
#[must_use]
pub fn check_set(pairs: &[Pair<'_>], bases: &BTreeMap<String, History>) -> Vec<Failure> {
    let mut found: Vec<Failure> =
        pairs.iter().flat_map(|pair| check_pair(pair.negative, pair.positive, pair.tools)).collect();
    let mut values: BTreeMap<Vec<String>, &str> = BTreeMap::new();
    let mut parents: BTreeMap<&str, &Variant> = BTreeMap::new();
    for pair in pairs {
        let variant = pair.negative.variant;
        found.extend(unique(variant, &mut values));
        found.extend(same_parent(variant, bases, &mut parents));
    }
    found
}

/// 10: no other pair has the value, so that a memory or an action can be of one pair only.
fn unique<'a>(variant: &'a Variant, values: &mut BTreeMap<Vec<String>, &'a str>) -> Vec<Failure> {
    let value = &variant.focal.value;
    match values.insert(words(value), &variant.pair) {
        Some(other) if other == variant.pair => {
            failures(&variant.pair, (10, vec![format!("the pair stands twice in the set, value `{value}`")]))
        }
        Some(other) => failures(&variant.pair, (10, vec![format!("the value `{value}` is also that of pair {other}")])),
        None => Vec::new(),
    }
}

/// 11, of a set: all pairs of a base have the same parent, which without the additions is the base's own history.
fn same_parent<'a>(
    variant: &'a Variant,
    bases: &BTreeMap<String, History>,
    parents: &mut BTreeMap<&'a str, &'a Variant>,
) -> Vec<Failure> {
    let mut problems = Vec::new();
    let first = *parents.entry(&variant.base).or_insert(variant);
    if let Some(what) = difference(enriched(first), enriched(variant)) {
        problems.push(format!("without the episode it differs from pair {}: {what}", first.pair));
    }
    if first.customer != variant.customer {
        problems.push(format!("the customer is `{}`, in pair {} `{}`", variant.customer, first.pair, first.customer));
    }
    if let Some(base) = bases.get(&variant.base) {
        if let Some(what) = difference(original(variant), &base.turns) {
            problems.push(format!("without episode and additions it differs from base `{}`: {what}", base.id));
        }
        if base.customer != variant.customer {
            problems.push(format!("the customer is `{}`, of base `{}` `{}`", variant.customer, base.id, base.customer));
        }
    }
    failures(&variant.pair, (11, problems))
}

/// The null control: a variant without its focal quote, in which no turn has the value any more. A writer or an agent that still
/// comes up with it did not have it from there.
///
/// # Errors
/// The first turn that still has the value; check 2 or 3 fails then too.
pub fn null_control(variant: &Variant) -> Result<Variant, String> {
    let (span, value) = (variant.focal.span, &variant.focal.value);
    let mut turns = Vec::with_capacity(variant.turns.len());
    for (number, turn) in (0_u32..).zip(&variant.turns) {
        if carries_beside_the_quote(number, turn, span, value) {
            return Err(format!("{} {} turn {number} has the value beside the quote", variant.pair, side(variant)));
        }
        let text = if number == span.turn {
            super::episode::without_quote(number, &turn.text, span).trim().to_owned()
        } else {
            turn.text.clone()
        };
        turns.push(Turn { text, ..turn.clone() });
    }
    Ok(Variant { turns, evidence: Vec::new(), witnesses: Vec::new(), ..variant.clone() })
}
