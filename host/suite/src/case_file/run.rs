//! Running a case: every question goes through the gate, as everywhere else.

use super::expectation::Expectation;
use super::{Asked, Case, Question, Step};
use crate::Error;
use serde::Serialize;
use weir_rollout::Infra;
use weir_rollout::gate::{Gate, Ruling};
use weir_rollout::replay::question;
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::DefenceFactory;
use weir_trace::{EventId, Hook, TraceBuilder, Verdict};

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The case's file.
    pub file: String,
    /// What the case shows.
    pub about: String,
    /// Whether every expectation is met.
    pub holds: bool,
    /// Questions asked.
    pub questions: usize,
    /// The questions whose answer is another one.
    pub failures: Vec<Failure>,
}

/// A question whose answer is not the expected one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// Which step, from 1.
    pub step: usize,
    /// The line on which the step begins.
    pub line: usize,
    /// The question in a few words.
    pub asked: String,
    /// What does not hold. Empty where nothing was expected.
    pub differences: Vec<Difference>,
    /// What was expected.
    pub expected: Expectation,
    /// What was found.
    pub found: Expectation,
}

/// One key of an expectation that is not met, each side as a file says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The key.
    pub key: String,
    /// What was expected; none where the key is not stated.
    pub expected: Option<String>,
    /// What was found; none where the answer has no such thing.
    pub found: Option<String>,
}

impl Case {
    /// Asks a policy all questions.
    ///
    /// # Errors
    /// A host failure: nothing is known.
    pub fn run(&self, policy: &dyn DefenceFactory) -> Result<Outcome, Error> {
        let mut gate = Gate::start(policy, &self.episode, &self.canaries, None)?;
        let mut trace = TraceBuilder::default();
        let (mut questions, mut failures) = (0, Vec::new());
        for step in &self.steps {
            match step {
                Step::Event(event) => {
                    trace.push(event.clone());
                }
                Step::Ask(question) => {
                    questions += 1;
                    let found = Expectation::of(&answer(&mut gate, &mut trace, &question.asked)?, question.ask);
                    failures.extend(judged(question, found));
                }
            }
        }
        let (file, about) = (self.file.clone(), self.about.clone());
        Ok(Outcome { file, about, holds: failures.is_empty(), questions, failures })
    }
}

/// The answer, with what the gate leaves unsaid: that a call may run, or an observation passes, without a word.
fn answer(gate: &mut Gate, trace: &mut TraceBuilder, asked: &Asked) -> Result<Ruling, Infra> {
    let unsaid = |hook: Hook, text: Option<String>| {
        let verdict = if text.is_some() { Verdict::Replace } else { Verdict::Allow };
        Ruling { hook, verdict, rule: None, message: text.unwrap_or_default(), fuel: 0 }
    };
    match asked {
        Asked::Guidance => {
            let text = gate.guidance()?;
            Ok(gate.failed_start().unwrap_or_else(|| unsaid(Hook::Start, text)))
        }
        Asked::Filter => Ok(gate.filter(trace.events())?.unwrap_or_else(|| unsaid(Hook::Filter, None))),
        Asked::Authorize(new) => {
            let id = trace.push(new.clone());
            let proposal = proposal(trace, id)?;
            let prefix = trace.events().split_last().map_or(&[][..], |(_, prefix)| prefix);
            gate.authorize(prefix, &proposal)
        }
        Asked::Precommit { proposal: id } => {
            let proposal = proposal(trace, *id)?;
            let ruling = gate.precommit(trace.events(), &proposal)?;
            Ok(ruling.unwrap_or_else(|| unsaid(Hook::Precommit, None)))
        }
        Asked::Recover => Ok(gate.recover(trace.events())?.0),
        Asked::Endorse { memories, history } => Ok(gate.endorse(memories, history)?.0),
        Asked::Render { memories } => gate.render(memories),
    }
}

fn proposal(trace: &TraceBuilder, id: EventId) -> Result<Proposal, Infra> {
    trace.get(id).and_then(question).ok_or_else(|| Infra::Input(format!("event {id} of the case is no proposal")))
}

fn judged(question: &Question, found: Expectation) -> Option<Failure> {
    let expected = &question.expect;
    let unmet = expected.unmet(&found);
    if unmet.is_empty() && !expected.stated().is_empty() {
        return None;
    }
    let said = |expectation: &Expectation, key: &str| expectation.value(key).map(|value| value.to_string());
    let difference =
        |key: &&str| Difference { key: (*key).to_owned(), expected: said(expected, key), found: said(&found, key) };
    Some(Failure {
        step: question.number,
        line: question.line,
        asked: question.about.clone(),
        differences: unmet.iter().map(difference).collect(),
        expected: expected.clone(),
        found,
    })
}
