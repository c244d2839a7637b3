//! Asking, with a clock beside it.

use super::{Line, Question};
use crate::bindings::policy::exports::weir::plugin::policy::GuestSession;
use crate::policy::{Error, Policy, SessionCell};
use crate::testing;
use serde::Serialize;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::Instant;

/// How often the clock is asked what it costs itself.
const LOOKS: usize = 1001;

/// What asking took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Times {
    /// Nanoseconds that the clock itself takes, which are in each of the times: the median of many looks.
    pub clock: u64,
    /// For each round the nanoseconds that each question took, in their order.
    pub rounds: Vec<Vec<u64>>,
    /// How many questions were answered otherwise than by the component.
    pub otherwise: usize,
    /// The first of them.
    pub first: Option<Otherwise>,
}

/// A question that was answered otherwise than by the component.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Otherwise {
    /// Its position among the questions, from 0.
    pub question: usize,
    /// What the component answered.
    pub component: Value,
    /// What the native build answered.
    pub native: Value,
}

/// Asks everything, in so many rounds. Values are handed over owned, as any interface between a host and its plugins would
/// have to, and making the copies counts: the sandbox's figures have them too. What the transcript could give is laid ready
/// beforehand, on both sides.
///
/// # Errors
/// A question that comes before a session, by its position.
pub fn measure<P: Policy>(lines: &[Line], rounds: usize) -> Result<Times, String> {
    testing::hush();
    let mut times = Times { clock: clock(), rounds: Vec::new(), otherwise: 0, first: None };
    for round in 0..rounds {
        let mut session = Session::<P> { policy: None, shown: 0, compares: round == 0 };
        let mut taken = Vec::with_capacity(lines.len());
        for (question, line) in lines.iter().enumerate() {
            let (nanoseconds, native) = session.ask(&line.question).map_err(|e| format!("question {question}: {e}"))?;
            taken.push(nanoseconds);
            if let Some(native) = native.filter(|native| *native != line.answer) {
                times.otherwise += 1;
                let component = line.answer.clone();
                times.first.get_or_insert(Otherwise { question, component, native });
            }
        }
        times.rounds.push(taken);
    }
    Ok(times)
}

/// A session as the component has it, behind the same adapter.
struct Session<P> {
    policy: Option<SessionCell<P>>,
    /// How many events it was shown.
    shown: u32,
    /// Whether answers are wanted: once is enough.
    compares: bool,
}

impl<P: Policy> Session<P> {
    /// The nanoseconds of a question, and its answer if it is wanted.
    fn ask(&mut self, question: &Question) -> Result<(u64, Option<Value>), String> {
        match question {
            Question::Start { episode } => {
                // The last one ends before the next begins, and off the clock.
                self.policy = None;
                self.shown = 0;
                testing::forget_transcript();
                let (policy, nanoseconds) = timed(|| SessionCell::<P>::new(episode.clone()));
                self.policy = Some(policy);
                Ok((nanoseconds, self.compares.then_some(Value::Null)))
            }
            Question::Guidance => self.asked(&[], |policy| Ok(policy.guidance())),
            Question::Filter { delta, texts, observation } => {
                self.asked(texts, |policy| policy.filter(delta.clone(), *observation))
            }
            Question::Authorize { delta, texts, proposal } => {
                self.asked(texts, |policy| policy.authorize(delta.clone(), proposal.clone()))
            }
            Question::Precommit { delta, texts, proposal } => {
                self.asked(texts, |policy| policy.precommit(delta.clone(), proposal.clone()))
            }
            Question::Recover { delta, texts } => self.asked(texts, |policy| policy.recover(delta.clone())),
            Question::Endorse { memories, history } => {
                self.asked(&[], |policy| policy.endorse(memories.clone(), history.clone()))
            }
            Question::Render { memories } => self.asked(&[], |policy| policy.render(memories.clone())),
        }
    }

    fn asked<T: Serialize>(
        &mut self,
        texts: &[String],
        ask: impl FnOnce(&SessionCell<P>) -> Result<T, Error>,
    ) -> Result<(u64, Option<Value>), String> {
        for text in texts {
            testing::set_transcript(self.shown, text);
            self.shown += 1;
        }
        let policy = self.policy.as_ref().ok_or("it comes before the first `start`")?;
        let (answer, nanoseconds) = timed(|| ask(policy));
        Ok((nanoseconds, if self.compares { Some(written(&answer)?) } else { None }))
    }
}

/// An answer as the host writes it. The component gave no error, or there would be no questions.
fn written<T: Serialize>(answer: &Result<T, Error>) -> Result<Value, String> {
    match answer {
        Ok(value) => serde_json::to_value(value).map_err(|e| e.to_string()),
        Err(error) => Ok(json!({ "error": format!("{error:?}") })),
    }
}

/// A value, and the nanoseconds that making it took.
fn timed<T>(make: impl FnOnce() -> T) -> (T, u64) {
    let begun = Instant::now();
    let made = black_box(make());
    let taken = begun.elapsed();
    (made, u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX))
}

/// Nanoseconds that the clock itself takes.
fn clock() -> u64 {
    let mut looks: Vec<u64> = (0..LOOKS).map(|_| timed(|| ()).1).collect();
    looks.sort_unstable();
    looks.get(LOOKS / 2).copied().unwrap_or(0)
}
