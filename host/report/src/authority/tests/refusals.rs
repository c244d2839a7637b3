//! Rows of which no table is made: a unit that is missing, there twice, or of another run.

use super::*;

#[test]
fn a_missing_history_refuses_aggregation_and_is_named() {
    let mut rows = everything();
    let at = rows.iter().position(|row| {
        let facts = row.memory.as_ref().unwrap();
        row.model == "sim:b"
            && row.condition == "W/G"
            && facts.pair == "b2/S2D"
            && facts.action == Some(FirstAction::Exact)
    });
    rows.remove(at.unwrap());
    let error = with(&manifest(&rows), rows).unwrap_err().to_string();
    assert_eq!(
        error.lines().next().unwrap(),
        "a unit is missing: Module B, condition `W/G`, model `sim:b`, stage `authority`, pair `retail/b2/S2D`, H+, seed 1"
    );
}

#[test]
fn a_row_that_is_there_twice_is_named_and_so_is_a_plan_that_is_not_done() {
    let mut rows = World::small().writing("minimal", wrote);
    rows.push(rows[3].clone());
    let error = with(&manifest(&rows), rows.clone()).unwrap_err().to_string();
    assert_eq!(
        error,
        "a unit is there twice: Module A, writer `minimal, full view, rules`, stage `authority`, pair `airline/b0/S2D`, H+, seed 1"
    );
    let whole = manifest(&rows);
    rows.truncate(5);
    let error = with(&whole, rows).unwrap_err();
    assert_eq!(error, GatherError::Incomplete { rows: 5, units: 17 });
}

#[test]
fn a_seed_that_one_cell_lacks_is_missed() {
    let world = World { seeds: 2, ..World::small() };
    let mut rows = world.acting("W/N", "sim:a", |_| FirstAction::NoCall);
    rows.extend(World::small().acting("W/N", "sim:b", |_| FirstAction::NoCall));
    let error = with(&manifest(&rows), rows).unwrap_err().to_string();
    assert!(error.contains("model `sim:b`") && error.contains("H-, seed 2"), "{error}");
}

#[test]
fn a_row_of_another_kind_of_run_is_refused() {
    let mut rows = World::small().writing("minimal", wrote);
    rows[0].memory = None;
    assert!(matches!(with(&manifest(&rows), rows), Err(GatherError::Lacks { what: "memory", .. })));
    let mut rows = World::small().writing("minimal", wrote);
    rows[0].memory.as_mut().unwrap().retention = None;
    assert!(matches!(with(&manifest(&rows), rows), Err(GatherError::Lacks { what: "retention", .. })));
    let mut rows = World::small().writing("minimal", wrote);
    rows[0].memory.as_mut().unwrap().partition = weir_memory::Partition::Main;
    assert!(matches!(with(&manifest(&rows), rows), Err(GatherError::Contradiction { .. })));
}
