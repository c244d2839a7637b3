//! `weir submit validate`: what holds of a submission without executing anything.

use super::print_found;
use crate::common::Outcome;
use clap::Args;
use std::path::PathBuf;
use weir_leaderboard::validate::validate;

/// Arguments.
#[derive(Args)]
pub struct Validate {
    /// A submission's folder, or an entry's on a leaderboard
    submission: PathBuf,
    /// The leaderboard whose plan and keys it is held against [default: the plan of the built-in suite]
    #[arg(long, value_name = "DIR")]
    board: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Validate {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let found = validate(&self.submission, self.board.as_deref())?;
        print_found(&found, None, &[], self.json)
    }
}
