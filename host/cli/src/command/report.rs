//! `weir report`: a run's report again, or in another folder. It follows from the results alone.

use crate::common::{Failure, Outcome, print, print_json};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use weir_report::authority::AuthorityReport;
use weir_report::own::{self, Own};
use weir_report::page::{Block, Page, Section};
use weir_report::qualification::Qualification;
use weir_report::{Beside, Report as Live, html, render, replay_table};
use weir_suite::noise::NOISE;
use weir_suite::store::Store;
use weir_suite::{Error, Row, authority};

const MARKDOWN: &str = "report.md";
const HTML: &str = "report.html";

/// Forms of a report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// report.md
    Md,
    /// report.json
    Json,
    /// tables/*.csv
    Csv,
    /// figures/*.svg
    Svg,
    /// report.html
    Html,
}

/// Arguments.
#[derive(Args)]
pub struct Report {
    /// A run's folder
    run: PathBuf,
    /// Folder to write to [default: the run's own]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Formats, separated by commas [default: all]
    #[arg(long, value_name = "F,...", value_delimiter = ',')]
    format: Vec<Format>,
    /// Print the tables as JSON
    #[arg(long)]
    json: bool,
}

impl Report {
    /// Writes it.
    pub fn run(self) -> Outcome {
        let document = Document::of(&Store::open(&self.run)?)?;
        let out = self.out.as_deref().unwrap_or(&self.run);
        let written = document.write(out, &self.format)?;
        document.print(&self.run, out, &written, self.json)
    }
}

/// What stands beside a run's results in its folder.
fn beside(store: &Store) -> Result<Beside, Error> {
    let wrong = |e| Error::Input(format!("{}: {e}", store.path().join(NOISE).display()));
    let noise = store.read(NOISE)?.map(|bytes| serde_json::from_slice(&bytes).map_err(wrong)).transpose()?;
    Ok(Beside { qualifications: Qualification::beside(store)?, noise })
}

/// A run's report in all its forms.
pub struct Document {
    page: Page,
    /// What a terminal shows.
    summary: String,
    /// `report.json`.
    value: Value,
    /// What the authors of policies want to know first.
    own: Vec<Own>,
}

impl Document {
    /// The report of a complete run.
    pub fn of(store: &Store) -> Result<Self, Error> {
        match store.manifest()?.kind.as_str() {
            "replay" => Self::of_replay(store),
            authority::KIND => Self::of_authority(store),
            _ => Self::of_run(store),
        }
    }

    fn of_run(store: &Store) -> Result<Self, Error> {
        let manifest = store.manifest()?;
        let mut report = Live::of(&manifest, store.rows()?, &beside(store)?)
            .map_err(|e| Error::Input(format!("{}: {e}", store.path().display())))?;
        // The same run has the same report wherever its folder stands.
        report.add_traces(&manifest, "RUN", || store.rows(), |row| store.trace(row))?;
        let value = serde_json::to_value(&report).map_err(|e| Error::Input(e.to_string()))?;
        Ok(Document { summary: render::summary(&report.summary), page: report.page, value, own: report.own })
    }

    fn of_authority(store: &Store) -> Result<Self, Error> {
        let report = AuthorityReport::of(&store.manifest()?, store.rows()?, &beside(store)?.qualifications)
            .map_err(|e| Error::Input(format!("{}: {e}", store.path().display())))?;
        let value = serde_json::to_value(&report).map_err(|e| Error::Input(e.to_string()))?;
        Ok(Document { summary: render::summary(&report.summary), page: report.page, value, own: Vec::new() })
    }

    fn of_replay(store: &Store) -> Result<Self, Error> {
        let results = store.rows()?.collect::<Result<Vec<Row>, _>>()?;
        let gated = store.manifest()?.settings.get("gate_egress").and_then(Value::as_bool).unwrap_or(false);
        let rows = replay_table::aggregate(&results);
        let (table, notes) = (replay_table::table(&rows), replay_table::notes(&rows, gated));
        let blocks = vec![Block::Table(table)];
        let section = Section { id: "replay".into(), title: "Policies on recorded runs".into(), blocks };
        let page = Page { title: "Replay of recorded runs".into(), lead: notes, sections: vec![section] };
        let value = json!({ "page": page, "rows": rows });
        Ok(Document { summary: render::summary(&page), value, page, own: Vec::new() })
    }

    fn markdown(&self) -> String {
        render::markdown(&self.page)
    }

    fn json(&self) -> Result<String, Error> {
        serde_json::to_string_pretty(&self.value).map(|text| text + "\n").map_err(|e| Error::Input(e.to_string()))
    }

    /// Writes it beside the results and prints it.
    pub fn publish(self, out: &Path, json: bool) -> Outcome {
        let written = self.write(out, &[])?;
        self.print(out, out, &written, json)
    }

    /// Every file of the report, with its text.
    pub fn files(&self) -> Result<Vec<(String, String)>, Error> {
        self.formatted(&[])
    }

    /// The files of these formats, or of all where none is named.
    fn formatted(&self, formats: &[Format]) -> Result<Vec<(String, String)>, Error> {
        let wanted = |format| formats.is_empty() || formats.contains(&format);
        let mut files = Vec::new();
        if wanted(Format::Json) {
            files.push(("report.json".to_owned(), self.json()?));
        }
        if wanted(Format::Csv) {
            files.extend(render::tables(&self.page));
        }
        if wanted(Format::Svg) {
            files.extend(render::figures(&self.page));
        }
        if wanted(Format::Html) {
            files.push((HTML.to_owned(), html::render(&self.page)));
        }
        if wanted(Format::Md) {
            files.push((MARKDOWN.to_owned(), self.markdown()));
        }
        Ok(files)
    }

    /// Writes the files of these formats, or of all where none is named, and says what a reader can open: files, and the
    /// folders of those that are many. Where all are written, the two that are meant to be read stand for them.
    fn write(&self, out: &Path, formats: &[Format]) -> Result<Vec<PathBuf>, Failure> {
        let folder = Store::create(out)?;
        let mut written = Vec::new();
        for (name, text) in self.formatted(formats)? {
            let parent = Path::new(&name).parent().filter(|parent| !parent.as_os_str().is_empty());
            if let Some(parent) = parent {
                Store::create(&out.join(parent))?;
            }
            folder.write(&name, text.as_bytes())?;
            let shown = out.join(parent.unwrap_or(Path::new(&name)));
            if !written.contains(&shown) {
                written.push(shown);
            }
        }
        if formats.is_empty() {
            written = vec![out.join(MARKDOWN), out.join(HTML)];
        }
        Ok(written)
    }

    fn print(&self, run: &Path, out: &Path, written: &[PathBuf], json: bool) -> Outcome {
        if json {
            let report = written.iter().find(|path| path.ends_with(MARKDOWN));
            let mut value = json!({ "rows": self.value.get("rows"), "out": out, "report": report });
            if let Some(object) = value.as_object_mut().filter(|_| !self.own.is_empty()) {
                object.insert("own".into(), own::json(&run.display().to_string(), &self.own));
            }
            print_json(&value)?;
            return Ok(true);
        }
        let mut text = format!("{}\n", self.summary);
        if !self.own.is_empty() {
            let sections = self.own.iter().map(|own| own::section(&run.display().to_string(), own)).collect();
            text += &render::summary(&Page { sections, ..Page::default() });
        }
        for (place, path) in written.iter().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{}  {}", if place == 0 { "report" } else { "      " }, path.display());
        }
        let _ = writeln!(text, "verify  weir verify {}", run.display());
        print(&text)?;
        Ok(true)
    }
}
