//! `weir leaderboard add`: an entry, verified.

use crate::command::submit::{print_found, roles};
use crate::common::{Operator, Outcome};
use crate::progress::Bar;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use weir_leaderboard::SecretKey;
use weir_leaderboard::add::{Request, add};

/// Arguments.
#[derive(Args)]
pub struct Add {
    /// The leaderboard's folder
    board: PathBuf,
    /// A submission's folder
    submission: PathBuf,
    /// The entry's name [default: the component's]
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// A maintainer's secret key: the entry is signed as verified with it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Name the submitter's key in leaderboard.toml, where it is not there yet
    #[arg(long, value_name = "NAME")]
    trust: Option<String>,
    /// The seed that chooses the rollouts that are run again in full [default: a random one]
    #[arg(long, value_name = "S")]
    seed: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Add {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let key = self.key.as_deref().map(SecretKey::read).transpose()?;
        let plugins = self.operator.plugins_for(self.operator.jobs(), &roles(&self.submission)?)?;
        let request = Request {
            board: &self.board,
            submission: &self.submission,
            name: self.name.as_deref(),
            key: key.as_ref(),
            trust: self.trust.as_deref(),
            seed: self.seed.as_deref(),
            jobs: self.operator.jobs(),
        };
        let outcome = add(&request, &plugins, &Bar::default())?;
        let (found, verification) = (&outcome.verified.validated, outcome.verified.verification.as_ref());
        let mut more = vec![("percent", json!(outcome.share.percent())), ("seed", json!(outcome.share.seed()))];
        if let Some(added) = &outcome.added {
            more.extend([
                ("track", json!(added.track)),
                ("badge", json!(added.badge.name())),
                ("entry", json!(added.path)),
            ]);
        }
        print_found(found, verification, &more, self.json)
    }
}
