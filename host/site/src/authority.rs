//! An authority suite's track (AuthMem-Bench): the report's rates, and the rollouts of every cell of the grid.

mod grid;
mod rates;

use crate::build::{Ready, plan_of, setting, tools, write};
use crate::contract::{AuthorityEntry, AuthorityFile, Fuel, Plugin, ScenarioLine, ScenariosFile};
use crate::frames::pass;
use crate::id::Ids;
use crate::input::{Member, Track};
use crate::plugins::is_built_in;
use crate::sink::Sink;
use grid::{Grid, Read, read};
use rates::{acting, label, metrics, pipeline, writing};
use std::collections::BTreeMap;
use weir_report::authority::Group;
use weir_suite::{Error, Manifest, Progress};

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

fn listed(cell: &Grid, id: &str, name: &str, member: &Member, fuel: Fuel) -> AuthorityEntry {
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
