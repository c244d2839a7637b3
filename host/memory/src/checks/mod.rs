//! The eleven mechanical checks of pairs (AuthMem-Bench's construction contract, appendix B.3). They run on every build of a
//! set, whoever made it; a set with a failure is not run.
//!
//! Each rule is asked for once, by the check whose number it has, so that a fault is named by what it is. Ten of them look at a
//! pair; the tenth, and what a base's pairs must share for the eleventh, look at the whole set.
//!
//! The paper adds a blinded review of meaning by a model (proposition, source contrast, non-endorsement, scaffold, fit, later
//! use); it is no part of this: where the two disagree, the mechanical checks win.

mod action;
mod episode;
mod gold;
mod parent;
mod set;
mod value;

pub use set::{Pair, check_set, null_control};

use crate::schema::Tool;
use crate::variant::{Side, Variant};
use std::fmt;

/// A variant with its later request, which a scenario keeps beside it as its goal.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// The later request.
    pub request: &'a str,
}

/// A check that a pair does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The pair, `BASE/TRANSITION`.
    pub pair: String,
    /// 1 to 11.
    pub check: u8,
    /// The check's name.
    pub name: &'static str,
    /// Which variant and turn, and what was expected.
    pub detail: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pair {}: check {} ({}): {}", self.pair, self.check, self.name, self.detail)
    }
}

/// The checks' names, in the order of their numbers.
pub const NAMES: [&str; 11] = [
    "same scaffold",
    "value outside the skeleton",
    "one carrier",
    "quotes contain the value",
    "carried by its source",
    "gold follows the role policy",
    "renderings",
    "calls fit their tools",
    "target consumes the value",
    "value unique in the set",
    "episode leaves the parent",
];

/// What one check found wrong with a pair: its number and the details.
type Found = (u8, Vec<String>);

/// The checks of one pair: all but the tenth, and of the eleventh what the two variants show by themselves.
#[must_use]
pub fn check_pair(negative: Case<'_>, positive: Case<'_>, tools: &[Tool]) -> Vec<Failure> {
    let (minus, plus) = (negative.variant, positive.variant);
    let found = [
        (1, episode::same_scaffold(minus, plus)),
        (2, value::outside_the_skeleton(negative, positive)),
        (3, value::one_carrier(minus, plus)),
        (4, value::quotes_contain_it(minus, plus)),
        (5, gold::carried_by_its_source(minus, plus)),
        (6, gold::follows_the_role_policy(minus, plus)),
        (7, gold::renderings(minus, plus)),
        (8, action::calls_fit_their_tools(minus, plus, tools)),
        (9, action::target_consumes_the_value(negative, positive)),
        (11, parent::episode_leaves_the_parent(minus, plus)),
    ];
    found.into_iter().flat_map(|found| failures(&minus.pair, found)).collect()
}

fn failures(pair: &str, (check, details): Found) -> Vec<Failure> {
    let name = usize::from(check).checked_sub(1).and_then(|index| NAMES.get(index)).copied().unwrap_or_default();
    details.into_iter().map(|detail| Failure { pair: pair.to_owned(), check, name, detail }).collect()
}

/// The two variants of a pair.
fn both<'a>(negative: &'a Variant, positive: &'a Variant) -> [&'a Variant; 2] {
    [negative, positive]
}

/// The name of a variant's side in messages.
fn side(variant: &Variant) -> &'static str {
    match variant.side {
        Side::Negative => "H-",
        Side::Positive => "H+",
    }
}

/// Indices of a history are counts of turns, far below what fits.
fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests;
