//! `weir leaderboard build`: a leaderboard's site, as static files.

use crate::common::{Outcome, print, print_json};
use crate::progress::Bar;
use clap::Args;
use std::path::PathBuf;
use weir_site::given::{Given, open};
use weir_site::{Folder, build};
use weir_suite::Error;

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "The site opens from disk and from any static host. An older site in its place is replaced, with its owner's own files \
(CNAME, .git) kept; a folder of anything else is not."
)]
pub struct Build {
    /// A leaderboard's folder, or the folders of runs that nobody submitted
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The site's folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Build {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let site = match open(&self.folders)? {
            Given::Site(site) => site,
            Given::Built(path) => {
                let what = format!("{}: a site is built of a leaderboard or of runs, and this is one", path.display());
                return Err(Error::Input(what).into());
            }
        };
        let folder = Folder::begin(&self.out)?;
        build(&site, &folder, &Bar::default())?;
        let written = folder.finish()?;
        if self.json {
            print_json(&serde_json::json!({ "site": self.out, "files": written.files, "bytes": written.bytes }))?;
        } else {
            print(&format!(
                "site  {}  {} files, {} bytes\nview  weir view {}\n",
                self.out.join("index.html").display(),
                written.files,
                written.bytes,
                self.out.display()
            ))?;
        }
        Ok(true)
    }
}
