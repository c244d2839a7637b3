//! `weir run`: a suite.

use crate::command::report::Document;
use crate::common::{Operator, Outcome, print};
use crate::models::{ModelOptions, Models};
use clap::Args;
use clap::builder::NonEmptyStringValueParser as Named;
use std::path::{Path, PathBuf};
use weir_report::qualification;
use weir_suite::authority::{AuthoritySuite, MethodName};
use weir_suite::bases::{DomainTools, read_bases};
use weir_suite::models::real::is_real;
use weir_suite::noise::NOISE;
use weir_suite::store::Store;
use weir_suite::suite_file::{self, Suite};
use weir_suite::{Error, Manifest, Plugins, Settings, authority, live};

/// How writers write.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Writing {
    Rules,
    Model,
}

/// Arguments.
#[derive(Args)]
pub struct Run {
    /// A built-in suite, or a suite file
    #[arg(default_value = suite_file::DEFAULT)]
    suite: String,
    /// More policies beside the suite's own: names or files, separated by commas
    #[arg(long, value_name = "P,...", value_delimiter = ',', value_parser = Named::new())]
    policy: Vec<String>,
    /// Policies instead of the suite's own; the first is the control
    #[arg(long, value_name = "P,...", value_delimiter = ',', value_parser = Named::new())]
    only_policies: Vec<String>,
    /// More domains: files; each takes part in the stages that it has, with as many scenarios as the suite's own domains
    #[arg(long, value_name = "D,...", value_delimiter = ',', value_parser = Named::new())]
    domain: Vec<String>,
    /// More reducers: files
    #[arg(long, value_name = "R,...", value_delimiter = ',', value_parser = Named::new())]
    reducer: Vec<String>,
    /// More writers: names or files (authority suites)
    #[arg(long, value_name = "W,...", value_delimiter = ',', value_parser = Named::new())]
    writer: Vec<String>,
    /// How writers write: by rules, or with the model of the role `writer` (authority suites)
    #[arg(long, value_name = "HOW")]
    writing: Option<Writing>,
    /// Folder of imported base histories instead of the suite's own (authority suites)
    #[arg(long, value_name = "DIR")]
    bases: Option<PathBuf>,
    /// Models instead of the suite's own: names or profile files, separated by commas
    #[arg(long, value_name = "M,...", value_delimiter = ',', value_parser = Named::new())]
    model: Vec<String>,
    /// Seeds 1 to N instead of the suite's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    seeds: Option<u64>,
    /// Print the suite's scenarios with their digests, as its frozen list has them, and run nothing
    #[arg(long)]
    list_scenarios: bool,
    /// Folder of the run; the same command again finishes what is there [default: weir-out/SUITE-IDENTITY]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print the tables as JSON
    #[arg(long)]
    json: bool,
    /// Repeat a share of the rollouts of real models under the same seeds, as in 2%: the run's noise floor
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Real models")]
    repeat_sample: Option<f64>,
    #[command(flatten)]
    models: ModelOptions,
    #[command(flatten)]
    operator: Operator,
}

impl Run {
    /// Runs it.
    pub fn run(self) -> Outcome {
        match AuthoritySuite::find(&self.suite)? {
            Some(suite) => self.authority(suite),
            None => self.live(),
        }
    }

    fn live(self) -> Outcome {
        self.refuse(
            "a suite of live rollouts",
            &[
                ("--writer", !self.writer.is_empty()),
                ("--writing", self.writing.is_some()),
                ("--bases", self.bases.is_some()),
            ],
        )?;
        let mut suite = Suite::find(&self.suite)?;
        if !self.only_policies.is_empty() {
            suite.policies = self.only_policies;
        }
        suite.policies.extend(self.policy);
        if !self.model.is_empty() {
            suite.models = self.model;
        }
        if let Some(count) = self.seeds {
            suite.seeds = (1..=count).collect();
        }
        if self.repeat_sample.is_some() && !suite.models.iter().any(|name| is_real(name)) {
            return Err(Error::Input("--repeat-sample means nothing here: no real model is asked".into()).into());
        }
        let (plugins, settings, models) = prepare(&self.operator, self.models, &suite.name, &suite.models)?;
        for name in &self.domain {
            suite.add_domain(name, &plugins.domain(name)?.0.describe()?.stages)?;
        }
        if self.list_scenarios {
            suite.frozen = None;
            print(&live::prepare(&suite, &[], &plugins, &models)?.frozen())?;
            return Ok(true);
        }
        let prepared = live::prepare(&suite, &self.reducer, &plugins, &models)?;
        let out = self.out.unwrap_or_else(|| default_out(&suite.name, &prepared.manifest));
        let store = Store::create(&out)?;
        prepared.execute(&store, settings, models.progress().as_ref())?;
        if let Some(share) = self.repeat_sample {
            store.write(NOISE, &pretty(&prepared.noise(share, settings)?)?)?;
        }
        publish(&store, &models, &out, self.json)
    }

    fn authority(self, mut suite: AuthoritySuite) -> Outcome {
        self.refuse(
            "an authority suite",
            &[
                ("--only-policies", !self.only_policies.is_empty()),
                ("--domain", !self.domain.is_empty()),
                ("--reducer", !self.reducer.is_empty()),
                ("--repeat-sample", self.repeat_sample.is_some()),
            ],
        )?;
        self.policy.iter().for_each(|policy| suite.add_policy(policy));
        self.writer.iter().for_each(|writer| suite.add_writer(writer));
        if !self.model.is_empty() {
            suite.set_models(&self.model);
        }
        if let Some(count) = self.seeds {
            suite.seeds = (1..=count).collect();
        }
        if let Some(writing) = self.writing {
            suite.method = match writing {
                Writing::Rules => MethodName::Rules,
                Writing::Model => MethodName::Model,
            };
        }
        let (plugins, settings, models) = prepare(&self.operator, self.models, &suite.name, &suite.models())?;
        let folder = self.bases.as_deref();
        let bases = folder.map(|folder| read_bases(folder, &mut DomainTools::new(&plugins))).transpose()?;
        if self.list_scenarios {
            suite.frozen = None;
            print(&authority::prepare(&suite, bases.as_deref(), &plugins, &models)?.frozen())?;
            return Ok(true);
        }
        let prepared = authority::prepare(&suite, bases.as_deref(), &plugins, &models)?;
        let out = self.out.unwrap_or_else(|| default_out(&suite.name, &prepared.manifest));
        let store = Store::create(&out)?;
        prepared.execute(&store, settings, models.progress().as_ref())?;
        publish(&store, &models, &out, self.json)
    }

    /// Options that a kind of suite has no use for are errors: they would be ignored otherwise.
    fn refuse(&self, kind: &str, options: &[(&str, bool)]) -> Result<(), Error> {
        match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => Err(Error::Input(format!("{option} means nothing to `{}`: it is {kind}", self.suite))),
            None => Ok(()),
        }
    }
}

/// The report of a run that is complete, with what is known of its real models beside it.
fn publish(store: &Store, models: &Models, out: &Path, json: bool) -> Outcome {
    let known = models.qualifications()?;
    if !known.is_empty() {
        store.write(qualification::FILE, &pretty(&known)?)?;
    }
    models.close()?;
    Document::of(store)?.publish(out, json)
}

/// Plugins, threads and real models for a suite with these models.
pub fn prepare(
    operator: &Operator,
    options: ModelOptions,
    suite: &str,
    wanted: &[String],
) -> Result<(Plugins, Settings, Models), Error> {
    let (roles, connections) = (options.roles(), options.connections());
    let models = options.models(suite, wanted)?;
    // A thread that waits for a server's answer is no work.
    let jobs = if models.asks() { connections.max(operator.jobs()) } else { operator.jobs() };
    Ok((operator.plugins_for(jobs, &roles)?, Settings { jobs }, models))
}

/// A share as people write it: `2%` or `0.02`.
fn share(text: &str) -> Result<f64, String> {
    let number = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().map(|percent| percent / 100.0),
        None => text.parse(),
    };
    let expected = || format!("expected a share above 0 and up to 1, such as 2% or 0.02, not `{text}`");
    number.ok().filter(|share| *share > 0.0 && *share <= 1.0).ok_or_else(expected)
}

/// A value as a file of JSON.
pub fn pretty(value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Error::Input(e.to_string()))?;
    Ok((text + "\n").into_bytes())
}

/// A folder of its own for each run that would give other results.
pub fn default_out(name: &str, manifest: &Manifest) -> PathBuf {
    PathBuf::from("weir-out").join(format!("{name}-{}", manifest.identity()))
}
