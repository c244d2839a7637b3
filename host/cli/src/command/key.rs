//! `weir key`: a pair of keys to sign submissions and verifications with.

use crate::common::{Outcome, print, print_json};
use clap::Args;
use std::path::PathBuf;
use weir_leaderboard::key::make_pair;

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "The secret key is PKCS#8 in PEM, readable by its owner alone: `openssl genpkey -algorithm ed25519` makes the same. Keep it; \
whoever has it can sign in your name."
)]
pub struct Key {
    /// The secret key's file; the public key's has `.pub` behind its name
    file: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Key {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let (public, key) = make_pair(&self.file)?;
        if self.json {
            print_json(
                &serde_json::json!({ "secret": self.file, "public": public, "public-key": key, "id": key.id() }),
            )?;
        } else {
            print(&format!(
                "secret key  {}\npublic key  {}\n            {key}\n",
                self.file.display(),
                public.display()
            ))?;
        }
        Ok(true)
    }
}
