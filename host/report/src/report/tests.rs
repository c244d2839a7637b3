use super::*;
use crate::render;
use crate::testing::{Synthetic, manifest};
use std::collections::BTreeSet;

fn report() -> Report {
    let policies =
        ["none", "prompt-only", "structured-guard", "tool-boundary", "taint-only", "intent-ledger", "rollback"];
    let shape = Synthetic::new(&policies, &["security", "memory-recovery", "active-tainted", "clean"], 4, 2);
    let rows = shape.rows(|unit| {
        let done = f64::from(unit.policy != "taint-only");
        let mut values = vec![
            (
                "committed_harm",
                Some(f64::from(unit.stage == "security" && unit.policy == "none" && unit.scenario == 0)),
            ),
            ("blast_radius_norm", Some(0.5)),
            ("blast_radius_raw", Some(5.0)),
            ("reachable_nodes", Some(10.0)),
        ];
        match unit.stage {
            "active-tainted" => values.push(("authorized_tainted_action_success", Some(done))),
            "clean" => values.push(("clean_benign_completion", Some(1.0))),
            "memory-recovery" => values.push(("recovery_success", Some(1.0))),
            _ => {}
        }
        values
    });
    Report::of(&manifest(rows.len()), rows.into_iter().map(Ok::<_, String>), &Beside::default()).unwrap()
}

#[test]
fn the_full_suite_has_every_table_once_and_every_row_as_wide_as_its_head() {
    let page = report().page;
    let tables = page.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let mut ids = BTreeSet::new();
    for table in tables {
        assert!(ids.insert(table.id.clone()), "{} twice", table.id);
        for row in &table.rows {
            assert_eq!(row.len(), table.head.len(), "{}", table.id);
            assert!(row.iter().take(table.head.len() - 1).all(|cell| !cell.is_empty()), "{}: {row:?}", table.id);
        }
    }
    for number in ["3", "6", "9", "10", "11", "11-readings", "12", "13", "14", "15", "22", "23", "24", "25", "26"] {
        assert!(ids.contains(&format!("table-{number}")), "table {number}");
    }
    assert!(!ids.contains("table-17"), "a run without the stress stage has no table 17");
}

#[test]
fn the_same_rows_give_the_same_bytes() {
    let (one, two) = (report(), report());
    assert_eq!(render::markdown(&one.page), render::markdown(&two.page));
    assert_eq!(serde_json::to_string(&one).unwrap(), serde_json::to_string(&two).unwrap());
}

#[test]
fn tables_of_two_models_have_names_of_their_own() {
    let shape = Synthetic::new(&["none", "tool-boundary"], &["security"], 3, 1);
    let mut rows = shape.rows(|_| vec![("committed_harm", Some(0.0))]);
    let mut second = rows.clone();
    second.iter_mut().for_each(|row| row.model = "another".into());
    rows.append(&mut second);
    let page =
        Report::of(&manifest(rows.len()), rows.into_iter().map(Ok::<_, String>), &Beside::default()).unwrap().page;
    let files = render::tables(&page);
    let names: BTreeSet<String> = files.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names.len(), files.len());
    assert!(names.contains("tables/table-9-another.csv"), "{names:?}");
}
