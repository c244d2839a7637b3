//! `weir export`: a run's data for other programs.

use crate::common::{Outcome, print, print_json};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use weir_export::{
    Endpoint, Exported, Format, Record, Request, Spans, Times, What, every_eval_ever, export, inspect, otlp, otlp_to,
};
use weir_suite::Error;
use weir_suite::store::Store;

/// Which table.
#[derive(Clone, Copy, ValueEnum)]
enum Table {
    /// One row a rollout, with a column for each metric
    Rollouts,
    /// One row for each metric of each rollout
    Measurements,
    /// One row for each event of each trace, with its text
    Events,
    /// One row for each decision of a policy, with the call that it judged
    Decisions,
}

/// Which format. The first three are of tables, the others of whole runs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Written {
    /// Apache Parquet: typed, compressed, with the run's identity
    Parquet,
    /// RFC 4180; a text that a spreadsheet would run as a formula gets an apostrophe before it
    Csv,
    /// One canonical JSON object a line
    Jsonl,
    /// The whole run as a folder of Inspect AI's eval logs: one for each model, policy and stage
    Inspect,
    /// The whole run as OpenTelemetry traces, one a rollout: a file of OTLP JSON lines, or sent with --endpoint
    Otlp,
    /// The whole run as a folder of records of Every Eval Ever's schema 0.3.0
    EveryEvalEver,
}

/// Arguments.
#[derive(Args)]
pub struct Export {
    /// A run's folder
    run: PathBuf,
    /// The table [default: rollouts]
    #[arg(long, value_enum)]
    what: Option<Table>,
    /// The format [default: the ending of --out, or parquet]
    #[arg(long, value_enum)]
    format: Option<Written>,
    /// The file or folder [default: weir-IDENTITY-TABLE.FORMAT or weir-IDENTITY-FORMAT in the current folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if there is one
    #[arg(long)]
    force: bool,
    /// Also what was said, asked for and returned, in otlp and every-eval-ever: an attacker's words and a user's secrets
    #[arg(long)]
    content: bool,
    /// When the run took place, in seconds after 1970, for formats that ask for a time: a run has no clock [default: 0]
    #[arg(long, value_name = "SECONDS")]
    time: Option<u32>,
    /// Who ran it, for every-eval-ever [default: unknown]
    #[arg(long, value_name = "NAME")]
    organisation: Option<String>,
    /// Send otlp to this collector instead of writing a file; without a URL, to the one of OTEL_EXPORTER_OTLP_ENDPOINT
    #[arg(long, value_name = "URL", num_args = 0..=1)]
    endpoint: Option<Option<String>>,
    /// Send it in the clear to another machine, too
    #[arg(long, requires = "endpoint")]
    insecure: bool,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

impl Export {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let format = match self.format {
            Some(Written::Parquet) => Format::Parquet,
            Some(Written::Csv) => Format::Csv,
            Some(Written::Jsonl) => Format::Jsonl,
            Some(whole @ (Written::Inspect | Written::Otlp | Written::EveryEvalEver)) => {
                return self.whole_run(whole);
            }
            None => self.out.as_deref().map_or(Ok(Format::Parquet), format_of)?,
        };
        let only = "inspect, otlp and every-eval-ever";
        self.refuse(&[
            ("--content", self.content, "otlp and every-eval-ever"),
            ("--time", self.time.is_some(), only),
            ("--organisation", self.organisation.is_some(), "every-eval-ever"),
            ("--endpoint", self.endpoint.is_some(), "otlp"),
        ])?;
        let what = match self.what.unwrap_or(Table::Rollouts) {
            Table::Rollouts => What::Rollouts,
            Table::Measurements => What::Measurements,
            Table::Events => What::Events,
            Table::Decisions => What::Decisions,
        };
        let store = Store::open(&self.run)?;
        let written = export(&store, &Request { what, format, out: self.out, force: self.force })?;
        if self.json {
            print_json(&written)?;
        } else {
            print(&format!(
                "{}: {} rows of {} columns\n{}: {} bytes\n",
                what.name(),
                written.rows,
                written.columns,
                written.file.display(),
                written.bytes
            ))?;
        }
        Ok(true)
    }

    /// Writes or sends a run as another tool has it.
    fn whole_run(self, format: Written) -> Outcome {
        let tables = "the tables: parquet, csv and jsonl";
        let (otlp_only, record_only) = (format == Written::Otlp, format == Written::EveryEvalEver);
        self.refuse(&[
            ("--what", self.what.is_some(), tables),
            ("--force", self.force && !otlp_only, "formats of one file; this one writes a folder"),
            ("--content", self.content && format == Written::Inspect, "otlp and every-eval-ever; these logs have it"),
            ("--organisation", self.organisation.is_some() && !record_only, "every-eval-ever"),
            ("--endpoint", self.endpoint.is_some() && !otlp_only, "otlp"),
            ("--out", self.out.is_some() && self.endpoint.is_some(), "writing, and --endpoint sends"),
        ])?;
        let store = Store::open(&self.run)?;
        let (bar, times) = (Bar::default(), Times { seconds: self.time.unwrap_or_default() });
        let spans = Spans { content: self.content, times };
        let exported = match (format, &self.endpoint) {
            (Written::Otlp, None) => otlp(&store, self.out, self.force, spans, &bar)?,
            (Written::Otlp, Some(endpoint)) => {
                let endpoint = Endpoint::new(&collector(endpoint.as_deref())?, self.insecure)?;
                otlp_to(&store, &endpoint, spans, &bar)?
            }
            (Written::EveryEvalEver, _) => {
                let organisation = self.organisation.unwrap_or_else(|| "unknown".to_owned());
                every_eval_ever(&store, self.out, &Record { content: self.content, times, organisation }, &bar)?
            }
            _ => inspect(&store, self.out, times, &bar)?,
        };
        if self.json {
            print_json(&exported)?;
            return Ok(true);
        }
        let Exported { rollouts, left_out, files, bytes, out, .. } = exported;
        let sent = if files == 0 { "sent".to_owned() } else { format!("in {files} files") };
        let without = match left_out {
            0 => String::new(),
            _ => format!("; {left_out} left out, which have neither a security nor a utility"),
        };
        print(&format!("{rollouts} rollouts {sent}{without}\n{}: {bytes} bytes\n", out.display()))?;
        Ok(true)
    }

    /// Refuses options that mean nothing in the chosen format: whoever gives one expects something of it.
    fn refuse(&self, options: &[(&str, bool, &str)]) -> Result<(), Error> {
        match options.iter().find(|(_, given, _)| *given) {
            None => Ok(()),
            Some((option, _, only)) => {
                Err(Error::Input(format!("{option} is for {only}\n  leave it out, or choose another --format")))
            }
        }
    }
}

/// The collector that was named, or that of the environment.
fn collector(named: Option<&str>) -> Result<String, Error> {
    let variable = "OTEL_EXPORTER_OTLP_ENDPOINT";
    let known = || std::env::var(variable).ok().filter(|value| !value.is_empty());
    named.map(str::to_owned).or_else(known).ok_or_else(|| {
        Error::Input(format!(
            "--endpoint names no collector, and {variable} is not set\n  give its address, for example --endpoint http://localhost:4318"
        ))
    })
}

/// The format that a file's ending names; Parquet where it has none.
fn format_of(out: &Path) -> Result<Format, Error> {
    match Format::of(out) {
        Some(format) => Ok(format),
        None if out.extension().is_none() => Ok(Format::Parquet),
        None => Err(Error::Input(format!(
            "{}: its ending names no format: .parquet, .csv or .jsonl\n  choose one of them, or name the format with --format",
            out.display()
        ))),
    }
}
