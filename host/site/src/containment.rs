//! A containment suite's track: the report's estimates, and every entry's page, units and traces.

use crate::build::{Ready, plan_of, write};
use crate::contract::{BoardFile, Entry, EntryPage, Model, PairsFile, ScenarioLine, ScenariosFile};
use crate::frames::{Spent, pass};
use crate::id::Ids;
use crate::input::{Badge, Member, Track};
use crate::plugins::is_built_in;
use crate::rows::{Column, Rows};
use crate::sink::Sink;
use weir_report::board::{Board, is_baseline};
use weir_report::qualification::Qualification;
use weir_suite::manifest::PluginEntry;
use weir_suite::{Error, Manifest, Progress};

/// A track on its way.
pub(crate) struct Containment<'a> {
    track: &'a Track,
    manifests: &'a [Manifest],
    rows: Rows,
    qualifications: Vec<Qualification>,
}

impl<'a> Containment<'a> {
    /// Reads the track's rows.
    pub(crate) fn read(track: &'a Track, manifests: &'a [Manifest]) -> Result<Self, Error> {
        let mut qualifications = Vec::new();
        for member in &track.members {
            qualifications.extend(Qualification::beside(&member.store)?);
        }
        Ok(Containment { track, manifests, rows: Rows::read(track, manifests)?, qualifications })
    }

    /// Conditions under which the runs were made; each is a track of the site.
    pub(crate) fn conditions(&self) -> &[String] {
        &self.rows.collected.conditions
    }

    /// Writes the data files; each condition has a track of its own, with the id of its place.
    pub(crate) fn write(
        mut self,
        ids: &[String],
        sink: &dyn Sink,
        progress: &dyn Progress,
        done: &mut usize,
    ) -> Result<(), Error> {
        let entries = self.entry_ids();
        let names: Vec<String> =
            ids.iter().flat_map(|id| entries.iter().map(move |entry| format!("{id}/{entry}"))).collect();
        let mut spent: Vec<Vec<Spent>> = Vec::new();
        let going = self.rows.going();
        for (member, going) in self.track.members.iter().zip(&going) {
            spent.push(pass(&member.store, &names, going, sink, progress, *done)?);
            *done += going.len();
        }
        let tools = crate::build::tools(self.track)?;
        for (condition, id) in ids.iter().enumerate() {
            write(sink, &format!("data/{id}/tools"), &tools)?;
            self.write_condition(condition, id, &entries, &spent, sink)?;
        }
        Ok(())
    }

    fn write_condition(
        &self,
        condition: usize,
        id: &str,
        entries: &[String],
        spent: &[Vec<Spent>],
        sink: &dyn Sink,
    ) -> Result<(), Error> {
        let run = &self.rows.collected;
        let first = self.manifests.first().ok_or_else(|| Error::Input("a track without a run".into()))?;
        let board = Board::new(run, condition, first, &self.qualifications);
        let columns = self.rows.columns.get(condition).map(Vec::as_slice).unwrap_or_default();
        let nothing = Spent::default();
        let mut listed = Vec::new();
        for (place, (column, entry)) in columns.iter().zip(entries).enumerate() {
            let of_member = spent.get(column.member).and_then(|all| all.get(condition * entries.len() + place));
            let ready = self.ready(column)?;
            let spent = of_member.unwrap_or(&nothing);
            let at = |file: &str| format!("data/{id}/{entry}/{file}");
            write(sink, &at("units"), &column.units)?;
            write(sink, &at("values"), &column.values)?;
            write(sink, &at("entry"), &page(&ready, column, spent))?;
            let name = run.policies.get(place).cloned().unwrap_or_default();
            listed.push(self.entry(entry, name, &ready, column, spent));
        }
        let scenarios = run.scenarios.iter().map(|scenario| ScenarioLine {
            id: &scenario.key,
            stage: &scenario.stage,
            domain: &scenario.domain,
            family: &scenario.family,
            topology: &scenario.topology,
            memory: &scenario.memory_mode,
        });
        write(sink, &format!("data/{id}/scenarios"), &ScenariosFile::of(scenarios))?;
        write(sink, &format!("data/{id}/pairs"), &PairsFile { pairs: board.pairs() })?;
        let file = BoardFile {
            suite: crate::build::setting(first, "suite"),
            plan: plan_of(self.track, first),
            models: run
                .models
                .iter()
                .map(|model| Model { name: model.name.clone(), simulated: model.simulated })
                .collect(),
            domains: board.domains(),
            stages: board.stages(),
            metrics: board.metrics(),
            axes: board.axes(),
            entries: listed,
            cells: board.cells(),
            notes: board.notes(),
        };
        write(sink, &format!("data/{id}/board"), &file)
    }

    /// An id for each policy, of the submission's or of its name.
    fn entry_ids(&self) -> Vec<String> {
        let mut ids = Ids::default();
        let columns = self.rows.columns.first().map(Vec::as_slice).unwrap_or_default();
        let member = |column: &Column| self.track.members.get(column.member);
        let alone = |column: &Column| columns.iter().filter(|other| other.member == column.member).count() == 1;
        columns
            .iter()
            .map(|column| match member(column).and_then(|member| member.submission.as_ref()) {
                Some(submission) if alone(column) => ids.of(&submission.id),
                _ => ids.of(&column.policy),
            })
            .collect()
    }

    fn ready(&self, column: &Column) -> Result<Ready<'_>, Error> {
        let missing = || Error::Input(format!("track `{}`: an entry without a run", self.track.title));
        let member = self.track.members.get(column.member).ok_or_else(missing)?;
        let manifest = self.manifests.get(column.member).ok_or_else(missing)?;
        Ready::new(member, manifest)
    }

    fn entry(&self, id: &str, name: String, ready: &Ready, column: &Column, spent: &Spent) -> Entry {
        let plugin = plugin(ready.manifest, &column.policy);
        let submission = ready.member.submission.as_ref();
        let built_in = plugin.is_some_and(|plugin| is_built_in(plugin, ready.member));
        Entry {
            id: id.to_owned(),
            version: plugin.and_then(|plugin| plugin.version.clone()),
            digest: plugin.map(|plugin| plugin.digest.clone()).unwrap_or_default(),
            folder: ready.member.folder.clone(),
            authors: submission.map(|submission| submission.authors.clone()).unwrap_or_default(),
            badge: submission.map_or(Badge::SelfReported, |submission| submission.badge),
            baseline: built_in && is_baseline(&name),
            built_in,
            date: submission.and_then(|submission| submission.date.clone()),
            counts: column.counts(),
            fuel: spent.fuel(),
            tokens: spent.tokens(),
            name,
        }
    }
}

fn plugin<'a>(manifest: &'a Manifest, policy: &str) -> Option<&'a PluginEntry> {
    manifest.plugins.iter().find(|plugin| plugin.kind == "policy" && plugin.name == policy)
}

fn page<'a>(ready: &'a Ready, column: &Column, spent: &Spent) -> EntryPage<'a> {
    EntryPage { coverage: column.coverage.clone(), hooks: spent.hooks(), ..ready.page() }
}

/// The commands that check a run of nobody's.
pub(crate) fn commands(member: &Member) -> Vec<String> {
    match &member.submission {
        Some(submission) => submission.verify.clone(),
        None => vec![format!("weir verify {}", crate::given::quoted(&member.folder))],
    }
}
