//! `weir import`: another harness's recorded runs.

mod histories;

use crate::common::{Failure, Operator, Outcome, print, print_json};
use clap::{Args, Subcommand};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use weir_rollout::import::agentdojo::{Importer, Record, RecordError, Suites, read_json, read_jsonl};
use weir_rollout::import::{apigen, tau2};
use weir_suite::{Error, input};
use weir_trace::Origin;
use weir_trace::codec::{encode, encode_prelude};

/// Arguments.
#[derive(Args)]
pub struct Import {
    #[command(subcommand)]
    from: From,
}

#[derive(Subcommand)]
enum From {
    /// AgentDojo's run files, or a JSONL export of them
    Agentdojo(AgentDojo),
    /// Runs of tau2-bench or tau-bench, as base histories for the suite authmem
    Tau2(Tau2),
    /// Trajectories of APIGen-MT, as base histories for the suite authmem
    Apigen(histories::Histories),
}

#[derive(Args)]
struct Tau2 {
    /// Take unsuccessful runs too
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    histories: histories::Histories,
}

#[derive(Args)]
struct AgentDojo {
    /// A file, or a folder that is searched for .json and .jsonl files
    path: PathBuf,
    /// Tasks and ground truth, as domains/agentdojo/export_suites.py writes them from an installed agentdojo
    #[arg(long, value_name = "FILE")]
    suites: PathBuf,
    /// Where to write the traces; ends in .jsonl.zst by convention
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    operator: Operator,
}

/// A file that was left out.
#[derive(Serialize)]
struct Skipped {
    file: String,
    why: String,
}

/// What was imported.
#[derive(Default, Serialize)]
struct Summary {
    imported: usize,
    by_suite: BTreeMap<String, usize>,
    exposed: usize,
    without_labels: Vec<String>,
    with_error: Vec<String>,
    skipped: Vec<Skipped>,
}

impl Import {
    /// Runs it.
    pub fn run(self) -> Outcome {
        match self.from {
            From::Agentdojo(agentdojo) => agentdojo.run(),
            From::Tau2(Tau2 { all, histories }) => histories.run(tau2::read, all),
            From::Apigen(histories) => histories.run(apigen::read, false),
        }
    }
}

impl AgentDojo {
    fn run(self) -> Outcome {
        let suites = Suites::read(&input::read(&self.suites)?)
            .map_err(|e| Error::Input(format!("{}: {e}", self.suites.display())))?;
        let mut summary = Summary::default();
        let records = self.records(&mut summary)?;
        if records.is_empty() {
            return Err(Error::Input(format!("{}: no AgentDojo runs found", self.path.display())).into());
        }
        let plugins = self.operator.plugins()?;
        let (domain, _) = plugins.domain("agentdojo")?;
        let mut importer = Importer::new(&domain, &suites)?;
        let codec = |e| Error::codec(&self.out, e);
        let mut bytes = encode_prelude(importer.toolsets()).map_err(codec)?;
        for record in &records {
            let trace = importer.import(record)?;
            bytes.extend(encode(&trace.header, &trace.events).map_err(codec)?.bytes);
            summary.count(record, &trace);
        }
        input::write(&self.out, &bytes)?;
        self.report(&summary)?;
        Ok(true)
    }

    fn records(&self, summary: &mut Summary) -> Result<Vec<Record>, Failure> {
        if !self.path.is_dir() {
            let name = self.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            let bytes = input::read(&self.path)?;
            return match read(&name, &bytes).map_err(|e| Error::Input(e.to_string()))? {
                Read::Runs(records) => Ok(records),
                Read::Other(why) => Err(Error::Input(format!("{}: {why}", self.path.display())).into()),
            };
        }
        let mut records = Vec::new();
        input::walk(&self.path, &mut |entry| {
            match read(&entry.path, &entry.bytes).map_err(|e| Error::Input(e.to_string()))? {
                Read::Runs(mut more) => records.append(&mut more),
                Read::Other(why) => summary.skipped.push(Skipped { file: entry.path, why }),
            }
            Ok(())
        })?;
        Ok(records)
    }

    fn report(&self, summary: &Summary) -> Result<(), Failure> {
        if self.json {
            return print_json(summary);
        }
        let mut text = format!("imported {} runs to {}\n", summary.imported, self.out.display());
        let suites: Vec<String> = summary.by_suite.iter().map(|(suite, n)| format!("{suite} {n}")).collect();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  by suite: {}", suites.join(", "));
        let _ = writeln!(text, "  {} runs read injected content", summary.exposed);
        for file in &summary.without_labels {
            let _ = writeln!(text, "  {file}: the run died before it was labelled; utility and security are N/A");
        }
        for file in &summary.with_error {
            let _ = writeln!(text, "  {file}: the run ended in an error of its own; its labels are not used");
        }
        for skipped in &summary.skipped {
            let _ = writeln!(text, "  skipped {}: {}", skipped.file, skipped.why);
        }
        print(&text)
    }
}

impl Summary {
    fn count(&mut self, record: &Record, trace: &weir_trace::Trace) {
        self.imported += 1;
        *self.by_suite.entry(record.suite.clone()).or_default() += 1;
        let exposed = trace.events.iter().any(|event| event.is(weir_trace::fact::UNTRUSTED_SOURCE));
        self.exposed += usize::from(exposed);
        let Origin::Recorded { run } = &trace.header.origin else { return };
        if run.error.is_some() {
            self.with_error.push(record.source.to_string());
        } else if run.utility.is_none() {
            self.without_labels.push(record.source.to_string());
        }
    }
}

/// What a file holds.
enum Read {
    Runs(Vec<Record>),
    Other(String),
}

/// Reads a file by its ending. A file of something else is left out with a reason; a broken run is an error.
fn read(name: &str, bytes: &[u8]) -> Result<Read, RecordError> {
    match Path::new(name).extension().and_then(|e| e.to_str()) {
        Some("json") => {
            if let Ok(value) = serde_json::from_slice::<serde_json::Value>(bytes)
                && value.get("messages").is_none()
            {
                return Ok(Read::Other("JSON, but not a run: it has no `messages`".into()));
            }
            read_json(name, bytes).map(|record| Read::Runs(vec![record]))
        }
        Some("jsonl") => {
            let first = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
            if let Ok(value) = serde_json::from_slice::<serde_json::Value>(first)
                && value.get("messages").is_none()
                && value.pointer("/metadata/benchmark").is_none()
            {
                return Ok(Read::Other(
                    "JSON lines, but not runs: the first line has neither `messages` nor a benchmark".into(),
                ));
            }
            read_jsonl(name, bytes).map(Read::Runs)
        }
        _ => Ok(Read::Other("neither .json nor .jsonl".into())),
    }
}
