//! `weir leaderboard`: a folder of entries in git.

mod add;
mod build;
mod init;

use crate::common::Outcome;
use clap::{Args, Subcommand};

/// Arguments.
#[derive(Args)]
pub struct Leaderboard {
    #[command(subcommand)]
    step: Step,
}

#[derive(Subcommand)]
enum Step {
    /// Make a leaderboard with a track for each of some runs
    Init(init::Init),
    /// Verify a submission, and copy it onto a leaderboard where it holds
    Add(add::Add),
    /// Build the site of a leaderboard, or of runs: static files
    Build(build::Build),
}

impl Leaderboard {
    /// Runs it.
    pub fn run(self) -> Outcome {
        match self.step {
            Step::Init(init) => init.run(),
            Step::Add(add) => add.run(),
            Step::Build(build) => build.run(),
        }
    }
}
