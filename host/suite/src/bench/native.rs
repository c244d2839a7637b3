//! A policy beside its native build: what the sandbox itself costs.
//!
//! Both are asked the same questions as often, each with a clock around every call. Fuel has no native counterpart, so these
//! are times, and of the machine that took them.

use super::questions::Questions;
use super::{Bench, Cost, Piece, Spread, exports, whole};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::time::Duration;
use weir_runtime::meter::Call;

/// What a policy's component costs more than its native build.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Native {
    /// Rounds over the same questions, as many as the component had.
    pub rounds: usize,
    /// Questions in a round.
    pub questions: usize,
    /// How many of them the native build answered otherwise: none, where both are of one source.
    pub otherwise: usize,
    /// The first of these.
    pub first: Option<Otherwise>,
    /// Nanoseconds that the clock itself takes; they are in all native times.
    pub clock_nanoseconds: u64,
    /// Each export that has a native counterpart: all but `instantiation`.
    pub exports: Vec<Beside>,
    /// Whole pieces of work, on the component's side its instantiation included.
    pub whole: Vec<Beside>,
}

/// The two times of an export, or of a whole piece of work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// The export or piece of work.
    pub name: String,
    /// How often in a round, on both sides.
    pub count: usize,
    /// Nanoseconds in the sandbox.
    pub wasm: Spread,
    /// Nanoseconds natively.
    pub native: Spread,
    /// How many times the native median the sandbox's is; none where that is less than the clock can tell.
    pub ratio: Option<f64>,
}

/// A question that was answered otherwise natively.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Otherwise {
    /// Its position, from 0.
    pub question: usize,
    /// What the component answered.
    pub component: Value,
    /// What the native build answered.
    pub native: Value,
}

/// What the native build wrote: `weir_plugin::replay::Times`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Times {
    clock: u64,
    rounds: Vec<Vec<u64>>,
    otherwise: usize,
    first: Option<Otherwise>,
}

/// Sets what a native build took for these questions beside what the component took for them.
///
/// # Errors
/// Times that are not those of these questions, in as many rounds as the component had.
pub fn against(bench: &Bench, questions: &Questions, times: &[u8]) -> Result<Native, Error> {
    let other = |what: String| {
        Error::Input(format!(
            "the native build of `{}` measured something else: {what}\n  its SDK under vendor/ may belong to another version \
             of weir: `weir new` makes a project with this one's",
            bench.name
        ))
    };
    let times: Times = serde_json::from_slice(times).map_err(|e| other(e.to_string()))?;
    if times.rounds.len() != bench.rounds {
        return Err(other(format!("{} rounds, and not {}", times.rounds.len(), bench.rounds)));
    }
    let rounds = times.rounds.iter().map(|round| pieces(questions, round));
    let rounds = rounds
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| other(format!("not the {} questions in each round", questions.count())))?;
    let pairs = |component: &[Cost], native: Vec<Cost>| -> Result<Vec<Beside>, Error> {
        let pair = |native: &Cost| {
            let same = component.iter().find(|cost| cost.name == native.name && cost.count == native.count);
            let said = || other(format!("{} {} times", native.name, native.count));
            same.map(|cost| Beside::of(cost, native)).ok_or_else(said)
        };
        native.iter().map(pair).collect()
    };
    Ok(Native {
        rounds: rounds.len(),
        questions: questions.count(),
        otherwise: times.otherwise,
        first: times.first,
        clock_nanoseconds: times.clock,
        exports: pairs(&bench.exports, exports(&rounds))?,
        whole: pairs(&bench.whole, whole(&rounds))?,
    })
}

impl Beside {
    fn of(component: &Cost, native: &Cost) -> Self {
        let (wasm, native_time) = (component.nanoseconds, native.nanoseconds);
        // Exact below 2^53 nanoseconds: a quarter of a year.
        let ratio = (native_time.median > 0).then(|| wasm.median as f64 / native_time.median as f64);
        Beside { name: native.name.clone(), count: native.count, wasm, native: native_time, ratio }
    }
}

/// A round's times by piece of work; none where there are more or fewer than questions.
fn pieces(questions: &Questions, times: &[u64]) -> Option<Vec<Piece>> {
    if times.len() != questions.exports.len() {
        return None;
    }
    let mut asked = questions.exports.iter().zip(times);
    let mut call = || {
        let (export, time) = asked.next()?;
        Some(Call { export: (*export).into(), fuel: 0, time: Duration::from_nanos(*time), memory: 0 })
    };
    let mut piece = |&(name, count): &(&'static str, usize)| {
        let calls = (0..count).map(|_| call()).collect::<Option<Vec<_>>>()?;
        Some(Piece { name, calls })
    };
    questions.pieces.iter().map(&mut piece).collect()
}
