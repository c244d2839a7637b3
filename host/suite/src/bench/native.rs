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

/// A time that is no longer than so many of the clock's own says more of the clock than of what was timed.
const CLOCKS: u64 = 2;

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
    /// How many times the native median the sandbox's is; none where that is hardly more than the clock's own time.
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
            same.map(|cost| Beside::of(cost, native, times.clock)).ok_or_else(said)
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
    fn of(component: &Cost, native: &Cost, clock: u64) -> Self {
        let Cost { name, count, nanoseconds: native, .. } = native.clone();
        let wasm = component.nanoseconds;
        // Exact below 2^53 nanoseconds: a quarter of a year.
        let ratio = (native.median > clock.saturating_mul(CLOCKS)).then(|| wasm.median as f64 / native.median as f64);
        Beside { name, count, wasm, native, ratio }
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

#[cfg(test)]
mod tests {
    use super::*;
    use weir_runtime::Kind;

    fn questions() -> Questions {
        let exports = vec!["session constructor", "session.authorize", "session.authorize", "session constructor"];
        Questions { text: String::new(), exports, pieces: vec![("rollout", 3), ("memories", 1)] }
    }

    fn cost(name: &str, count: usize, nanoseconds: u64) -> Cost {
        let spread = |value| Spread { median: value, p95: value };
        Cost { name: name.into(), count, fuel: spread(9), nanoseconds: spread(nanoseconds) }
    }

    fn component() -> Bench {
        Bench {
            name: "mine".into(),
            kind: Kind::Policy,
            sha256: String::new(),
            work: String::new(),
            rounds: 2,
            exports: vec![
                cost("instantiation", 2, 700),
                cost("session constructor", 2, 5000),
                cost("session.authorize", 2, 3000),
            ],
            whole: vec![cost("rollout", 1, 12_000), cost("memories", 1, 6000)],
            memory: 0,
        }
    }

    fn said(times: &str) -> String {
        against(&component(), &questions(), times.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn each_time_goes_to_its_export_and_to_its_piece_of_work() {
        let times = r#"{"clock":20,"rounds":[[500,30,30,600],[500,40,50,600]],"otherwise":0,"first":null}"#;
        let native = against(&component(), &questions(), times.as_bytes()).unwrap();
        let rows: Vec<(&str, usize, u64, u64, Option<f64>)> = native
            .exports
            .iter()
            .chain(&native.whole)
            .map(|one| (one.name.as_str(), one.count, one.wasm.median, one.native.median, one.ratio))
            .collect();
        assert_eq!(
            rows,
            [
                ("session constructor", 2, 5000, 500, Some(10.0)),
                // Twice the clock's own time is no time to compare with.
                ("session.authorize", 2, 3000, 30, None),
                ("rollout", 1, 12_000, 560, Some(12_000.0 / 560.0)),
                ("memories", 1, 6000, 600, Some(10.0)),
            ]
        );
        assert_eq!((native.rounds, native.questions, native.clock_nanoseconds), (2, 4, 20));
    }

    #[test]
    fn times_of_other_questions_or_rounds_are_refused() {
        let one = r#"{"clock":20,"rounds":[[1,1,1,1]],"otherwise":0,"first":null}"#;
        assert!(said(one).contains("measured something else: 1 rounds, and not 2\n"));
        let short = r#"{"clock":20,"rounds":[[1,1,1,1],[1,1,1]],"otherwise":0,"first":null}"#;
        assert!(said(short).contains("not the 4 questions in each round"));
        assert!(said("").contains("EOF"));
        assert!(said(r#"{"clock":20,"rounds":[],"otherwise":0,"first":null,"more":1}"#).contains("more"));
        let mut fewer = component();
        fewer.exports.truncate(2);
        let times = r#"{"clock":20,"rounds":[[1,1,1,1],[1,1,1,1]],"otherwise":0,"first":null}"#;
        let said = against(&fewer, &questions(), times.as_bytes()).unwrap_err().to_string();
        assert!(said.contains("session.authorize 2 times"), "{said}");
    }
}
