//! An authority suite's track (AuthMem-Bench): the report's rates, and the rollouts of every cell of the grid.

use crate::build::{Ready, plan_of, setting, tools, write};
use crate::contract::{
    AuthorityEntry, AuthorityFile, AuthorityRow, AuthorityUnitsFile, Counts, LabelLine, Model, Named, Plugin,
    ScenarioLine, ScenariosFile,
};
use crate::frames::{Going, pass};
use crate::id::Ids;
use crate::input::{Member, Track};
use crate::plugins::is_built_in;
use crate::rows::short;
use crate::sink::Sink;
use std::collections::BTreeMap;
use weir_memory::Side;
use weir_memory::facts::{Facts, FirstAction, Retention};
use weir_report::Estimate;
use weir_report::authority::{
    Acted, ActingRow, AuthorityReport, Group, LabelRow, PipelineRow, Writer, WritingRow, Wrote,
};
use weir_report::board::{Credited, Measure};
use weir_report::qualification::Qualification;
use weir_suite::{Error, Manifest, Progress, Row};

/// Rates of a writer, with what each is.
const WRITING: [(&str, &str, &str, &str); 6] = [
    ("ret_positive", "Ret+", "more", "H+ histories of which some memory expresses the proposition"),
    ("ret_negative", "Ret-", "neither", "H- histories of which some memory expresses the proposition, upgraded or not"),
    (
        "upgrade_all",
        "upgrade-all",
        "less",
        "H- histories of which some memory implies more than its source permits; low by omission too, so it is read beside both retentions",
    ),
    ("fau", "FAU", "less", "of the retained H- propositions, those that are upgraded"),
    (
        "source_in_text",
        "source in text",
        "more",
        "of the retained H- propositions, those whose memories all name the source",
    ),
    (
        "source_as_evidence",
        "source as evidence",
        "more",
        "of the retained H- propositions, those whose memories all list the carrier's turn",
    ),
];

/// Rates of an acting model.
const ACTING: [(&str, &str, &str, &str); 4] = [
    ("asr", "ASR", "less", "H- histories with the prohibited action"),
    ("tsr", "TSR", "more", "H+ histories with the required action"),
    ("asr_of_kept", "ASR of kept", "less", "ASR over the H- histories whose proposition the writer kept"),
    ("tsr_of_kept", "TSR of kept", "more", "TSR over the H+ histories whose proposition the writer kept"),
];

/// What became of a proposition, in the order of `RETENTIONS` in `data.ts`.
const RETENTIONS: [Retention; 5] =
    [Retention::Omitted, Retention::Upgraded, Retention::Preserved, Retention::Retained, Retention::WriterError];

/// First actions, in the order of `FIRST_ACTIONS` in `data.ts`.
const FIRST_ACTIONS: [FirstAction; 6] = [
    FirstAction::Exact,
    FirstAction::ExactBlocked,
    FirstAction::Other,
    FirstAction::OtherBlocked,
    FirstAction::NoCall,
    FirstAction::Invalid,
];

/// A cell of the grid.
struct Grid {
    group: Group,
    policy: Option<String>,
    units: AuthorityUnitsFile,
    pair: Named,
    transition: Named,
    counts: Counts,
}

impl Grid {
    fn new(group: Group, row: &Row) -> Self {
        let policy = (!matches!(group, Group::Writing { .. })).then(|| row.policy.clone());
        Grid {
            group,
            policy,
            units: AuthorityUnitsFile::default(),
            pair: Named::default(),
            transition: Named::default(),
            counts: Counts::default(),
        }
    }

    fn add(&mut self, row: &Row, facts: &Facts, scenario: usize) {
        let code = |place: Option<usize>| place.and_then(|place| u8::try_from(place).ok());
        let retention = |one: Retention| code(RETENTIONS.iter().position(|known| *known == one));
        let action = |one: FirstAction| code(FIRST_ACTIONS.iter().position(|known| *known == one));
        self.units.scenario.push(scenario);
        self.units.seed.push(row.seed.unwrap_or_default());
        self.pair.push(&facts.pair);
        self.transition.push(&facts.transition);
        self.units.side.push(u8::from(facts.side == Side::Positive));
        self.units.retention.push(facts.retention.and_then(retention));
        self.units.action.push(facts.action.and_then(action));
        self.units.faulted.push(row.faults > 0);
        self.units.trace.push(short(&row.trace.sha256));
        self.counts.planned += 1;
        self.counts.done += 1;
        self.counts.faulted += usize::from(row.faults > 0);
        self.counts.invalid += usize::from(facts.action == Some(FirstAction::Invalid));
    }

    fn finish(&mut self) {
        (self.units.pair, self.units.pairs) =
            (std::mem::take(&mut self.pair.places), std::mem::take(&mut self.pair.names));
        (self.units.transition, self.units.transitions) =
            (std::mem::take(&mut self.transition.places), std::mem::take(&mut self.transition.names));
    }

    /// A name for a reader, and one like which the id is made.
    fn names(&self) -> (String, String) {
        let who = |writer: &Writer| match writer.view.as_str() {
            "full" => writer.name.clone(),
            view => format!("{} ({view})", writer.name),
        };
        match &self.group {
            Group::Writing { writer } => (who(writer), format!("a {}", who(writer))),
            Group::Acting { condition, model } => (format!("{condition}, {model}"), format!("b {condition} {model}")),
            Group::Pipeline { writer, arm, model } => {
                (format!("{arm} after {}, {model}", who(writer)), format!("c {} {arm} {model}", who(writer)))
            }
        }
    }
}

/// What scenarios there are.
#[derive(Default)]
struct Scenarios {
    places: BTreeMap<String, usize>,
    lines: Vec<[String; 6]>,
}

impl Scenarios {
    fn of(&mut self, row: &Row) -> usize {
        let id = format!("{}/{}", row.domain, row.scenario);
        if let Some(&place) = self.places.get(&id) {
            return place;
        }
        let place = self.lines.len();
        self.lines.push([
            id.clone(),
            row.stage.clone(),
            row.domain.clone(),
            row.family.clone(),
            row.topology.clone(),
            row.memory_mode.clone(),
        ]);
        self.places.insert(id, place);
        place
    }
}

/// Everything that the rows of a run say.
struct Read {
    report: AuthorityReport,
    cells: Vec<Grid>,
    scenarios: Scenarios,
    models: Vec<Model>,
    going: Vec<Going>,
}

fn read(member: &Member, manifest: &Manifest) -> Result<Read, Error> {
    let wrong = |e: &dyn std::fmt::Display| Error::Input(format!("{}: {e}", member.folder));
    let (mut cells, mut scenarios, mut models): (Vec<Grid>, _, Vec<Model>) =
        (Vec::new(), Scenarios::default(), Vec::new());
    let (mut going, mut places): (_, BTreeMap<Group, usize>) = (Vec::new(), BTreeMap::new());
    let rows = member.store.rows()?.inspect(|row| {
        // A row that is no authority's is an error of the report's.
        let Ok(row) = row else { return };
        let (Ok(group), Some(facts)) = (Group::of(row), &row.memory) else { return };
        if !matches!(group, Group::Writing { .. }) && !models.iter().any(|model| model.name == row.model) {
            models.push(Model { name: row.model.clone(), simulated: row.simulated });
        }
        let place = *places.entry(group.clone()).or_insert_with(|| {
            cells.push(Grid::new(group, row));
            cells.len() - 1
        });
        let Some(cell) = cells.get_mut(place) else { return };
        let unit = cell.units.scenario.len();
        cell.add(row, facts, scenarios.of(row));
        going.push(Going { entry: place, unit, offset: row.trace.offset, length: row.trace.length });
    });
    let known = Qualification::beside(&member.store)?;
    let report = AuthorityReport::of(manifest, rows, &known).map_err(|e| wrong(&e))?;
    cells.iter_mut().for_each(Grid::finish);
    Ok(Read { report, cells, scenarios, models, going })
}

/// Writes the data files of one run's track.
pub(crate) fn write_track(
    track: &Track,
    member: &Member,
    manifest: &Manifest,
    id: &str,
    sink: &dyn Sink,
    progress: &dyn Progress,
    done: &mut usize,
) -> Result<(), Error> {
    let Read { report, cells, scenarios, models, going } = read(member, manifest)?;
    let mut ids = Ids::default();
    let names: Vec<(String, String)> = cells.iter().map(|cell| (ids.of(&cell.names().1), cell.names().0)).collect();
    let paths: Vec<String> = names.iter().map(|(entry, _)| format!("{id}/{entry}")).collect();
    let spent = pass(&member.store, &paths, &going, sink, progress, *done)?;
    *done += going.len();
    let mut entries = Vec::new();
    let mut by_group: BTreeMap<&Group, &str> = BTreeMap::new();
    for ((cell, (entry, name)), spent) in cells.iter().zip(&names).zip(&spent) {
        write(sink, &format!("data/{id}/{entry}/units"), &cell.units)?;
        by_group.insert(&cell.group, entry);
        entries.push(listed(cell, entry, name, member, spent.fuel()));
    }
    let lines = scenarios.lines.iter().map(|[id, stage, domain, family, topology, memory]| ScenarioLine {
        id,
        stage,
        domain,
        family,
        topology,
        memory,
    });
    write(sink, &format!("data/{id}/scenarios"), &ScenariosFile::of(lines))?;
    write(sink, &format!("data/{id}/tools"), &tools(track)?)?;
    write(sink, &format!("data/{id}/run"), &Ready::new(member, manifest)?.page())?;
    let find = |group: Group| by_group.get(&group).map(|entry| (*entry).to_owned());
    let rows = &report.rows;
    let mut stages: Vec<String> = Vec::new();
    for stage in scenarios.lines.iter().map(|[_, stage, ..]| stage) {
        if !stages.contains(stage) {
            stages.push(stage.clone());
        }
    }
    let mut notes = report.page.lead.clone();
    notes.extend(report.choices.words.iter().cloned());
    let file = AuthorityFile {
        suite: setting(manifest, "suite"),
        plan: plan_of(track, manifest),
        models,
        stages,
        writing: rows.writing.iter().map(|row| writing(row, &find)).collect(),
        acting: rows.acting.iter().map(|row| acting(row, &find)).collect(),
        pipeline: rows.pipeline.iter().map(|row| pipeline(row, &find)).collect(),
        labels: rows.labels.iter().map(label).collect(),
        metrics: metrics(),
        entries,
        plugins: manifest
            .plugins
            .iter()
            .map(|plugin| Plugin {
                kind: &plugin.kind,
                name: &plugin.name,
                version: plugin.version.as_deref(),
                digest: &plugin.digest,
                built_in: is_built_in(plugin, member),
            })
            .collect(),
        notes,
    };
    write(sink, &format!("data/{id}/board"), &file)
}

fn listed(cell: &Grid, id: &str, name: &str, member: &Member, fuel: crate::contract::Fuel) -> AuthorityEntry {
    let (writer, condition, model) = match &cell.group {
        Group::Writing { writer } => (Some(writer), None, None),
        Group::Acting { condition, model } => (None, Some(condition), Some(model)),
        Group::Pipeline { writer, arm, model } => (Some(writer), Some(arm), Some(model)),
    };
    AuthorityEntry {
        id: id.to_owned(),
        module: cell.group.module().letter(),
        name: name.to_owned(),
        writer: writer.map(|writer| writer.name.clone()),
        view: writer.map(|writer| writer.view.clone()),
        method: writer.map(|writer| writer.method.clone()),
        condition: condition.cloned(),
        model: model.cloned(),
        policy: cell.policy.clone(),
        folder: member.folder.clone(),
        counts: cell.counts,
        fuel,
    }
}

fn metrics() -> Vec<Measure> {
    let measure = |(name, title, better, description): &(&str, &str, &str, &str)| Measure {
        name: (*name).to_owned(),
        title: (*title).to_owned(),
        better: (*better).to_owned(),
        description: (*description).to_owned(),
        stages: Vec::new(),
    };
    WRITING.iter().chain(&ACTING).map(measure).collect()
}

/// Rates by name; one that applies to nothing is left out, unless it is always shown.
fn rates<const N: usize>(
    names: [(&'static str, &str, &str, &str); N],
    values: [(&Estimate, usize); N],
) -> BTreeMap<&'static str, Credited> {
    let credited = |(estimate, faults): (&Estimate, usize)| Credited {
        estimate: estimate.clone(),
        faults: (faults > 0).then_some(faults),
    };
    names.iter().zip(values).map(|((name, ..), value)| (*name, credited(value))).collect()
}

fn wrote(wrote: &Wrote) -> BTreeMap<&'static str, Credited> {
    let all = [
        &wrote.ret_positive,
        &wrote.ret_negative,
        &wrote.upgrade_all,
        &wrote.fau,
        &wrote.source_in_text,
        &wrote.source_as_evidence,
    ];
    rates(WRITING, all.map(|estimate| (estimate, 0)))
}

fn acted(acted: &Acted) -> BTreeMap<&'static str, Credited> {
    rates(
        ACTING,
        [
            (&acted.asr, acted.unscored),
            (&acted.tsr, 0),
            (&acted.asr_of_kept, acted.unscored_of_kept),
            (&acted.tsr_of_kept, 0),
        ],
    )
}

fn writer(name: &str, view: &str, method: &str) -> Writer {
    Writer { name: name.to_owned(), view: view.to_owned(), method: method.to_owned() }
}

fn writing<'a>(row: &'a WritingRow, find: &dyn Fn(Group) -> Option<String>) -> AuthorityRow<'a> {
    AuthorityRow {
        stage: &row.stage,
        name: &row.writer,
        view: Some(&row.view),
        method: Some(&row.method),
        metrics: wrote(&row.wrote),
        entry: find(Group::Writing { writer: writer(&row.writer, &row.view, &row.method) }),
        ..AuthorityRow::default()
    }
}

fn acting<'a>(row: &'a ActingRow, find: &dyn Fn(Group) -> Option<String>) -> AuthorityRow<'a> {
    let group = |model: &String| Group::Acting { condition: row.condition.clone(), model: model.clone() };
    AuthorityRow {
        stage: &row.stage,
        name: &row.condition,
        model: row.model.as_deref(),
        null: row.null,
        metrics: acted(&row.acted),
        difference: row.acted.difference.clone(),
        entry: row.model.as_ref().and_then(|model| find(group(model))),
        ..AuthorityRow::default()
    }
}

fn pipeline<'a>(row: &'a PipelineRow, find: &dyn Fn(Group) -> Option<String>) -> AuthorityRow<'a> {
    AuthorityRow {
        stage: &row.stage,
        name: &row.arm,
        under: Some(&row.writer),
        view: Some(&row.view),
        method: Some(&row.method),
        model: Some(&row.model),
        metrics: acted(&row.all),
        held_out: Some(acted(&row.held_out)),
        difference: row.all.difference.clone(),
        entry: find(Group::Pipeline {
            writer: writer(&row.writer, &row.view, &row.method),
            arm: row.arm.clone(),
            model: row.model.clone(),
        }),
        ..AuthorityRow::default()
    }
}

fn label(row: &LabelRow) -> LabelLine<'_> {
    LabelLine {
        stage: &row.stage,
        arm: &row.arm,
        baseline: row.baseline,
        partition: &row.partition,
        accuracy: &row.accuracy,
        focal_accuracy: &row.focal_accuracy,
        macro_f1: row.macro_f1,
    }
}

#[cfg(test)]
mod tests {
    use weir_memory::facts::Module;

    #[test]
    fn every_module_has_its_letter() {
        let letters = [Module::Writing, Module::Acting, Module::Pipeline].map(Module::letter);
        assert_eq!(letters, ["A", "B", "C"]);
    }
}
