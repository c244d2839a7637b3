//! `weir submit prepare`: a submission of a finished run.

use crate::common::{Failure, Operator, Outcome, print, print_json, shown};
use crate::progress::Bar;
use clap::Args;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use weir_leaderboard::SecretKey;
use weir_leaderboard::prepare::{About, Chosen, Missing, Request};
use weir_runtime::Kind;
use weir_suite::Error;

/// Arguments.
#[derive(Args)]
#[command(
    after_help = "What the component says of itself, in its section `weir:plugin`, need not be given again. What is missing then is asked for \
on a terminal, and an error elsewhere."
)]
pub struct Prepare {
    /// A finished run's folder
    run: PathBuf,
    /// Folder of the submission
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which policy [default: the only one that is not built in]
    #[arg(long, value_name = "NAME", conflicts_with = "writer")]
    policy: Option<String>,
    /// Submit a writer of an authority suite instead: this one
    #[arg(long, value_name = "NAME")]
    writer: Option<String>,
    /// Secret key to sign it with, as `weir key` makes it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The leaderboard it is for: the run must cover the plan of one of its tracks [default: that of the built-in suite]
    #[arg(long, value_name = "DIR")]
    board: Option<PathBuf>,
    /// What it does, in a sentence or two
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Who wrote it; may be given more than once
    #[arg(long = "author", value_name = "AUTHOR")]
    authors: Vec<String>,
    /// Its licence, as an SPDX expression
    #[arg(long)]
    licence: Option<String>,
    /// Where its authors can be reached: mailto:... or https://...
    #[arg(long, value_name = "ADDRESS")]
    contact: Option<String>,
    /// Where to read more: an address
    #[arg(long, value_name = "ADDRESS")]
    homepage: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

impl Prepare {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let (kind, name) = match &self.writer {
            Some(writer) => (Kind::Writer, Some(writer)),
            None => (Kind::Policy, self.policy.as_ref()),
        };
        let key = self.key.as_deref().map(SecretKey::read).transpose()?;
        let chosen = Chosen::of(&self.run, kind, name.map(String::as_str))?;
        let mut about = About {
            description: self.description,
            authors: self.authors,
            licence: self.licence,
            contact: self.contact,
            homepage: self.homepage,
        };
        about.fill(chosen.metadata.as_ref());
        complete(&mut about, &chosen)?;
        let plugins = self.operator.plugins_for(self.operator.jobs(), &chosen.manifest.roles())?;
        let request = Request {
            out: &self.out,
            about: &about,
            key: key.as_ref(),
            board: self.board.as_deref(),
            jobs: self.operator.jobs(),
        };
        let prepared = chosen.prepare(&request, &plugins, &Bar::default())?;
        let (component, verification) = (&prepared.submission.component, &prepared.verification);
        if self.json {
            print_json(&serde_json::json!({
                "submission": self.out,
                "component": component,
                "run": prepared.submission.run,
                "plan": prepared.measure,
                "signed": prepared.submission.public_key,
                "verification": verification,
            }))?;
            return Ok(true);
        }
        let signed =
            prepared.submission.public_key.map_or_else(|| "not signed".into(), |key| format!("signed with {key}"));
        print(&format!(
            "{} {}  sha256 {}\ncovers {}: {} rollouts\n{} decisions in {} traces re-executed, {} rollouts run again in full: all equal\n{signed}\n\
             submission  {out}\nvalidate    weir submit validate {out}\n",
            component.kind.name(),
            component.name,
            component.sha256,
            prepared.measure,
            prepared.submission.run.units,
            verification.decisions,
            verification.traces,
            verification.rerun,
            out = self.out.display()
        ))?;
        Ok(true)
    }
}

/// Asks a person for what is missing; elsewhere that is an error, which names the options.
fn complete(about: &mut About, chosen: &Chosen) -> Result<(), Failure> {
    let missing = about.missing();
    if missing.is_empty() {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        let line = |what: &Missing| format!("\n  {:<13} {}", what.option(), what.what());
        return Err(Error::Input(format!(
            "{} `{}` does not say everything of itself that a submission must: give\n{}",
            chosen.kind.name(),
            shown(&chosen.name),
            missing.iter().map(line).collect::<String>().trim_start_matches('\n')
        ))
        .into());
    }
    for what in missing {
        let mut line = String::new();
        let asked = write!(std::io::stderr(), "{}: ", what.what()).and_then(|()| std::io::stderr().flush());
        let read = asked.and_then(|()| std::io::stdin().read_line(&mut line));
        if read.map_err(|e| Error::io("the terminal", e))? == 0 {
            return Err(Error::Input(format!("nothing was said: give {} instead", what.option())).into());
        }
        about.say(what, line.trim().to_owned());
    }
    Ok(())
}
