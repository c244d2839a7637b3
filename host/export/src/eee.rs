//! Every Eval Ever, schema 0.3.0: results of many harnesses in one form, so that others can put a run beside theirs.
//!
//! A record is one model under one policy in one condition: an aggregate with the means of `security` and `utility` in each
//! stage, and a line for each rollout and score. Other metrics have no place in it: the tables have them. A rollout that has
//! neither score is left out, and the number of these is told.
//!
//! The folder is laid out as the project's datastore is, from `data/` down, and passes its validator. Names of files are
//! digests: the same run gives the same files. Conversations have no texts unless they are asked for.

mod aggregate;
mod instance;

use crate::conversation::Conversation;
use crate::evaluation::{Evaluation, Key, survey};
use crate::folder::Folder;
use crate::run::Run;
use crate::scores::Scores;
use crate::{Exported, Times};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use weir_suite::store::Store;
use weir_suite::{Error, Progress};
use weir_trace::json::hex;

/// The schema.
const SCHEMA: &str = "0.3.0";

/// What a record says that no run knows.
#[derive(Clone, Debug)]
pub struct Record {
    /// Also what was said.
    pub content: bool,
    /// When the record was made.
    pub times: Times,
    /// Who ran it.
    pub organisation: String,
}

/// Writes a run as a folder of records.
///
/// # Errors
/// Where the run is incomplete or damaged, has no rollout that a record can hold, or the folder cannot be written or exists
/// already. Nothing is left behind.
pub fn every_eval_ever(
    store: &Store,
    out: Option<PathBuf>,
    record: &Record,
    progress: &dyn Progress,
) -> Result<Exported, Error> {
    let run = Run::open(store)?;
    let out = out.unwrap_or_else(|| PathBuf::from(format!("weir-{}-every-eval-ever", run.manifest.identity())));
    let folder = Folder::begin(&out, store.path())?;
    let mut all = Records { folder: &folder, run: &run, record, open: BTreeMap::new() };
    for (key, evaluation) in survey(&run)? {
        let place = all.open.entry(Key { stage: String::new(), ..key.clone() }).or_default();
        place.stages.insert(key.stage.clone(), evaluation);
    }
    let scores = Scores::new(&run.manifest.metrics);
    let (mut rollouts, mut left_out, mut done) = (0, 0, 0);
    progress.begin(run.manifest.units, 0);
    run.each_trace(&mut |row, trace| {
        let key = Key { stage: String::new(), ..Key::of(row) };
        let headline = scores.headline(row);
        if headline.is_empty() {
            left_out += 1;
        } else {
            rollouts += 1;
            let conversation = Conversation::of(trace);
            let identity = aggregate::identity(&run, &key, record.times);
            for score in &headline {
                let line = instance::line(row, trace, &conversation, score, &identity, record.content)?;
                all.add(&key, &identity, line)?;
            }
        }
        done += 1;
        progress.advance(done);
        Ok(())
    })?;
    progress.end();
    let (files, bytes) = all.finish()?;
    if files == 0 {
        return Err(Error::Input(format!(
            "{}: no rollout has a security or a utility, so there is nothing that this format can say\n  `--what rollouts` has what there is",
            store.path().display()
        )));
    }
    folder.finish()?;
    Ok(Exported { rollouts, left_out, files, bytes, out, manifest: run.manifest_digest })
}

/// Records that are being written.
struct Records<'a> {
    folder: &'a Folder,
    run: &'a Run<'a>,
    record: &'a Record,
    open: BTreeMap<Key, Place>,
}

/// One record.
#[derive(Default)]
struct Place {
    stages: BTreeMap<String, Evaluation>,
    lines: Option<Lines>,
}

/// Its lines so far.
struct Lines {
    file: BufWriter<File>,
    path: PathBuf,
    hash: Sha256,
    rows: u64,
    bytes: u64,
}

impl Records<'_> {
    fn add(&mut self, key: &Key, identity: &aggregate::Identity, mut line: String) -> Result<(), Error> {
        let Some(place) = self.open.get_mut(key) else {
            return Err(Error::Input("the run's results changed while they were read: export it again".into()));
        };
        line.push('\n');
        if place.lines.is_none() {
            let path = self.folder.place(&identity.samples())?;
            let file = BufWriter::new(File::create_new(&path).map_err(|e| Error::io(&path, e))?);
            place.lines = Some(Lines { file, path, hash: Sha256::new(), rows: 0, bytes: 0 });
        }
        let Some(lines) = &mut place.lines else { return Ok(()) };
        lines.file.write_all(line.as_bytes()).map_err(|e| Error::io(&lines.path, e))?;
        lines.hash.update(line.as_bytes());
        lines.rows = lines.rows.saturating_add(1);
        lines.bytes = lines.bytes.saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
        Ok(())
    }

    /// Writes the aggregates. Answers with the number of files, and their bytes.
    fn finish(self) -> Result<(usize, u64), Error> {
        let (mut files, mut bytes) = (0_usize, 0_u64);
        for (key, place) in self.open {
            let Some(mut lines) = place.lines else { continue };
            let failed = |e| Error::io(&lines.path, e);
            lines.file.flush().and_then(|()| lines.file.get_ref().sync_all()).map_err(failed)?;
            let identity = aggregate::identity(self.run, &key, self.record.times);
            let samples = aggregate::Samples { checksum: hex(&lines.hash.finalize()), rows: lines.rows };
            let text = aggregate::text(self.run, &key, &identity, &place.stages, &samples, self.record)?;
            let path = self.folder.place(&identity.aggregate())?;
            std::fs::write(&path, &text).map_err(|e| Error::io(&path, e))?;
            files = files.saturating_add(2);
            bytes = bytes.saturating_add(lines.bytes).saturating_add(u64::try_from(text.len()).unwrap_or(u64::MAX));
        }
        Ok((files, bytes))
    }
}
