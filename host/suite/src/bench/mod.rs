//! `weir bench`: what a plugin costs. Fuel is the figure that counts: it is the same on every machine, and a regression is
//! judged by it ([`compare`]). Times are of the machine that took them.
//!
//! A policy is asked the same questions whatever it answers ([`aside`]), so that the cost of two policies, or of two versions
//! of one, differs by their code alone. Of other kinds the calls follow from what they answer.

mod aside;
mod compare;
mod native;
mod questions;
mod work;

pub use compare::{Change, compare};
pub use native::{Beside, Native, Otherwise, against};
pub use questions::Questions;

use crate::error::Error;
use crate::plugins::{Found, Plugins};
use serde::Serialize;
use std::time::{Duration, Instant};
use weir_runtime::Kind;
use weir_runtime::meter::{Call, Meter};

/// Policies that a policy is measured beside: what no defence costs, and two that decide by simple and by full rules.
pub const BESIDE: [&str; 3] = ["none", "tool-boundary", "intent-ledger"];

/// Rounds over the same work at most: fuel must be equal in all of them, and times are over all.
const ROUNDS: usize = 5;
/// Rounds at least: one alone would not show that fuel is the same the next time.
const LEAST: usize = 2;
/// After so long no round is begun beyond the least: a plugin with an interpreter in it takes a hundred times as long as one
/// without, and its fuel is as exact after two rounds as after five.
const LONG: Duration = Duration::from_secs(10);

/// The name of a rollout's whole cost.
pub const ROLLOUT: &str = "rollout";

/// A measure's middle and its high end, by nearest rank: both are values that occurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// The middle value; of an even number of values the lower one of the two.
    pub median: u64,
    /// The value that 95 in 100 do not exceed.
    pub p95: u64,
}

/// What one export costs, or all calls of one piece of work together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// The export, or the piece of work: a `rollout`, the `memories` of a history, a `trace`, a `history`.
    pub name: String,
    /// How often in a round.
    pub count: usize,
    /// Fuel of one.
    pub fuel: Spread,
    /// Nanoseconds of wall time of one, over all rounds.
    pub nanoseconds: Spread,
}

/// What a plugin costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bench {
    /// The plugin's name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// SHA-256 of the component.
    pub sha256: String,
    /// On what it was measured, in words.
    pub work: String,
    /// Rounds over that work. Times are over all of them; fuel is the same in each.
    pub rounds: usize,
    /// Exports, in the order in which they were first called.
    pub exports: Vec<Cost>,
    /// All calls of a piece of work together, the plugin's instantiation included.
    pub whole: Vec<Cost>,
    /// The most linear memory that one instance had, in bytes.
    pub memory: u64,
}

/// Calls that belong together.
#[derive(Clone, Debug)]
struct Piece {
    name: &'static str,
    calls: Vec<Call>,
}

/// Measures a plugin.
///
/// # Errors
/// A component that does not load, a fault of it while it is measured, and one that uses other fuel the next time.
pub fn bench(plugins: &Plugins, found: &Found, kind: Kind) -> Result<Bench, Error> {
    let component = plugins.load(kind, found)?;
    let meter = Meter::default();
    let work = work::prepare(plugins, component.metered(&meter), kind, &meter)?;
    let mut rounds: Vec<Vec<Piece>> = Vec::new();
    let begun = Instant::now();
    while rounds.len() < LEAST || rounds.len() < ROUNDS && begun.elapsed() < LONG {
        let round = work.round()?;
        if let Some(first) = rounds.first() {
            same(&found.name, first, &round)?;
        }
        rounds.push(round);
    }
    let first = rounds.first().map(Vec::as_slice).unwrap_or_default();
    let memory = first.iter().flat_map(|piece| &piece.calls).map(|call| call.memory).max().unwrap_or(0);
    let (exports, whole) = (exports(&rounds), whole(&rounds));
    let sha256 = component.digest().to_owned();
    let (name, rounds) = (found.name.clone(), rounds.len());
    Ok(Bench { name, kind, sha256, work: work.said(), rounds, exports, whole, memory })
}

/// What a policy is asked while it is measured, for its native build. It is asked once more for that.
///
/// # Errors
/// A component that does not load as a policy, or a fault of it.
pub fn questions(plugins: &Plugins, found: &Found) -> Result<Questions, Error> {
    let component = plugins.load(Kind::Policy, found)?;
    let meter = Meter::default();
    work::prepare(plugins, component, Kind::Policy, &meter)?.questions()
}

/// Demands that a round used the first one's fuel, call by call.
fn same(plugin: &str, first: &[Piece], round: &[Piece]) -> Result<(), Error> {
    let calls = |round: &[Piece]| -> Vec<(String, u64)> {
        round.iter().flat_map(|piece| &piece.calls).map(|call| (call.export.clone(), call.fuel)).collect()
    };
    let (before, now) = (calls(first), calls(round));
    let differs = before.iter().zip(&now).find(|(a, b)| a != b);
    let what = match differs {
        Some(((export, fuel), (other, now))) if export == other => {
            format!("{export} used {fuel} fuel, and {now} when the same was asked again")
        }
        None if before.len() == now.len() => return Ok(()),
        _ => "it was called otherwise when the same was run again".to_owned(),
    };
    Err(Error::Input(format!(
        "`{plugin}` cannot be measured: {what}\n  it is not deterministic, or keeps something between rollouts: `weir check` says more"
    )))
}

/// What each export costs, over all rounds.
fn exports(rounds: &[Vec<Piece>]) -> Vec<Cost> {
    let calls = || rounds.iter().flatten().flat_map(|piece| &piece.calls);
    named(rounds.len(), calls().map(|call| (call.export.as_str(), call.fuel, call.time)))
}

/// What each piece of work costs as a whole, over all rounds.
fn whole(rounds: &[Vec<Piece>]) -> Vec<Cost> {
    let sums = rounds.iter().flatten().map(|piece| {
        let fuel = piece.calls.iter().fold(0_u64, |sum, call| sum.saturating_add(call.fuel));
        (piece.name, fuel, piece.calls.iter().map(|call| call.time).sum())
    });
    named(rounds.len(), sums)
}

/// Costs by name, in the order of the names' first appearance.
fn named<'a>(rounds: usize, measured: impl Iterator<Item = (&'a str, u64, Duration)>) -> Vec<Cost> {
    let mut all: Vec<(&str, Vec<u64>, Vec<u64>)> = Vec::new();
    for (name, fuel, time) in measured {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        match all.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, fuels, times)) => {
                fuels.push(fuel);
                times.push(time);
            }
            None => all.push((name, vec![fuel], vec![time])),
        }
    }
    let cost = |(name, fuels, times): (&str, Vec<u64>, Vec<u64>)| Cost {
        name: name.to_owned(),
        count: fuels.len() / rounds.max(1),
        fuel: spread(fuels),
        nanoseconds: spread(times),
    };
    all.into_iter().map(cost).collect()
}

/// The two ranks of some values; zero of none.
fn spread(mut values: Vec<u64>) -> Spread {
    values.sort_unstable();
    let rank = |percent: usize| {
        let rank = values.len().saturating_mul(percent).div_ceil(100).max(1);
        values.get(rank - 1).copied().unwrap_or(0)
    };
    Spread { median: rank(50), p95: rank(95) }
}

#[cfg(test)]
mod tests;
