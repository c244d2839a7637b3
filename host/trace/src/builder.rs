//! Appending events: identifiers are positions, and labels follow data-flow edges as events are added (equation 2).

use crate::event::{Body, Edge, EdgeKind, Event, EventId, Labels, NodeKind};
use std::sync::Arc;

/// An event about to be appended. Its labels are only those it brings in itself.
#[derive(Clone, Debug)]
pub struct NewEvent {
    /// What it stands for.
    pub kind: NodeKind,
    /// Index into the header's agents.
    pub agent: u32,
    /// Tool and call that it belongs to.
    pub tool_call: Option<(u32, u32)>,
    /// Labels that it brings in.
    pub own_labels: Labels,
    /// What the host and the oracle know.
    pub facts: u32,
    /// Edges from earlier events.
    pub edges: Vec<Edge>,
    /// What a reader or a model sees.
    pub text: Arc<str>,
    /// What only this kind of node has.
    pub body: Body,
}

impl NewEvent {
    /// A node with text and nothing else.
    #[must_use]
    pub fn text(kind: NodeKind, origin: &str, text: impl Into<Arc<str>>) -> Self {
        NewEvent {
            kind,
            agent: 0,
            tool_call: None,
            own_labels: 0,
            facts: 0,
            edges: Vec::new(),
            text: text.into(),
            body: Body::Text { origin: origin.into() },
        }
    }
}

/// A trace under construction.
#[derive(Clone, Debug, Default)]
pub struct TraceBuilder {
    events: Vec<Event>,
}

impl TraceBuilder {
    /// Appends an event and returns its identifier. Edges from events that do not exist are dropped: a builder cannot be
    /// made to write a trace whose graph points forward.
    pub fn push(&mut self, new: NewEvent) -> EventId {
        let id = self.next_id();
        let mut edges = new.edges;
        edges.retain(|edge| edge.parent < id);
        let carried = edges.iter().filter(|e| e.kind == EdgeKind::DataFlow).map(|e| self.labels(e.parent));
        let labels = carried.fold(new.own_labels, |all, labels| all | labels);
        let (tool, call) = new.tool_call.unzip();
        self.events.push(Event {
            id,
            kind: new.kind,
            agent: new.agent,
            tool,
            call,
            labels,
            facts: new.facts,
            edges,
            text: new.text,
            body: new.body,
        });
        id
    }

    /// The identifier that the next event will have.
    #[must_use]
    pub fn next_id(&self) -> EventId {
        // A trace of 2^32 events cannot be held in memory; saturating keeps the edge filter above correct regardless.
        EventId::try_from(self.events.len()).unwrap_or(EventId::MAX)
    }

    /// Labels of an event; none of one that does not exist.
    #[must_use]
    pub fn labels(&self, id: EventId) -> Labels {
        self.get(id).map_or(0, |event| event.labels)
    }

    /// An event.
    #[must_use]
    pub fn get(&self, id: EventId) -> Option<&Event> {
        self.events.get(usize::try_from(id).ok()?)
    }

    /// Adds facts to an event: what became of it is known only later.
    pub fn mark(&mut self, id: EventId, facts: u32) {
        if let Some(event) = usize::try_from(id).ok().and_then(|index| self.events.get_mut(index)) {
            event.facts |= facts;
        }
    }

    /// The events so far.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The finished events.
    #[must_use]
    pub fn into_events(self) -> Vec<Event> {
        self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::label;

    fn with_edges(edges: Vec<Edge>, own: Labels) -> NewEvent {
        NewEvent { edges, own_labels: own, ..NewEvent::text(NodeKind::Message, "test", "") }
    }

    #[test]
    fn labels_follow_data_flow_edges_and_no_others() {
        let mut trace = TraceBuilder::default();
        let source = trace.push(with_edges(vec![], label::UNTRUSTED));
        let flowed = trace.push(with_edges(vec![Edge::flow(source)], 0));
        let beside = trace.push(with_edges(vec![Edge::structural(flowed), Edge::audit(source)], label::PRIVATE));
        assert_eq!(trace.labels(flowed), label::UNTRUSTED);
        assert_eq!(trace.labels(beside), label::PRIVATE);
    }

    #[test]
    fn an_edge_from_the_future_is_dropped() {
        let mut trace = TraceBuilder::default();
        let id = trace.push(with_edges(vec![Edge::flow(0), Edge::flow(7)], 0));
        assert_eq!(trace.get(id).unwrap().edges, []);
    }
}
