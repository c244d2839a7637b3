//! Table 5: Module C, from the source history to the action.

use super::acting::{RATES, rates};
use super::{INTERVALS, method, of};
use crate::authority::gather::Writer;
use crate::authority::rates::Acted;
use crate::authority::study::{Chosen, Over, Study};
use crate::page::Table;
use crate::tables::head;
use serde::Serialize;
use weir_memory::facts::Module;

/// A writer with an arm and an acting model.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PipelineRow {
    /// Evidence stage.
    pub stage: String,
    /// The writer.
    pub writer: String,
    /// `full` or `native`.
    pub view: String,
    /// `rules` or `model`.
    pub method: String,
    /// The arm.
    pub arm: String,
    /// The acting model.
    pub model: String,
    /// No language model was asked.
    pub simulated: bool,
    /// Over all pairs.
    pub all: Acted,
    /// Over those of the held-out bases.
    pub held_out: Acted,
}

/// Every writer with every arm and model that the stage has.
pub(crate) fn rows(study: &Study) -> Vec<(Writer, PipelineRow)> {
    let run = study.run;
    let mut rows = Vec::new();
    for writer in run.writers(Module::Pipeline) {
        for arm in run.arms() {
            for model in run.models(Module::Pipeline) {
                if !study.has_piped(&writer, &arm, &model) {
                    continue;
                }
                let over = |over: Over| study.piped(&writer, &arm, &model, over).finish(study.resamples);
                let row = PipelineRow {
                    stage: study.stage.to_owned(),
                    writer: writer.name.clone(),
                    view: writer.view.clone(),
                    method: writer.method.clone(),
                    arm: arm.clone(),
                    simulated: run.is_simulated(&model),
                    all: over(Over::ALL),
                    held_out: over(Over::HELD_OUT),
                    model: model.clone(),
                };
                rows.push((writer.clone(), row));
            }
        }
    }
    rows
}

/// Columns that only some runs need.
struct Extra {
    blocked: bool,
    faults: bool,
    errors: bool,
}

impl Extra {
    fn of<'a>(rows: impl Iterator<Item = &'a PipelineRow>) -> Self {
        let mut extra = Extra { blocked: false, faults: false, errors: false };
        for row in rows {
            extra.blocked |= row.all.blocked.any();
            extra.faults |= row.all.faults.any();
            extra.errors |= row.all.errors.any();
        }
        extra
    }

    fn head(&self) -> Vec<String> {
        let heads = [
            (self.blocked, "Exact calls blocked (H-, H+)"),
            (self.faults, "Policy faults (H-, H+)"),
            (self.errors, "Writer errors (H-, H+)"),
        ];
        heads.into_iter().filter(|(has, _)| *has).map(|(_, head)| head.to_owned()).collect()
    }

    fn cells(&self, acted: &Acted) -> Vec<String> {
        let cells = [(self.blocked, acted.blocked), (self.faults, acted.faults), (self.errors, acted.errors)];
        cells.into_iter().filter(|(has, _)| *has).map(|(_, sides)| sides.cell()).collect()
    }

    fn notes(&self) -> Vec<String> {
        let notes = [
            (self.blocked, "Exact calls blocked: the model made the exact call and the policy stopped it."),
            (
                self.faults || self.errors,
                "Policy faults and writer errors: histories that ended in one stay in the denominators. They are no safety, so ASR is a range: if the attack took place in none of them, and if in all.",
            ),
        ];
        notes.into_iter().filter(|(has, _)| *has).map(|(_, note)| note.to_owned()).collect()
    }
}

/// Table 5: the chosen writer and model, arm by arm.
pub(crate) fn table(study: &Study, rows: &[(Writer, PipelineRow)], chosen: &Chosen) -> Table {
    let of_chosen = |(writer, row): &&(Writer, PipelineRow)| {
        chosen.writer.as_ref() == Some(writer) && chosen.model.as_ref() == Some(&row.model)
    };
    let rows: Vec<&PipelineRow> = rows.iter().filter(of_chosen).map(|(_, row)| row).collect();
    let extra = Extra::of(rows.iter().copied());
    let mut columns = head(&[
        "Arm",
        "ASR",
        "TSR",
        "TSR - ASR",
        "ASR, held out",
        "TSR, held out",
        "ASR of the retained",
        "TSR of the retained",
        "Retained H-",
        "Retained H+",
    ]);
    columns.extend(extra.head());
    let line = |row: &&PipelineRow| {
        let mark = if chosen.predictor.as_ref() == Some(&row.arm) { " (chosen)" } else { "" };
        let (all, held_out) = (&row.all, &row.held_out);
        let mut cells = vec![
            format!("{}{mark}", row.arm),
            all.asr_cell(),
            all.tsr.cell(),
            all.difference_cell(),
            held_out.asr_cell(),
            held_out.tsr.cell(),
            all.asr_of_kept_cell(),
            all.tsr_of_kept.cell(),
            of(all.kept.negative, all.judged.negative),
            of(all.kept.positive, all.judged.positive),
        ];
        cells.extend(extra.cells(all));
        cells
    };
    let model = chosen.model.as_ref().map(|model| study.run.model_name(model)).unwrap_or_default();
    let writer = chosen.writer.as_ref().map(|w| format!("{} ({} view, {})", w.name, w.view, method(w)));
    let mut notes = vec![
        format!(
            "Writer: {}. Acting model: {model}. Every pair stays in the denominators: what the writer omits lowers TSR, and ASR too.",
            writer.unwrap_or_default()
        ),
        "Of the retained: among the histories whose focal proposition the writer kept.".into(),
        INTERVALS.into(),
    ];
    notes.extend(extra.notes());
    Table {
        head: columns,
        rows: rows.iter().map(line).collect(),
        notes,
        ..super::table(study, "5", "from the history to the action (Module C)")
    }
}

/// Every writer, arm and model.
pub(crate) fn everything(study: &Study, rows: &[(Writer, PipelineRow)]) -> Table {
    let extra = Extra::of(rows.iter().map(|(_, row)| row));
    let mut columns = head(&[
        "Writer",
        "View",
        "Arm",
        "Acting model",
        "ASR",
        "TSR",
        "TSR - ASR",
        "ASR of the retained",
        "Retained H-",
        "Retained H+",
    ]);
    columns.extend(extra.head());
    let line = |(_, row): &(Writer, PipelineRow)| {
        let all = &row.all;
        let mut cells = vec![
            row.writer.clone(),
            row.view.clone(),
            row.arm.clone(),
            study.run.model_name(&row.model),
            all.asr_cell(),
            all.tsr.cell(),
            all.difference_cell(),
            all.asr_of_kept_cell(),
            of(all.kept.negative, all.judged.negative),
            of(all.kept.positive, all.judged.positive),
        ];
        cells.extend(extra.cells(all));
        cells
    };
    let mut notes = vec![INTERVALS.to_owned()];
    notes.extend(extra.notes());
    Table {
        head: columns,
        rows: rows.iter().map(line).collect(),
        notes,
        ..super::table(study, "5 all", "every writer, arm and acting model (Module C)")
    }
}

/// The chosen writer and model, by transition, in counts.
pub(crate) fn by_transition(study: &Study, rows: &[(Writer, PipelineRow)], chosen: &Chosen) -> Table {
    let transitions = study.transitions();
    let mut columns = head(&["Arm"]);
    columns.extend(transitions.iter().cloned());
    let of_chosen = |(writer, row): &&(Writer, PipelineRow)| {
        chosen.writer.as_ref() == Some(writer) && chosen.model.as_ref() == Some(&row.model)
    };
    let line = |(writer, row): &(Writer, PipelineRow)| {
        let mut cells = vec![row.arm.clone()];
        cells.extend(transitions.iter().map(|code| {
            rates(&study.piped(writer, &row.arm, &row.model, Over { transition: Some(code), ..Over::ALL }))
        }));
        cells
    };
    Table {
        head: columns,
        rows: rows.iter().filter(of_chosen).map(line).collect(),
        notes: vec![RATES.into()],
        ..super::table(study, "5 by transition", "ASR and TSR by transition (Module C)")
    }
}
