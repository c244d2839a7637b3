//! A new leaderboard: one track for each of some runs, with the plan of that run as the one that every entry must have.

use crate::board::{Config, FILE, FORMAT, Keys, Role, TrackConfig, TrustedKey, plan_of};
use crate::key::PublicKey;
use crate::prepare::staging;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use weir_metadata::Kind;
use weir_suite::published::Published;
use weir_suite::store::Store;
use weir_suite::{Error, input};

/// What a new board is made of.
pub struct Request<'a> {
    /// The board's folder; there may be nothing of this name.
    pub folder: &'a Path,
    /// One line for a reader.
    pub title: &'a str,
    /// Runs, each the measure of a track.
    pub runs: &'a [PathBuf],
    /// What is compared on it: policies, or the writers of authority suites.
    pub kind: Kind,
    /// Maintainers, by name.
    pub maintainers: &'a [(String, PublicKey)],
    /// Rollouts that are run again in full when an entry is added, in per cent.
    pub rerun_percent: f64,
}

/// Makes a board. It appears whole, or not at all.
///
/// # Errors
/// Something that is there already, a run without a plan that can be published, or what the file system refuses.
pub fn init(request: &Request<'_>) -> Result<Config, Error> {
    let folder = request.folder;
    if folder.symlink_metadata().is_ok() {
        return Err(Error::Input(format!(
            "{}: there is something of this name already, and nothing was changed\n  choose another folder",
            folder.display()
        )));
    }
    let mut tracks = Vec::with_capacity(request.runs.len());
    let mut plans = Vec::with_capacity(request.runs.len());
    for run in request.runs {
        let store = Store::open(run)?;
        let manifest = store.manifest()?;
        let setting = |name: &str| manifest.settings.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let published = Published::of(&store, request.kind)?;
        tracks.push(TrackConfig {
            id: setting("suite"),
            title: setting("title"),
            suite: setting("suite"),
            plan: published.digest(),
            rerun_percent: request.rerun_percent,
        });
        plans.push(published.text());
    }
    let trusted =
        |(name, key): &(String, PublicKey)| (name.clone(), TrustedKey { public_key: *key, role: Role::Maintainer });
    let keys = Keys(request.maintainers.iter().map(trusted).collect());
    let config = Config { format: FORMAT.into(), title: request.title.into(), keys, tracks };
    config.check().map_err(Error::Input)?;
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|e| Error::io(parent, e))?;
    let beside = staging(parent)?;
    let unfinished = beside.path().join("board");
    for (track, plan) in config.tracks.iter().zip(plans) {
        input::write(&plan_of(&unfinished, &track.id), plan.as_bytes())?;
    }
    let text = toml::to_string(&config).map_err(|e| Error::Input(e.to_string()))?;
    fs::create_dir_all(&unfinished).map_err(|e| Error::io(&unfinished, e))?;
    input::write(&unfinished.join(FILE), text.as_bytes())?;
    fs::rename(&unfinished, folder).map_err(|e| Error::io(folder, e))?;
    Ok(config)
}
