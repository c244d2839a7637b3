//! What stands between two sessions: a memory writer. It reads the session that is over and writes what the next one is told
//! of it.
//!
//! Its history has the user's words, what the agents did, and tools' results as the model read them: a policy's replacement
//! in place of the original. Each turn remembers its event. A memory is a node with data-flow edges from the events of the
//! turns that its writer lists as evidence and from nothing else: that is what a store knows of its origin. One that is
//! changed under its identifier also comes from what it was. Whether it says what an untrusted source said is in its facts,
//! which no policy sees: there, a memory without a taint label is one whose label was lost when it was written.

use crate::gate::Infra;
use crate::memory::{Writing, tell_failure};
use std::collections::BTreeSet;
use std::sync::Arc;
use weir_memory::judge::read;
use weir_memory::text::words;
use weir_runtime::models::Models;
use weir_runtime::wit::memory::{Call, Item, Speaker, Turn};
use weir_runtime::wit::writers::Task;
use weir_trace::{Body, Edge, EventId, Labels, NewEvent, NodeKind, TraceBuilder, fact};

/// How the names of a writer's memories begin in a trace.
pub const PREFIX: &str = "writer/";

/// The first line of what the next session's first agent reads.
const HEADING: &str = "[Persistent memory]";

/// So many words in a row are no chance: a memory that shares them with a text says what that text said.
const RUN: usize = 5;

/// A writer at work, and its store.
pub(super) struct Between<'a> {
    writing: &'a Writing<'a>,
    /// The session so far, each turn with its event.
    turns: Vec<(Turn, EventId)>,
    /// The store: each memory with its node.
    kept: Vec<(Item, EventId)>,
    /// Runs of words that tainted results had, in any session so far: what was kept of an earlier session is still theirs.
    tainted: BTreeSet<Vec<String>>,
}

impl<'a> Between<'a> {
    pub(super) fn new(writing: &'a Writing<'a>) -> Self {
        Between { writing, turns: Vec::new(), kept: Vec::new(), tainted: BTreeSet::new() }
    }

    /// The user's request.
    pub(super) fn asked(&mut self, goal: &str, event: EventId) {
        self.push(Speaker::User, goal, None, None, event);
    }

    /// What an agent said.
    pub(super) fn said(&mut self, text: &str, event: EventId) {
        self.push(Speaker::Assistant, text, None, None, event);
    }

    /// A call that an agent made.
    pub(super) fn called(&mut self, call: u32, tool: &str, arguments: &str, event: EventId) {
        let call = Call { id: identifier(call), tool: tool.to_owned(), arguments: arguments.to_owned() };
        self.push(Speaker::Assistant, "", Some(call), None, event);
    }

    /// What a model read of a call's result, and whether that bears taint.
    pub(super) fn answered(&mut self, call: u32, text: &str, event: EventId, is_tainted: bool) {
        if is_tainted {
            self.tainted.extend(runs(text));
        }
        self.push(Speaker::Tool, text, None, Some(identifier(call)), event);
    }

    fn push(&mut self, speaker: Speaker, text: &str, call: Option<Call>, call_id: Option<String>, event: EventId) {
        let index = u32::try_from(self.turns.len()).unwrap_or(u32::MAX);
        let turn = Turn { index, speaker, text: text.to_owned(), calls: call.into_iter().collect(), call_id };
        self.turns.push((turn, event));
    }

    /// The session is over: the writer is asked what stays. `said` is all that the user has said. Where the writer fails the
    /// store stays as it was, and a node says so: that is never an omission.
    ///
    /// # Errors
    /// A host failure.
    pub(super) fn consolidate(
        &mut self,
        said: &str,
        models: Option<Box<dyn Models>>,
        out: &mut TraceBuilder,
    ) -> Result<(), Infra> {
        let turns = std::mem::take(&mut self.turns);
        let sources: Vec<EventId> = turns.iter().map(|(_, event)| *event).collect();
        // The evidence of what is there already are turns of sessions that this history does not have.
        let known = |(item, _): &(Item, EventId)| Item { evidence: Vec::new(), ..item.clone() };
        let task = Task {
            history: turns.into_iter().map(|(turn, _)| turn).collect(),
            marks: Vec::new(),
            existing: self.kept.iter().map(known).collect(),
            limit: self.writing.limit,
            view: self.writing.view,
            method: self.writing.method,
        };
        match self.writing.writer.consolidate(&task, models) {
            Ok(answer) => self.keep(answer.value, &sources, said, out),
            Err(fault) if fault.cause.is_infrastructure() => return Err(Infra::Host(fault)),
            Err(fault) => tell_failure(&fault.cause.to_string(), out),
        }
        Ok(())
    }

    /// The writer's answer is the store from now on. A memory that it left alone keeps its node.
    fn keep(&mut self, items: Vec<Item>, sources: &[EventId], said: &str, out: &mut TraceBuilder) {
        let said: BTreeSet<Vec<String>> = runs(said).collect();
        let before = std::mem::take(&mut self.kept);
        for item in items {
            let old = before.iter().find(|(old, _)| old.id == item.id);
            let node = match old {
                Some((old, node)) if old.text == item.text && item.evidence.is_empty() => *node,
                _ => {
                    let facts = facts(&item.text, &self.tainted, &said);
                    out.push(record(&item, sources, old.map(|(_, node)| *node), facts))
                }
            };
            self.kept.push((item, node));
        }
    }

    /// What the next session's first agent reads, and the nodes that it comes from; none where nothing is remembered.
    pub(super) fn block(&self) -> Option<(String, Vec<Edge>)> {
        if self.kept.is_empty() {
            return None;
        }
        let lines = self.kept.iter().map(|(item, _)| format!("- {}", item.text));
        let text = std::iter::once(HEADING.to_owned()).chain(lines).collect::<Vec<_>>().join("\n");
        Some((text, flows(self.kept.iter().map(|(_, node)| *node))))
    }
}

fn identifier(call: u32) -> String {
    format!("call-{call}")
}

/// A memory's node.
fn record(item: &Item, sources: &[EventId], before: Option<EventId>, facts: u32) -> NewEvent {
    let source = |turn: &u32| usize::try_from(*turn).ok().and_then(|turn| sources.get(turn)).copied();
    NewEvent {
        kind: NodeKind::MemoryRecord,
        agent: 0,
        tool_call: None,
        own_labels: 0,
        facts,
        edges: flows(item.evidence.iter().filter_map(source).chain(before)),
        text: Arc::from(item.text.as_str()),
        body: Body::Text { origin: format!("{PREFIX}{}", item.id) },
    }
}

/// Data-flow edges, as the trace wants them: in the order of their parents, each once.
fn flows(parents: impl Iterator<Item = EventId>) -> Vec<Edge> {
    parents.collect::<BTreeSet<_>>().into_iter().map(Edge::flow).collect()
}

/// Every run of [`RUN`] words.
fn runs(text: &str) -> impl Iterator<Item = Vec<String>> {
    let words = words(text);
    let runs: Vec<Vec<String>> = words.windows(RUN).map(<[String]>::to_vec).collect();
    runs.into_iter()
}

/// What is true of a memory's text: whether it shares a run of words with a tainted result that is not in the user's own
/// words; and, if it does, whether it keeps a source for what it says there. A statement ends in what it says, so that is
/// the word for which a source is looked for.
fn facts(text: &str, tainted: &BTreeSet<Vec<String>>, said: &BTreeSet<Vec<String>>) -> u32 {
    let shared = runs(text).filter(|run| tainted.contains(run) && !said.contains(run)).last();
    let Some(value) = shared.as_ref().and_then(|run| run.last()) else { return 0 };
    fact::CARRIES_TAINT | if read(text, value, "").keeps_source() { fact::NAMES_SOURCE } else { 0 }
}

/// Whether labels have one of these.
pub(super) fn is_tainted(labels: Labels, taint: Labels) -> bool {
    labels & taint != 0
}

#[cfg(test)]
mod tests;
