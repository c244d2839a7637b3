//! Builds a site: reads every run once, and hands the files to a sink. The same runs give the same bytes.

use crate::authority;
use crate::containment::{Containment, commands};
use crate::contract::{EntryPage, FORMAT, SiteFile, TrackRef};
use crate::id::Ids;
use crate::input::{Member, Site, Track};
use crate::script;
use crate::sink::Sink;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use weir_suite::{Error, Manifest, Progress};
use weir_trace::contract::Tool;

/// The page, its code and its look, of any site; `web/` is their source.
const PAGE: [(&str, &[u8]); 3] = [
    ("index.html", include_bytes!("../web/dist/index.html")),
    ("app.js", include_bytes!("../web/dist/app.js")),
    ("app.css", include_bytes!("../web/dist/app.css")),
];

/// Builds a site. `progress` counts rollouts whose traces have been handed over.
///
/// # Errors
/// A run that is not complete, cannot be read, or does not fit the others of its track; and what the sink refuses.
pub fn build(site: &Site, sink: &dyn Sink, progress: &dyn Progress) -> Result<(), Error> {
    let manifests: Vec<Vec<Manifest>> = site.tracks.iter().map(manifests).collect::<Result<_, _>>()?;
    progress.begin(manifests.iter().flatten().map(|manifest| manifest.units).sum(), 0);
    let built = tracks(site, &manifests, sink, progress);
    progress.end();
    let file = SiteFile {
        format: FORMAT,
        title: &site.title,
        weir: env!("CARGO_PKG_VERSION"),
        kind: site.kind,
        tracks: built?,
    };
    write(sink, "data/site", &file)?;
    PAGE.iter().try_for_each(|(path, bytes)| sink.file(path, bytes.to_vec()))
}

fn manifests(track: &Track) -> Result<Vec<Manifest>, Error> {
    track.members.iter().map(|member| member.store.manifest()).collect()
}

fn tracks(
    site: &Site,
    manifests: &[Vec<Manifest>],
    sink: &dyn Sink,
    progress: &dyn Progress,
) -> Result<Vec<TrackRef>, Error> {
    let (mut ids, mut listed, mut done) = (Ids::default(), Vec::new(), 0);
    for (track, manifests) in site.tracks.iter().zip(manifests) {
        let is = |kind: &str| manifests.iter().all(|manifest| manifest.kind == kind);
        if is("run") {
            let containment = Containment::read(track, manifests)?;
            let titles = titles(track, containment.conditions());
            let own: Vec<String> = titles.iter().map(|(name, _)| ids.of(name)).collect();
            listed.extend(own.iter().zip(titles).map(|(id, (_, title))| TrackRef {
                id: id.clone(),
                title,
                kind: "containment",
            }));
            containment.write(&own, sink, progress, &mut done)?;
        } else if is(weir_suite::authority::KIND) {
            for (member, manifest) in track.members.iter().zip(manifests) {
                // A run of an authority suite is a whole grid: of several on one track, each is looked at alone.
                let one = track.members.len() == 1;
                let entry = member.submission.as_ref().filter(|_| !one).map(|submission| submission.id.as_str());
                let of = |text: &str| entry.map_or_else(|| text.to_owned(), |entry| format!("{text}: {entry}"));
                let id = ids.of(&of(&track.id));
                authority::write_track(track, member, manifest, &id, sink, progress, &mut done)?;
                listed.push(TrackRef { id, title: of(&track.title), kind: "authority" });
            }
        } else {
            let folders: Vec<&str> = track.members.iter().map(|member| member.folder.as_str()).collect();
            return Err(Error::Input(format!(
                "{}: a site shows live runs and authority suites, of one kind a track; this is {}\n  a replay of recorded runs has a report: weir report",
                folders.join(", "),
                manifests.iter().map(|manifest| format!("`{}`", manifest.kind)).collect::<Vec<_>>().join(", ")
            )));
        }
    }
    Ok(listed)
}

/// Name and title of each condition's track. Nothing wrong is the first.
fn titles(track: &Track, conditions: &[String]) -> Vec<(String, String)> {
    let one = |(place, condition): (usize, &String)| match place {
        0 => (track.id.clone(), track.title.clone()),
        _ => (format!("{} {condition}", track.id), format!("{}: {condition}", track.title)),
    };
    conditions.iter().enumerate().map(one).collect()
}

/// Hands a data file to a sink.
pub(crate) fn write(sink: &dyn Sink, name: &str, value: &impl Serialize) -> Result<(), Error> {
    sink.file(&script::path(name), script::value(name, value)?)
}

/// Every toolset of a track's traces, by digest.
pub(crate) fn tools(track: &Track) -> Result<BTreeMap<String, Vec<Tool>>, Error> {
    let mut all = BTreeMap::new();
    for member in &track.members {
        let reader = member.store.traces()?;
        all.extend(reader.toolsets().iter().map(|(digest, tools)| (digest.to_owned(), tools.to_vec())));
    }
    Ok(all)
}

/// A text of a manifest's settings.
pub(crate) fn setting(manifest: &Manifest, name: &str) -> String {
    manifest.settings.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The plan's digest: the published one, or the run's own.
pub(crate) fn plan_of(track: &Track, manifest: &Manifest) -> String {
    track.plan.clone().unwrap_or_else(|| manifest.plan.clone())
}

/// A run with its manifest as JSON.
pub(crate) struct Ready<'a> {
    pub(crate) member: &'a Member,
    pub(crate) manifest: &'a Manifest,
    json: Value,
}

impl<'a> Ready<'a> {
    pub(crate) fn new(member: &'a Member, manifest: &'a Manifest) -> Result<Self, Error> {
        let json = serde_json::to_value(manifest).map_err(|e| Error::Input(format!("{}: {e}", member.folder)))?;
        Ok(Ready { member, manifest, json })
    }

    /// An entry's page, without what its rollouts were.
    pub(crate) fn page(&self) -> EntryPage<'_> {
        let submission = self.member.submission.as_ref();
        EntryPage {
            submission: submission.map(|submission| &submission.text),
            manifest: &self.json,
            attestations: submission.map(|submission| submission.attestations.as_slice()).unwrap_or_default(),
            coverage: Vec::new(),
            hooks: Vec::new(),
            verify: commands(self.member),
            notes: submission.map(|submission| submission.notes.clone()).unwrap_or_default(),
        }
    }
}
