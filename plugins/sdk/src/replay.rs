//! A policy's native build, asked what its component was asked: so `weir bench` learns what the sandbox itself costs. Only
//! under the feature `replay`, which no component is built with.
//!
//! The questions are lines of JSON, written by the host: a head that names the [`FORMAT`], then a [`Line`] for each. The host
//! has its types, and this crate its own, of one contract, so that both derive the same names.

mod measure;

pub use measure::{Otherwise, Times, measure};

use crate::policy::{Episode, Event, Item, Policy, Proposal, Turn};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::env;
use std::fs;
use std::process::ExitCode;

/// What the first line says.
pub const FORMAT: &str = "weir-questions/1";

/// The first line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
}

/// A question, and what the component answered.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What was asked.
    pub question: Question,
    /// The answer; null where there is none to give.
    pub answer: Value,
}

/// What a policy is asked, in the order of its session. `texts` are those behind the delta's events, as the transcript gives
/// them.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Question {
    /// A rollout begins: the next questions are to a new session.
    Start { episode: Episode },
    /// See [`Policy::guidance`].
    Guidance,
    /// See [`Policy::filter`].
    Filter { delta: Vec<Event>, texts: Vec<String>, observation: u32 },
    /// See [`Policy::authorize`].
    Authorize { delta: Vec<Event>, texts: Vec<String>, proposal: Proposal },
    /// See [`Policy::precommit`].
    Precommit { delta: Vec<Event>, texts: Vec<String>, proposal: Proposal },
    /// See [`Policy::recover`].
    Recover { delta: Vec<Event>, texts: Vec<String> },
    /// See [`Policy::endorse`].
    Endorse { memories: Vec<Item>, history: Vec<Turn> },
    /// See [`Policy::render`].
    Render { memories: Vec<Item> },
}

/// Reads questions.
///
/// # Errors
/// Another format, or a line that is none of it, by its number.
pub fn read(text: &str) -> Result<Vec<Line>, String> {
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next().unwrap_or_default()).map_err(|e| format!("line 1: {e}"))?;
    if head.format != FORMAT {
        return Err(format!(
            "line 1: expected the format {FORMAT}, not {:?}: the SDK under vendor/ belongs to another version of weir, and \
             `weir new` makes a project with this one's",
            head.format
        ));
    }
    (2..)
        .zip(lines)
        .map(|(number, line)| serde_json::from_str(line).map_err(|e| format!("line {number}: {e}")))
        .collect()
}

/// The program that `weir bench` builds around a policy: asks what stands in the first argument's file, in as many rounds as
/// the second one says, and writes the [`Times`] to the third one's file as one JSON object. What the policy itself prints is
/// in nobody's way there.
#[must_use]
pub fn program<P: Policy>() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [questions, rounds, out] => run::<P>(questions, rounds, out),
        _ => Err("expected three arguments: QUESTIONS ROUNDS OUT".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run<P: Policy>(questions: &str, rounds: &str, out: &str) -> Result<(), String> {
    let text = fs::read_to_string(questions).map_err(|e| format!("{questions}: {e}"))?;
    let lines = read(&text).map_err(|e| format!("{questions}: {e}"))?;
    let rounds = rounds.parse().map_err(|_| format!("ROUNDS: expected a number, not `{rounds}`"))?;
    let times = measure::<P>(&lines, rounds).map_err(|e| format!("{questions}: {e}"))?;
    let text = serde_json::to_string(&times).map_err(|e| format!("{out}: {e}"))?;
    fs::write(out, text).map_err(|e| format!("{out}: {e}"))
}
