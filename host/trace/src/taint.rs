//! The graph's two closures: T over data-flow edges (equation 2) and R over all edges (the denominator of equation 4).
//!
//! Metrics count labels, as the paper's code does; these closures are the definition they are tested against.

use crate::event::{EdgeKind, Event, fact};

/// T: for each event, whether it is reachable from an untrusted source over data-flow edges.
#[must_use]
pub fn closure(events: &[Event]) -> Vec<bool> {
    reach(events, |kind| kind == EdgeKind::DataFlow)
}

/// R: for each event, whether it is reachable from an untrusted source over all edges.
#[must_use]
pub fn reachable(events: &[Event]) -> Vec<bool> {
    reach(events, |_| true)
}

/// Parents precede children, so one pass is enough.
fn reach(events: &[Event], follow: impl Fn(EdgeKind) -> bool) -> Vec<bool> {
    let mut reached: Vec<bool> = Vec::with_capacity(events.len());
    for event in events {
        let parent = |id: u32| usize::try_from(id).ok().and_then(|index| reached.get(index)).copied();
        let inherits = event.edges.iter().any(|edge| follow(edge.kind) && parent(edge.parent) == Some(true));
        reached.push(event.is(fact::UNTRUSTED_SOURCE) || inherits);
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{NewEvent, TraceBuilder};
    use crate::event::{Edge, NodeKind, label};

    /// A pseudo-random graph; the seed is all there is to it.
    fn random_trace(seed: u64, nodes: u32) -> Vec<Event> {
        let mut state = seed;
        let mut draw = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut trace = TraceBuilder::default();
        for id in 0..nodes {
            let mut new = NewEvent::text(NodeKind::Message, "test", "");
            for _ in 0..draw(4) {
                let parent = u32::try_from(draw(u64::from(id.max(1)))).unwrap();
                let kind = [EdgeKind::DataFlow, EdgeKind::Structural, EdgeKind::Temporal, EdgeKind::Audit]
                    [usize::try_from(draw(4)).unwrap()];
                new.edges.push(Edge { parent, kind });
            }
            if draw(10) == 0 {
                new.own_labels = label::UNTRUSTED;
                new.facts = fact::UNTRUSTED_SOURCE;
            }
            trace.push(new);
        }
        trace.into_events()
    }

    #[test]
    fn labels_and_closure_agree_on_complete_traces() {
        for seed in 0..200 {
            let events = random_trace(seed, 60);
            let by_label: Vec<bool> = events.iter().map(|e| e.labels & label::TAINT != 0).collect();
            assert_eq!(closure(&events), by_label, "seed {seed}");
        }
    }

    #[test]
    fn the_closure_lies_within_the_reachable_region() {
        for seed in 0..200 {
            let events = random_trace(seed, 60);
            assert!(closure(&events).iter().zip(reachable(&events)).all(|(t, r)| !t || r), "seed {seed}");
        }
    }

    #[test]
    fn deleting_a_taint_edge_only_shrinks_the_closure() {
        for seed in 0..50 {
            let events = random_trace(seed, 40);
            let whole = closure(&events);
            for cut in 0..events.len() {
                let mut fewer = events.clone();
                fewer[cut].edges.retain(|e| e.kind != EdgeKind::DataFlow);
                assert!(closure(&fewer).iter().zip(&whole).all(|(f, w)| !f || *w), "seed {seed}, event {cut}");
            }
        }
    }
}
