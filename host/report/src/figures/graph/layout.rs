//! Where the events of a trace stand: lanes from top to bottom, time from left to right.

use super::{COLUMN, HIGH};
use crate::figures::bars::count;
use std::collections::BTreeMap;
use weir_trace::{Event, EventId, NodeKind};

/// A row of the figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lane {
    /// Sources, results and memory.
    Outside,
    /// An agent's own.
    Agent(usize),
    /// Decisions.
    Policy,
    /// Commits and repairs.
    Effect,
}

/// An event's place: its lane, its column and its height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) lane: Lane,
    pub(super) column: f64,
    pub(super) y: f64,
}

/// The places of all events.
#[derive(Debug)]
pub(super) struct Layout {
    places: BTreeMap<EventId, (Lane, usize)>,
    agents: usize,
    columns: usize,
}

const AGENT: f64 = 86.0;
const OUTSIDE: f64 = 74.0;
const POLICY: f64 = 118.0;
const EFFECT: f64 = 66.0;

impl Layout {
    /// A column holds at most one event of each lane, and one of all agents' lanes together, so that nothing lies on an edge
    /// that goes straight up or down. A decision stands under its proposal, and a commit under its decision.
    pub(super) fn of(events: &[Event], agents: usize) -> Self {
        let mut places: BTreeMap<EventId, (Lane, usize)> = BTreeMap::new();
        // The next free column of content, of agents, of decisions and of effects.
        let mut free = [0usize; 4];
        for event in events {
            let lane = lane(event, agents);
            let under =
                matches!(event.kind, NodeKind::Decision | NodeKind::Commit | NodeKind::Recovery | NodeKind::AgentState);
            let after = event
                .edges
                .iter()
                .filter_map(|edge| places.get(&edge.parent))
                .map(|&(above, column)| if under && above != lane { column } else { column + 1 })
                .max();
            let group = match lane {
                Lane::Outside => 0,
                Lane::Agent(_) => 1,
                Lane::Policy => 2,
                Lane::Effect => 3,
            };
            let Some(next) = free.get_mut(group) else { continue };
            let column = (*next).max(after.unwrap_or_default());
            *next = column + 1;
            places.insert(event.id, (lane, column));
        }
        let columns = free.into_iter().max().unwrap_or_default();
        Layout { places, agents: agents.max(1), columns }
    }

    pub(super) fn columns(&self) -> f64 {
        count(self.columns)
    }

    pub(super) fn place(&self, id: EventId) -> Option<Place> {
        let &(lane, column) = self.places.get(&id)?;
        let (_, top, bottom) = self.lanes().into_iter().find(|(other, _, _)| *other == lane)?;
        // A decision's rule stands beneath it.
        let y = if lane == Lane::Policy { top + 14.0 + HIGH } else { (top + bottom) / 2.0 + 8.0 };
        Some(Place { lane, column: count(column), y })
    }

    /// The lanes with their upper and lower ends.
    pub(super) fn lanes(&self) -> Vec<(Lane, f64, f64)> {
        let agents = (0..self.agents).map(|index| (Lane::Agent(index), AGENT));
        let all = [(Lane::Outside, OUTSIDE)]
            .into_iter()
            .chain(agents)
            .chain([(Lane::Policy, POLICY), (Lane::Effect, EFFECT)]);
        let mut top = 0.0;
        all.map(|(lane, height)| {
            let from = top;
            top += height;
            (lane, from, top)
        })
        .collect()
    }

    pub(super) fn bottom(&self) -> f64 {
        self.lanes().last().map_or(COLUMN, |(_, _, bottom)| *bottom)
    }
}

fn lane(event: &Event, agents: usize) -> Lane {
    match event.kind {
        NodeKind::Source | NodeKind::ToolResult | NodeKind::MemoryRecord => Lane::Outside,
        NodeKind::Decision => Lane::Policy,
        NodeKind::Commit | NodeKind::Recovery => Lane::Effect,
        // An index that the header does not have would be a damaged trace; it is drawn in the last lane.
        _ => Lane::Agent(usize::try_from(event.agent).unwrap_or(usize::MAX).min(agents.max(1) - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::samples::trace;

    #[test]
    fn no_two_events_stand_in_one_place_and_no_agents_event_is_on_another_agents_straight_edge() {
        let mut trace = trace("intent-ledger", true);
        for event in &mut trace.events {
            event.agent = event.id % 3;
        }
        let layout = Layout::of(&trace.events, 3);
        let mut places: Vec<(u8, u64)> = Vec::new();
        for event in &trace.events {
            let place = layout.place(event.id).unwrap();
            let group = match place.lane {
                Lane::Outside => 0,
                Lane::Agent(_) => 1,
                Lane::Policy => 2,
                Lane::Effect => 3,
            };
            places.push((group, place.column.to_bits()));
        }
        let all = places.len();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), all);
    }

    #[test]
    fn time_goes_from_left_to_right_and_a_decision_stands_under_its_proposal() {
        let trace = trace("intent-ledger", true);
        let layout = Layout::of(&trace.events, 1);
        for event in &trace.events {
            let child = layout.place(event.id).unwrap();
            for edge in &event.edges {
                let parent = layout.place(edge.parent).unwrap();
                assert!(parent.column <= child.column, "event {}", event.id);
                if event.kind == NodeKind::Decision {
                    assert!((parent.column - child.column).abs() < 1e-9 && parent.y < child.y, "event {}", event.id);
                }
            }
        }
    }

    #[test]
    fn an_agent_that_the_header_does_not_have_has_a_place_all_the_same() {
        let mut trace = trace("none", true);
        for event in &mut trace.events {
            event.agent = u32::MAX;
        }
        let layout = Layout::of(&trace.events, 0);
        assert!(trace.events.iter().all(|event| layout.place(event.id).is_some()));
    }
}
