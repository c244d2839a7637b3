//! Which rows there are. A run that lacks one of its grid is refused before.

use crate::authority::gather::{Gathered, Group};
use crate::page::Table;
use crate::tables::head;
use std::collections::BTreeSet;
use weir_memory::facts::{Module, Retention};

/// Rows by module and stage.
pub(crate) fn table(run: &Gathered) -> Table {
    let mut rows = Vec::new();
    for (module, what) in [
        (Module::Writing, "A: writing"),
        (Module::Acting, "B: acting on a given memory"),
        (Module::Pipeline, "C: from the history to the action"),
    ] {
        for stage in run.stages() {
            rows.extend(line(run, module, what, &stage));
        }
    }
    rows.push(vec!["All".into(), "all".into(), String::new(), String::new(), String::new(), run.rows.to_string()]);
    if let Some(last) = rows.last_mut() {
        last.extend([total(run, writer_error), total(run, |cell| cell.faulted)].map(|count| count.to_string()));
    }
    Table {
        id: "rows".into(),
        title: "Rows by module".into(),
        head: head(&["Module", "Stage", "Pairs", "Cells", "Seeds", "Rows", "Writer errors", "Policy faults"]),
        rows,
        notes: vec![
            "Rows are counted one by one. A cell is a writer in a view, a condition with a model, or a writer with an arm and a model; each has every history of its stage under every seed.".into(),
            "Writer errors and policy faults are rows that ended in one. No omission and no safety is made of them.".into(),
        ],
    }
}

fn writer_error(cell: &crate::authority::gather::Cell) -> bool {
    cell.retention == Some(Retention::WriterError)
}

fn total(run: &Gathered, is: fn(&crate::authority::gather::Cell) -> bool) -> usize {
    run.groups().flat_map(|(_, cells)| cells).filter(|cell| is(cell)).count()
}

fn line(run: &Gathered, module: Module, what: &str, stage: &str) -> Option<Vec<String>> {
    let (mut cells, mut rows, mut errors, mut faults) = (0_usize, 0_usize, 0_usize, 0_usize);
    let (mut pairs, mut seeds) = (BTreeSet::new(), BTreeSet::new());
    for (_, found) in run.groups().filter(|(group, _): &(&Group, _)| group.module() == module) {
        let before = rows;
        for cell in found.iter().filter(|cell| run.at(cell).is_some_and(|pair| pair.stage == stage)) {
            rows += 1;
            errors += usize::from(writer_error(cell));
            faults += usize::from(cell.faulted);
            pairs.insert(cell.pair);
            seeds.insert(cell.seed);
        }
        cells += usize::from(rows > before);
    }
    let counts = [pairs.len(), cells, seeds.len(), rows, errors, faults];
    let line = [what.to_owned(), stage.to_owned()].into_iter().chain(counts.map(|count| count.to_string()));
    (rows > 0).then(|| line.collect())
}
