//! What the user has asked for: the goal, and what they say in later sessions.

use crate::host;
use crate::memory::Known;
use crate::policy::{Event, NodeKind};
use std::cell::OnceCell;

/// The requests of one rollout, as a policy observes them.
#[derive(Clone, Debug)]
pub struct Requests {
    first: Request,
    /// What the user asked for in later sessions, each with its event.
    later: Vec<(u32, Request)>,
    taint: u64,
    /// Whether the first agent has had a turn.
    begun: bool,
}

#[derive(Clone, Debug)]
struct Request {
    text: String,
    /// Its words, once somebody wants to know.
    words: OnceCell<Known>,
}

impl Request {
    fn new(text: String) -> Self {
        Request { text, words: OnceCell::new() }
    }

    fn words(&self) -> &Known {
        self.words.get_or_init(|| Known::new([self.text.as_str()]))
    }
}

impl Requests {
    /// Begins with the episode's goal; what bears a label of its taint vocabulary is no request.
    #[must_use]
    pub fn new(goal: String, taint_vocabulary: u64) -> Self {
        Requests { first: Request::new(goal), later: Vec::new(), taint: taint_vocabulary, begun: false }
    }

    /// Takes notice of what happened, and pulls the text of new requests.
    pub fn observe(&mut self, events: &[Event]) {
        for event in events {
            self.begun |= event.kind == NodeKind::AgentState && event.agent == 0;
            // The first agent gets its system prompt before its first turn, so a source that comes to it later is the user.
            let is_request = event.kind == NodeKind::Source && event.agent == 0 && event.labels & self.taint == 0;
            if self.begun
                && is_request
                && let Some(text) = host::text(event.id)
            {
                self.later.push((event.id, Request::new(text)));
            }
        }
    }

    /// What the user asked for first.
    #[must_use]
    pub fn goal(&self) -> &str {
        &self.first.text
    }

    /// What they asked for in later sessions and before this event, oldest first.
    pub fn later(&self, before: u32) -> impl Iterator<Item = &str> {
        self.later_ones(before).map(|request| request.text.as_str())
    }

    /// Whether a request before this event says a value, see [`Known::says`].
    #[must_use]
    pub fn say(&self, value: &str, before: u32) -> bool {
        self.all(before).any(|request| request.words().says(value))
    }

    /// The words of all requests before this event.
    pub fn words(&self, before: u32) -> impl Iterator<Item = &str> {
        self.all(before).flat_map(|request| request.words().words())
    }

    fn all(&self, before: u32) -> impl Iterator<Item = &Request> {
        std::iter::once(&self.first).chain(self.later_ones(before))
    }

    fn later_ones(&self, before: u32) -> impl Iterator<Item = &Request> {
        self.later.iter().filter(move |(event, _)| *event < before).map(|(_, request)| request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::UNTRUSTED;
    use crate::testing::{event, set_transcript};

    #[test]
    fn a_source_before_the_first_turn_is_a_system_prompt_and_one_after_it_a_request() {
        let mut requests = Requests::new("first".into(), UNTRUSTED);
        for id in 0..6 {
            set_transcript(id, &format!("text {id}"));
        }
        requests.observe(&[
            event(0, NodeKind::Source, None, 0, &[]),
            event(1, NodeKind::Source, None, 0, &[]),
            event(2, NodeKind::AgentState, None, 0, &[0, 1]),
            event(3, NodeKind::Source, None, 0, &[]),
            event(4, NodeKind::Source, None, UNTRUSTED, &[]),
            Event { agent: 1, ..event(5, NodeKind::Source, None, 0, &[]) },
        ]);
        assert_eq!(requests.goal(), "first");
        assert_eq!(requests.later(6).collect::<Vec<_>>(), ["text 3"]);
        assert_eq!(requests.later(3).count(), 0);
        assert!(requests.say("text 3", 6) && !requests.say("text 3", 3) && !requests.say("first text", 6));
        assert_eq!(requests.words(6).collect::<Vec<_>>(), ["first", "text", "3"]);
    }
}
