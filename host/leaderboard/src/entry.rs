//! An entry's folder: its files held against the digests in `submission.toml`, and its attestations against the keys.
//!
//! | file | what |
//! |---|---|
//! | `submission.toml` | what is submitted, by whom, and the SHA-256 of every file of the run |
//! | `manifest.json`, `plan.jsonl`, `results.jsonl`, `traces.jsonl.zst`, `components/` | the run, as [`weir_suite::store`] has it, cut down to one component |
//! | `bases.json`, `qualifications.json` | where the run has them: imported histories, and what is known of real models |
//! | `submitter.intoto.jsonl` | what the submitter attests, where the submission is signed |
//! | `verification.intoto.jsonl` | what maintainers attest, on a board |
//!
//! The bundles have one DSSE envelope a line ([`crate::dsse`], [`crate::statement`]).

use crate::board::{Keys, Role};
use crate::statement::{Attestation, TEST_RESULT, VERIFICATION};
use crate::submission::{self, Submission};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use weir_report::qualification;
use weir_suite::authority::BASES;
use weir_suite::store::{RESULTS, Store, TRACES};
use weir_suite::{Error, Manifest, input};
use weir_trace::json::{sha256, sha256_of_pieces};

/// What the submitter attests.
pub const SUBMITTER: &str = "submitter.intoto.jsonl";

/// What maintainers attest.
pub const VERIFICATIONS: &str = "verification.intoto.jsonl";

/// Files that a run's folder can have beside its components.
pub(crate) const RUN_FILES: [&str; 6] = ["manifest.json", "plan.jsonl", RESULTS, TRACES, BASES, qualification::FILE];

/// Files without which a run is none.
const NEEDED: [&str; 4] = ["manifest.json", "plan.jsonl", RESULTS, TRACES];

/// How far an entry can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Badge {
    /// A maintainer of the board has verified it, and signed that.
    Verified,
    /// A submitter whom the board knows has signed it; anybody can verify it.
    Reproducible,
    /// Its digests hold; nobody whom the board knows vouches for it.
    SelfReported,
}

impl Badge {
    /// As it is printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Badge::Verified => "verified",
            Badge::Reproducible => "reproducible",
            Badge::SelfReported => "self-reported",
        }
    }
}

/// An entry.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its folder's name.
    pub name: String,
    /// Its folder, which [`Store::open`] opens as a run.
    pub path: PathBuf,
    /// What it says of itself.
    pub submission: Submission,
    /// SHA-256 of `submission.toml`, which names every other file: the identity of the whole entry.
    pub digest: String,
    /// Its run's manifest.
    pub manifest: Manifest,
    /// What the submitter attests.
    pub submitter: Vec<Attestation>,
    /// What maintainers attest.
    pub verifications: Vec<Attestation>,
    /// How far it can be trusted, by the keys that it was read with.
    pub badge: Badge,
}

impl Entry {
    /// Reads an entry, and what is wrong with its files and signatures. It has a badge only as far as nothing is.
    ///
    /// # Errors
    /// Where `submission.toml`, the manifest or a bundle cannot be read at all.
    pub fn examine(path: &Path, keys: &Keys) -> Result<(Self, Vec<String>), Error> {
        let file = path.join(submission::FILE);
        let text = text(&file).map_err(|e| match e {
            Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => Error::Input(format!(
                "{}: no submission: it has no {}\n  `weir submit prepare RUN --out DIR` makes one of a run",
                path.display(),
                submission::FILE
            )),
            other => other,
        })?;
        let submission = Submission::parse(&file.display().to_string(), &text)?;
        let digest = sha256(text.as_bytes());
        let mut wrong = files(path, &submission)?;
        let manifest = Store::open(path)?.manifest()?;
        wrong.extend(disagreements(&submission, &manifest));
        let bundle = |name: &str| match crate::entry::text(&path.join(name)) {
            Ok(text) => Attestation::read_bundle(name, &text)
                .map_err(|what| Error::Input(format!("{}: {what}", path.display()))),
            Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(e) => Err(e),
        };
        let (submitter, verifications) = (bundle(SUBMITTER)?, bundle(VERIFICATIONS)?);
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut entry = Entry {
            name,
            path: path.into(),
            submission,
            digest,
            manifest,
            submitter,
            verifications,
            badge: Badge::SelfReported,
        };
        wrong.extend(entry.unsigned());
        if wrong.is_empty() {
            entry.badge = entry.earned(keys);
        }
        Ok((entry, wrong))
    }

    /// Reads an entry of which nothing is wrong.
    ///
    /// # Errors
    /// What cannot be read, or the first thing that is wrong.
    pub fn open(path: &Path, keys: &Keys) -> Result<Self, Error> {
        let (entry, wrong) = Self::examine(path, keys)?;
        match wrong.first() {
            Some(what) => Err(Error::Input(format!("{}: {what}", path.display()))),
            None => Ok(entry),
        }
    }

    /// The name under which results speak of what is submitted.
    #[must_use]
    pub fn component(&self) -> &str {
        &self.submission.component.name
    }

    /// What is wrong with the submitter's signatures.
    fn unsigned(&self) -> Vec<String> {
        let Some(key) = &self.submission.public_key else {
            let any = !self.submitter.is_empty();
            return any
                .then(|| format!("{SUBMITTER} is there, and {} names no `public-key`", submission::FILE))
                .into_iter()
                .collect();
        };
        if self.submitter.is_empty() {
            return vec![format!("{} names a `public-key`, and there is no {SUBMITTER}", submission::FILE)];
        }
        let mut wrong = Vec::new();
        for (number, attestation) in (1..).zip(&self.submitter) {
            let mut say = |what: &str| wrong.push(format!("{SUBMITTER} line {number}: {what}"));
            if !attestation.is_signed_by(key) {
                say(&format!("its signature is not of the `public-key` in {}", submission::FILE));
            }
            if !attestation.statement.is_about(&self.submission.component.sha256) {
                say("its subject is not the component that is submitted");
            }
            if !names_file(attestation, &self.digest) {
                say(&format!("it is not about this {}", submission::FILE));
            }
        }
        if !self.submitter.iter().any(|one| one.statement.predicate_type == TEST_RESULT) {
            wrong.push(format!("{SUBMITTER} has no statement of {TEST_RESULT}"));
        }
        wrong
    }

    fn earned(&self, keys: &Keys) -> Badge {
        let maintained = |one: &&Attestation| {
            one.statement.predicate_type == VERIFICATION
                && one.statement.is_about(&self.submission.component.sha256)
                && one.statement.is_about(&self.digest)
        };
        let by_maintainer =
            |one: &Attestation| keys.of(Role::Maintainer).any(|(_, key)| one.is_signed_by(&key.public_key));
        if self.verifications.iter().filter(maintained).any(by_maintainer) {
            return Badge::Verified;
        }
        // Signatures were found to be of this key.
        match &self.submission.public_key {
            Some(key) if keys.name(key).is_some() => Badge::Reproducible,
            _ => Badge::SelfReported,
        }
    }
}

/// Whether a submitter's statement names `submission.toml` by its digest: among what was tested on, or what was measured.
fn names_file(attestation: &Attestation, digest: &str) -> bool {
    let resources = attestation.statement.predicate.get("configuration").and_then(serde_json::Value::as_array);
    let named = |one: &serde_json::Value| one.pointer("/digest/sha256").and_then(|sha| sha.as_str()) == Some(digest);
    resources.is_some_and(|all| all.iter().any(named))
}

/// What is wrong with the files of a folder: each has its digest, and there are no others.
fn files(path: &Path, submission: &Submission) -> Result<Vec<String>, Error> {
    let mut wrong = Vec::new();
    let mut found = BTreeSet::new();
    list(path, "", &mut found, &mut wrong)?;
    for own in [submission::FILE, SUBMITTER, VERIFICATIONS] {
        found.remove(own);
    }
    for needed in NEEDED.into_iter().filter(|needed| !submission.files.contains_key(*needed)) {
        wrong.push(format!("`files` in {} does not name {needed}", submission::FILE));
    }
    for (name, expected) in &submission.files {
        if !found.remove(name) {
            wrong.push(format!("{name} is missing"));
            continue;
        }
        let actual = digest(&path.join(name))?;
        if actual != *expected {
            wrong.push(format!("{name} was altered: its SHA-256 is {actual}, {} says {expected}", submission::FILE));
        }
    }
    let more = "is not part of the submission: remove it, or prepare the submission again";
    wrong.extend(found.into_iter().map(|name| format!("{name} {more}")));
    Ok(wrong)
}

/// All files below a folder. A link could lead anywhere, so there may be none.
fn list(root: &Path, below: &str, found: &mut BTreeSet<String>, wrong: &mut Vec<String>) -> Result<(), Error> {
    let folder = root.join(below);
    for entry in std::fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
        let entry = entry.map_err(|e| Error::io(&folder, e))?;
        let kind = entry.file_type().map_err(|e| Error::io(entry.path(), e))?;
        let name = format!("{below}{}", entry.file_name().to_string_lossy());
        if kind.is_dir() {
            list(root, &format!("{name}/"), found, wrong)?;
        } else if kind.is_file() {
            found.insert(name);
        } else {
            wrong.push(format!("{name} is neither a file nor a folder"));
        }
    }
    Ok(())
}

/// What `submission.toml` and the manifest say differently.
fn disagreements(submission: &Submission, manifest: &Manifest) -> Vec<String> {
    let mut wrong = Vec::new();
    let component = &submission.component;
    let mut of_kind = manifest.plugins.iter().filter(|plugin| plugin.kind == component.kind.name());
    match of_kind.find(|plugin| plugin.name == component.name) {
        Some(plugin) if plugin.digest == component.sha256 && plugin.version == component.version => {}
        Some(plugin) => wrong.push(format!(
            "the component was swapped: {} has {} `{}` with SHA-256 {}, manifest.json {}",
            submission::FILE,
            component.kind.name(),
            component.name,
            component.sha256,
            plugin.digest
        )),
        None => wrong.push(format!("manifest.json has no {} `{}`", component.kind.name(), component.name)),
    }
    for plugin in &manifest.plugins {
        let file = format!("components/{}.wasm", plugin.digest);
        match submission.files.get(&file) {
            Some(digest) if *digest == plugin.digest => {}
            Some(_) => wrong.push(format!("{} `{}`: {file} is not named after its digest", plugin.kind, plugin.name)),
            None => wrong.push(format!("{} `{}`: {file} is not in the submission", plugin.kind, plugin.name)),
        }
    }
    let components = submission.files.keys().filter(|file| file.starts_with("components/"));
    for file in components {
        if !manifest.plugins.iter().any(|plugin| *file == format!("components/{}.wasm", plugin.digest)) {
            wrong.push(format!("{file} is no plugin of manifest.json"));
        }
    }
    let suite = manifest.settings.get("suite").and_then(|suite| suite.as_str()).unwrap_or_default();
    let run = &submission.run;
    for (key, said, is) in [
        ("run.suite", run.suite.as_str(), suite),
        ("run.identity", &run.identity, &manifest.identity()),
        ("run.units", &run.units.to_string(), &manifest.units.to_string()),
    ] {
        if said != is {
            wrong.push(format!("`{key}` in {} is {said}, in manifest.json {is}", submission::FILE));
        }
    }
    wrong
}

/// SHA-256 of every file of a run's folder.
pub(crate) fn digests(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    let (mut found, mut wrong) = (BTreeSet::new(), Vec::new());
    list(path, "", &mut found, &mut wrong)?;
    let one = |name: String| {
        let sha256 = digest(&path.join(&name))?;
        Ok((name, sha256))
    };
    found.into_iter().map(one).collect()
}

/// Bytes of the largest text file that is read whole: a published plan of 100,000 units is smaller.
const MOST: u64 = 32 << 20;

/// A text file.
pub(crate) fn text(path: &Path) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let read = input::open(path)?.take(MOST + 1).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    if u64::try_from(read).unwrap_or(u64::MAX) > MOST {
        return Err(Error::Input(format!("{}: it has more than {MOST} bytes", path.display())));
    }
    String::from_utf8(bytes).map_err(|e| Error::Input(format!("{}: not UTF-8: {e}", path.display())))
}

/// SHA-256 of a file of any size.
pub(crate) fn digest(path: &Path) -> Result<String, Error> {
    let mut file = input::open(path)?;
    let mut failed = None;
    let digest = sha256_of_pieces(std::iter::from_fn(|| {
        let mut piece = Vec::new();
        match file.by_ref().take(1 << 20).read_to_end(&mut piece) {
            Ok(0) => None,
            Ok(_) => Some(piece),
            Err(e) => {
                failed = Some(e);
                None
            }
        }
    }));
    match failed {
        Some(e) => Err(Error::io(path, e)),
        None => Ok(digest),
    }
}
