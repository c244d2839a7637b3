//! What holds for every figure.

use super::samples::*;
use super::*;
use crate::html;
use crate::page::{Block, Figure, Page, Section};
use weir_trace::fact;

fn with_policies(number: usize, prefix: &str) -> Vec<Figure> {
    let names: Vec<String> = (0..number).map(|n| format!("{prefix}-{n}")).collect();
    let rows: Vec<(String, Value)> = names.iter().map(|name| (name.clone(), value(0.5, 0.1, "300/600"))).collect();
    let panel = |control: Option<&str>| Panel {
        title: "A metric".into(),
        note: "lower is better".into(),
        rows: rows.clone(),
        control: control.map(str::to_owned),
    };
    let points =
        rows.iter().map(|(policy, v)| Point { policy: policy.clone(), violation: v.clone(), spread: v.clone() });
    let lines = rows
        .iter()
        .map(|(policy, v)| Curve { policy: policy.clone(), points: vec![(0.0, v.clone()), (1.0, v.clone())] });
    let curve = CurvePanel { kind: "omitted".into(), metric: "completion".into(), curves: lines.collect() };
    let first = names.first().map(String::as_str);
    let parts = rows.iter().map(|(name, v)| Stack {
        name: name.clone(),
        negative: v.clone(),
        preserved: 0.2,
        positive: v.clone(),
    });
    let rates = rows.iter().map(|(name, v)| Selective { name: name.clone(), attack: v.clone(), task: v.clone() });
    vec![
        bars(&Bars { scope: "s".into(), bars: rows.clone() }),
        scatter(&Scatter { scope: "s".into(), points: points.collect() }),
        panels(&Panels { id: "p".into(), panels: vec![panel(None), panel(first)], ..Panels::default() }),
        curves(&Curves { scope: "s".into(), panels: vec![curve.clone(), curve] }),
        stacks(&Stacks { id: "s".into(), scope: "s".into(), stacks: parts.collect() }),
        selectivity(&Selectivity { id: "t".into(), title: "t".into(), scope: "s".into(), points: rates.collect() }),
    ]
}

fn of_the_paper() -> Vec<Figure> {
    let (left, right) = (trace("taint-only", false), trace("intent-ledger", true));
    vec![
        graph(&left),
        parting(Parting { left: &left, right: &right }),
        bars(&completion()),
        scatter(&violations()),
        panels(&comparison()),
        panels(&memory()),
        panels(&controls()),
        curves(&ledger_errors()),
    ]
}

/// Numbers of all attributes of a name, with what a text is wide left out.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    svg.split(&format!(" {attribute}=\""))
        .skip(1)
        .map(|tail| tail.split('"').next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn every_figure_is_complete_and_stays_within_its_frame() {
    let many = (1..=12).flat_map(|number| with_policies(number, "a-policy-with-quite-a-long-name"));
    for figure in of_the_paper().into_iter().chain(many) {
        let (width, height) = (numbers(&figure.svg, "width")[0], numbers(&figure.svg, "height")[0]);
        for attribute in ["x", "x1", "x2", "cx"] {
            assert!(
                numbers(&figure.svg, attribute).iter().all(|x| (0.0..=width).contains(x)),
                "{} {attribute}",
                figure.id
            );
        }
        for attribute in ["y", "y1", "y2", "cy"] {
            assert!(
                numbers(&figure.svg, attribute).iter().all(|y| (0.0..=height).contains(y)),
                "{} {attribute}",
                figure.id
            );
        }
        assert!(!figure.svg.contains("NaN") && !figure.svg.contains("inf\""), "{}", figure.id);
        assert!(figure.svg.contains("<title>") && figure.svg.contains("<desc>") && !figure.caption.is_empty());
    }
}

#[test]
fn the_page_takes_every_figure() {
    for figure in of_the_paper().into_iter().chain(with_policies(12, "policy")) {
        let id = figure.id.clone();
        let section = Section { blocks: vec![Block::Figure(figure)], ..Section::default() };
        let page = html::render(&Page { sections: vec![section], ..Page::default() });
        assert!(!page.contains("This figure is not shown"), "{id}");
    }
}

#[test]
fn each_policy_has_its_name_in_each_figure() {
    for figure in with_policies(12, "policy") {
        for n in 0..12 {
            assert!(figure.svg.contains(&format!(">policy-{n}<")), "{} {n}", figure.id);
        }
    }
}

#[test]
fn what_does_not_apply_is_words_and_never_a_bar_or_a_dot() {
    let absent = ("guard".to_owned(), Value::default());
    let figure = bars(&Bars { scope: "s".into(), bars: vec![absent.clone()] });
    assert!(figure.svg.contains(">N/A<") && !figure.svg.contains("class=\"bar"));
    let panel = Panel { title: "t".into(), rows: vec![absent.clone()], ..Panel::default() };
    let figure = panels(&Panels { panels: vec![panel], ..Panels::default() });
    assert!(figure.svg.contains("N/A") && !figure.svg.contains("class=\"mark"));
    let point = Point { policy: "guard".into(), violation: value(0.0, 0.01, "0/9"), spread: Value::default() };
    let figure = scatter(&Scatter { scope: "s".into(), points: vec![point] });
    assert!(figure.svg.contains("N/A: guard") && !figure.svg.contains("class=\"mark"));
    let curve = Curve { policy: "guard".into(), points: vec![(0.0, Value::default())] };
    let panel = CurvePanel { curves: vec![curve], ..CurvePanel::default() };
    let figure = curves(&Curves { scope: "s".into(), panels: vec![panel] });
    assert!(figure.svg.contains("guard N/A") && !figure.svg.contains("class=\"mark"));
}

#[test]
fn a_stack_is_as_long_as_its_whole_and_parted_where_it_is_told() {
    let stack =
        Stack { name: "w".into(), negative: value(0.5, 0.1, "5/10"), preserved: 0.2, positive: Value::default() };
    let svg = stacks(&Stacks { id: "s".into(), scope: "s".into(), stacks: vec![stack] }).svg;
    let width = |class: &str| -> f64 {
        let tail = svg.rsplit(&format!("class=\"{class}\"")).next().unwrap();
        tail.split(" width=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
    };
    // Of 400 pixels; the legend's boxes come before.
    assert_eq!([width("bar p6"), width("bar p4")], [80.0, 120.0]);
    assert!(
        svg.contains(">N/A<") && svg.contains("Ret- 0.500 [0.400, 0.600] 5/10, of which preserved 0.200; Ret+ N/A")
    );
}

#[test]
fn a_number_that_is_none_is_not_drawn() {
    for bad in [f64::NAN, f64::INFINITY] {
        let value = Value { value: Some(bad), low: Some(0.0), high: Some(bad), counts: "1/1".into() };
        let figure = bars(&Bars { scope: "s".into(), bars: vec![("p".into(), value)] });
        assert!(figure.svg.contains(">N/A<"), "{}", figure.svg);
    }
}

#[test]
fn nothing_at_all_is_a_figure_too() {
    let empty = [
        bars(&Bars::default()),
        scatter(&Scatter::default()),
        panels(&Panels::default()),
        curves(&Curves::default()),
        stacks(&Stacks::default()),
        selectivity(&Selectivity::default()),
    ];
    for figure in empty {
        assert!(!figure.svg.contains("NaN") && figure.svg.ends_with("</svg>"), "{}", figure.id);
    }
}

#[test]
fn a_policys_hostile_name_is_text() {
    let name = "</text><script>x</script>";
    let figure = bars(&Bars { scope: name.into(), bars: vec![(name.into(), value(0.5, 0.1, name))] });
    assert!(!figure.svg.contains("<script"), "{}", figure.svg);
}

#[test]
fn the_graph_has_each_event_once_and_tells_data_flow_from_the_rest() {
    let trace = trace("taint-only", false);
    let svg = graph(&trace).svg;
    let tainted = trace.events.iter().filter(|e| e.labels & trace.header.taint_vocabulary != 0).count();
    // One more of each is in the legend.
    assert_eq!(svg.matches("class=\"node taint\"").count(), tainted + 1);
    assert_eq!(svg.matches("class=\"node").count(), trace.events.len() + 3);
    let edges = |flow: bool| {
        let edges = trace.events.iter().flat_map(|e| &e.edges);
        edges.filter(|edge| (edge.kind == weir_trace::EdgeKind::DataFlow) == flow).count()
    };
    assert_eq!(svg.matches("<path class=\"flow").count(), edges(true));
    assert_eq!(
        svg.matches("<path class=\"structural").count() + svg.matches("<path class=\"audit").count(),
        edges(false)
    );
    assert!(svg.contains("block_low_to_high_"), "the rule stands beneath its decision");
}

#[test]
fn no_canary_is_in_a_figure() {
    let (left, right) = (trace("taint-only", false), trace("intent-ledger", true));
    for figure in [graph(&left), parting(Parting { left: &left, right: &right })] {
        assert!(!figure.svg.contains("CANARY-7") && !figure.caption.contains("CANARY-7"), "{}", figure.id);
    }
}

#[test]
fn two_policies_part_at_the_proposal_that_they_answer_differently() {
    let (left, right) = (trace("taint-only", false), trace("intent-ledger", true));
    let svg = parting(Parting { left: &left, right: &right }).svg;
    assert!(svg.contains("The first 7 events are the same in both; calls among them: 1, tainted events: 2"), "{svg}");
    assert!(svg.contains("BLOCK block_low_to_high_privilege_jump") && svg.contains("ALLOW allow_ledger_match"));
    assert!(svg.contains("no commit: authorised work was stopped") && svg.contains("committed: send_mail"));
}

#[test]
fn a_commit_against_the_users_task_is_not_shown_as_good() {
    let (left, mut right) = (trace("taint-only", false), trace("none", true));
    for event in right.events.iter_mut().filter(|e| e.kind == weir_trace::NodeKind::Commit) {
        event.facts |= fact::UNAUTHORIZED | fact::WRONG_RECIPIENT;
    }
    let svg = parting(Parting { left: &left, right: &right }).svg;
    assert!(svg.contains("committed, unauthorised, wrong recipient: send_mail"), "{svg}");
}
