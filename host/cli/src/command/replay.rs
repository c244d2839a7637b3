//! `weir replay`: recorded runs through policies.

use crate::command::report::Document;
use crate::command::run::{default_out, prepare};
use crate::common::{Operator, Outcome};
use crate::models::ModelOptions;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use weir_suite::store::{Store, read_traces};
use weir_suite::{Error, input, replay};
use weir_trace::json::sha256;

/// Which ledgers.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// From the task's ground truth: every target, known beforehand
    Oracle,
    /// Only targets that the user's own words contain
    Prompt,
}

/// Arguments.
#[derive(Args)]
pub struct Replay {
    /// Recorded runs, as `weir import` writes them
    file: PathBuf,
    /// Policies: names or files, separated by commas
    #[arg(long, value_name = "P,...", value_delimiter = ',', required = true, value_parser = NonEmptyStringValueParser::new())]
    policy: Vec<String>,
    /// Ledgers, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "oracle")]
    ledger: Vec<Form>,
    /// Treat reads that contact an address of the caller's choosing as side effects
    #[arg(long)]
    gate_egress: bool,
    /// Folder of the run; the same command again finishes what is there [default: weir-out/replay-IDENTITY]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    models: ModelOptions,
    #[command(flatten)]
    operator: Operator,
}

impl Replay {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let (plugins, settings, models) = prepare(&self.operator, self.models, "replay", &[])?;
        let digest = sha256(&input::read(&self.file)?);
        let (_, recorded) = read_traces(&self.file)?;
        if recorded.is_empty() {
            return Err(Error::Input(format!("{} has no recorded runs", self.file.display())).into());
        }
        let mut forms: Vec<Form> = Vec::new();
        for form in self.ledger {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        let ledgers: Vec<String> = forms
            .iter()
            .map(|form| match form {
                Form::Oracle => "oracle".into(),
                Form::Prompt => "prompt".into(),
            })
            .collect();
        let request = replay::Request {
            recorded: &recorded,
            file: self.file.display().to_string(),
            input: digest,
            policies: &self.policy,
            ledgers: &ledgers,
            gate_egress: self.gate_egress,
        };
        let prepared = replay::prepare(request, &plugins, &models)?;
        let out = self.out.unwrap_or_else(|| default_out("replay", &prepared.manifest));
        let store = Store::create(&out)?;
        prepared.execute(&store, settings, models.progress().as_ref())?;
        models.close()?;
        Document::of(&store)?.publish(&out, self.json)
    }
}
