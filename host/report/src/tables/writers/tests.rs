use super::*;
use crate::testing::{Synthetic, Unit, manifest};

/// Two writers: one keeps labels, so that taint-only stops the goal and the work; the other loses them.
fn run(label: impl Fn(&str) -> Option<f64>) -> Collected {
    let shape = Synthetic {
        conditions: ["correct", "memory by graph", "memory by notes"].map(str::to_owned).to_vec(),
        ..Synthetic::new(&["none", "taint-only"], &["carried-over"], 6, 2)
    };
    let mut rows = shape.rows(|unit: &Unit| {
        let remembered = unit.condition != "correct";
        let stopped = unit.policy == "taint-only" && unit.condition == "memory by graph";
        vec![
            ("committed_harm", Some(0.0)),
            ("target_path_success", Some(f64::from(remembered && !stopped))),
            ("benign_completion", Some(f64::from(!stopped))),
        ]
    });
    for row in &mut rows {
        let Some(writer) = row.condition.strip_prefix("memory by ") else { continue };
        row.written = Some(3);
        if let Some(share) = label(writer) {
            let value = serde_json::from_value(serde_json::json!([share, share, 1.0])).unwrap();
            row.measurements.insert("label_survival".into(), value);
        }
    }
    Collected::of(&manifest(rows.len()), rows.into_iter().map(Ok::<_, String>)).unwrap()
}

fn printed(run: &Collected) -> (Vec<Table>, Vec<String>) {
    let (mut tables, mut texts) = (Vec::new(), Vec::new());
    for block in blocks(run, 0, &Resamples::default()) {
        match block {
            Block::Table(table) => tables.push(table),
            Block::Text(text) => texts.push(text),
            other => panic!("{other:?}"),
        }
    }
    (tables, texts)
}

#[test]
fn a_writers_row_has_its_memories_and_the_share_of_labels_that_survived() {
    let (tables, _) = printed(&run(|writer| Some(f64::from(writer == "graph"))));
    let rows: Vec<[&str; 3]> = tables[0].rows.iter().map(|row| [&*row[0], &*row[1], &*row[2]]).collect();
    assert_eq!(rows, [["graph", "3.0000  36/12", "12"], ["notes", "3.0000  36/12", "12"]]);
    assert!(tables[0].rows[0][3].starts_with("1.0000") && tables[0].rows[1][3].starts_with("0.0000"));
    assert_eq!(tables[0].rows[0][4], "N/A");
}

#[test]
fn costs_stand_beside_the_run_without_a_writer_and_a_silent_control_is_said() {
    let (tables, texts) = printed(&run(|writer| Some(f64::from(writer == "graph"))));
    let goal = tables.iter().find(|table| table.id.ends_with("target-path-success-carried-over")).unwrap();
    assert_eq!(goal.rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), ["no writer", "graph", "notes"]);
    assert!(goal.rows[0][1].starts_with("0.0000") && goal.rows[0][2].starts_with("not discriminative"));
    assert!(goal.rows[1][2].starts_with("0.0000") && goal.rows[2][2].starts_with("1.0000"));
    assert!(!tables.iter().any(|table| table.id.contains("committed-harm")), "no writer changes it");
    assert!(texts[1].ends_with("differ: committed harm (carried-over)."), "{}", texts[1]);
    assert!(texts[0].ends_with("It stops less where labels were lost."), "{}", texts[0]);
    assert!(texts[0].contains("labels (graph): the goal in 0.0000 of rollouts (0/12), the work in 0.0000 (0/12)"));
    assert!(!tables.iter().any(|table| table.id.contains("recovery")), "it applies nowhere");
}

#[test]
fn nothing_is_said_of_lost_labels_where_none_was_kept() {
    let (_, texts) = printed(&run(|writer| (writer == "notes").then_some(0.0)));
    assert!(texts[0].contains("keep nothing tainted (graph)"), "{}", texts[0]);
    assert!(texts[0].ends_with("nothing can be said of lost labels."), "{}", texts[0]);
}

#[test]
fn a_run_without_writers_has_no_such_section() {
    let run = Synthetic::new(&["none"], &["security"], 2, 1).collect(|_| vec![("committed_harm", Some(0.0))]);
    assert_eq!(blocks(&run, 0, &Resamples::default()), []);
}
