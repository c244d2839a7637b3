//! `weir import tau2` and `weir import apigen`: recorded conversations as base histories of AuthMem-Bench.

use crate::common::{Failure, Operator, Outcome, print, print_json};
use clap::Args;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;
use weir_memory::History;
use weir_rollout::import::history::{HistoryError, Options, Place, Read, Recorded, unique};
use weir_suite::bases::DomainTools;
use weir_suite::{Error, input};

/// Options of both.
#[derive(Args)]
pub struct Histories {
    /// A file, or a folder that is searched for .json files
    path: PathBuf,
    /// Folder for the histories, one ID.json each
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The domain of conversations that do not say theirs
    #[arg(long, value_name = "NAME")]
    domain: Option<String>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

/// What was imported.
#[derive(Default, Serialize)]
struct Summary {
    imported: usize,
    by_domain: BTreeMap<String, usize>,
    customers: usize,
    unsuccessful: usize,
    unchecked: BTreeSet<String>,
    skipped: Vec<super::Skipped>,
}

/// Reads a file of one harness.
pub type Reader = fn(&str, &[u8], &Options) -> Result<Read, HistoryError>;

impl Histories {
    /// Runs it. Nothing is written before everything is read.
    pub fn run(self, read: Reader, all: bool) -> Outcome {
        let options = Options { domain: self.domain.clone(), all };
        let mut summary = Summary::default();
        let recorded = self.recorded(read, &options, &mut summary)?;
        let histories = self.histories(&recorded, &mut summary)?;
        if histories.is_empty() {
            let why = match summary.unsuccessful {
                0 => "no conversation found".to_owned(),
                n => format!("none of {n} conversations was successful: --all takes them too"),
            };
            return Err(Error::Input(format!("{}: {why}", self.path.display())).into());
        }
        for history in &histories {
            let mut text = serde_json::to_string_pretty(history).map_err(|e| Error::Input(e.to_string()))?;
            text.push('\n');
            input::write(&self.out.join(format!("{}.json", history.id)), text.as_bytes())?;
        }
        self.report(&histories, summary)?;
        Ok(true)
    }

    fn recorded(&self, read: Reader, options: &Options, summary: &mut Summary) -> Result<Vec<Recorded>, Failure> {
        let wrong = |e: HistoryError| Error::Input(e.to_string());
        if !self.path.is_dir() {
            let name = self.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            return match read(&name, &input::read(&self.path)?, options).map_err(wrong)? {
                Read::Conversations { recorded, unsuccessful } => {
                    summary.unsuccessful = unsuccessful;
                    Ok(recorded)
                }
                Read::Other(why) => Err(Error::Input(format!("{}: {why}", self.path.display())).into()),
            };
        }
        let mut all = Vec::new();
        input::walk(&self.path, &mut |entry| {
            let found = if entry.path.ends_with(".json") {
                read(&entry.path, &entry.bytes, options).map_err(wrong)?
            } else {
                Read::Other("not .json".into())
            };
            match found {
                Read::Conversations { mut recorded, unsuccessful } => {
                    all.append(&mut recorded);
                    summary.unsuccessful += unsuccessful;
                }
                Read::Other(why) => summary.skipped.push(super::Skipped { file: entry.path, why }),
            }
            Ok(())
        })?;
        Ok(all)
    }

    fn histories(&self, recorded: &[Recorded], summary: &mut Summary) -> Result<Vec<History>, Failure> {
        let plugins = self.operator.plugins()?;
        let mut tools = DomainTools::new(&plugins);
        let mut histories: Vec<(Place, History)> = Vec::with_capacity(recorded.len());
        for one in recorded {
            let of_domain = if one.tools.is_some() { None } else { tools.of(&one.domain)? };
            if one.tools.is_none() && of_domain.is_none() {
                summary.unchecked.insert(one.domain.clone());
            }
            let history = one.history(of_domain).map_err(|e| Error::Input(e.to_string()))?;
            histories.push((one.place.clone(), history));
        }
        Ok(unique(histories).map_err(|e| Error::Input(e.to_string()))?)
    }

    fn report(&self, histories: &[History], mut summary: Summary) -> Result<(), Failure> {
        summary.imported = histories.len();
        let customers: BTreeSet<_> = histories.iter().map(|history| (&history.domain, &history.customer)).collect();
        summary.customers = customers.len();
        for history in histories {
            *summary.by_domain.entry(history.domain.clone()).or_default() += 1;
        }
        if self.json {
            return print_json(&summary);
        }
        let mut text = format!("imported {} histories to {}\n", summary.imported, self.out.display());
        let domains: Vec<String> = summary.by_domain.iter().map(|(domain, n)| format!("{domain} {n}")).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  by domain: {}; {} customers", domains.join(", "), summary.customers);
        if summary.unsuccessful > 0 {
            let _ = writeln!(
                text,
                "  left out {} runs that were not successful; --all takes them too",
                summary.unsuccessful
            );
        }
        for domain in &summary.unchecked {
            let _ = writeln!(text, "  no domain `{domain}` is built in: its calls were not checked against schemas");
        }
        for skipped in &summary.skipped {
            let _ = writeln!(text, "  skipped {}: {}", skipped.file, skipped.why);
        }
        print(&text)
    }
}
