//! `weir submit verify`: a submission's decisions, taken again.

use super::print_found;
use crate::common::{Operator, Outcome};
use crate::progress::Bar;
use clap::Args;
use std::path::PathBuf;
use weir_leaderboard::verify::verify;
use weir_suite::Error;
use weir_suite::Manifest;
use weir_suite::share::Share;
use weir_suite::store::Store;

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "Which rollouts are run again in full follows from the seed alone: a unit's place in the draw is the SHA-256 of the seed, a line \
end and the unit, as in `printf '%s\\n%s' SEED UNIT | sha256sum`, and the first so many per cent are drawn. Of all others the decisions, rows, \
identities and headers are held to what they must be, and what their environments said is the submission's word."
)]
pub struct Verify {
    /// A submission's folder, or an entry's on a leaderboard
    submission: PathBuf,
    /// The leaderboard whose plan and keys it is held against [default: the plan of the built-in suite]
    #[arg(long, value_name = "DIR")]
    board: Option<PathBuf>,
    /// Rollouts that are run again in full, in per cent
    #[arg(long, value_name = "K", default_value = "100")]
    percent: f64,
    /// The seed that chooses them; needed below 100 per cent
    #[arg(long, value_name = "S")]
    seed: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Verify {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let share = match &self.seed {
            Some(seed) => Share::new(self.percent, seed)?,
            None if self.percent >= 100.0 => Share::new(self.percent, "")?,
            None => {
                return Err(Error::Input(format!(
                    "{} % of the rollouts, and no seed that chooses them: give one with --seed",
                    self.percent
                ))
                .into());
            }
        };
        let plugins = self.operator.plugins_for(self.operator.jobs(), &roles(&self.submission)?)?;
        let jobs = self.operator.jobs();
        let board = self.board.as_deref();
        let found = verify(&self.submission, board, &share, &plugins, jobs, &Bar::default())?;
        print_found(&found.validated, found.verification.as_ref(), &[], self.json)
    }
}

/// Roles that the run of a submission granted. They harm nobody here: their answers come from the traces.
pub fn roles(submission: &std::path::Path) -> Result<Vec<String>, Error> {
    Ok(Store::open(submission)?.manifest().map(|manifest: Manifest| manifest.roles()).unwrap_or_default())
}
