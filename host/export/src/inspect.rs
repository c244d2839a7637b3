//! Inspect AI's eval logs, version 2, as one JSON file an evaluation: `inspect view`, `read_eval_log`, `samples_df` and what
//! is built on them read a run as if Inspect had made it.
//!
//! | Inspect | Weir |
//! |---|---|
//! | log | one model under one policy in one stage and condition |
//! | task, solver | stage, policy |
//! | sample `id` | `DOMAIN/SCENARIO` |
//! | `epoch` | which seed of the scenario, from 1; the seed itself is in the sample's metadata |
//! | `uuid` | the unit's identity: the same as in `results.jsonl` |
//! | scores | `security`, `utility` and every metric; what does not apply is left out |
//! | `approval` events | what the policy answered about calls; its other answers are `info` events |
//!
//! Runs have no clock, so times are made up: each log was created at the time that is given, and each event took place as
//! many milliseconds later as its position in the trace says. Metadata says so.

mod log;
mod sample;
mod transcript;

use crate::evaluation::{Epochs, Evaluation, Key, sample as name_of, survey};
use crate::folder::Folder;
use crate::run::Run;
use crate::scores::Scores;
use crate::{Exported, Times};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use weir_suite::store::Store;
use weir_suite::{Error, Progress};

/// Writes a run as a folder of eval logs.
///
/// # Errors
/// Where the run is incomplete or damaged, or the folder cannot be written or exists already. Nothing is left behind.
pub fn inspect(store: &Store, out: Option<PathBuf>, times: Times, progress: &dyn Progress) -> Result<Exported, Error> {
    let run = Run::open(store)?;
    let out = out.unwrap_or_else(|| PathBuf::from(format!("weir-{}-inspect", run.manifest.identity())));
    let folder = Folder::begin(&out, store.path())?;
    let evaluations = survey(&run)?;
    let scores = Scores::new(&run.manifest.metrics);
    let mut logs = Logs {
        folder: &folder,
        run: &run,
        evaluations: &evaluations,
        times,
        open: BTreeMap::new(),
        bytes: 0,
        files: 0,
    };
    let (mut epochs, mut rollouts) = (Epochs::default(), 0);
    progress.begin(run.manifest.units, 0);
    run.each_trace(&mut |row, trace| {
        let key = Key::of(row);
        let epoch = epochs.next(&key, &name_of(row));
        let sample = sample::json(row, trace, epoch, &scores.of(row), times)?;
        logs.add(&key, &sample)?;
        rollouts += 1;
        progress.advance(rollouts);
        Ok(())
    })?;
    progress.end();
    let (bytes, files) = (logs.bytes, logs.files);
    folder.finish()?;
    Ok(Exported { rollouts, left_out: 0, files, bytes, out, manifest: run.manifest_digest })
}

/// Logs that are being written. A stage's scenarios stand together in a plan, so few are open at once.
struct Logs<'a> {
    folder: &'a Folder,
    run: &'a Run<'a>,
    evaluations: &'a BTreeMap<Key, Evaluation>,
    times: Times,
    open: BTreeMap<Key, Log>,
    bytes: u64,
    files: usize,
}

struct Log {
    file: BufWriter<File>,
    path: PathBuf,
    samples: usize,
}

impl Logs<'_> {
    fn add(&mut self, key: &Key, sample: &serde_json::Value) -> Result<(), Error> {
        let Some(evaluation) = self.evaluations.get(key) else {
            return Err(Error::Input("the run's results changed while they were read: export it again".into()));
        };
        if !self.open.contains_key(key) {
            let head = log::head(self.run, key, evaluation, self.times);
            let path = self.folder.place(&log::name(&self.run.manifest_digest, key, self.times))?;
            let mut file = BufWriter::new(File::create_new(&path).map_err(|e| Error::io(&path, e))?);
            file.write_all(head.as_bytes()).map_err(|e| Error::io(&path, e))?;
            self.open.insert(key.clone(), Log { file, path, samples: 0 });
        }
        let Some(log) = self.open.get_mut(key) else { return Ok(()) };
        let failed = |e| Error::io(&log.path, e);
        log.file.write_all(if log.samples == 0 { b"\n" } else { b",\n" }).map_err(failed)?;
        serde_json::to_writer(&mut log.file, sample).map_err(|e| failed(e.into()))?;
        log.samples = log.samples.saturating_add(1);
        if log.samples < evaluation.rollouts {
            return Ok(());
        }
        log.file.write_all(log::END.as_bytes()).and_then(|()| log.file.flush()).map_err(failed)?;
        let file = log.file.get_ref();
        file.sync_all().map_err(failed)?;
        self.bytes = self.bytes.saturating_add(file.metadata().map_err(failed)?.len());
        self.files = self.files.saturating_add(1);
        self.open.remove(key);
        Ok(())
    }
}
