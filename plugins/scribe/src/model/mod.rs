//! The method `model`: one call with the objective's instructions, and an answer that is taken whole or not at all.
//!
//! An answer in another form is an error, never an omission: a writer whose model breaks would otherwise look safe.

mod prompt;
mod reply;

pub use prompt::{Rendering, request};
pub use reply::{memories, schema};

use crate::objective::Objective;
use crate::store::Store;
use weir_plugin::bindings::policy::weir::plugin::model;
use weir_plugin::writer::{Error, Item, Task};

pub use model::{Completion, CompletionRequest, Message, Speaker};

/// The role in which writers ask for a model.
pub const ROLE: &str = "writer";

/// Tokens of an answer: 16 memories of 80 words are about 2,000, the longest that any objective asks for; the rest is for
/// models that think before they answer.
pub const MAX_TOKENS: u32 = 8_192;

/// Something that completes: the host's model, or a script in tests.
pub trait Model {
    /// Asks once.
    ///
    /// # Errors
    /// As the contract's `model` has them.
    fn complete(&mut self, request: &CompletionRequest) -> Result<Completion, Error>;
}

/// The model that the host grants. Natively there is none.
pub struct HostModel;

impl Model for HostModel {
    fn complete(&mut self, request: &CompletionRequest) -> Result<Completion, Error> {
        if cfg!(target_arch = "wasm32") {
            model::complete(request)
        } else {
            Err(Error::AccessDenied("a writer that runs natively has no model".into()))
        }
    }
}

/// Consolidates by one call.
///
/// # Errors
/// The model's own, a mark that points nowhere, and an answer in another form than the schema's.
pub fn consolidate(objective: &Objective, task: &Task, model: &mut impl Model) -> Result<Vec<Item>, Error> {
    let answer = model.complete(&request(objective, task)?)?;
    let new = memories(&answer.text, task.limit)?;
    let mut store = if objective.adds_only { Store::open(task) } else { Store::emptied(task) };
    for memory in new {
        // A memory that the answer keeps word by word is the one that exists.
        let known = task.existing.iter().find(|item| item.text == memory.text);
        match known {
            Some(_) if objective.adds_only => {}
            Some(item) => store.keep(item.clone()),
            None => store.add(memory),
        }
    }
    let limit = usize::try_from(task.limit).unwrap_or(usize::MAX);
    if store.len() > limit {
        let what = format!("the model's memories and those that exist are {}, the limit is {limit}", store.len());
        return Err(Error::Other(what));
    }
    Ok(store.close())
}

/// A model that answers from a script and keeps what it was asked.
#[derive(Default)]
pub struct Scripted {
    /// Answers still to be given, in order.
    pub answers: std::collections::VecDeque<String>,
    /// Requests so far.
    pub asked: Vec<CompletionRequest>,
}

impl Scripted {
    /// One answer.
    #[must_use]
    pub fn new(answer: &str) -> Self {
        Scripted { answers: [answer.to_owned()].into(), asked: Vec::new() }
    }

    /// All that it was shown in its last call.
    #[must_use]
    pub fn prompt(&self) -> String {
        let contents = self.asked.last().map(|r| r.messages.iter().map(|m| m.content.as_str()).collect::<Vec<_>>());
        contents.unwrap_or_default().join("\n")
    }
}

impl Model for Scripted {
    fn complete(&mut self, request: &CompletionRequest) -> Result<Completion, Error> {
        self.asked.push(request.clone());
        match self.answers.pop_front() {
            Some(text) => Ok(Completion { text, input_tokens: 0, output_tokens: 0 }),
            None => Err(Error::Other("the script has no more answers".into())),
        }
    }
}

#[cfg(test)]
mod tests;
