//! `weir qualify`: whether a model can be used to compare policies at all.

use crate::command::run::{default_out, prepare, pretty};
use crate::common::{Operator, Outcome, print, print_json};
use crate::models::{ModelOptions, qualification_path};
use clap::Args;
use clap::builder::NonEmptyStringValueParser as Named;
use std::path::PathBuf;
use weir_report::qualification::Qualification;
use weir_report::render;
use weir_suite::store::Store;
use weir_suite::suite_file::Suite;
use weir_suite::{Error, live};

/// The suite that it runs, without a defence.
const SUITE: &str = "qualify";

/// Arguments.
#[derive(Args)]
pub struct Qualify {
    /// The model: openai-api/PROVIDER/MODEL, gguf:PATH, or a simulated one
    #[arg(long, value_name = "M", value_parser = Named::new())]
    model: String,
    /// Seeds 1 to N [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Folder of the run; the same command again finishes what is there [default: weir-out/qualify-IDENTITY]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the verdict as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    models: ModelOptions,
    #[command(flatten)]
    operator: Operator,
}

impl Qualify {
    /// Runs the prerequisites and says whether they hold; the verdict is kept for `weir run`.
    pub fn run(self) -> Outcome {
        let mut suite = Suite::find(SUITE)?;
        suite.models = vec![self.model];
        if let Some(count) = self.seeds {
            suite.seeds = (1..=count).collect();
        }
        let (plugins, settings, models) = prepare(&self.operator, self.models, &suite.name, &suite.models)?;
        let prepared = live::prepare(&suite, &[], &plugins, &models)?;
        let out = self.out.unwrap_or_else(|| default_out(&suite.name, &prepared.manifest));
        let store = Store::create(&out)?;
        prepared.execute(&store, settings, models.progress().as_ref())?;
        models.close()?;
        let found = Qualification::all(&store.manifest()?, store.rows()?)
            .map_err(|e| Error::Input(format!("{}: {e}", out.display())))?;
        for one in &found {
            let path = qualification_path(&one.digest);
            if let Some(folder) = path.parent() {
                Store::create(folder)?.write(&path.file_name().unwrap_or_default().to_string_lossy(), &pretty(one)?)?;
            }
            store.write("qualification.md", render::markdown(&one.page()).as_bytes())?;
        }
        if self.json {
            let verdicts: Vec<_> = found
                .iter()
                .map(|one| serde_json::json!({ "comparable": one.comparable(), "verdict": one.verdict(), "qualification": one }))
                .collect();
            print_json(&verdicts)?;
        } else {
            for one in &found {
                print(&format!("{}\n\nrun  {}\n", render::summary(&one.page()), out.display()))?;
            }
        }
        Ok(found.iter().all(Qualification::comparable))
    }
}
