//! `weir leaderboard init`: a new leaderboard.

use crate::common::{Outcome, print, print_json};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use weir_leaderboard::PublicKey;
use weir_leaderboard::init::{Request, init};
use weir_runtime::Kind;
use weir_suite::{Error, input};

/// Arguments.
#[derive(Args)]
pub struct Init {
    /// The leaderboard's folder
    folder: PathBuf,
    /// A run whose plan every entry of a track must have; may be given more than once, for a track each
    #[arg(long = "run", value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Compare writers of authority suites instead of policies
    #[arg(long)]
    writers: bool,
    /// One line for a reader
    #[arg(long, value_name = "TEXT", default_value = "Leaderboard")]
    title: String,
    /// A maintainer's name and public key, as in ann=ann.pem.pub; may be given more than once
    #[arg(long = "maintainer", value_name = "NAME=FILE", value_parser = named)]
    maintainers: Vec<(String, PathBuf)>,
    /// Rollouts of an entry that are run again in full when it is added, in per cent
    #[arg(long, value_name = "K", default_value = "10")]
    rerun_percent: f64,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Init {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let key = |(name, file): &(String, PathBuf)| Ok::<_, Error>((name.clone(), public_key(file)?));
        let maintainers = self.maintainers.iter().map(key).collect::<Result<Vec<_>, _>>()?;
        let config = init(&Request {
            folder: &self.folder,
            title: &self.title,
            runs: &self.runs,
            kind: if self.writers { Kind::Writer } else { Kind::Policy },
            maintainers: &maintainers,
            rerun_percent: self.rerun_percent,
        })?;
        if self.json {
            print_json(&serde_json::json!({ "leaderboard": self.folder, "config": config }))?;
            return Ok(true);
        }
        let mut text = String::new();
        for track in &config.tracks {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "track {}: {}\n  plan {}", track.id, track.title, track.plan);
        }
        let _ = writeln!(text, "leaderboard  {}", self.folder.display());
        print(&text)?;
        Ok(true)
    }
}

fn named(text: &str) -> Result<(String, PathBuf), String> {
    let (name, file) = text.split_once('=').ok_or("expected NAME=FILE, as in ann=ann.pem.pub")?;
    if !weir_metadata::is_name(name) {
        return Err(weir_metadata::name_rule(name));
    }
    Ok((name.to_owned(), file.into()))
}

/// A public key's file.
fn public_key(path: &Path) -> Result<PublicKey, Error> {
    let text = String::from_utf8_lossy(&input::read(path)?).into_owned();
    PublicKey::of_pem(&text).map_err(|what| Error::Input(format!("{}: {what}", path.display())))
}
