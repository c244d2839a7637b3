//! A run's data for other programs: Parquet, CSV and JSON lines, and the formats of other evaluation tools.
//!
//! [`inspect()`] writes a run as Inspect AI's logs, [`otlp()`] as OpenTelemetry's
//! spans, [`every_eval_ever()`] as records of that schema. The rest is tables.
//!
//! Four tables, one row each for a rollout ([`What::Rollouts`]), a metric of a rollout ([`What::Measurements`]), an
//! event of a trace ([`What::Events`]) and a decision of a policy ([`What::Decisions`]). All begin with the same
//! [`keys`], so that any of them can be grouped alone and `unit` joins them. The three formats hold the same content;
//! what each does to a value is told in its own file.
//!
//! Rows are written as they are read: memory holds one trace and one row group, whatever the size of the run. The file
//! appears whole or not at all, and the same run gives the same bytes.
//!
//! An export checks what it reads as it goes: plan, rows and traces must be of the same units, and each trace must have
//! the digest that its row says. It does not take decisions again; that is `weir verify`.

mod conversation;
mod csv;
mod decisions;
mod eee;
mod evaluation;
mod events;
mod file;
mod folder;
mod inspect;
mod jsonl;
mod keys;
mod measurements;
mod names;
mod otlp;
mod parquet;
mod rollouts;
mod run;
mod scores;
mod table;
mod times;

pub use eee::{Record, every_eval_ever};
pub use inspect::inspect;
pub use otlp::{Endpoint, Spans, otlp, otlp_to};
pub use table::{Column, Kind};
pub use times::Times;

use crate::run::Run;
use crate::table::Sink;
use serde::Serialize;
use std::fs::File;
use std::path::{Path, PathBuf};
use weir_suite::Error;
use weir_suite::store::Store;

/// Which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// One row a rollout, with a column for each metric.
    Rollouts,
    /// One row for each metric of each rollout.
    Measurements,
    /// One row for each event of each trace.
    Events,
    /// One row for each decision of a policy.
    Decisions,
}

/// How it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Apache Parquet, compressed with zstd.
    Parquet,
    /// Comma-separated values after RFC 4180.
    Csv,
    /// One canonical JSON object a line.
    Jsonl,
}

impl What {
    /// All of them.
    pub const ALL: [What; 4] = [What::Rollouts, What::Measurements, What::Events, What::Decisions];

    /// Its name on the command line and in file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            What::Rollouts => "rollouts",
            What::Measurements => "measurements",
            What::Events => "events",
            What::Decisions => "decisions",
        }
    }
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 3] = [Format::Parquet, Format::Csv, Format::Jsonl];

    /// Its name on the command line, and the ending of its files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::Csv => "csv",
            Format::Jsonl => "jsonl",
        }
    }

    /// The format that a file's name ends in.
    #[must_use]
    pub fn of(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?;
        Format::ALL.into_iter().find(|format| format.name() == ending)
    }
}

/// What to write where.
#[derive(Clone, Debug)]
pub struct Request {
    /// The table.
    pub what: What,
    /// The format.
    pub format: Format,
    /// The file; none for `weir-IDENTITY-TABLE.FORMAT` in the current folder.
    pub out: Option<PathBuf>,
    /// A file of that name may be replaced.
    pub force: bool,
}

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    /// The table.
    pub what: What,
    /// The format.
    pub format: Format,
    /// Rows, the head not counted.
    pub rows: u64,
    /// Columns.
    pub columns: usize,
    /// Size of the file.
    pub bytes: u64,
    /// The file.
    pub file: PathBuf,
    /// SHA-256 of the run's manifest.
    pub manifest: String,
}

/// What was written in the format of another tool.
#[derive(Clone, Debug, Serialize)]
pub struct Exported {
    /// Rollouts.
    pub rollouts: usize,
    /// Rollouts that the format can say nothing about.
    pub left_out: usize,
    /// Files.
    pub files: usize,
    /// Size of all files.
    pub bytes: u64,
    /// The file or folder.
    pub out: PathBuf,
    /// SHA-256 of the run's manifest.
    pub manifest: String,
}

/// Writes one table of a complete run.
///
/// # Errors
/// Where the run is incomplete or damaged, or the file cannot be written or exists already. Nothing is left behind.
pub fn export(store: &Store, request: &Request) -> Result<Written, Error> {
    let run = Run::open(store)?;
    let (what, format) = (request.what, request.format);
    let out = request.out.clone().unwrap_or_else(|| {
        PathBuf::from(format!("weir-{}-{}.{}", run.manifest.identity(), what.name(), format.name()))
    });
    file::check(&out, store.path(), request.force)?;
    let table = Table::new(what, &run)?;
    let columns = table.columns();
    let (rows, bytes) = file::whole(&out, request.force, |file| {
        let mut rows: u64 = 0;
        let failed = |e| Error::io(&out, e);
        let mut sink = sink(file, &run, what, format, &columns).map_err(failed)?;
        let emit = &mut |cells: &[table::Cell<'_>]| {
            rows = rows.saturating_add(1);
            sink.row(cells).map_err(failed)
        };
        table.rows(&run, emit)?;
        sink.finish().map_err(failed)?;
        Ok(rows)
    })?;
    Ok(Written { what, format, rows, columns: columns.len(), bytes, file: out, manifest: run.manifest_digest })
}

/// A table of a run. Only the first depends on the run's own metrics.
enum Table {
    Rollouts(rollouts::Rollouts),
    Measurements,
    Events,
    Decisions,
}

impl Table {
    fn new(what: What, run: &Run<'_>) -> Result<Self, Error> {
        Ok(match what {
            What::Rollouts => Table::Rollouts(rollouts::Rollouts::new(run)?),
            What::Measurements => Table::Measurements,
            What::Events => Table::Events,
            What::Decisions => Table::Decisions,
        })
    }

    fn columns(&self) -> Vec<Column> {
        match self {
            Table::Rollouts(rollouts) => rollouts.columns(),
            Table::Measurements => measurements::columns(),
            Table::Events => events::columns(),
            Table::Decisions => decisions::columns(),
        }
    }

    fn rows(&self, run: &Run<'_>, emit: table::Emit<'_>) -> Result<(), Error> {
        match self {
            Table::Rollouts(rollouts) => rollouts.rows(run, emit),
            Table::Measurements => measurements::rows(run, emit),
            Table::Events => events::rows(run, emit),
            Table::Decisions => decisions::rows(run, emit),
        }
    }
}

fn sink<'a>(
    file: &'a mut File,
    run: &Run<'_>,
    what: What,
    format: Format,
    columns: &'a [Column],
) -> std::io::Result<Box<dyn Sink + 'a>> {
    Ok(match format {
        Format::Csv => Box::new(csv::Csv::new(file, columns)?),
        Format::Jsonl => Box::new(jsonl::Jsonl::new(file, columns)),
        Format::Parquet => Box::new(parquet::Parquet::new(file, columns, &run.about(what, columns))?),
    })
}
