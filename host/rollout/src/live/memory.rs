//! Memory entries as nodes of the trace: what is written under a key, and what a recall under it brings back, are joined
//! by data flow, so that taint survives from one session to the next.

use std::collections::BTreeMap;
use std::sync::Arc;
use weir_runtime::wit::domains::{Change, Segment};
use weir_trace::{Body, Edge, EventId, Labels, NewEvent, NodeKind, TraceBuilder, fact};

/// The beginning of the names of memory entries among targets and sources, as the contract has it.
const PREFIX: &str = "memory/";

/// The newest node of each entry.
#[derive(Default)]
pub(super) struct Memory(BTreeMap<String, EventId>);

impl Memory {
    /// Logs the entries that a committed call wrote.
    pub(super) fn written(&mut self, changes: &[Change], proposal: EventId, commit: EventId, out: &mut TraceBuilder) {
        for change in changes {
            let (Some(key), Some(after)) = (change.target.strip_prefix(PREFIX), &change.after) else { continue };
            let edges = vec![Edge::flow(proposal), Edge::structural(commit)];
            let node = out.push(record(&change.target, after, 0, 0, edges));
            self.0.insert(key.to_owned(), node);
        }
    }

    /// The node of the entry that a piece of an answer recalls; one that was there before the rollout gets its node now.
    /// None where the piece is no memory.
    pub(super) fn recalled(&mut self, segment: &Segment, taint: Labels, out: &mut TraceBuilder) -> Option<EventId> {
        let key = segment.source.strip_prefix(PREFIX)?;
        if let Some(&known) = self.0.get(key) {
            return Some(known);
        }
        let facts = if segment.labels & taint != 0 { fact::UNTRUSTED_SOURCE } else { 0 };
        let node = out.push(record(&segment.source, &segment.text, segment.labels, facts, Vec::new()));
        self.0.insert(key.to_owned(), node);
        Some(node)
    }
}

fn record(origin: &str, text: &str, own_labels: Labels, facts: u32, edges: Vec<Edge>) -> NewEvent {
    NewEvent {
        kind: NodeKind::MemoryRecord,
        agent: 0,
        tool_call: None,
        own_labels,
        facts,
        edges,
        text: Arc::from(text),
        body: Body::Text { origin: origin.to_owned() },
    }
}
