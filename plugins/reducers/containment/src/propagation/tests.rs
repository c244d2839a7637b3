//! Graphs whose numbers were counted by hand, and properties of all graphs.

use super::*;
use weir_plugin::UNTRUSTED;
use weir_plugin::testing::graph::Graph;
use weir_plugin::testing::random::Dice;
use weir_plugin::testing::{AUDIT, FLOW, Node, STRUCTURAL, TEMPORAL, header, measure, node};

fn of(trace: &[Node<'_>], metric: &str) -> Value {
    measure::<Propagation>(header(), trace, metric)
}

fn number(trace: &[Node<'_>], metric: &str) -> f64 {
    of(trace, metric).value.unwrap()
}

#[test]
fn a_clean_rollout_has_no_spread() {
    let trace = [node(kind::SOURCE, 0, 0, &[]), node(kind::MESSAGE, 0, 0, &[(0, FLOW)])];
    assert_eq!(of(&trace, "blast_radius_norm"), Value::clipped(0, 0));
    assert_eq!(number(&trace, "blast_radius_norm"), 0.0);
    assert_eq!(number(&trace, "reachable_nodes"), 0.0);
}

#[test]
fn structural_and_audit_edges_reach_without_labelling() {
    let trace = [
        node(kind::TOOL_RESULT, UNTRUSTED, fact::UNTRUSTED_SOURCE, &[]),
        node(kind::AGENT_STATE, UNTRUSTED, 0, &[(0, FLOW)]),
        node(kind::PROPOSAL, UNTRUSTED, fact::HIGH_RISK, &[(1, FLOW)]),
        node(kind::DECISION, 0, 0, &[(2, AUDIT)]),
        node(kind::TOOL_RESULT, 0, 0, &[(2, STRUCTURAL)]),
    ];
    assert_eq!(of(&trace, "blast_radius_norm"), Value::clipped(3, 5));
    assert_eq!(number(&trace, "blast_radius_raw"), 3.0);
    assert_eq!(number(&trace, "reachable_nodes"), 5.0);
    assert_eq!(of(&trace, "privilege_jump_rate"), Value::any(1, 1));
    assert_eq!(number(&trace, "cascade_depth"), 2.0);
}

/// Equation 4 over two agents and a memory: a mail is read, reported, remembered and acted upon, beside clean work.
#[test]
fn every_component_is_counted_where_its_label_is() {
    let trace = [
        node(kind::SOURCE, 0, 0, &[]),
        node(kind::AGENT_STATE, 0, 0, &[(0, FLOW)]),
        node(kind::PROPOSAL, 0, fact::HIGH_RISK, &[(1, FLOW)]),
        node(kind::COMMIT, 0, 0, &[(2, FLOW)]),
        node(kind::TOOL_RESULT, UNTRUSTED, fact::UNTRUSTED_SOURCE, &[(2, STRUCTURAL)]),
        node(kind::AGENT_STATE, UNTRUSTED, 0, &[(1, FLOW), (4, FLOW)]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(5, FLOW)]),
        node(kind::AGENT_STATE, UNTRUSTED, 0, &[(6, FLOW)]),
        node(kind::PROPOSAL, UNTRUSTED, fact::HIGH_RISK, &[(7, FLOW)]),
        node(kind::COMMIT, UNTRUSTED, 0, &[(8, FLOW)]),
        node(kind::MEMORY_RECORD, UNTRUSTED, 0, &[(9, FLOW)]),
        node(kind::MESSAGE, 0, 0, &[(7, TEMPORAL)]),
        node(kind::RECOVERY, 0, 0, &[(10, AUDIT)]),
    ];
    let components = ["br_agent", "br_message", "br_memory", "br_tool", "br_side_effect"];
    assert_eq!(components.map(|component| number(&trace, component)), [2.0, 1.0, 1.0, 2.0, 1.0]);
    assert_eq!(of(&trace, "blast_radius_norm"), Value::clipped(7, 9), "events 4 to 10 of 4 to 12");
    assert_eq!(of(&trace, "privilege_jump_rate"), Value::any(1, 2));
    assert_eq!(number(&trace, "cascade_depth"), 6.0, "from the mail to the memory");
}

#[test]
fn a_tainted_read_is_no_privilege_jump() {
    let trace = [
        node(kind::TOOL_RESULT, UNTRUSTED, fact::UNTRUSTED_SOURCE, &[]),
        node(kind::PROPOSAL, UNTRUSTED, 0, &[(0, FLOW)]),
    ];
    assert_eq!(of(&trace, "privilege_jump_rate"), Value::any(0, 0));
}

#[test]
fn the_longest_path_counts_and_not_the_last() {
    let trace = [
        node(kind::SOURCE, UNTRUSTED, fact::UNTRUSTED_SOURCE, &[]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(0, FLOW)]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(1, FLOW)]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(0, FLOW), (2, FLOW)]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(0, FLOW)]),
    ];
    assert_eq!(number(&trace, "cascade_depth"), 3.0);
}

#[test]
fn a_path_over_other_edges_is_no_deeper() {
    let trace = [
        node(kind::SOURCE, UNTRUSTED, fact::UNTRUSTED_SOURCE, &[]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(0, FLOW)]),
        node(kind::MESSAGE, UNTRUSTED, 0, &[(0, FLOW), (1, TEMPORAL)]),
        node(kind::TOOL_RESULT, UNTRUSTED, fact::UNTRUSTED_SOURCE, &[(2, STRUCTURAL)]),
    ];
    assert_eq!(number(&trace, "cascade_depth"), 1.0);
}

#[test]
fn labels_and_graph_closure_agree() {
    for seed in 0..2_000 {
        let graph = Graph::random(&mut Dice::new(seed));
        let count = |nodes: Vec<bool>| u32::try_from(nodes.into_iter().filter(|is| *is).count()).unwrap();
        let expected = Value::clipped(count(graph.closure()), count(graph.reachable()));
        assert_eq!(graph.fold::<Propagation>(header())[0], expected, "seed {seed}");
        assert!(expected.value <= Some(1.0), "seed {seed}: T lies within R");
    }
}

#[test]
fn deleting_a_taint_edge_only_shrinks_the_closure_and_what_is_counted_in_it() {
    let mut shrunk = 0;
    for seed in 0..3_000 {
        let mut dice = Dice::new(seed);
        let whole = Graph::random(&mut dice);
        let Some(cut) = whole.without_a_taint_edge(&mut dice) else { continue };
        for (event, (before, after)) in whole.closure().into_iter().zip(cut.closure()).enumerate() {
            assert!(before || !after, "seed {seed}: event {event} became tainted");
        }
        let (before, after) = (whole.fold::<Propagation>(header()), cut.fold::<Propagation>(header()));
        for (metric, (before, after)) in Propagation::metrics().iter().zip(before.iter().zip(&after)) {
            assert!(after.numerator <= before.numerator, "seed {seed}: numerator of {}", metric.name);
            // The spread's own value may rise: its denominator shrinks too.
            if metric.name != "blast_radius_norm" {
                assert!(after.value <= before.value, "seed {seed}: {}", metric.name);
            }
        }
        shrunk += u32::from(after[0].numerator < before[0].numerator);
    }
    assert!(shrunk > 100, "some edges mattered: {shrunk}");
}
