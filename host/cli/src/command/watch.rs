//! `weir watch`: builds a project and runs what shows fastest whether all is well, again at each change.
//!
//! A round is a build, the cases of a policy, and the suite `smoke` under one seed with the plugin in it; a writer, which has
//! no place in that suite, is checked instead. A round is told in one block whose last line says whether all is well.

mod files;
mod round;
mod smoke;

use crate::common::{Failure, Operator, Outcome, print};
use clap::Args;
use files::Files;
use round::{Round, round};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;
use weir_author::ProjectFile;
use weir_suite::Error;

/// Between two looks at the files. Short beside a build, long beside the look, which takes a few milliseconds.
const LOOK: Duration = Duration::from_millis(200);

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "Ctrl-C ends it, with exit code 0. With --once: 1 where it cannot be built or run, 100 where a \
case does not hold or the plugin fails."
)]
pub struct Watch {
    /// The project's folder: the one with weir.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// One round, and no waiting for a change
    #[arg(long)]
    once: bool,
    /// Print a line of JSON for each round
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Watch {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let plugins = self.operator.plugins()?;
        let jobs = self.operator.jobs();
        if self.once {
            let done = round(&self.dir, &plugins, jobs, 1, Vec::new());
            self.tell(&done)?;
            return match done.error {
                Some(error) => Err(Error::Input(error).into()),
                None => Ok(done.well),
            };
        }
        // What is no project now is none that anyone works on.
        ProjectFile::read(&self.dir)?;
        let stop = Arc::new(AtomicBool::new(false));
        // The first Ctrl-C lets what is being written be finished; a second one does not wait.
        flag::register_conditional_shutdown(SIGINT, 1, Arc::clone(&stop))
            .and_then(|_| flag::register(SIGINT, Arc::clone(&stop)))
            .map_err(|e| Error::io("the handler of Ctrl-C", e))?;
        let (mut number, mut changed) = (1, Vec::new());
        while !stop.load(Ordering::Relaxed) {
            let before = Files::of(&self.dir, &Files::default())?;
            let done = round(&self.dir, &plugins, jobs, number, changed);
            // Ctrl-C has also ended the language's tools: what they left undone is no finding.
            if stop.load(Ordering::Relaxed) {
                break;
            }
            self.tell(&done)?;
            match self.changes(&before, &stop)? {
                Some(found) => changed = found,
                None => break,
            }
            number += 1;
        }
        Ok(true)
    }

    /// Waits for files to differ from these, and until nothing changes any more: an editor writes several files, and large
    /// ones in pieces. None where it was told to stop.
    fn changes(&self, before: &Files, stop: &AtomicBool) -> Result<Option<Vec<String>>, Error> {
        let mut last = before.clone();
        while !stop.load(Ordering::Relaxed) {
            let now = Files::of(&self.dir, &last)?;
            let changed = before.changed(&now);
            if !changed.is_empty() && last.changed(&now).is_empty() {
                return Ok(Some(changed));
            }
            last = now;
            sleep(LOOK);
        }
        Ok(None)
    }

    fn tell(&self, round: &Round) -> Result<(), Failure> {
        if self.json {
            let line = serde_json::to_string(round).map_err(|e| Error::Input(e.to_string()))?;
            return print(&(line + "\n"));
        }
        print(&round.text())
    }
}
