//! `weir view`: a run, a leaderboard or a site in the browser.

use crate::common::{Outcome, print};
use crate::progress::Bar;
use clap::Args;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use weir_site::given::{Given, newest_run, open};
use weir_site::serve::{Server, Source};
use weir_site::{Memory, build};

/// Where runs are that were given no folder.
const RUNS: &str = "weir-out";

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "Only this machine can reach the address, and nothing is written: of a run, the site is built in memory, and a trace is read \
when somebody opens it. `weir leaderboard build` writes a site's files."
)]
pub struct View {
    /// A leaderboard, a site, or one or more runs [default: the newest run in weir-out]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Port of 127.0.0.1; 0 for any that is free [default: 7575, or any where that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,
}

impl View {
    /// Runs it, until Ctrl-C.
    pub fn run(self) -> Outcome {
        let paths = if self.paths.is_empty() { vec![newest_run(Path::new(RUNS))?] } else { self.paths };
        let (source, what) = match open(&paths)? {
            Given::Built(path) => (Source::folder(&path)?, path.display().to_string()),
            Given::Site(site) => {
                let memory = Memory::default();
                build(&site, &memory, &Bar::default())?;
                (Source::memory(memory), site.title)
            }
        };
        let server = Server::bind(source, self.port)?;
        let url = server.url();
        print(&format!("{url}  {what}\nCtrl-C ends it\n"))?;
        if !self.no_open && std::io::stdout().is_terminal() {
            open_browser(&url);
        }
        server.run()?;
        Ok(true)
    }
}

/// Asks the desktop for its browser. Where there is none, the address is printed all the same.
fn open_browser(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    // Without a desktop, xdg-open would start a browser in this terminal.
    let desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if !desktop && opener == "xdg-open" {
        return;
    }
    let _ = Command::new(opener).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
