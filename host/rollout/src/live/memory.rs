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

#[cfg(test)]
mod tests {
    use super::*;
    use weir_trace::label::UNTRUSTED;

    fn change(before: Option<&str>, after: Option<&str>) -> Change {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (before, after) = (owned(before), owned(after));
        Change { target: "memory/k".into(), recipient: None, visibility: None, before, after }
    }

    fn recalled(labels: Labels) -> Segment {
        Segment { text: "v".into(), labels, source: "memory/k".into() }
    }

    /// A call that changed the entry, from a context with these labels.
    fn call(memory: &mut Memory, out: &mut TraceBuilder, id: u32, labels: Labels, change: Change) {
        let text = NewEvent::text(NodeKind::Proposal, "", "");
        let proposal = out.push(NewEvent { own_labels: labels, tool_call: Some((0, id)), ..text.clone() });
        let commit = out.push(NewEvent { tool_call: Some((0, id)), ..text });
        memory.written(&[change], proposal, commit, out);
    }

    /// Labels of the node that a recall finds.
    fn found(memory: &mut Memory, out: &mut TraceBuilder) -> Labels {
        let node = memory.recalled(&recalled(0), UNTRUSTED, out).unwrap();
        out.labels(node)
    }

    #[test]
    fn what_is_recalled_is_what_was_written_last() {
        let (mut memory, mut out) = (Memory::default(), TraceBuilder::default());
        call(&mut memory, &mut out, 0, 0, change(None, Some("a")));
        assert_eq!(found(&mut memory, &mut out), 0);
        call(&mut memory, &mut out, 1, UNTRUSTED, change(Some("a"), Some("b")));
        assert_eq!(found(&mut memory, &mut out), UNTRUSTED);
    }

    #[test]
    fn a_write_that_was_rolled_back_leaves_what_was_there_before() {
        let (mut memory, mut out) = (Memory::default(), TraceBuilder::default());
        call(&mut memory, &mut out, 0, 0, change(None, Some("a")));
        call(&mut memory, &mut out, 1, UNTRUSTED, change(Some("a"), Some("b")));
        memory.undone(1);
        assert_eq!(found(&mut memory, &mut out), 0);
        memory.undone(1);
        assert_eq!(found(&mut memory, &mut out), 0, "twice is once");
    }

    #[test]
    fn a_deleted_entry_has_no_node_and_what_the_domain_still_recalls_is_new() {
        for by_call in [true, false] {
            let (mut memory, mut out) = (Memory::default(), TraceBuilder::default());
            call(&mut memory, &mut out, 0, UNTRUSTED, change(None, Some("a")));
            match by_call {
                true => call(&mut memory, &mut out, 1, 0, change(Some("a"), None)),
                false => memory.deleted("k"),
            }
            assert_eq!(found(&mut memory, &mut out), 0);
        }
    }

    #[test]
    fn holding_an_entry_back_writes_nothing() {
        let (mut memory, mut out) = (Memory::default(), TraceBuilder::default());
        call(&mut memory, &mut out, 0, UNTRUSTED, change(None, Some("a")));
        call(&mut memory, &mut out, 1, 0, change(Some("a"), Some("a")));
        assert_eq!(found(&mut memory, &mut out), UNTRUSTED, "a quarantine washes no label off");
        assert_eq!(out.events().iter().filter(|event| event.kind == NodeKind::MemoryRecord).count(), 1);
    }

    #[test]
    fn an_entry_from_before_the_rollout_is_a_source_if_it_is_tainted() {
        let (mut memory, mut out) = (Memory::default(), TraceBuilder::default());
        let node = memory.recalled(&recalled(UNTRUSTED), UNTRUSTED, &mut out).unwrap();
        assert!(out.get(node).unwrap().is(fact::UNTRUSTED_SOURCE));
        assert_eq!(memory.recalled(&recalled(UNTRUSTED), UNTRUSTED, &mut out), Some(node));
    }
}
