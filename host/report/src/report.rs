//! A live run's report: the page, and what a script reads.

use crate::cases;
use crate::collect::{CollectError, Collected};
use crate::gallery;
use crate::ledger::{self, Demanded, Entry};
use crate::names;
use crate::own::{self, Own};
use crate::page::{Block, Figure, Page, Section, Table};
use crate::qualification::{Qualification, refusal};
use crate::stage_table::{self, StageRow};
use crate::tables::{
    accounting, controls, divergence, interface, ledger_errors, losses, outcomes, paired, roles, seeds, slug, spread,
    writers,
};
use crate::view::{Scope, View};
use serde::Serialize;
use weir_stats::Resamples;
use weir_suite::noise::Noise;
use weir_suite::{Manifest, Row};
use weir_trace::Trace;

/// A live run's report.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// For people.
    pub page: Page,
    /// Every metric by condition, stage, model and policy.
    pub rows: Vec<StageRow>,
    /// The published numbers beside ours.
    pub ledger: Vec<Entry>,
    /// What must hold of a full-scale run, and whether it does.
    pub demands: Vec<Demanded>,
    /// What the author of a policy wants to know first, of policies that were given as files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub own: Vec<Own>,
    /// Models on which no policies are compared.
    #[serde(skip)]
    without: Vec<String>,
    /// What a terminal shows.
    #[serde(skip)]
    pub summary: Page,
}

/// What stands beside a run's rows.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// What is known of real models.
    pub qualifications: Vec<Qualification>,
    /// What repeating some rollouts showed.
    pub noise: Option<Noise>,
}

/// Sections that compare policies.
const COMPARING: [&str; 4] = ["roles", "finding-1", "finding-2", "finding-3"];

impl Report {
    /// Builds it from a run's rows.
    ///
    /// # Errors
    /// Rows that cannot be aggregated: see [`Collected::of`].
    pub fn of<E: std::fmt::Display>(
        manifest: &Manifest,
        rows: impl IntoIterator<Item = Result<Row, E>>,
        beside: &Beside,
    ) -> Result<Self, CollectError> {
        Ok(Self::from(manifest, &Collected::of(manifest, rows)?, beside))
    }

    /// Adds what only traces can show: figures 1 and 2 and the case studies, each chosen by rule, and first of all what the
    /// author of a policy asks. `folder` is the run's folder as a reader would name it; `rows` gives the run's rows, from
    /// the first one on each time, and `trace` reads a row's trace.
    ///
    /// # Errors
    /// The first error of the rows or of `trace`.
    pub fn add_traces<E, R: IntoIterator<Item = Result<Row, E>>>(
        &mut self,
        manifest: &Manifest,
        folder: &str,
        mut rows: impl FnMut() -> Result<R, E>,
        mut trace: impl FnMut(&Row) -> Result<Trace, E>,
    ) -> Result<(), E> {
        let chosen = cases::select(rows()?, &mut trace)?;
        let graph = chosen.graph().map(&mut trace).transpose()?;
        let repair = match chosen.repair() {
            Some((left, right)) => Some((trace(left)?, trace(right)?)),
            None => None,
        };
        let pictures = gallery::of_traces(graph.as_ref(), repair.as_ref().map(|(left, right)| (left, right)));
        let studies = cases::section(folder, &chosen, &mut trace)?;
        // Definitions come last.
        let end = self.page.sections.len().saturating_sub(1);
        self.page.sections.splice(end..end, pictures.into_iter().chain([studies]));
        self.own = own::gather(manifest, &self.without, rows()?, &mut trace)?;
        self.page.sections.splice(0..0, self.own.iter().map(|own| own::section(folder, own)));
        Ok(())
    }

    /// Builds it from a collected run.
    #[must_use]
    pub fn from(manifest: &Manifest, run: &Collected, beside: &Beside) -> Self {
        let resamples = Resamples::default();
        let refused: Vec<Option<String>> =
            run.models.iter().map(|model| refusal(manifest, model, &beside.qualifications)).collect();
        let named = run.models.iter().zip(&refused).filter(|(_, refused)| refused.is_some());
        let without = named.map(|(model, _)| model.name.clone()).collect();
        let mut notes = stage_table::notes(run);
        notes.extend(refused.iter().flatten().cloned());
        notes.extend(beside.noise.as_ref().map(noise_floor));
        let (mut rows, mut overview) = (Vec::new(), Vec::new());
        let (mut sections, mut entries, mut demands) = (Vec::new(), Vec::new(), Vec::new());
        let mut kept = Vec::new();
        for model in 0..run.models.len() {
            for condition in 0..run.conditions.len() {
                let view = View::new(run, condition, model, &resamples);
                rows.extend(stage_table::rows(&view));
                // Conditions other than the first have tables of their own.
                if condition > 0 {
                    continue;
                }
                overview.extend(stage_table::tables(&view).into_iter().map(Block::Table));
                let compares = refused.get(model).is_none_or(Option::is_none);
                if compares {
                    entries.extend(ledger::entries(&view));
                    demands.extend(ledger::demands(&view));
                }
                let mut parts = of_model(&view, compares, run.models.len() > 1);
                for (id, figure) in gallery::of_view(&view) {
                    place(&mut parts, id, figure, run.models.len() > 1);
                }
                sections.extend(parts);
            }
            let blocks = gallery::errors(run, model, &resamples)
                .map(Block::Figure)
                .into_iter()
                .chain(ledger_errors::tables(run, model, &resamples).into_iter().map(Block::Table));
            let memories = writers::blocks(run, model, &resamples);
            // What is kept, and what is to be seen in it.
            kept.extend(memories.iter().take(2).cloned());
            let mut more: Vec<Section> =
                section("ledger-errors", "Wrong ledgers and wrong confirmations", blocks).into_iter().collect();
            more.extend(section("memory-writers", "Memory writers between sessions", memories));
            if run.models.len() > 1 {
                name_model(&View::new(run, 0, model, &resamples), &mut more);
            }
            sections.extend(more);
        }
        let mut shown = overview.clone();
        shown.extend(kept);
        shown.extend((!entries.is_empty()).then(|| Block::Text(ledger::counts(&entries, &demands))));
        let first = Section { id: "overview".into(), title: "Every stage".into(), blocks: overview };
        let accounts = [accounting::table_3(run), accounting::composition(run)].map(Block::Table);
        let mut page = Page { title: title(manifest), lead: notes.clone(), sections: vec![first] };
        page.sections.extend(section("rows", "What was run", accounts));
        page.sections.extend(sections);
        page.sections.extend(ledger::section(&entries, &demands));
        page.sections.extend(section(
            "definitions",
            "Metrics and plugins",
            [Block::Table(roles::table_23(run)), Block::Table(plugins(manifest))],
        ));
        let summary = Page {
            title: page.title.clone(),
            lead: notes,
            sections: vec![Section { id: "overview".into(), title: String::new(), blocks: shown }],
        };
        Report { page, rows, ledger: entries, demands, own: Vec::new(), without, summary }
    }
}

/// Puts a figure at the beginning of a model's section. Where there are several models, identifiers carry their names.
fn place(sections: &mut [Section], id: &str, mut figure: Figure, several: bool) {
    let prefix = format!("{id}-");
    let named = |section: &&mut Section| section.id == id || several && section.id.starts_with(&prefix);
    if let Some(section) = sections.iter_mut().find(named) {
        if let Some(model) = section.id.strip_prefix(&prefix).filter(|_| several) {
            figure.id = format!("{}-{model}", figure.id);
        }
        section.blocks.insert(0, Block::Figure(figure));
    }
}

/// A section; none without blocks.
pub(crate) fn section(id: &str, title: &str, blocks: impl IntoIterator<Item = Block>) -> Option<Section> {
    let blocks: Vec<Block> = blocks.into_iter().collect();
    (!blocks.is_empty()).then(|| Section { id: id.into(), title: title.into(), blocks })
}

/// The paper's tables for one model. Where there are several, identifiers carry the model's name.
fn of_model(view: &View, compares: bool, several: bool) -> Vec<Section> {
    let tables = |tables: Vec<Option<Table>>| tables.into_iter().flatten().map(Block::Table).collect::<Vec<_>>();
    let security = if view.covers(Scope::Stage(names::SECURITY)) { "Security stage" } else { "Policy-aware stress" };
    let parts = [
        ("roles", "What each metric can be used for", tables(vec![Some(roles::table_6(view))])),
        ("security", security, tables(vec![outcomes::table_9(view), outcomes::table_17(view)])),
        (
            "finding-1",
            "Finding 1: what equal endpoints conceal",
            tables(vec![divergence::table_10(view), outcomes::table_11(view), outcomes::readings(view)]),
        ),
        (
            "finding-2",
            "Finding 2: what is repaired, and at what cost",
            tables(vec![paired::table_12(view), losses::table(view), paired::table_25(view)]),
        ),
        (
            "finding-3",
            "Finding 3: spread depends on stage and denominator",
            tables(vec![spread::table_13(view), spread::table_14(view)]),
        ),
        ("memory", "Memory and recovery", tables(vec![outcomes::table_15(view)])),
        ("controls", "Positive controls", controls::blocks(view)),
        (
            "interface",
            "The model at the interface, and its seeds",
            tables(vec![Some(interface::table_22(view)), Some(interface::table_24(view)), seeds::table_26(view)]),
        ),
    ];
    let shown = parts.into_iter().filter(|(id, ..)| compares || !COMPARING.contains(id));
    let mut sections: Vec<Section> = shown.filter_map(|(id, title, blocks)| section(id, title, blocks)).collect();
    if several {
        name_model(view, &mut sections);
    }
    sections
}

/// Puts the model's name into titles and identifiers.
fn name_model(view: &View, sections: &mut [Section]) {
    let model = view.run.models.get(view.model).map(|model| slug(&model.name)).unwrap_or_default();
    for section in sections {
        section.id = format!("{}-{model}", section.id);
        section.title = format!("{}: {}", section.title, view.model_name());
        for block in &mut section.blocks {
            if let Block::Table(table) = block {
                table.id = format!("{}-{model}", table.id);
            }
        }
    }
}

/// What repeating some rollouts showed, in words.
fn noise_floor(noise: &Noise) -> String {
    let each = noise.verdicts.iter().map(|(name, [applies, flips])| format!("{name} {flips}/{applies}"));
    format!(
        "Noise floor: of {} rollouts that were asked anew under the same seeds, {} had another verdict ({}).",
        noise.repeated,
        noise.flipped,
        each.collect::<Vec<_>>().join(", ")
    )
}

/// The page's title.
pub(crate) fn title(manifest: &Manifest) -> String {
    let setting = |name: &str| manifest.settings.get(name).and_then(|value| value.as_str()).unwrap_or_default();
    format!("{}: {}", setting("suite"), setting("title"))
}

/// The plugins that took part.
pub(crate) fn plugins(manifest: &Manifest) -> Table {
    let rows = manifest.plugins.iter().map(|plugin| {
        let digest = plugin.digest.get(..12).unwrap_or(&plugin.digest).to_owned();
        vec![plugin.kind.clone(), plugin.name.clone(), plugin.version.clone().unwrap_or_else(|| "N/A".into()), digest]
    });
    Table {
        id: "plugins".into(),
        title: "Plugins".into(),
        head: crate::tables::head(&["Kind", "Name", "Version", "SHA-256, first 12"]),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
