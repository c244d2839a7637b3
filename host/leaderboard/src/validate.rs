//! What holds of a submission without executing anything: form, digests, signatures, plan, coverage, and that rows and traces
//! stand where they should. It says nothing of whether the rows are true: that is [`mod@crate::verify`]'s.

use crate::board::{Config, Keys};
use crate::entry::{Entry, SUBMITTER};
use crate::prepare::{covered, statements};
use crate::statement::{MEASUREMENTS, TEST_RESULT};
use crate::submission;
use serde::Serialize;
use std::path::Path;
use weir_metadata::Kind;
use weir_suite::manifest::FORMAT;
use weir_suite::published::Published;
use weir_suite::store::{RESULTS, Store, TRACES, hash, planned};
use weir_suite::{Error, authority};

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What is wrong.
    pub what: String,
    /// The beginning of the unit's identity, where it concerns one whose trace can be looked at.
    pub unit: Option<String>,
}

/// A submission that was looked at.
pub struct Validated {
    /// The entry.
    pub entry: Entry,
    /// What the plan was held against, in words; none where it differs.
    pub measure: Option<String>,
    /// What does not hold, in the order in which it was found.
    pub findings: Vec<Finding>,
}

/// Looks at a submission. `board` is the one whose plan it must have; without one a built-in suite's own plan is the measure.
///
/// # Errors
/// Where it cannot be read at all.
pub fn validate(path: &Path, board: Option<&Path>) -> Result<Validated, Error> {
    let keys = board.map(Config::read).transpose()?.map_or_else(Keys::default, |config| config.keys);
    let (entry, wrong) = Entry::examine(path, &keys)?;
    let mut found = Validated { entry, measure: None, findings: Vec::new() };
    wrong.into_iter().for_each(|what| found.say(what));
    // What follows reads the files, and a file that was altered has been told.
    if found.findings.is_empty() {
        found.plan(board)?;
    }
    if found.findings.is_empty() {
        found.rows()?;
    }
    if found.findings.is_empty() {
        found.attested()?;
    }
    Ok(found)
}

impl Validated {
    pub(crate) fn say(&mut self, what: String) {
        self.findings.push(Finding { what, unit: None });
    }

    /// The plan is the manifest's and the published one.
    fn plan(&mut self, board: Option<&Path>) -> Result<(), Error> {
        let store = Store::open(&self.entry.path)?;
        let (manifest, kind) = (self.entry.manifest.clone(), self.entry.submission.component.kind);
        if manifest.format != FORMAT {
            self.say(format!("manifest.json has format {:?}, this Weir reads {FORMAT:?}", manifest.format));
            return Ok(());
        }
        let policies = manifest.plugins.iter().filter(|plugin| plugin.kind == Kind::Policy.name()).count();
        if manifest.kind != authority::KIND && policies != 1 {
            self.say(format!("manifest.json has {policies} policies: a submission is of one"));
        }
        if hash(store.plan()?) != manifest.plan {
            self.say("plan.jsonl was altered: it does not hash to what manifest.json says".into());
            return Ok(());
        }
        let published = Published::of(&store, kind)?;
        let said = &self.entry.submission.run.plan;
        if published.digest() != *said {
            let what = format!("`run.plan` in {} is {said}, plan.jsonl gives {}", submission::FILE, published.digest());
            self.say(what);
        }
        match covered(&published, &manifest, board)? {
            Ok(measure) => self.measure = Some(measure),
            Err(what) => self.say(what),
        }
        Ok(())
    }

    /// There is a row for each unit, in order, and its trace stands where it says.
    fn rows(&mut self) -> Result<(), Error> {
        let store = Store::open(&self.entry.path)?;
        let mut plan = store.plan()?;
        let mut end = store.traces()?.position();
        let mut rows = 0_usize;
        for row in store.rows()? {
            let row = row?;
            rows += 1;
            let line = plan.next().transpose()?.unwrap_or_default();
            let unit = row.unit.get(..12).unwrap_or(&row.unit).to_owned();
            let mut say = |what: &str| self.findings.push(Finding { what: what.into(), unit: Some(unit.clone()) });
            if planned(&line, "unit").as_ref() != Some(&row.unit) {
                say(&format!("{RESULTS} line {rows} is not of the unit that plan.jsonl has there"));
                return Ok(());
            }
            if row.trace.offset != end {
                say(&format!(
                    "{RESULTS} line {rows} points at byte {} of {TRACES}, its trace begins at {end}",
                    row.trace.offset
                ));
                return Ok(());
            }
            end = end.saturating_add(row.trace.length);
        }
        if rows != self.entry.manifest.units {
            self.say(format!("{RESULTS} has {rows} rows, the plan has {} units", self.entry.manifest.units));
        }
        let traces = self.entry.path.join(TRACES);
        let length = std::fs::metadata(&traces).map_err(|e| Error::io(&traces, e))?.len();
        if length != end {
            self.say(format!("{TRACES} has {length} bytes, its traces {end}"));
        }
        Ok(())
    }

    /// What the submitter attests is what the files say.
    fn attested(&mut self) -> Result<(), Error> {
        if self.entry.submission.public_key.is_none() {
            return Ok(());
        }
        let store = Store::open(&self.entry.path)?;
        let expected = statements(&store, &self.entry.submission, &self.entry.digest)?;
        for (number, attestation) in (1..).zip(self.entry.submitter.clone()) {
            let kind = attestation.statement.predicate_type.as_str();
            let Some(expected) = expected.iter().find(|one| one.predicate_type == kind) else { continue };
            if expected.text()? != attestation.statement.text()? {
                let what = match kind {
                    MEASUREMENTS => "its table does not follow from results.jsonl",
                    TEST_RESULT => "what it was tested on, or with what result, does not follow from the files",
                    _ => "it does not follow from the files",
                };
                self.say(format!("{SUBMITTER} line {number}: {what}"));
            }
        }
        Ok(())
    }
}
