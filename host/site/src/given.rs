//! What somebody wants to look at: a leaderboard, runs, or a site that is built already.

use crate::folder::{MARKER, is_site};
use crate::input::{Attestation, Badge, Kind, Member, Site, Subject, Submission, Track};
use serde_json::Value;
use std::path::{Path, PathBuf};
use weir_leaderboard::board::{self, Keys};
use weir_leaderboard::{Board, Entry};
use weir_suite::Error;
use weir_suite::published::Published;
use weir_suite::store::Store;

/// What a path is.
pub enum Given {
    /// A site's folder.
    Built(PathBuf),
    /// What a site can be built of.
    Site(Site),
}

/// Opens a leaderboard, a site, or one or more runs.
///
/// # Errors
/// A path that is none of these, several that are not all runs, and a leaderboard or a run that cannot be opened.
pub fn open(paths: &[PathBuf]) -> Result<Given, Error> {
    if let [only] = paths {
        if is_site(only) {
            return Ok(Given::Built(only.clone()));
        }
        if only.join(board::FILE).is_file() {
            return of_board(only).map(Given::Site);
        }
    }
    let tracks = paths.iter().map(|path| of_run(path)).collect::<Result<Vec<_>, _>>()?;
    let title = match tracks.as_slice() {
        [only] => only.title.clone(),
        _ => "Runs".to_owned(),
    };
    Ok(Given::Site(Site { title, kind: Kind::Run, tracks }))
}

/// A run that nobody submitted, as a track.
fn of_run(path: &Path) -> Result<Track, Error> {
    let is = |name: &str| path.join(name).is_file();
    if is(MARKER) || is(board::FILE) {
        return Err(Error::Input(format!("{}: a site or a leaderboard is shown alone", path.display())));
    }
    if path.is_dir() && !is("manifest.json") {
        return Err(Error::Input(format!(
            "{}: neither a run's folder (it has no manifest.json), nor a leaderboard ({}), nor a site ({MARKER})",
            path.display(),
            board::FILE
        )));
    }
    let store = Store::open(path)?;
    let manifest = store.manifest()?;
    let setting = |name: &str| manifest.settings.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    // As a leaderboard publishes it, so that a run and an entry of the same plan can be seen to be of one.
    let published = (manifest.kind == "run").then(|| Published::of(&store, weir_runtime::Kind::Policy)).transpose()?;
    let member = Member { store, folder: path.display().to_string(), submission: None };
    Ok(Track {
        id: setting("suite"),
        title: setting("title"),
        plan: published.map(|plan| plan.digest()),
        members: vec![member],
    })
}

fn of_board(path: &Path) -> Result<Site, Error> {
    let board = Board::open(path)?;
    let keys = &board.config.keys;
    let mut tracks = Vec::new();
    // A track that nobody has entered has nothing to show.
    for track in board.tracks.iter().filter(|track| !track.entries.is_empty()) {
        let member = |entry: &Entry| {
            let folder = entry.path.display().to_string();
            let submission = Some(submission(entry, &folder, path, keys)?);
            Ok::<_, Error>(Member { store: Store::open(&entry.path)?, folder, submission })
        };
        tracks.push(Track {
            id: track.config.id.clone(),
            title: track.config.title.clone(),
            plan: Some(track.config.plan.clone()),
            members: track.entries.iter().map(member).collect::<Result<_, _>>()?,
        });
    }
    if tracks.is_empty() {
        return Err(Error::Input(format!(
            "{}: no entry is on this leaderboard\n  `weir leaderboard add SUBMISSION --board {}` adds one",
            path.display(),
            path.display()
        )));
    }
    Ok(Site { title: board.config.title.clone(), kind: Kind::Leaderboard, tracks })
}

fn submission(entry: &Entry, folder: &str, board: &Path, keys: &Keys) -> Result<Submission, Error> {
    let text = serde_json::to_value(&entry.submission).map_err(|e| Error::Input(format!("{folder}: {e}")))?;
    let about = &entry.submission.component;
    let command =
        |step: &str| format!("weir submit {step} {} --board {}", quoted(folder), quoted(&board.display().to_string()));
    let signed = |one| attestation(one, entry, keys);
    Ok(Submission {
        id: entry.name.clone(),
        badge: match entry.badge {
            weir_leaderboard::Badge::Verified => Badge::Verified,
            weir_leaderboard::Badge::Reproducible => Badge::Reproducible,
            weir_leaderboard::Badge::SelfReported => Badge::SelfReported,
        },
        authors: about.authors.clone(),
        date: None,
        text,
        attestations: entry.submitter.iter().chain(&entry.verifications).map(signed).collect::<Result<_, _>>()?,
        verify: vec![command("validate"), command("verify")],
        notes: vec![about.description.clone()],
    })
}

/// A statement with the key that has signed it. A key that neither the submission nor the leaderboard names is nobody's.
fn attestation(one: &weir_leaderboard::Attestation, entry: &Entry, keys: &Keys) -> Result<Attestation, Error> {
    let known = keys.0.iter().find(|(_, key)| one.is_signed_by(&key.public_key));
    let own = entry.submission.public_key.as_ref().filter(|key| one.is_signed_by(key));
    let key = known.map(|(_, key)| &key.public_key).or(own).map(weir_leaderboard::PublicKey::id);
    let subjects = one.statement.subject.iter();
    Ok(Attestation {
        predicate_type: one.statement.predicate_type.clone(),
        key: key.and_then(|id| id.get(..16).map(str::to_owned)).unwrap_or_default(),
        signer: known.map(|(name, _)| name.clone()),
        subjects: subjects
            .map(|subject| Subject {
                name: subject.name.clone(),
                sha256: subject.sha256().unwrap_or_default().to_owned(),
            })
            .collect(),
        statement: serde_json::to_value(&one.statement).map_err(|e| Error::Input(e.to_string()))?,
    })
}

/// A path as a shell takes it.
pub(crate) fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

/// The newest complete run in a folder of runs; of two that were finished at once, the last by name.
///
/// # Errors
/// Where there is none.
pub fn newest_run(runs: &Path) -> Result<PathBuf, Error> {
    let finished = |path: &Path| {
        let done = path.join("manifest.json").is_file().then(|| path.join(weir_suite::store::RESULTS).metadata().ok());
        done.flatten().and_then(|results| results.modified().ok())
    };
    let listed = std::fs::read_dir(runs).into_iter().flatten().flatten().map(|found| found.path());
    let newest = listed.filter_map(|path| Some((finished(&path)?, path))).max();
    newest.map(|(_, path)| path).ok_or_else(|| {
        Error::Input(format!(
            "{}: no complete run is there\n  name a run's folder, a leaderboard or a site, or make a run: weir run",
            runs.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_command_is_one_word_whatever_it_is() {
        assert_eq!(quoted("weir-out/leaderboard-5a"), "weir-out/leaderboard-5a");
        assert_eq!(quoted("a; rm -rf '~'"), "'a; rm -rf '\\''~'\\'''");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn the_newest_run_is_one_that_is_complete() {
        let home = tempfile::tempdir().unwrap();
        assert!(newest_run(home.path()).unwrap_err().to_string().contains("weir run"));
        for (name, results, seconds) in [("old", true, 10), ("new", true, 20), ("partial", false, 30)] {
            let run = home.path().join(name);
            std::fs::create_dir(&run).unwrap();
            std::fs::write(run.join("manifest.json"), "{}").unwrap();
            if results {
                let file = std::fs::File::create(run.join("results.jsonl")).unwrap();
                file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
            }
        }
        assert_eq!(newest_run(home.path()).unwrap(), home.path().join("new"));
    }

    #[test]
    fn a_folder_that_is_nothing_to_look_at_is_called_that() {
        let home = tempfile::tempdir().unwrap();
        let error = open(&[home.path().to_owned()]).err().unwrap().to_string();
        assert!(error.contains("neither a run's folder"), "{error}");
    }
}
