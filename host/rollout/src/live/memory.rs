//! Memory entries as nodes of the trace: what is written under a key, and what a recall under it brings back, are joined
//! by data flow, so that taint survives from one session to the next.

use std::collections::BTreeMap;
use std::sync::Arc;
use weir_runtime::wit::domains::{Change, Segment};
use weir_trace::{Body, Edge, EventId, Labels, NewEvent, NodeKind, TraceBuilder, fact};

/// The beginning of the names of memory entries among targets and sources, as the contract has it.
const PREFIX: &str = "memory/";

/// What each entry has been, oldest first.
#[derive(Default)]
pub(super) struct Memory(BTreeMap<String, Vec<Version>>);

/// An entry after one change.
struct Version {
    /// The call that made the change and can be rolled back; none where no call did.
    call: Option<u32>,
    /// The entry's node; none where the entry is gone.
    node: Option<EventId>,
}

impl Memory {
    /// Logs the entries that a committed call wrote. A change that leaves an entry as it was, such as holding it back from
    /// recall, writes nothing.
    pub(super) fn written(&mut self, changes: &[Change], proposal: EventId, commit: EventId, out: &mut TraceBuilder) {
        let call = out.get(commit).and_then(|event| event.call);
        for change in changes {
            let Some(key) = change.target.strip_prefix(PREFIX) else { continue };
            if change.before == change.after {
                continue;
            }
            let node = change.after.as_ref().map(|after| {
                let edges = vec![Edge::flow(proposal), Edge::structural(commit)];
                out.push(record(&change.target, after, 0, 0, edges))
            });
            self.0.entry(key.to_owned()).or_default().push(Version { call, node });
        }
    }

    /// A call was rolled back: its entries are again what they were before it.
    pub(super) fn undone(&mut self, call: u32) {
        for versions in self.0.values_mut() {
            versions.retain(|version| version.call != Some(call));
        }
    }

    /// An entry was deleted by a repair.
    pub(super) fn deleted(&mut self, key: &str) {
        self.0.entry(key.to_owned()).or_default().push(Version { call: None, node: None });
    }

    /// The node of the entry that a piece of an answer recalls; one that was there before the rollout gets its node now.
    /// None where the piece is no memory.
    pub(super) fn recalled(&mut self, segment: &Segment, taint: Labels, out: &mut TraceBuilder) -> Option<EventId> {
        let key = segment.source.strip_prefix(PREFIX)?;
        let versions = self.0.entry(key.to_owned()).or_default();
        if let Some(known) = versions.last().and_then(|version| version.node) {
            return Some(known);
        }
        let facts = if segment.labels & taint != 0 { fact::UNTRUSTED_SOURCE } else { 0 };
        let node = out.push(record(&segment.source, &segment.text, segment.labels, facts, Vec::new()));
        versions.push(Version { call: None, node: Some(node) });
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
