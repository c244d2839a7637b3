//! Random trace graphs whose labels are the taint closure of equation 2, for property tests of reducers.

use super::random::Dice;
use super::{FLOW, fold};
use crate::UNTRUSTED;
use crate::reducer::{Header, Reducer, Value, fact, kind};

/// A trace without labels: they follow from its edges.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
struct Node {
    kind: u8,
    facts: u32,
    /// Parent and edge kind.
    edges: Vec<(u32, u8)>,
}

impl Graph {
    /// Up to 24 nodes of any kind, some of them untrusted sources, with edges of every kind.
    pub fn random(dice: &mut Dice) -> Self {
        let mut nodes = Vec::new();
        for id in 0..2 + dice.below(23) {
            let kind = u8::try_from(dice.below(9)).unwrap_or(kind::SOURCE);
            let mut bit = |fact, sides| if dice.once_in(sides) { fact } else { 0 };
            let proposal = kind == kind::PROPOSAL;
            let facts = bit(fact::UNTRUSTED_SOURCE, 8)
                | if proposal { bit(fact::HIGH_RISK, 2) | bit(fact::COMMITTED, 2) } else { 0 };
            let mut edges: Vec<(u32, u8)> = Vec::new();
            for _ in 0..dice.below(4).min(id) {
                edges.push((dice.below(id), u8::try_from(dice.below(4)).unwrap_or(FLOW)));
            }
            nodes.push(Node { kind, facts, edges });
        }
        Graph { nodes }
    }

    /// The taint closure T: for each node, whether an untrusted source reaches it over data-flow edges.
    #[must_use]
    pub fn closure(&self) -> Vec<bool> {
        self.reach(|kind| kind == FLOW)
    }

    /// R of equation 4: for each node, whether an untrusted source reaches it over any edges.
    #[must_use]
    pub fn reachable(&self) -> Vec<bool> {
        self.reach(|_| true)
    }

    fn reach(&self, follow: impl Fn(u8) -> bool) -> Vec<bool> {
        let mut reached: Vec<bool> = Vec::new();
        for node in &self.nodes {
            let from = |&(parent, kind): &(u32, u8)| {
                let parent = usize::try_from(parent).ok().and_then(|parent| reached.get(parent));
                follow(kind) && parent == Some(&true)
            };
            let is = node.facts & fact::UNTRUSTED_SOURCE != 0 || node.edges.iter().any(from);
            reached.push(is);
        }
        reached
    }

    /// The same graph without one of its data-flow edges; none where it has none.
    pub fn without_a_taint_edge(&self, dice: &mut Dice) -> Option<Self> {
        let mut places = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            places.extend(node.edges.iter().enumerate().filter(|(_, edge)| edge.1 == FLOW).map(|(edge, _)| (at, edge)));
        }
        let &(at, edge) = dice.pick(&places)?;
        let mut cut = self.clone();
        cut.nodes.get_mut(at)?.edges.remove(edge);
        Some(cut)
    }

    /// Folds the graph, labelled by its closure.
    #[must_use]
    pub fn fold<R: Reducer>(&self, header: Header) -> Vec<Value> {
        let label = |tainted| if tainted { UNTRUSTED } else { 0 };
        let closure = self.closure();
        let nodes: Vec<_> = self
            .nodes
            .iter()
            .zip(&closure)
            .map(|(node, &tainted)| (node.kind, label(tainted), node.facts, node.edges.as_slice()))
            .collect();
        fold::<R>(header, &nodes)
    }
}
