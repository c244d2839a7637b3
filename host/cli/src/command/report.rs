//! `weir report`: a run's report again, or in another folder. It follows from the results alone.

use crate::common::{Failure, Outcome, print, print_json};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use weir_report::page::{Block, Page, Section};
use weir_report::{Report as Live, html, render, replay_table};
use weir_suite::store::Store;
use weir_suite::{Error, Row};

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
        document.write(out, &self.format)?;
        document.print(&self.run, out, self.json)
    }
}

/// A run's report in all its forms.
pub struct Document {
    page: Page,
    /// What a terminal shows.
    summary: String,
    /// `report.json`.
    value: Value,
}

impl Document {
    /// The report of a complete run.
    pub fn of(store: &Store) -> Result<Self, Error> {
        if store.manifest()?.kind == "replay" { Self::of_replay(store) } else { Self::of_run(store) }
    }

    fn of_run(store: &Store) -> Result<Self, Error> {
        let mut report = Live::of(&store.manifest()?, store.rows()?)
            .map_err(|e| Error::Input(format!("{}: {e}", store.path().display())))?;
        // The same run has the same report wherever its folder stands.
        report.add_traces("RUN", store.rows()?, |row| store.trace(row))?;
        let value = serde_json::to_value(&report).map_err(|e| Error::Input(e.to_string()))?;
        Ok(Document { summary: render::summary(&report.summary), page: report.page, value })
    }

    fn of_replay(store: &Store) -> Result<Self, Error> {
        let results = store.rows()?.collect::<Result<Vec<Row>, _>>()?;
        let gated = store.manifest()?.settings.get("gate_egress").and_then(Value::as_bool).unwrap_or(false);
        let rows = replay_table::aggregate(&results);
        let (table, notes) = (replay_table::table(&rows), replay_table::notes(&rows, gated));
        let blocks = vec![Block::Table(table)];
        let section = Section { id: "replay".into(), title: "Policies on recorded runs".into(), blocks };
        let page = Page { title: "Replay of recorded runs".into(), lead: notes, sections: vec![section] };
        Ok(Document { summary: render::summary(&page), value: json!({ "page": page, "rows": rows }), page })
    }

    /// `report.md`.
    pub fn markdown(&self) -> String {
        render::markdown(&self.page)
    }

    /// `report.json`.
    pub fn json(&self) -> Result<String, Error> {
        serde_json::to_string_pretty(&self.value).map(|text| text + "\n").map_err(|e| Error::Input(e.to_string()))
    }

    /// Writes it beside the results and prints it.
    pub fn publish(self, out: &Path, json: bool) -> Outcome {
        self.write(out, &[])?;
        self.print(out, out, json)
    }

    /// Writes these formats, or all where none is named.
    fn write(&self, out: &Path, formats: &[Format]) -> Result<(), Failure> {
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
            files.push(("report.html".to_owned(), html::render(&self.page)));
        }
        if wanted(Format::Md) {
            files.push(("report.md".to_owned(), self.markdown()));
        }
        let folder = Store::create(out)?;
        for (name, text) in files {
            if let Some(parent) = Path::new(&name).parent().filter(|parent| !parent.as_os_str().is_empty()) {
                Store::create(&out.join(parent))?;
            }
            folder.write(&name, text.as_bytes())?;
        }
        Ok(())
    }

    fn print(&self, run: &Path, out: &Path, json: bool) -> Outcome {
        let report = out.join("report.md");
        if json {
            print_json(&json!({ "rows": self.value.get("rows"), "out": out, "report": report }))?;
        } else {
            print(&format!(
                "{}\nreport  {}\n        {}\nverify  weir verify {}\n",
                self.summary,
                report.display(),
                out.join("report.html").display(),
                run.display()
            ))?;
        }
        Ok(true)
    }
}
