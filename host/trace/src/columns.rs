//! A trace in columns, as reducers receive it.

use crate::event::{Event, Labels};

/// Index that stands for "no tool call" in [`Columns::tools`] and [`Columns::calls`].
pub const NONE: u32 = u32::MAX;

/// A run of consecutive events in columns; the contract's `columns`. Lists have one element per event unless said
/// otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Columns {
    /// Identifier of the first event.
    pub first: u32,
    /// Node kinds.
    pub kinds: Vec<u8>,
    /// Label sets.
    pub labels: Vec<Labels>,
    /// Indices into `strings`.
    pub agents: Vec<u32>,
    /// Indices into `strings`, or [`NONE`].
    pub tools: Vec<u32>,
    /// Call identifiers, or [`NONE`].
    pub calls: Vec<u32>,
    /// One more than events; edges of event i are those from `edge_offsets[i]` up to `edge_offsets[i + 1]`.
    pub edge_offsets: Vec<u32>,
    /// One per edge.
    pub edge_parents: Vec<u32>,
    /// One per edge.
    pub edge_kinds: Vec<u8>,
    /// Fact bits.
    pub facts: Vec<u32>,
    /// Agents' names, then tools' names.
    pub strings: Vec<String>,
}

impl Columns {
    /// Events in columns. `agents` and `tools` are the names that the events' indices point at.
    #[must_use]
    pub fn of<'a>(events: &[Event], agents: &'a [String], tools: impl IntoIterator<Item = &'a str>) -> Self {
        let strings: Vec<String> = agents.iter().map(String::as_str).chain(tools).map(str::to_owned).collect();
        let shift = index(agents.len());
        let mut columns = Columns {
            first: events.first().map_or(0, |event| event.id),
            strings,
            edge_offsets: vec![0],
            kinds: Vec::with_capacity(events.len()),
            ..Columns::default()
        };
        for event in events {
            columns.kinds.push(event.kind as u8);
            columns.labels.push(event.labels);
            columns.agents.push(event.agent);
            columns.tools.push(event.tool.map_or(NONE, |tool| tool.saturating_add(shift)));
            columns.calls.push(event.call.unwrap_or(NONE));
            columns.facts.push(event.facts);
            for edge in &event.edges {
                columns.edge_parents.push(edge.parent);
                columns.edge_kinds.push(edge.kind as u8);
            }
            columns.edge_offsets.push(index(columns.edge_parents.len()));
        }
        columns
    }
}

/// Lists in a trace are far shorter than 2^32; a longer one would be refused by the plugin's bounds check, not misread.
fn index(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{NewEvent, TraceBuilder};
    use crate::event::{Edge, NodeKind};

    #[test]
    fn columns_hold_what_the_events_hold() {
        let mut trace = TraceBuilder::default();
        trace.push(NewEvent::text(NodeKind::Source, "user", "goal"));
        trace.push(NewEvent {
            tool_call: Some((1, 7)),
            edges: vec![Edge::flow(0), Edge::audit(0)],
            facts: 5,
            ..NewEvent::text(NodeKind::Proposal, "model", "")
        });
        let columns = Columns::of(trace.events(), &["agent".into()], ["read", "send"]);
        assert_eq!(columns.kinds, [0, 4]);
        assert_eq!(columns.strings, ["agent", "read", "send"]);
        assert_eq!(columns.tools, [NONE, 2]);
        assert_eq!(columns.calls, [NONE, 7]);
        assert_eq!(columns.edge_offsets, [0, 0, 2]);
        assert_eq!(columns.edge_kinds, [0, 3]);
        assert_eq!(columns.facts, [0, 5]);
    }
}
