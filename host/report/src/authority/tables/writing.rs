//! Table 2: Module A, what writers keep and what they make of it.

use super::{INTERVALS, method, of};
use crate::authority::gather::Writer;
use crate::authority::rates::Wrote;
use crate::authority::study::{Over, Study};
use crate::page::Table;
use crate::tables::{NOT_APPLICABLE, head};
use serde::Serialize;
use weir_memory::facts::Module;
use weir_memory::judge::Outcome;
use weir_memory::judge::agreement::Agreement;

/// A writer in a view.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WritingRow {
    /// Evidence stage.
    pub stage: String,
    /// The writer.
    pub writer: String,
    /// `full` or `native`.
    pub view: String,
    /// `rules` or `model`.
    pub method: String,
    /// What it wrote.
    #[serde(flatten)]
    pub wrote: Wrote,
}

/// Every writer of the stage.
pub(crate) fn rows(study: &Study) -> Vec<(Writer, WritingRow)> {
    let writers = study.run.writers(Module::Writing);
    let row = |writer: Writer| {
        let row = WritingRow {
            stage: study.stage.to_owned(),
            writer: writer.name.clone(),
            view: writer.view.clone(),
            method: writer.method.clone(),
            wrote: study.wrote(&writer, Over::ALL).finish(study.resamples),
        };
        (writer, row)
    };
    writers.into_iter().map(row).collect()
}

/// Table 2. Upgrade-all is low by omission too, so it never stands without both retentions.
pub(crate) fn table(study: &Study, rows: &[(Writer, WritingRow)]) -> Table {
    let errors = rows.iter().any(|(_, row)| row.wrote.errors.any());
    let mut columns = head(&[
        "Writer",
        "View",
        "Written by",
        "Omitted",
        "Preserved",
        "Upgraded",
        "Ret-",
        "Ret+",
        "Upgrade-all",
        "FAU",
        "Source in text",
        "Source as evidence",
    ]);
    columns.extend(errors.then(|| "Writer errors (H-, H+)".to_owned()));
    let line = |(writer, row): &(Writer, WritingRow)| {
        let wrote = &row.wrote;
        let judged = wrote.judged();
        let mut cells = vec![
            row.writer.clone(),
            row.view.clone(),
            method(writer),
            of(wrote.omitted, judged),
            of(wrote.preserved, judged),
            of(wrote.upgraded, judged),
            wrote.ret_negative.cell(),
            wrote.ret_positive.cell(),
            wrote.upgrade_all.cell(),
            wrote.fau.cell(),
            wrote.source_in_text.cell(),
            wrote.source_as_evidence.cell(),
        ];
        cells.extend(errors.then(|| wrote.errors.cell()));
        cells
    };
    let mut notes = vec![
        "On H-: omitted, preserved and upgraded; Ret- = (preserved + upgraded) / H-, Upgrade-all = upgraded / H-, FAU = upgraded / (preserved + upgraded). Ret+ = retained / H+. Upgrade-all is low by omission too: read it beside both retentions.".into(),
        "Source in text, source as evidence: label survival among the retained propositions of H-, that is every memory that expresses one names its source in words, or lists the turn that carries it.".into(),
        INTERVALS.into(),
    ];
    notes.extend(errors.then(|| {
        "Writer errors: histories whose writer failed. They are in no denominator: an error is no omission.".into()
    }));
    Table {
        head: columns,
        rows: rows.iter().map(line).collect(),
        notes,
        ..super::table(study, "2", "what writers keep, and what they make of it (Module A)")
    }
}

/// The same, transition by transition, in counts.
pub(crate) fn by_transition(study: &Study, rows: &[(Writer, WritingRow)]) -> Table {
    let transitions = study.transitions();
    let line = |(writer, row): &(Writer, WritingRow)| {
        let mut cells = vec![row.writer.clone(), row.view.clone()];
        cells.extend(transitions.iter().map(|code| {
            let wrote = study.wrote(writer, Over { transition: Some(code), ..Over::ALL });
            let kept = wrote.preserved + wrote.upgraded;
            match kept + wrote.omitted {
                0 => NOT_APPLICABLE.to_owned(),
                judged => format!("{}/{kept} of {judged}", wrote.upgraded),
            }
        }));
        cells
    };
    let mut columns = head(&["Writer", "View"]);
    columns.extend(transitions.iter().cloned());
    Table {
        head: columns,
        rows: rows.iter().map(line).collect(),
        notes: vec![
            "Upgraded / retained, of the H- histories that were judged. A zero without retention says that nothing was kept, not that authority was."
                .into(),
        ],
        ..super::table(study, "2 by transition", "upgraded and retained propositions, by transition (Module A)")
    }
}

/// How far a model judges as the rules do, writer by writer; none where no model was asked.
pub(crate) fn agreement(study: &Study, rows: &[(Writer, WritingRow)]) -> Option<Table> {
    let line = |(writer, row): &(Writer, WritingRow)| {
        let words = study.words(writer);
        let none = words.iter().filter(|(_, model)| model.is_none()).count();
        let agreement = Agreement::of(words.iter().filter_map(|(rules, model)| Some((*rules, (*model)?))));
        let agreed = agreement.agreed();
        let both = |rules, model| words.iter().filter(|word| **word == (rules, Some(model))).count().to_string();
        let cells = vec![
            row.writer.clone(),
            row.view.clone(),
            method(writer),
            of(agreed.count, agreed.of),
            agreement.kappa().map_or_else(|| NOT_APPLICABLE.to_owned(), |kappa| format!("{kappa:.3}")),
            both(Outcome::Upgraded, Outcome::Preserved),
            both(Outcome::Preserved, Outcome::Upgraded),
            format!("{none}/{}", words.len()),
        ];
        (!words.is_empty()).then_some(cells)
    };
    let rows: Vec<Vec<String>> = rows.iter().filter_map(line).collect();
    (!rows.is_empty()).then(|| Table {
        head: head(&[
            "Writer",
            "View",
            "Written by",
            "Same outcome",
            "Cohen's kappa",
            "Upgraded by the rules, preserved by the model",
            "Preserved by the rules, upgraded by the model",
            "No judgement",
        ]),
        rows,
        notes: vec![
            "Of all histories of both sides, those on which the model's answer was a judgement. Every rate of Module A is made of the rules' judgement alone; this says how far a model in the role memory-judge would have judged the same.".into(),
        ],
        ..super::table(study, "2 by judge", "how far a model judges as the rules do (Module A)")
    })
}
