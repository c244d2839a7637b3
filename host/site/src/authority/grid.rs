//! One pass over the rows of an authority run: the report's rates, and the rollouts of every cell of the grid.

use crate::contract::{AuthorityUnitsFile, Counts, Model, Named};
use crate::frames::Going;
use crate::input::Member;
use crate::rows::short;
use std::collections::BTreeMap;
use weir_memory::Side;
use weir_memory::facts::{Facts, FirstAction, Retention};
use weir_report::authority::{AuthorityReport, Group, Writer};
use weir_report::qualification::Qualification;
use weir_suite::{Error, Manifest, Row};

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
pub(super) struct Grid {
    pub(super) group: Group,
    pub(super) policy: Option<String>,
    pub(super) units: AuthorityUnitsFile,
    pair: Named,
    transition: Named,
    pub(super) counts: Counts,
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
    pub(super) fn names(&self) -> (String, String) {
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
pub(super) struct Scenarios {
    places: BTreeMap<String, usize>,
    pub(super) lines: Vec<[String; 6]>,
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
pub(super) struct Read {
    pub(super) report: AuthorityReport,
    pub(super) cells: Vec<Grid>,
    pub(super) scenarios: Scenarios,
    pub(super) models: Vec<Model>,
    pub(super) going: Vec<Going>,
}

pub(super) fn read(member: &Member, manifest: &Manifest) -> Result<Read, Error> {
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
