//! What a policy is asked while it is measured, written down: its native build is asked the same, in another process. The
//! values are those that its component gets, and the SDK reads them (`weir_plugin::replay`): both have their types from the
//! contract.

use crate::error::Error;
use serde::Serialize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use weir_runtime::Fault;
use weir_runtime::capability::redacted;
use weir_runtime::models::Models;
use weir_runtime::wit::memory::{Item, Turn};
use weir_runtime::wit::policies::{Decision, Endorsement, Episode, Filtered, Recovery};
use weir_runtime::wit::trace::Event;
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::{Answer, Defence, DefenceFactory, Delta};

/// What the first line says.
const FORMAT: &str = "weir-questions/1";

/// Questions to a policy, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Questions {
    pub(super) text: String,
    /// The export that each goes to.
    pub(super) exports: Vec<&'static str>,
    /// Pieces of work, each with how many of the questions are its.
    pub(super) pieces: Vec<(&'static str, usize)>,
}

impl Questions {
    /// As the SDK reads them: lines of JSON.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.exports.len()
    }
}

#[derive(Serialize)]
struct Head {
    format: &'static str,
}

#[derive(Serialize)]
struct Line<'a, T> {
    question: Question<'a>,
    answer: T,
}

/// A question. Texts are those behind the delta's events, as the transcript would give them.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Question<'a> {
    Start { episode: &'a Episode },
    Guidance,
    Filter { delta: &'a [Event], texts: Vec<String>, observation: u32 },
    Authorize { delta: &'a [Event], texts: Vec<String>, proposal: &'a Proposal },
    Precommit { delta: &'a [Event], texts: Vec<String>, proposal: &'a Proposal },
    Recover { delta: &'a [Event], texts: Vec<String> },
    Endorse { memories: &'a [Item], history: &'a [Turn] },
    Render { memories: &'a [Item] },
}

impl Question<'_> {
    /// The export, as meters and faults name it.
    fn export(&self) -> &'static str {
        match self {
            Question::Start { .. } => "session constructor",
            Question::Guidance => "session.guidance",
            Question::Filter { .. } => "session.filter",
            Question::Authorize { .. } => "session.authorize",
            Question::Precommit { .. } => "session.precommit",
            Question::Recover { .. } => "session.recover",
            Question::Endorse { .. } => "session.endorse",
            Question::Render { .. } => "session.render",
        }
    }
}

/// What was written so far.
#[derive(Default)]
struct Log {
    questions: Questions,
    /// Questions before this one belong to a piece that is done.
    ended: usize,
    /// Why a question could not be written.
    failed: Option<String>,
}

/// Stands before a policy, and writes down what it is asked and what it answers.
pub(super) struct Recorder<'a> {
    policy: &'a dyn DefenceFactory,
    log: Arc<Mutex<Log>>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(policy: &'a dyn DefenceFactory) -> Self {
        let log = Arc::<Mutex<Log>>::default();
        write(&log, |log| log.line(&Head { format: FORMAT }));
        Recorder { policy, log }
    }

    /// A piece of work is done: the questions since the last one were its.
    pub(super) fn end(&self, piece: &'static str) {
        write(&self.log, |log| {
            let asked = log.questions.exports.len();
            log.questions.pieces.push((piece, asked - log.ended));
            log.ended = asked;
        });
    }

    /// All of them.
    pub(super) fn questions(self) -> Result<Questions, Error> {
        let log = std::mem::take(&mut *locked(&self.log));
        match log.failed {
            None => Ok(log.questions),
            Some(why) => Err(Error::Input(format!("a question cannot be written down: {why}"))),
        }
    }
}

impl Log {
    fn line(&mut self, line: &impl Serialize) {
        match serde_json::to_string(line) {
            Ok(line) => {
                self.questions.text.push_str(&line);
                self.questions.text.push('\n');
            }
            Err(e) => {
                self.failed.get_or_insert_with(|| e.to_string());
            }
        }
    }
}

fn locked(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

fn write(log: &Mutex<Log>, change: impl FnOnce(&mut Log)) {
    change(&mut locked(log));
}

impl DefenceFactory for Recorder<'_> {
    fn start(
        &self,
        episode: &Episode,
        canaries: &Arc<[String]>,
        models: Option<Box<dyn Models>>,
    ) -> Result<Box<dyn Defence>, Box<Fault>> {
        let policy = self.policy.start(episode, canaries, models)?;
        let session = Session { policy, canaries: Arc::clone(canaries), log: Arc::clone(&self.log) };
        session.note(Question::Start { episode }, ());
        Ok(Box::new(session))
    }
}

struct Session {
    policy: Box<dyn Defence>,
    canaries: Arc<[String]>,
    log: Arc<Mutex<Log>>,
}

impl Session {
    fn note(&self, question: Question<'_>, answer: impl Serialize) {
        write(&self.log, |log| {
            log.questions.exports.push(question.export());
            log.line(&Line { question, answer });
        });
    }

    fn texts(&self, delta: Delta<'_>) -> Vec<String> {
        delta.texts.iter().map(|text| redacted(text, &self.canaries).into_owned()).collect()
    }
}

impl Defence for Session {
    fn guidance(&mut self) -> Result<Option<String>, Box<Fault>> {
        let answer = self.policy.guidance()?;
        self.note(Question::Guidance, &answer);
        Ok(answer)
    }

    fn filter(&mut self, delta: Delta<'_>, observation: u32) -> Result<Answer<Filtered>, Box<Fault>> {
        let answer = self.policy.filter(delta, observation)?;
        self.note(Question::Filter { delta: delta.events, texts: self.texts(delta), observation }, &answer.value);
        Ok(answer)
    }

    fn authorize(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        let answer = self.policy.authorize(delta, proposal)?;
        self.note(Question::Authorize { delta: delta.events, texts: self.texts(delta), proposal }, &answer.value);
        Ok(answer)
    }

    fn precommit(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        let answer = self.policy.precommit(delta, proposal)?;
        self.note(Question::Precommit { delta: delta.events, texts: self.texts(delta), proposal }, &answer.value);
        Ok(answer)
    }

    fn recover(&mut self, delta: Delta<'_>) -> Result<Answer<Vec<Recovery>>, Box<Fault>> {
        let answer = self.policy.recover(delta)?;
        self.note(Question::Recover { delta: delta.events, texts: self.texts(delta) }, &answer.value);
        Ok(answer)
    }

    fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<Answer<Vec<Endorsement>>, Box<Fault>> {
        let answer = self.policy.endorse(memories, history)?;
        self.note(Question::Endorse { memories, history }, &answer.value);
        Ok(answer)
    }

    fn render(&mut self, memories: &[Item]) -> Result<Answer<Option<String>>, Box<Fault>> {
        let answer = self.policy.render(memories)?;
        self.note(Question::Render { memories }, &answer.value);
        Ok(answer)
    }
}
