//! A submission taken onto a board: only what verifies, and then whole.

use crate::board::{Config, FILE, Role, TrackConfig, TrustedKey, folder_of};
use crate::entry::{Badge, Entry, SUBMITTER, VERIFICATIONS};
use crate::key::{PublicKey, SecretKey, random};
use crate::prepare::staging;
use crate::statement::{Attestation, Resource, Statement, VERIFICATION};
use crate::submission;
use crate::time::now;
use crate::verify::{Verified, verify};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Table, value};
use weir_metadata::{is_name, name_rule};
use weir_suite::share::Share;
use weir_suite::verify::Verification;
use weir_suite::{Error, Plugins, Progress, input};

/// How a submission is added.
pub struct Request<'a> {
    /// The board.
    pub board: &'a Path,
    /// The submission.
    pub submission: &'a Path,
    /// The entry's name; the component's, where none is given.
    pub name: Option<&'a str>,
    /// The maintainer's key, with which it is signed that the entry was verified.
    pub key: Option<&'a SecretKey>,
    /// The name under which the board is to know the submitter's key, where it does not yet.
    pub trust: Option<&'a str>,
    /// The seed that chooses the rollouts that are run again in full; a new random one, where none is given: nobody can have
    /// known it when the submission was made.
    pub seed: Option<&'a str>,
    /// Worker threads.
    pub jobs: usize,
}

/// What became of it.
pub struct Outcome {
    /// What was verified.
    pub verified: Verified,
    /// Which rollouts were run again in full.
    pub share: Share,
    /// The entry on the board; none where something does not hold.
    pub added: Option<Added>,
}

/// An entry that was added.
pub struct Added {
    /// Its folder.
    pub path: PathBuf,
    /// Its track.
    pub track: String,
    /// How far it can be trusted.
    pub badge: Badge,
}

/// Verifies a submission and copies it onto the board.
///
/// # Errors
/// Where board or submission cannot be read, a key is not one that the board trusts, the track has such an entry, or the host
/// fails. What does not hold of the submission is a finding of the outcome.
pub fn add(request: &Request<'_>, plugins: &Plugins, progress: &dyn Progress) -> Result<Outcome, Error> {
    let config = Config::read(request.board)?;
    let (known, _) = Entry::examine(request.submission, &config.keys)?;
    let maintainer = request.key.map(|key| maintainer(&config, key)).transpose()?;
    let seed = request.seed.map_or_else(random, |seed| Ok(seed.to_owned()))?;
    // Of a submission with no track nothing is executed, so that its share does not matter.
    let track = config.track_of(&known.submission.run.plan);
    let share = Share::new(track.map_or(100.0, |track| track.rerun_percent), &seed)?;
    let (place, trusted) = match track {
        Some(track) => (Some(place(request, &known, track)?), trust(request, &config, &known)?),
        None => (None, None),
    };
    let verified = verify(request.submission, Some(request.board), &share, plugins, request.jobs, progress)?;
    let (Some(track), Some(folder), true) = (track, place, verified.holds()) else {
        return Ok(Outcome { verified, share, added: None });
    };
    let beside = staging(&folder_of(request.board, &track.id))?;
    let unfinished = beside.path().join("entry");
    let entry = &verified.validated.entry;
    copy(entry, &unfinished)?;
    if let (Some(key), Some(verification)) = (maintainer, &verified.verification) {
        let envelope = statement(entry, track, &share, verification).sign(key)?;
        input::write(&unfinished.join(VERIFICATIONS), Attestation::bundle(&[envelope])?.as_bytes())?;
    }
    let mut keys = config.keys.clone();
    keys.0.extend(trusted.iter().map(|(name, key)| (name.clone(), submitter(*key))));
    // What is on the board is what was verified, whoever changed the submission meanwhile.
    let copied = Entry::open(&unfinished, &keys)?;
    if copied.digest != entry.digest {
        return Err(Error::Input(format!("{} was changed while it was verified", request.submission.display())));
    }
    if let Some((name, key)) = &trusted {
        write_key(request.board, name, *key)?;
    }
    fs::rename(&unfinished, &folder).map_err(|e| Error::io(&folder, e))?;
    let added = Added { path: folder, track: track.id.clone(), badge: copied.badge };
    Ok(Outcome { verified, share, added: Some(added) })
}

/// The key, if it is a maintainer's.
fn maintainer<'a>(config: &Config, key: &'a SecretKey) -> Result<&'a SecretKey, Error> {
    let public = key.public();
    if config.keys.of(Role::Maintainer).any(|(_, known)| known.public_key == public) {
        return Ok(key);
    }
    let as_other = config.keys.name(&public).map(|name| format!("it is `{name}`, a submitter's")).unwrap_or_else(|| {
        format!("no key of {FILE} is it\n  a maintainer's is\n    [keys.NAME]\n    public-key = \"{public}\"\n    role = \"maintainer\"")
    });
    Err(Error::Input(format!("the key of --key is no maintainer's of this board: {as_other}")))
}

/// Where the entry will stand.
fn place(request: &Request<'_>, entry: &Entry, track: &TrackConfig) -> Result<PathBuf, Error> {
    let name = request.name.unwrap_or_else(|| entry.component());
    if !is_name(name) {
        return Err(Error::Input(format!("{}\n  give the entry another name with --as", name_rule(name))));
    }
    let track_folder = folder_of(request.board, &track.id);
    let folder = track_folder.join(name);
    if folder.symlink_metadata().is_ok() {
        return Err(Error::Input(format!(
            "track `{}` has an entry `{name}` already, and nothing was changed\n  give this one another name with --as, or remove that one",
            track.id
        )));
    }
    Ok(folder)
}

/// The submitter's key with the name under which the board is to know it; none where it is known, or there is none.
///
/// # Errors
/// Where it is not known and is to stay so, or the name is another's.
fn trust(request: &Request<'_>, config: &Config, entry: &Entry) -> Result<Option<(String, PublicKey)>, Error> {
    let Some(key) = entry.submission.public_key else {
        return match request.trust {
            Some(_) => Err(Error::Input("--trust means nothing here: the submission is not signed".into())),
            None => Ok(None),
        };
    };
    if config.keys.name(&key).is_some() {
        return Ok(None);
    }
    let Some(name) = request.trust else {
        return Err(Error::Input(format!(
            "the submission is signed with a key that {FILE} does not name: {key}\n  if you know whose it is, name it with --trust NAME"
        )));
    };
    if !is_name(name) {
        return Err(Error::Input(format!("--trust: {}", name_rule(name))));
    }
    if config.keys.0.contains_key(name) {
        return Err(Error::Input(format!(
            "the submission is not signed with the key of `{name}` in {FILE}, but with {key}\n  give it another name with --trust"
        )));
    }
    Ok(Some((name.to_owned(), key)))
}

fn submitter(public_key: PublicKey) -> TrustedKey {
    TrustedKey { public_key, role: Role::Submitter }
}

/// Copies the files that the submission names, and what its submitter attests.
fn copy(entry: &Entry, to: &Path) -> Result<(), Error> {
    let signed = (!entry.submitter.is_empty()).then_some(SUBMITTER);
    let names = entry.submission.files.keys().map(String::as_str).chain([submission::FILE]).chain(signed);
    for name in names {
        let (from, to) = (entry.path.join(name), to.join(name));
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|e| Error::io(parent, e))?;
        }
        fs::copy(&from, &to).map_err(|e| Error::io(&from, e))?;
    }
    Ok(())
}

/// What the maintainer attests: what was verified, under which plan, and which rollouts were run again in full.
fn statement(entry: &Entry, track: &TrackConfig, share: &Share, verification: &Verification) -> Statement {
    let component = &entry.submission.component;
    let subject = vec![
        Resource::new(&format!("{}.wasm", component.name), &component.sha256),
        Resource::new(submission::FILE, &entry.digest),
    ];
    let predicate = json!({
        "verifier": {
            "id": concat!("weir:verifier/", env!("CARGO_PKG_VERSION")),
            "policies": [Resource::new(&format!("plan of track {}", track.id), &track.plan)],
        },
        "timeCreated": now(),
        "properties": ["WEIR_DIGESTS_HOLD", "WEIR_PLAN_COVERED", "WEIR_DECISIONS_REEXECUTED", "WEIR_ROLLOUTS_RERUN"],
        // Not of the predicate's own fields, which readers that do not know it leave out of account: how to repeat it.
        "weir": {
            "traces": verification.traces,
            "decisions": verification.decisions,
            "rerun": { "rollouts": verification.rerun, "percent": share.percent(), "seed": share.seed() },
        },
    });
    Statement::new(subject, VERIFICATION, predicate)
}

/// Writes a submitter's key into `leaderboard.toml`, whose comments and order stay.
fn write_key(board: &Path, name: &str, key: PublicKey) -> Result<(), Error> {
    let file = board.join(FILE);
    let wrong = |what: String| Error::Input(format!("{}: {what}", file.display()));
    let mut document: DocumentMut = crate::entry::text(&file)?.parse().map_err(|e| wrong(format!("{e}")))?;
    let keys = document.entry("keys").or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let keys = keys.as_table_like_mut().ok_or_else(|| wrong("`keys` is no table".into()))?;
    let mut table = Table::new();
    table.insert("public-key", value(key.to_string()));
    table.insert("role", value("submitter"));
    keys.insert(name, Item::Table(table));
    input::write(&file, document.to_string().as_bytes())
}
