//! One round: build, cases, the small suite; and what is told of it.

use super::smoke::Smoke;
use crate::command::test::{CASES, read, tell};
use indicatif::ProgressBar;
use serde::Serialize;
use std::env;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use weir_author::ProjectFile;
use weir_runtime::Kind;
use weir_suite::case_file;
use weir_suite::{Error, Plugins};

/// What a round found.
#[derive(Debug, Default, Serialize)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// The files that differed from those of the round before.
    pub changed: Vec<String>,
    /// The cases of a policy.
    pub cases: Vec<case_file::Outcome>,
    /// The small suite, or the checks of a writer.
    pub smoke: Option<Smoke>,
    /// All is well: built, every case holds, and nothing failed.
    pub well: bool,
    /// Why it could not be built or run; nothing else is known then.
    pub error: Option<String>,
    /// Seconds that it took, on this machine.
    pub seconds: f64,
    /// What the language's tools said, where they could not build it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tools: String,
}

/// Does a round. It does not fail: why something could not be done is what it tells.
pub fn round(folder: &Path, plugins: &Plugins, jobs: usize, number: u32, changed: Vec<String>) -> Round {
    let begun = Instant::now();
    let mut done = Round { round: number, changed, ..Round::default() };
    // Quiet where standard error is no terminal.
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    if let Err(error) = done.go(folder, plugins, jobs, &bar) {
        done.error = Some(error.to_string());
    }
    bar.finish_and_clear();
    let cases = done.cases.iter().all(|case| case.holds);
    done.well = done.error.is_none() && cases && done.smoke.as_ref().is_some_and(Smoke::well);
    done.seconds = begun.elapsed().as_secs_f64();
    done
}

impl Round {
    fn go(&mut self, folder: &Path, plugins: &Plugins, jobs: usize, bar: &ProgressBar) -> Result<(), Error> {
        let project = ProjectFile::read(folder)?;
        bar.set_message(format!("building {}", project.name));
        self.build(folder, &project)?;
        let component = folder.join(format!("{}.wasm", project.name)).display().to_string();
        let cases = folder.join(CASES);
        if project.kind == Kind::Policy && cases.is_dir() {
            bar.set_message("running its cases");
            let (policy, _) = plugins.policy(&component)?;
            self.cases = read(plugins, &cases)?.iter().map(|one| one.case.run(&policy)).collect::<Result<_, _>>()?;
        }
        bar.set_message("running a small suite");
        self.smoke = Some(Smoke::of(project.kind, folder, plugins, jobs, &component)?);
        Ok(())
    }

    /// Builds in a process of its own: what a language's tools print is shown where they fail, and is in nobody's way where
    /// they do not.
    fn build(&mut self, folder: &Path, project: &ProjectFile) -> Result<(), Error> {
        let program = env::current_exe().map_err(|e| Error::io("this program", e))?;
        let mut build = Command::new(program);
        build.arg("build").arg(folder).stdin(Stdio::null());
        let output = build.output().map_err(|e| Error::io("this program", e))?;
        if output.status.success() {
            return Ok(());
        }
        self.tools = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(Error::Input(format!("{} was not built", project.name)))
    }

    /// The round as a block of lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = match self.changed.as_slice() {
            [] => writeln!(text, "round {}", self.round),
            [one] => writeln!(text, "round {}: {one}", self.round),
            [first, rest @ ..] => writeln!(text, "round {}: {first} and {} more", self.round, rest.len()),
        };
        text += &self.tools;
        if !self.cases.is_empty() {
            let held = self.cases.iter().filter(|case| case.holds).count();
            let _ = writeln!(text, "cases  {held} of {} hold", self.cases.len());
            self.cases.iter().filter(|case| !case.holds).for_each(|case| tell(&mut text, case, false));
        }
        if let Some(smoke) = &self.smoke {
            let _ = writeln!(text, "{}", smoke.text());
        }
        let verdict = match (&self.error, self.well) {
            (Some(error), _) => error.as_str(),
            (None, true) => "all is well",
            (None, false) => "not all is well",
        };
        let _ = writeln!(text, "round {} took {:.1} s: {verdict}", self.round, self.seconds);
        text
    }
}
