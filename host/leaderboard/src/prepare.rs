//! A submission of a run's component: what it takes, checked before anything is written, and written whole or not at all.

use crate::board::Config;
use crate::entry::{self, SUBMITTER};
use crate::key::SecretKey;
use crate::measurements;
use crate::statement::{Attestation, MEASUREMENTS, Resource, Statement, TEST_RESULT};
use crate::submission::{self, RunOf, Submission, Submitted};
use crate::verify::named;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use weir_metadata::{Kind, Metadata};
use weir_report::qualification;
use weir_suite::cut::cut;
use weir_suite::published::Published;
use weir_suite::share::Share;
use weir_suite::store::Store;
use weir_suite::verify::{Verification, verify};
use weir_suite::{Error, Manifest, Plugins, Progress};
use weir_trace::json::{canonical, sha256};

/// A component of a run that is to be submitted.
pub struct Chosen {
    /// The run.
    pub store: Store,
    /// Its manifest.
    pub manifest: Manifest,
    /// What kind of plugin it is.
    pub kind: Kind,
    /// Its name in the run.
    pub name: String,
    /// What it says of itself.
    pub metadata: Option<Metadata>,
}

/// What the submitter says of the component. What it says of itself is taken where nothing is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// What it does, in a sentence or two.
    pub description: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Its licence, as an SPDX expression.
    pub licence: Option<String>,
    /// Where its authors can be reached.
    pub contact: Option<String>,
    /// Where to read more.
    pub homepage: Option<String>,
}

/// What a submission cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// What the component does.
    Description,
    /// Who wrote it.
    Author,
    /// Its licence.
    Licence,
    /// Where its authors can be reached.
    Contact,
}

impl Missing {
    /// What is asked for, in words.
    #[must_use]
    pub fn what(self) -> &'static str {
        match self {
            Missing::Description => "what it does, in a sentence or two",
            Missing::Author => "its author, as in Ann <ann@example.org>",
            Missing::Licence => "its licence, as an SPDX expression such as MIT",
            Missing::Contact => "where its authors can be reached: mailto:... or https://...",
        }
    }

    /// The option that gives it.
    #[must_use]
    pub fn option(self) -> &'static str {
        match self {
            Missing::Description => "--description",
            Missing::Author => "--author",
            Missing::Licence => "--licence",
            Missing::Contact => "--contact",
        }
    }
}

impl About {
    /// Takes from what the component says of itself what was not given.
    pub fn fill(&mut self, metadata: Option<&Metadata>) {
        let Some(said) = metadata else { return };
        if self.authors.is_empty() {
            self.authors.clone_from(&said.authors);
        }
        self.licence = self.licence.take().or_else(|| said.licence.clone());
        self.homepage = self.homepage.take().or_else(|| said.homepage.clone());
        // A page over a safe connection is a place where its authors can be reached.
        let page = self.homepage.clone().filter(|page| page.starts_with("https://"));
        self.contact = self.contact.take().or(page);
    }

    /// What is missing still.
    #[must_use]
    pub fn missing(&self) -> Vec<Missing> {
        let all = [
            (Missing::Description, self.description.is_none()),
            (Missing::Author, self.authors.is_empty()),
            (Missing::Licence, self.licence.is_none()),
            (Missing::Contact, self.contact.is_none()),
        ];
        all.into_iter().filter(|(_, missing)| *missing).map(|(what, _)| what).collect()
    }

    /// Says what was missing.
    pub fn say(&mut self, what: Missing, text: String) {
        match what {
            Missing::Description => self.description = Some(text),
            Missing::Author => self.authors.push(text),
            Missing::Licence => self.licence = Some(text),
            Missing::Contact => self.contact = Some(text),
        }
    }
}

/// What is prepared, and how.
pub struct Request<'a> {
    /// Folder of the submission; there may be nothing of this name.
    pub out: &'a Path,
    /// What the submitter says of the component.
    pub about: &'a About,
    /// The submitter's key, with which the submission is signed.
    pub key: Option<&'a SecretKey>,
    /// The board whose plan the run must have. Without one a built-in suite's own plan is the measure.
    pub board: Option<&'a Path>,
    /// Worker threads.
    pub jobs: usize,
}

/// A submission that was prepared.
pub struct Prepared {
    /// What it says.
    pub submission: Submission,
    /// What was verified on the way.
    pub verification: Verification,
    /// What the plan was held against, in words.
    pub measure: String,
}

impl Chosen {
    /// Chooses a run's component: by its name, or the only policy, or writer, that is not built in.
    ///
    /// # Errors
    /// Where the run is not complete, or does not say which one is meant.
    pub fn of(run: &Path, kind: Kind, name: Option<&str>) -> Result<Self, Error> {
        let store = Store::open(run)?;
        let manifest = store.manifest()?;
        drop(store.rows()?);
        let all = manifest.plugins.iter().filter(|plugin| plugin.kind == kind.name());
        let names: Vec<&str> = all.map(|plugin| plugin.name.as_str()).collect();
        let own: Vec<&str> =
            names.iter().copied().filter(|name| !Plugins::names(kind).any(|known| known == *name)).collect();
        let chosen = match (name, own.as_slice()) {
            _ if names.is_empty() => Err(format!("has no {}: nothing of this kind took part", kind.name())),
            (Some(name), _) => names
                .iter()
                .find(|known| **known == name)
                .copied()
                .ok_or_else(|| format!("has no {} `{name}`: it has {}", kind.name(), names.join(", "))),
            (None, [one]) => Ok(*one),
            (None, []) => {
                Err(format!("has no {0} of your own: name one with --{0}: {1}", kind.name(), names.join(", ")))
            }
            (None, several) => Err(format!(
                "has more than one {0} of your own: name one with --{0}: {1}",
                kind.name(),
                several.join(", ")
            )),
        };
        let name = chosen.map_err(|what| Error::Input(format!("{} {what}", run.display())))?.to_owned();
        let found = manifest.plugins.iter().find(|plugin| plugin.kind == kind.name() && plugin.name == name);
        let digest = found.map(|plugin| plugin.digest.clone()).unwrap_or_default();
        let metadata = weir_metadata::read(&store.component(&digest)?)
            .map_err(|e| Error::Input(format!("{} `{name}`: {e}", kind.name())))?;
        Ok(Chosen { store, manifest, kind, name, metadata })
    }

    /// Prepares its submission.
    ///
    /// # Errors
    /// The first thing that a submission must have and this one has not; nothing is written then.
    pub fn prepare(
        &self,
        request: &Request<'_>,
        plugins: &Plugins,
        progress: &dyn Progress,
    ) -> Result<Prepared, Error> {
        let out = request.out;
        if out.symlink_metadata().is_ok() {
            return Err(Error::Input(format!(
                "{}: there is something of this name already, and nothing was changed\n  choose another folder with --out",
                out.display()
            )));
        }
        let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|e| Error::io(parent, e))?;
        let beside = staging(parent)?;
        let folder = beside.path().join("submission");
        let cut = cut(&self.store, self.kind, &self.name, &folder)?;
        if let Some(known) = self.store.read(qualification::FILE)? {
            cut.write(qualification::FILE, &known)?;
        }
        let published = Published::of(&cut, self.kind)?;
        let measure = covered(&published, &self.manifest, request.board)?
            .map_err(|what| Error::Input(format!("{}: {what}", self.store.path().display())))?;
        same_grants(plugins, &self.manifest)?;
        let verification = verify(&cut, plugins, &Share::all(), request.jobs, progress)?;
        if let Some(finding) = named(&cut, &verification)?.first() {
            let run = self.store.path().display();
            let (of, look) = match &finding.unit {
                Some(unit) => (format!("unit {unit}: "), format!("\n  weir trace {run} --unit {unit}")),
                None => Default::default(),
            };
            return Err(Error::Input(format!("{run} does not hold: {of}{}{look}", finding.what)));
        }
        let submission = self.submission(&cut, &published, request)?;
        write(&cut, &submission, request.key)?;
        fs::rename(&folder, out).map_err(|e| Error::io(out, e))?;
        Ok(Prepared { submission, verification, measure })
    }

    fn submission(&self, cut: &Store, published: &Published, request: &Request<'_>) -> Result<Submission, Error> {
        let manifest = cut.manifest()?;
        let found = manifest.plugins.iter().find(|one| one.kind == self.kind.name() && one.name == self.name);
        let found = found.ok_or_else(|| Error::Input(format!("there is no {} `{}`", self.kind.name(), self.name)))?;
        let about = request.about;
        let given = |text: &Option<String>| text.clone().unwrap_or_default();
        let suite = manifest.settings.get("suite").and_then(Value::as_str).unwrap_or_default();
        Ok(Submission {
            format: submission::FORMAT.into(),
            public_key: request.key.map(SecretKey::public),
            component: Submitted {
                kind: self.kind,
                name: self.name.clone(),
                sha256: found.digest.clone(),
                version: found.version.clone(),
                description: given(&about.description),
                authors: about.authors.clone(),
                licence: given(&about.licence),
                contact: given(&about.contact),
                homepage: about.homepage.clone(),
            },
            run: RunOf {
                suite: suite.into(),
                identity: manifest.identity(),
                units: manifest.units,
                plan: published.digest(),
            },
            files: entry::digests(cut.path())?,
        })
    }
}

/// A folder in which something is made, beside the place to which it is moved when it is whole. What a user ends early stays
/// there, under a name that nobody takes for an entry.
pub(crate) fn staging(parent: &Path) -> Result<tempfile::TempDir, Error> {
    tempfile::Builder::new().prefix(".weir-unfinished-").tempdir_in(parent).map_err(|e| Error::io(parent, e))
}

/// Holds a plan against what is published: on the board, or by a built-in suite. Says against what, or in what it differs.
///
/// # Errors
/// Where what is published cannot be read.
pub(crate) fn covered(
    plan: &Published,
    manifest: &Manifest,
    board: Option<&Path>,
) -> Result<Result<String, String>, Error> {
    let suite = manifest.settings.get("suite").and_then(Value::as_str).unwrap_or_default();
    if let Some(board) = board {
        let config = Config::read(board)?;
        if let Some(track) = config.track_of(&plan.digest()) {
            return Ok(Ok(format!("the plan of track `{}`", track.id)));
        }
        // The difference from a track of the same suite says most.
        let Some(track) = config.tracks.iter().find(|track| track.suite == suite) else {
            let known: Vec<&str> = config.tracks.iter().map(|track| track.suite.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Ok(Err(format!("no track of the board is of suite `{suite}`: its tracks are of {known}")));
        };
        let what = track.published(board)?.difference(plan).unwrap_or_else(|| "another digest".into());
        return Ok(Err(format!("it does not cover the plan of track `{}`: {what}", track.id)));
    }
    let Some(published) = Published::of_suite(suite)? else {
        return Ok(Ok("its own plan, for want of a published one (--board names a board)".into()));
    };
    Ok(match published.difference(plan) {
        None => Ok(format!("the plan of the built-in suite `{suite}`")),
        Some(what) => Err(format!(
            "it does not cover the plan of the built-in suite `{suite}`: {what}\n  for a track with another plan name its board with --board"
        )),
    })
}

/// Verifying under other grants or limits than those of the run would find differences that are none of the run.
///
/// # Errors
/// Where they are others.
pub(crate) fn same_grants(plugins: &Plugins, manifest: &Manifest) -> Result<(), Error> {
    let (here, there) = (plugins.loader().grants(), &manifest.grants);
    if here == there {
        return Ok(());
    }
    let what = if here.limits == there.limits { "grants" } else { "limits" };
    Err(Error::Input(format!(
        "the run had other {what} than there are here, and only the same give the same decisions\n  give the file of its {what} with --grants"
    )))
}

/// Writes `submission.toml` into a run's folder and, with a key, what the submitter attests.
///
/// # Errors
/// A value that is not allowed, rows that cannot be aggregated, or what the file system refuses.
pub fn write(store: &Store, submission: &Submission, key: Option<&SecretKey>) -> Result<(), Error> {
    submission.check().map_err(Error::Input)?;
    let text = submission.text()?;
    store.write(submission::FILE, text.as_bytes())?;
    if let Some(key) = key {
        let statements = statements(store, submission, &sha256(text.as_bytes()))?;
        let envelopes = statements.iter().map(|one| one.sign(key)).collect::<Result<Vec<_>, _>>()?;
        store.write(SUBMITTER, Attestation::bundle(&envelopes)?.as_bytes())?;
    }
    Ok(())
}

/// What the submitter attests: that it was tested, and what was measured.
pub(crate) fn statements(store: &Store, submission: &Submission, digest: &str) -> Result<Vec<Statement>, Error> {
    let manifest = store.manifest()?;
    let component = &submission.component;
    let subject = vec![Resource::new(&format!("{}.wasm", component.name), &component.sha256)];
    let table = measurements::table(store)?;
    let configuration = configuration(&manifest, submission, digest);
    let (passed, warned) = tests(store)?;
    let result = if warned.is_empty() { "PASSED" } else { "WARNED" };
    let tested = json!({
        "result": result,
        "configuration": configuration,
        "passedTests": passed,
        "warnedTests": warned,
        "failedTests": [],
    });
    let measured = json!({
        "component": { "kind": component.kind.name(), "name": component.name },
        "configuration": [Resource::new(submission::FILE, digest)],
        "host": manifest.host,
        "manifest": submission.files.get("manifest.json"),
        "run": submission.run.identity,
        "units": manifest.units,
        "table": table,
    });
    Ok(vec![Statement::new(subject.clone(), TEST_RESULT, tested), Statement::new(subject, MEASUREMENTS, measured)])
}

/// Everything that the results depend on, by digest, and the results.
fn configuration(manifest: &Manifest, submission: &Submission, digest: &str) -> Vec<Resource> {
    let json = |value: &Value| sha256(canonical(value).as_bytes());
    let grants = serde_json::to_value(&manifest.grants).unwrap_or_default();
    let mut all = vec![Resource::new(submission::FILE, digest)];
    all.extend(
        submission.files.iter().filter(|(name, _)| !name.contains('/')).map(|(name, sha)| Resource::new(name, sha)),
    );
    all.push(Resource::new(
        &format!("plan of suite {} without the component", submission.run.suite),
        &submission.run.plan,
    ));
    all.push(Resource::new(&manifest.contract, &manifest.contract_digest));
    all.push(Resource::new("grants and limits", &json(&grants)));
    let plugins = manifest.plugins.iter();
    all.extend(plugins.map(|plugin| Resource::new(&format!("{} {}", plugin.kind, plugin.name), &plugin.digest)));
    let models = manifest.settings.get("models").and_then(Value::as_array).into_iter().flatten();
    all.extend(models.filter_map(|model| {
        let text = |key: &str| model.get(key).and_then(Value::as_str);
        Some(Resource::new(&format!("model {}", text("name")?), text("digest")?))
    }));
    all
}

/// What was tested: names of what holds, and of what holds but with plugin faults.
fn tests(store: &Store) -> Result<(Vec<String>, Vec<String>), Error> {
    let mut passed: Vec<String> =
        ["decisions taken again", "rollouts run again", "rows recomputed", "plan covered"].map(str::to_owned).into();
    let mut faults: BTreeMap<String, bool> = BTreeMap::new();
    for row in store.rows()? {
        let row = row?;
        let any = faults.entry(row.stage).or_default();
        *any = *any || row.faults > 0;
    }
    let mut warned = BTreeSet::new();
    for (stage, any) in faults {
        let name = format!("no plugin faults: {stage}");
        if any {
            warned.insert(name);
        } else {
            passed.push(name);
        }
    }
    Ok((passed, warned.into_iter().collect()))
}
