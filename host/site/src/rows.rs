//! One pass over the rows of a containment track's runs: into the report's columns, and into those of the site.

use crate::contract::{Counts, Coverage, UnitsFile};
use crate::frames::Going;
use crate::input::{Submission, Track};
use std::collections::BTreeMap;
use weir_report::collect::{CollectError, Collected, Collecting};
use weir_report::{Outcome, has_invalid_action};
use weir_suite::{Error, Manifest, Row};

/// Hex digits of a trace's digest that the site keeps.
const DIGITS: usize = 16;

/// A trace's digest, cut.
pub(crate) fn short(digest: &str) -> String {
    digest.get(..DIGITS).unwrap_or(digest).to_owned()
}

/// One policy under one condition.
#[derive(Default)]
pub(crate) struct Column {
    /// The name that its run gave it.
    pub(crate) policy: String,
    /// Place of its run.
    pub(crate) member: usize,
    pub(crate) units: UnitsFile,
    /// Values of each metric, unit by unit.
    pub(crate) values: BTreeMap<String, Vec<Option<f64>>>,
    /// By stage.
    pub(crate) coverage: Vec<Coverage>,
}

impl Column {
    fn add(&mut self, row: &Row, [scenario, model]: [usize; 2]) {
        let at = self.units.scenario.len();
        self.units.scenario.push(scenario);
        self.units.model.push(model);
        self.units.seed.push(row.seed.unwrap_or_default());
        let outcome = Outcome::of(row);
        self.units.outcome.push(Outcome::ALL.iter().position(|one| *one == outcome).unwrap_or_default());
        self.units.trace.push(short(&row.trace.sha256));
        if !row.lost.is_empty() {
            self.units.lost.insert(at, row.lost.clone());
        }
        for (metric, measured) in row.measurements.iter().filter(|(_, measured)| measured.value.is_some()) {
            let values = self.values.entry(metric.clone()).or_default();
            values.resize(at, None);
            values.push(measured.value);
        }
        let place = self.coverage.iter().position(|one| one.stage == row.stage).unwrap_or_else(|| {
            self.coverage.push(Coverage { stage: row.stage.clone(), counts: Counts::default() });
            self.coverage.len() - 1
        });
        if let Some(Coverage { counts, .. }) = self.coverage.get_mut(place) {
            counts.planned += 1;
            counts.done += 1;
            counts.faulted += usize::from(row.faults > 0);
            counts.invalid += usize::from(has_invalid_action(row));
        }
    }

    fn finish(&mut self) {
        let units = self.units.scenario.len();
        self.values.values_mut().for_each(|values| values.resize(units, None));
    }

    pub(crate) fn counts(&self) -> Counts {
        self.coverage.iter().fold(Counts::default(), |sum, one| Counts {
            planned: sum.planned + one.counts.planned,
            done: sum.done + one.counts.done,
            faulted: sum.faulted + one.counts.faulted,
            invalid: sum.invalid + one.counts.invalid,
        })
    }
}

/// A track's runs, read.
pub(crate) struct Rows {
    /// What the report's numbers follow from.
    pub(crate) collected: Collected,
    /// By condition and policy, in the order of [`Collected`].
    pub(crate) columns: Vec<Vec<Column>>,
    /// For each run, where its rows go: place of the condition, and the rest with the place of the policy.
    going: Vec<Vec<(usize, Going)>>,
}

/// Places of names in the order in which they come, as in [`Collected`].
#[derive(Default)]
struct Places(BTreeMap<String, usize>);

impl Places {
    fn of(&mut self, name: &str) -> usize {
        if let Some(&place) = self.0.get(name) {
            return place;
        }
        let place = self.0.len();
        self.0.insert(name.to_owned(), place);
        place
    }
}

/// Where names of all kinds stand.
#[derive(Default)]
struct Known {
    conditions: Places,
    policies: Places,
    models: Places,
    scenarios: Places,
}

impl Rows {
    /// Reads the rows of a track's runs.
    pub(crate) fn read(track: &Track, manifests: &[Manifest]) -> Result<Self, Error> {
        let mut rows = Vec::new();
        let mut columns: Vec<Vec<Column>> = Vec::new();
        let mut known = Known::default();
        let mut collecting: Option<Collecting> = None;
        for (at, (member, manifest)) in track.members.iter().zip(manifests).enumerate() {
            let wrong = |e: CollectError| Error::Input(format!("{}: {e}", member.folder));
            let into = match &mut collecting {
                Some(known) => {
                    known.also(manifest).map_err(wrong)?;
                    known
                }
                None => collecting.insert(Collecting::new(manifest)),
            };
            // In a report a name is one policy: another run's of the same name has its entry's id beside it.
            let mut names: BTreeMap<String, String> = BTreeMap::new();
            let mut going = Vec::new();
            for row in member.store.rows()? {
                let mut row = row?;
                let policy = row.policy.clone();
                row.policy = match names.get(&policy) {
                    Some(name) => name.clone(),
                    None => {
                        let name = free_name(&known.policies, &policy, member.submission.as_ref());
                        names.insert(policy.clone(), name.clone());
                        name
                    }
                };
                into.add(&row).map_err(wrong)?;
                let condition = known.conditions.of(&row.condition);
                let entry = known.policies.of(&row.policy);
                let model = known.models.of(&format!("{}\n{}", row.model, row.simulated));
                let scenario = known.scenarios.of(&row.cluster);
                let column = column(&mut columns, condition, entry);
                (column.policy, column.member) = (policy, at);
                let unit = column.units.scenario.len();
                column.add(&row, [scenario, model]);
                going.push((condition, Going { entry, unit, offset: row.trace.offset, length: row.trace.length }));
            }
            rows.push(going);
        }
        let collected = collecting
            .ok_or_else(|| Error::Input(format!("track `{}` has no entry", track.title)))?
            .finish()
            .map_err(|e| Error::Input(format!("{}: {e}", of(track))))?;
        columns.iter_mut().flatten().for_each(Column::finish);
        Ok(Rows { collected, columns, going: rows })
    }

    /// Where the rows of each run go, with the places of entries among all conditions and policies in their order.
    pub(crate) fn going(&mut self) -> Vec<Vec<Going>> {
        let policies = self.collected.policies.len();
        let flat = |(condition, going): (usize, Going)| Going { entry: condition * policies + going.entry, ..going };
        std::mem::take(&mut self.going).into_iter().map(|rows| rows.into_iter().map(flat).collect()).collect()
    }
}

/// Whose fault an error of the whole track is: the run, where there is but one.
fn of(track: &Track) -> String {
    match track.members.as_slice() {
        [only] => only.folder.clone(),
        _ => format!("track `{}`", track.title),
    }
}

fn free_name(known: &Places, policy: &str, submission: Option<&Submission>) -> String {
    let taken = |name: &str| known.0.contains_key(name);
    if !taken(policy) {
        return policy.to_owned();
    }
    let id = submission.map_or("another run", |submission| submission.id.as_str());
    let mut name = format!("{policy} ({id})");
    while taken(&name) {
        name.push('*');
    }
    name
}

fn column(columns: &mut Vec<Vec<Column>>, condition: usize, policy: usize) -> &mut Column {
    fn grown<T: Default>(all: &mut Vec<T>, place: usize) -> &mut T {
        while all.len() <= place {
            all.push(T::default());
        }
        // The loop made it.
        #[allow(clippy::indexing_slicing)]
        &mut all[place]
    }
    grown(grown(columns, condition), policy)
}
