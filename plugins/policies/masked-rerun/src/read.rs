//! What an agent has read, from the events that the policy was shown.

use std::collections::{BTreeMap, BTreeSet};
use weir_plugin::policy::{EdgeKind, Event, NodeKind};

/// The trace so far, as far as reading goes.
#[derive(Default)]
pub(crate) struct Seen {
    nodes: BTreeMap<u32, Node>,
}

struct Node {
    /// The agent whose state this is; none of any other node.
    state_of: Option<u32>,
    labels: u64,
    size: u32,
    /// Where its content comes from.
    parents: Vec<u32>,
}

impl Seen {
    /// One more event.
    pub(crate) fn note(&mut self, event: &Event) {
        let flows = event.edges.iter().filter(|edge| edge.kind == EdgeKind::DataFlow);
        let node = Node {
            state_of: (event.kind == NodeKind::AgentState).then_some(event.agent),
            labels: event.labels,
            size: event.size,
            parents: flows.map(|edge| edge.parent).collect(),
        };
        self.nodes.insert(event.id, node);
    }

    /// What bears taint among all that an agent has read in its session before an event, with its size, oldest first. Its
    /// state after a turn comes from the one before and from what it read in between; a session's first has none before.
    pub(crate) fn tainted_reads(&self, agent: u32, before: u32, taint: u64) -> Vec<(u32, u32)> {
        let is_state = |node: &Node| node.state_of == Some(agent);
        let last = self.nodes.range(..before).rev().find(|(_, node)| is_state(node));
        let mut states: BTreeSet<u32> = last.map(|(&id, _)| id).into_iter().collect();
        let mut read = BTreeSet::new();
        while let Some((id, state)) = states.pop_last().and_then(|id| Some((id, self.nodes.get(&id)?))) {
            // Parents come first, so this ends.
            for &parent in state.parents.iter().filter(|&&parent| parent < id) {
                match self.nodes.get(&parent) {
                    Some(node) if is_state(node) => {
                        states.insert(parent);
                    }
                    Some(node) if node.labels & taint != 0 => {
                        read.insert((parent, node.size));
                    }
                    _ => {}
                }
            }
        }
        read.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weir_plugin::UNTRUSTED;
    use weir_plugin::policy::Edge;
    use weir_plugin::testing::event;

    fn seen(events: &[Event]) -> Seen {
        let mut seen = Seen::default();
        events.iter().for_each(|event| seen.note(event));
        seen
    }

    fn reads(seen: &Seen, agent: u32, before: u32) -> Vec<u32> {
        seen.tainted_reads(agent, before, UNTRUSTED).into_iter().map(|(id, _)| id).collect()
    }

    fn state(id: u32, agent: u32, parents: &[u32]) -> Event {
        Event { agent, ..event(id, NodeKind::AgentState, None, UNTRUSTED, parents) }
    }

    fn result(id: u32, labels: u64) -> Event {
        Event { size: 7, ..event(id, NodeKind::ToolResult, Some(0), labels, &[]) }
    }

    #[test]
    fn an_agent_has_read_what_came_into_its_states_and_what_is_tainted_of_it_counts() {
        let trace = [
            event(0, NodeKind::Source, None, 0, &[]),
            state(1, 0, &[0]),
            result(2, UNTRUSTED),
            result(3, 0),
            state(4, 0, &[1, 2, 3]),
            result(5, UNTRUSTED),
            state(6, 0, &[4, 5]),
            result(7, UNTRUSTED),
        ];
        assert_eq!(reads(&seen(&trace), 0, 8), [2, 5], "the last result is not read yet");
        assert_eq!(reads(&seen(&trace), 0, 6), [2], "nothing later counts");
        assert_eq!(reads(&seen(&trace), 0, 1), [0; 0]);
        assert_eq!(seen(&trace).tainted_reads(0, 8, UNTRUSTED), [(2, 7), (5, 7)]);
    }

    #[test]
    fn an_agent_has_not_read_what_another_one_read_but_what_that_one_told_it() {
        let told = event(3, NodeKind::Message, None, UNTRUSTED, &[2]);
        let trace = [result(1, UNTRUSTED), state(2, 0, &[1]), told, state(4, 1, &[3])];
        assert_eq!(reads(&seen(&trace), 1, 5), [3]);
        assert_eq!(reads(&seen(&trace), 0, 5), [1]);
        assert_eq!(reads(&seen(&trace), 2, 5), [0; 0]);
    }

    #[test]
    fn a_new_session_begins_with_nothing_read() {
        let trace =
            [result(1, UNTRUSTED), state(2, 0, &[1]), event(3, NodeKind::Source, None, 0, &[]), state(4, 0, &[3])];
        assert_eq!(reads(&seen(&trace), 0, 5), [0; 0]);
    }

    #[test]
    fn only_data_flow_counts_and_an_edge_from_later_ends_nothing() {
        let mut odd = state(2, 0, &[1, 2, 9]);
        odd.edges.push(Edge { parent: 0, kind: EdgeKind::Audit });
        let trace = [result(0, UNTRUSTED), result(1, UNTRUSTED), odd, state(9, 0, &[2])];
        assert_eq!(reads(&seen(&trace), 0, 10), [1]);
    }
}
