//! `weir export`: a run's data for other programs.

use crate::common::{Outcome, print, print_json};
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use weir_export::{Exported, Format, Request, What, export, inspect};
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
    /// Inspect AI's eval logs: a folder with a log for each policy, model and stage
    Inspect,
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
            Some(Written::Inspect) => return self.whole_run(Written::Inspect),
            None => self.out.as_deref().map_or(Ok(Format::Parquet), format_of)?,
        };
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

    /// Writes a run as another tool has it.
    fn whole_run(self, format: Written) -> Outcome {
        let store = Store::open(&self.run)?;
        let _ = format;
        let exported = inspect(&store, self.out, &Bar::default())?;
        tell(&exported, self.json)
    }
}

fn tell(exported: &Exported, json: bool) -> Outcome {
    if json {
        print_json(exported)?;
    } else {
        let Exported { rollouts, files, bytes, out, .. } = exported;
        print(&format!("{rollouts} rollouts in {files} files\n{}: {bytes} bytes\n", out.display()))?;
    }
    Ok(true)
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
