use super::*;
use crate::collect::Collected;
use crate::ledger::judge::judge;
use crate::ledger::published::Number;
use crate::testing::{Synthetic, Unit};
use std::collections::BTreeSet;
use weir_stats::Resamples;

const SEVEN: [&str; 7] =
    ["none", "prompt-only", "structured-guard", "tool-boundary", "taint-only", "intent-ledger", "rollback"];

fn run(harm: impl Fn(&Unit) -> bool) -> Collected {
    Synthetic::new(&SEVEN, &["security"], 12, 5).collect(|unit| {
        let harm = f64::from(harm(unit));
        vec![("committed_harm", Some(harm)), ("wrong_recipient_rate", Some(harm)), ("secret_leakage", Some(0.0))]
    })
}

fn entry(run: &Collected, line: &str) -> Entry {
    let mut library = Library::load().unwrap();
    let parsed: Library =
        toml::from_str(&format!("numbers = [ {{ id = 'x', table = 't', row = 'r', column = 'c', {line} }} ]")).unwrap();
    library.numbers = parsed.numbers;
    let resamples = Resamples::default();
    let view = View::new(run, 0, 0, &resamples);
    judge(&view, &library, library.numbers.first().unwrap())
}

const VIOLATION: &str = "ours = { mean = { policy = 'none', metric = 'committed_harm', stage = 'security' } }";

#[test]
fn the_published_numbers_can_be_read_and_each_has_one_name_and_a_shape_that_exists() {
    let library = Library::load().unwrap();
    let mut ids = BTreeSet::new();
    for Number { id, shape, .. } in &library.numbers {
        assert!(ids.insert(id), "{id} twice");
        assert!(shape.as_deref().is_none_or(|shape| library.shape(shape).is_some()), "{id}: no shape {shape:?}");
    }
    assert!(library.numbers.len() > 300);
    let used: BTreeSet<&str> = library.numbers.iter().filter_map(|number| number.shape.as_deref()).collect();
    for shape in &library.shapes {
        assert!(used.contains(shape.id.as_str()), "no number takes part in {}", shape.id);
    }
}

#[test]
fn every_identity_among_published_numbers_holds_to_the_last_digit() {
    let run = run(|_| false);
    let resamples = Resamples::default();
    let entries = judged(&View::new(&run, 0, 0, &resamples));
    let identities: Vec<_> = entries.iter().filter(|entry| entry.table.starts_with("Identities")).collect();
    assert_eq!(identities.len(), 28);
    for entry in identities {
        assert_eq!(entry.verdict, Verdict::ReproducedExactly, "{} {}: {}", entry.row, entry.published, entry.ours);
    }
}

#[test]
fn no_cell_is_empty_whatever_the_run_has() {
    let run = run(|unit| unit.policy == "none" && unit.scenario < 4);
    let resamples = Resamples::default();
    for entry in judged(&View::new(&run, 0, 0, &resamples)) {
        assert!(!entry.ours.is_empty() && !entry.because.is_empty() && !entry.published.is_empty(), "{entry:?}");
    }
}

#[test]
fn an_identity_that_does_not_hold_is_not_called_reproduced() {
    let found =
        entry(&run(|_| false), "value = '0.3355', exact = true, ours = { quotient = { of = 322.0, over = 960.0 } }");
    assert_eq!((found.verdict, found.ours.as_str()), (Verdict::Differs, "0.3354"));
}

#[test]
fn a_value_within_our_interval_is_so_and_one_outside_falls_back_on_its_shape() {
    let third = run(|unit| matches!(unit.policy, "none" | "prompt-only") && unit.scenario < 4);
    assert_eq!(entry(&third, &format!("value = '0.3354', {VIOLATION}")).verdict, Verdict::WithinInterval);
    let all = run(|unit| matches!(unit.policy, "none" | "prompt-only"));
    let found = entry(&all, &format!("value = '0.3354', shape = 'security-zero', {VIOLATION}"));
    assert_eq!(found.verdict, Verdict::ShapeOnly, "{}", found.because);
    let through = run(|unit| unit.policy != "rollback");
    let found = entry(&through, &format!("value = '0.3354', shape = 'security-zero', {VIOLATION}"));
    assert_eq!(found.verdict, Verdict::Differs);
    assert!(found.because.contains("not zero: 1.0000, 1.0000"), "{}", found.because);
}

#[test]
fn a_calibrated_number_is_never_called_reproduced() {
    let third = run(|unit| unit.policy == "none" && unit.scenario < 4);
    assert_eq!(
        entry(&third, &format!("value = '0.3333', calibrated = true, {VIOLATION}")).verdict,
        Verdict::Calibrated
    );
}

#[test]
fn a_number_that_does_not_follow_from_its_definition_has_the_nearest_reading_beside_it() {
    let third = run(|unit| unit.policy == "none" && unit.scenario < 4);
    let leak = "{ mean = { policy = 'none', metric = 'secret_leakage', stage = 'security' } }";
    let harm = "{ mean = { policy = 'none', metric = 'committed_harm', stage = 'security' } }";
    let found = entry(
        &third,
        &format!("value = '0.3', undefined = 'why', readings = [['a', {leak}], ['b', {harm}]], {VIOLATION}"),
    );
    assert_eq!(found.verdict, Verdict::CannotBeReproduced);
    assert_eq!(found.because, "why; nearest of our readings: b, 0.3333");
}

#[test]
fn an_interval_is_judged_by_its_side_of_zero() {
    let third = run(|unit| unit.policy == "none" && unit.scenario < 4);
    let delta =
        "ours = { delta-interval = { a = 'none', b = 'rollback', metric = 'committed_harm', stage = 'security' } }";
    assert_eq!(entry(&third, &format!("value = '[-0.1167, -0.0250]', {delta}")).verdict, Verdict::ShapeOnly);
    assert_eq!(entry(&third, &format!("value = '[-0.1, 0.1]', {delta}")).verdict, Verdict::Differs);
}

#[test]
fn a_stage_that_the_run_lacks_is_said_and_not_guessed() {
    let found = entry(
        &run(|_| false),
        "value = '0.2708', ours = { mean = { policy = 'none', metric = 'committed_harm', stage = 'stress' } }",
    );
    assert_eq!((found.verdict, found.ours.as_str()), (Verdict::NotInThisRun, "N/A"));
}

#[test]
fn a_suite_of_somebodys_own_has_no_ledger() {
    let other = Synthetic::new(&["none"], &["security"], 2, 1).collect(|_| vec![]);
    let resamples = Resamples::default();
    assert!(entries(&View::new(&other, 0, 0, &resamples)).is_empty());
}
