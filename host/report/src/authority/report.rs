//! An authority run's report: the page, and what a script reads.

use super::error::GatherError;
use super::figures;
use super::gather::{Gathered, Writer};
use super::ledger::{self, Run};
use super::names::STAGE;
use super::study::{Chosen, Study, choose};
use super::tables::acting::ActingRow;
use super::tables::labels::LabelRow;
use super::tables::pipeline::PipelineRow;
use super::tables::writing::WritingRow;
use super::tables::{accounting, acting, labels, pipeline, transitions, writing};
use crate::collect::Model;
use crate::ledger::{Demanded, Entry};
use crate::page::{Block, Figure, Page, Section, Table};
use crate::qualification::{Qualification, refusal};
use crate::report::{plugins, section, title};
use crate::tables::{head, slug};
use serde::Serialize;
use std::fmt;
use weir_memory::facts::Module;
use weir_stats::Resamples;
use weir_suite::{Manifest, Row};

/// An authority run's report.
#[derive(Clone, Debug, Serialize)]
pub struct AuthorityReport {
    /// For people.
    pub page: Page,
    /// Every rate of the tables.
    pub rows: Rows,
    /// What the validation partition chose.
    pub choices: Choices,
    /// The published numbers beside ours.
    pub ledger: Vec<Entry>,
    /// What must hold of a full run, and whether it does.
    pub demands: Vec<Demanded>,
    /// What a terminal shows.
    #[serde(skip)]
    pub summary: Page,
}

/// Every rate, by module.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rows {
    /// Module A.
    pub writing: Vec<WritingRow>,
    /// Module B.
    pub acting: Vec<ActingRow>,
    /// Module C.
    pub pipeline: Vec<PipelineRow>,
    /// Labels against gold.
    pub labels: Vec<LabelRow>,
}

/// What the validation partition chose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choices {
    /// The pipeline's writer.
    pub writer: Option<String>,
    /// The predictor's arm.
    pub predictor: Option<String>,
    /// The acting model.
    pub model: Option<String>,
    /// How, a sentence each.
    pub words: Vec<String>,
}

/// What a stage's tables are made of.
struct Found {
    writing: Vec<(Writer, WritingRow)>,
    acting: Vec<ActingRow>,
    pipeline: Vec<(Writer, PipelineRow)>,
    labels: Vec<LabelRow>,
}

impl Found {
    fn of(study: &Study, chosen: &Chosen) -> Self {
        let has = |module| study.has(module);
        Found {
            writing: if has(Module::Writing) { writing::rows(study) } else { Vec::new() },
            acting: if has(Module::Acting) { acting::rows(study) } else { Vec::new() },
            pipeline: pipeline::rows(study),
            labels: chosen.writer.as_ref().map(|writer| labels::rows(study, writer)).unwrap_or_default(),
        }
    }

    fn add_to(self, rows: &mut Rows) {
        rows.writing.extend(self.writing.into_iter().map(|(_, row)| row));
        rows.acting.extend(self.acting);
        rows.pipeline.extend(self.pipeline.into_iter().map(|(_, row)| row));
        rows.labels.extend(self.labels);
    }
}

impl AuthorityReport {
    /// Builds it from a run's rows, which are read once and not kept. `known` are verdicts on real acting models: where one
    /// lacks a verdict that policies may be compared on it, nothing is judged against the paper, and the report says why.
    ///
    /// # Errors
    /// Rows that cannot be aggregated: one that cannot be read or is of another kind of run, a unit that the grid has and the
    /// run has not, and one that is there twice.
    pub fn of<E: fmt::Display>(
        manifest: &Manifest,
        rows: impl IntoIterator<Item = Result<Row, E>>,
        known: &[Qualification],
    ) -> Result<Self, GatherError> {
        let run = Gathered::of(manifest, rows)?;
        let resamples = Resamples::default();
        let stages = run.stages();
        let studies: Vec<Study> = stages.iter().map(|stage| Study::new(&run, stage, &resamples)).collect();
        let chosen = studies.first().map(choose).unwrap_or_default();
        let refusals: Vec<String> = run
            .all_models()
            .filter_map(|name| {
                let model = Model { name: name.to_owned(), simulated: run.is_simulated(name) };
                refusal(manifest, &model, known)
            })
            .collect();
        let mut page = Page { title: title(manifest), lead: lead(&run), sections: Vec::new() };
        page.lead.extend(refusals.iter().cloned());
        let (mut entries, mut demands, mut all) = (Vec::new(), Vec::new(), Rows::default());
        let mut shown: Vec<Block> = Vec::new();
        for (place, study) in studies.iter().enumerate() {
            let found = Found::of(study, &chosen);
            if place == 0 {
                let tables = [accounting::table(&run), transitions::table(study)].map(Block::Table);
                page.sections.extend(section("rows", "What was run", tables));
                page.sections.extend(modules(study, &found, &chosen));
                let run = Run { study, chosen: &chosen };
                if refusals.is_empty() {
                    entries = ledger::entries(&run);
                    demands = ledger::demands(&run);
                }
                shown.extend(short(study, &found, &chosen).into_iter().map(Block::Table));
            } else {
                page.sections.extend(apart(study, &found, &chosen));
            }
            found.add_to(&mut all);
        }
        shown.extend(ledger::summary(&entries, &demands).map(Block::Text));
        page.sections.extend(ledger::section(&entries, &demands));
        page.sections.extend(section("definitions", "Plugins", [Block::Table(plugins(manifest))]));
        let summary = Page {
            title: page.title.clone(),
            lead: page.lead.clone(),
            sections: vec![Section { id: "overview".into(), title: String::new(), blocks: shown }],
        };
        let choices = Choices {
            writer: chosen.writer.as_ref().map(|writer| writer.name.clone()),
            predictor: chosen.predictor.clone(),
            model: chosen.model.clone(),
            words: chosen.words.clone(),
        };
        Ok(AuthorityReport { page, rows: all, choices, ledger: entries, demands, summary })
    }
}

/// What a reader must know first.
fn lead(run: &Gathered) -> Vec<String> {
    let mut lead = Vec::new();
    let simulated: Vec<&str> = run.all_models().filter(|model| run.is_simulated(model)).collect();
    if !simulated.is_empty() {
        lead.push(format!(
            "{} {} simulated: no language model was asked. The numbers test the harness, the writers and the policies, not a model.",
            simulated.join(", "),
            if simulated.len() == 1 { "is" } else { "are" }
        ));
    }
    let writers = [Module::Writing, Module::Pipeline].into_iter().flat_map(|module| run.writers(module));
    if writers.into_iter().any(|writer| writer.method == "rules") {
        lead.push("Writers write by rules: an emulation of each objective's selection, format and updates, not the memory system of that name.".into());
    }
    let others: Vec<String> = run.stages().into_iter().filter(|stage| stage != STAGE).collect();
    if others.len() < run.stages().len() && !others.is_empty() {
        lead.push(format!(
            "The paper's pairs (stage {STAGE}) and the further ones ({}) are never pooled: the latter have sections of their own.",
            others.join(", ")
        ));
    }
    lead
}

fn tables(tables: impl IntoIterator<Item = Table>) -> Vec<Block> {
    tables.into_iter().map(Block::Table).collect()
}

fn drawn(figures: impl IntoIterator<Item = Figure>) -> Vec<Block> {
    figures.into_iter().map(Block::Figure).collect()
}

/// Module A's blocks; none where the stage has no such rows.
fn written(study: &Study, found: &Found) -> Vec<Block> {
    let rows = &found.writing;
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = drawn(figures::writing(study, rows));
    blocks.extend(tables([writing::table(study, rows), writing::by_transition(study, rows)]));
    blocks.extend(tables(writing::agreement(study, rows)));
    blocks
}

/// Module B's blocks.
fn acted(study: &Study, found: &Found) -> Vec<Block> {
    let rows = &found.acting;
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = drawn(figures::acting(study, rows));
    blocks.push(Block::Table(acting::table(study, rows)));
    blocks.extend(tables(acting::fired(study)));
    blocks.push(Block::Table(acting::by_transition(study, rows)));
    blocks
}

/// The labels' blocks.
fn labelled(study: &Study, found: &Found, chosen: &Chosen) -> Vec<Block> {
    let Some(writer) = chosen.writer.as_ref().filter(|_| !found.labels.is_empty()) else { return Vec::new() };
    tables([labels::table(study, writer, &found.labels, chosen), labels::by_label(study, &found.labels)])
}

/// Module C's blocks.
fn piped(study: &Study, found: &Found, chosen: &Chosen) -> Vec<Block> {
    let rows = &found.pipeline;
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = drawn(figures::pipeline(study, rows, chosen));
    blocks.extend(tables([
        pipeline::table(study, rows, chosen),
        pipeline::by_transition(study, rows, chosen),
        pipeline::everything(study, rows),
    ]));
    blocks
}

/// The paper's pairs: a section a module.
fn modules(study: &Study, found: &Found, chosen: &Chosen) -> Vec<Section> {
    let words = chosen.words.iter().map(|words| Block::Text(words.clone())).collect();
    let parts = [
        ("writing", "Module A: what writers keep", written(study, found)),
        ("acting", "Module B: what agents do with a memory", acted(study, found)),
        ("choices", "What the validation partition chooses", words),
        ("labels", "What labels are worth", labelled(study, found, chosen)),
        ("pipeline", "Module C: from the history to the action", piped(study, found, chosen)),
    ];
    parts.into_iter().filter_map(|(id, title, blocks)| section(id, title, blocks)).collect()
}

/// Another stage: everything in one section of its own.
fn apart(study: &Study, found: &Found, chosen: &Chosen) -> Option<Section> {
    let mut blocks = vec![
        Block::Text(format!(
            "The pairs of stage {} are beyond the paper's and in none of its numbers. Predictor and acting model are those that the paper's validation partition chose.",
            study.stage
        )),
        Block::Table(transitions::table(study)),
    ];
    for more in
        [written(study, found), acted(study, found), labelled(study, found, chosen), piped(study, found, chosen)]
    {
        blocks.extend(more);
    }
    section(&format!("stage-{}", slug(study.stage)), &format!("Beyond the paper: {}", study.stage), blocks)
}

/// The few numbers that a terminal shows: one small table a module.
fn short(study: &Study, found: &Found, chosen: &Chosen) -> Vec<Table> {
    let mut all = Vec::new();
    if !found.writing.is_empty() {
        let line = |(_, row): &(Writer, WritingRow)| {
            let wrote = &row.wrote;
            let name = if row.view == "full" { row.writer.clone() } else { format!("{} ({})", row.writer, row.view) };
            vec![name, wrote.ret_negative.cell(), wrote.ret_positive.cell(), wrote.upgrade_all.cell()]
        };
        all.push(Table {
            id: "short-writing".into(),
            title: "Module A: what writers keep".into(),
            head: head(&["Writer", "Ret-", "Ret+", "Upgrade-all"]),
            rows: found.writing.iter().map(line).collect(),
            notes: Vec::new(),
        });
    }
    if !found.acting.is_empty() {
        all.push(conditions(study, found));
    }
    let of_chosen = |(writer, row): &&(Writer, PipelineRow)| {
        chosen.writer.as_ref() == Some(writer) && chosen.model.as_ref() == Some(&row.model)
    };
    let line = |(_, row): &(Writer, PipelineRow)| {
        let mark = if chosen.predictor.as_ref() == Some(&row.arm) { " (chosen)" } else { "" };
        vec![format!("{}{mark}", row.arm), row.all.asr_cell(), row.all.tsr.cell()]
    };
    let rows: Vec<Vec<String>> = found.pipeline.iter().filter(of_chosen).map(line).collect();
    if let (Some(writer), Some(model)) = (chosen.writer.as_ref().filter(|_| !rows.is_empty()), &chosen.model) {
        all.push(Table {
            id: "short-pipeline".into(),
            title: format!("Module C: {} with {}", writer.name, study.run.model_name(model)),
            head: head(&["Arm", "ASR", "TSR"]),
            rows,
            notes: Vec::new(),
        });
    }
    all
}

/// Module B in short: a column a model.
fn conditions(study: &Study, found: &Found) -> Table {
    let models = study.run.models(Module::Acting);
    let cell = |condition: &String, model: &String| {
        let is = |row: &&ActingRow| row.condition == *condition && row.model.as_ref() == Some(model);
        let rate = |value: Option<f64>| value.map_or_else(|| "N/A".to_owned(), |value| format!("{value:.3}"));
        found.acting.iter().find(is).map_or_else(
            || "N/A".to_owned(),
            |row| {
                let star = if row.acted.unscored > 0 { "*" } else { "" };
                format!("{}{star}, {}", rate(row.acted.asr.value), rate(row.acted.tsr.value))
            },
        )
    };
    let mut columns = head(&["Condition"]);
    columns.extend(models.iter().map(|model| study.run.model_name(model)));
    let line = |condition: String| {
        let cells: Vec<String> = models.iter().map(|model| cell(&condition, model)).collect();
        std::iter::once(condition).chain(cells).collect()
    };
    let failed = found.acting.iter().any(|row| row.acted.unscored > 0);
    let mut notes = vec![acting::null(study, &found.acting)];
    notes.extend(failed.then(|| "A star: a policy failed in some histories, so that ASR is a lower bound.".to_owned()));
    Table {
        id: "short-acting".into(),
        title: "Module B: ASR, TSR".into(),
        head: columns,
        rows: study.run.conditions().into_iter().map(line).collect(),
        notes,
    }
}
