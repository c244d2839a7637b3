//! A policy that is asked and not heeded: every call happens, every observation is shown, nothing is repaired. So a rollout
//! takes the same course under every policy, and each is asked the same questions.

use std::sync::{Arc, Mutex, PoisonError};
use weir_runtime::Fault;
use weir_runtime::models::Models;
use weir_runtime::wit::memory::{Item, Turn};
use weir_runtime::wit::policies::{Decision, Endorsement, Episode, Filtered, Recovery};
use weir_runtime::wit::types::Proposal;
use weir_runtime::world::policy::{Answer, Defence, DefenceFactory, Delta};

/// The first fault of a policy: a rollout goes on after one, and would measure nothing any more.
type First = Arc<Mutex<Option<Box<Fault>>>>;

/// A policy that is asked and not heeded.
pub(super) struct Aside<'a> {
    policy: &'a dyn DefenceFactory,
    fault: First,
}

struct Session {
    policy: Box<dyn Defence>,
    fault: First,
}

impl<'a> Aside<'a> {
    pub(super) fn new(policy: &'a dyn DefenceFactory) -> Self {
        Aside { policy, fault: First::default() }
    }

    /// The policy's first fault so far.
    pub(super) fn fault(&self) -> Option<Box<Fault>> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Remembers a fault that is the first one.
fn noted<T>(first: &First, answer: Result<T, Box<Fault>>) -> Result<T, Box<Fault>> {
    answer.inspect_err(|fault| {
        first.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| fault.clone());
    })
}

impl DefenceFactory for Aside<'_> {
    fn start(
        &self,
        episode: &Episode,
        canaries: &Arc<[String]>,
        models: Option<Box<dyn Models>>,
    ) -> Result<Box<dyn Defence>, Box<Fault>> {
        let policy = noted(&self.fault, self.policy.start(episode, canaries, models))?;
        Ok(Box::new(Session { policy, fault: Arc::clone(&self.fault) }))
    }
}

impl Session {
    /// An answer's fuel, with another answer.
    fn instead<T, U>(&self, asked: Result<Answer<T>, Box<Fault>>, value: U) -> Result<Answer<U>, Box<Fault>> {
        noted(&self.fault, asked).map(|answer| Answer { value, fuel: answer.fuel })
    }
}

impl Defence for Session {
    fn guidance(&mut self) -> Result<Option<String>, Box<Fault>> {
        noted(&self.fault, self.policy.guidance()).map(|_| None)
    }

    fn filter(&mut self, delta: Delta<'_>, observation: u32) -> Result<Answer<Filtered>, Box<Fault>> {
        let asked = self.policy.filter(delta, observation);
        self.instead(asked, Filtered::Pass)
    }

    fn authorize(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        let asked = self.policy.authorize(delta, proposal);
        self.instead(asked, Decision::Allow(None))
    }

    fn precommit(&mut self, delta: Delta<'_>, proposal: &Proposal) -> Result<Answer<Decision>, Box<Fault>> {
        let asked = self.policy.precommit(delta, proposal);
        self.instead(asked, Decision::Allow(None))
    }

    fn recover(&mut self, delta: Delta<'_>) -> Result<Answer<Vec<Recovery>>, Box<Fault>> {
        let asked = self.policy.recover(delta);
        self.instead(asked, Vec::new())
    }

    fn endorse(&mut self, memories: &[Item], history: &[Turn]) -> Result<Answer<Vec<Endorsement>>, Box<Fault>> {
        let asked = self.policy.endorse(memories, history);
        let unlabelled = memories.iter().map(|_| Endorsement { authority: None, support: None }).collect();
        self.instead(asked, unlabelled)
    }

    fn render(&mut self, memories: &[Item]) -> Result<Answer<Option<String>>, Box<Fault>> {
        let asked = self.policy.render(memories);
        self.instead(asked, None)
    }
}
