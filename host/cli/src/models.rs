//! Real models of a command: behind a server, in this process, or in a cassette.

use crate::common::Failure;
use crate::progress::{Bar, Lines, Style, print_note};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use weir_agent::http::{Client, Prices, Server, Settings};
use weir_agent::{ActionMode, Backend, Cassette, CassetteUse, ChatSettings};
use weir_report::qualification::Qualification;
use weir_suite::models::real::is_real;
use weir_suite::models::{Real, RealModels};
use weir_suite::{Error, Progress, input};

/// Where the answers of real models are kept, unless said otherwise.
const CASSETTES: &str = "weir-out/cassettes";

/// Where verdicts on real models are kept, by digest.
pub fn qualification_path(digest: &str) -> PathBuf {
    let name = digest.get(..16).unwrap_or(digest);
    Path::new("weir-out/qualifications").join(format!("{name}.json"))
}

/// How the name of a model behind a server begins.
const SERVED: &str = "openai-api/";

/// How the name of a model in this process begins.
const GGUF: &str = "gguf:";

/// Options about real models. All are without a default here, so that one that would be ignored can be refused.
#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Real models")]
pub struct ModelOptions {
    /// Recorded answers: `read` what is there and ask for the rest, `write` all anew, or `only` what is there [default: read]
    #[arg(long, value_name = "USE")]
    cassette: Option<UseName>,
    /// Where answers are recorded [default: weir-out/cassettes/SUITE.jsonl.zst]
    #[arg(long, value_name = "FILE")]
    cassette_file: Option<PathBuf>,
    /// How actions are asked for [default: found out by a probe]
    #[arg(long, value_name = "MODE")]
    mode: Option<ModeName>,
    /// Begin each conversation with worked examples of other tasks, for weak models; not in native mode
    #[arg(long)]
    examples: bool,
    /// Sampling temperature [default: 0]
    #[arg(long, value_name = "T")]
    temperature: Option<f64>,
    /// Most tokens of one answer [default: 1024]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// Most requests at once to one server [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    max_connections: Option<u32>,
    /// Attempts after the first; 0 means none [default: 6]
    #[arg(long, value_name = "N")]
    max_retries: Option<u32>,
    /// Seconds in which a server may send nothing [default: 120]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// TOML file of prices: `currency`, and `[[price]]` with `model`, `input`, `output` for a million tokens
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Money after which nothing more is asked, in the price file's currency
    #[arg(long, value_name = "AMOUNT")]
    cost_limit: Option<f64>,
    /// How to tell how far the run is and what is being waited for [default: bar]
    #[arg(long, value_name = "STYLE")]
    progress: Option<Style>,
    /// A model for plugins that ask for this role; grants the role to all that do
    #[arg(long, value_name = "ROLE=MODEL")]
    role: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum UseName {
    Read,
    Write,
    Only,
}

#[derive(Clone, Copy, ValueEnum)]
enum ModeName {
    Native,
    Schema,
    Text,
}

/// Real models, opened when they are first asked for.
pub struct Models {
    options: ModelOptions,
    roles: Vec<(String, String)>,
    served: bool,
    cassette_path: PathBuf,
    opened: Mutex<Opened>,
}

#[derive(Default)]
struct Opened {
    cassette: Option<Arc<Cassette>>,
    models: BTreeMap<String, Real>,
}

impl ModelOptions {
    /// Models under these options for a command that keeps its cassette under this name. `wanted` are the names of the
    /// command's models; without a real one among them, or a role, the options mean nothing.
    ///
    /// # Errors
    /// An option that is malformed or would be ignored.
    pub fn models(self, name: &str, wanted: &[String]) -> Result<Models, Error> {
        let role = |given: &String| match given.split_once('=') {
            Some((role, model)) if !role.is_empty() && is_real(model) => Ok((role.to_owned(), model.to_owned())),
            _ => Err(Error::Input(format!(
                "--role {given}: expected ROLE=MODEL with a real model, such as judge=openai-api/ollama/qwen2.5:7b"
            ))),
        };
        let roles = self.role.iter().map(role).collect::<Result<Vec<_>, _>>()?;
        if roles.is_empty()
            && !wanted.iter().any(|name| is_real(name))
            && let Some(option) = self.given()
        {
            return Err(Error::Input(format!("{option} means nothing here: no real model is asked")));
        }
        let cassette_path =
            self.cassette_file.clone().unwrap_or_else(|| Path::new(CASSETTES).join(format!("{name}.jsonl.zst")));
        let served = roles.iter().map(|(_, model)| model).chain(wanted).any(|model| model.starts_with(SERVED));
        Ok(Models { options: self, roles, served, cassette_path, opened: Mutex::default() })
    }

    /// The first option that is there.
    fn given(&self) -> Option<&'static str> {
        [
            ("--cassette", self.cassette.is_some()),
            ("--cassette-file", self.cassette_file.is_some()),
            ("--mode", self.mode.is_some()),
            ("--examples", self.examples),
            ("--temperature", self.temperature.is_some()),
            ("--max-tokens", self.max_tokens.is_some()),
            ("--max-connections", self.max_connections.is_some()),
            ("--max-retries", self.max_retries.is_some()),
            ("--timeout", self.timeout.is_some()),
            ("--prices", self.prices.is_some()),
            ("--cost-limit", self.cost_limit.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| given.then_some(name))
    }

    /// Roles for which there is a model.
    pub fn roles(&self) -> Vec<String> {
        self.role.iter().filter_map(|given| given.split_once('=')).map(|(role, _)| role.to_owned()).collect()
    }

    /// Threads that wait for a server's answers at once.
    pub fn connections(&self) -> usize {
        self.max_connections.and_then(|most| usize::try_from(most).ok()).unwrap_or(64)
    }

    fn prices(&self) -> Result<Option<Prices>, Error> {
        let Some(path) = &self.prices else { return Ok(None) };
        let named = |what: &dyn std::fmt::Display| Error::Input(format!("{}: {what}", path.display()));
        let text = String::from_utf8(input::read(path)?).map_err(|e| named(&e))?;
        Prices::parse(&text).map(Some).map_err(|e| named(&e))
    }

    fn settings(&self) -> Result<Settings, Error> {
        let usual = Settings::default();
        let max_connections = self.max_connections.unwrap_or(usual.max_connections);
        Ok(Settings {
            mode: self.mode.map(Into::into),
            temperature: self.temperature.unwrap_or_default(),
            max_retries: self.max_retries.unwrap_or(usual.max_retries),
            stall: self.timeout.map_or(usual.stall, Duration::from_secs),
            connections: usual.connections.min(max_connections),
            max_connections,
            prices: self.prices()?,
            cost_limit: self.cost_limit,
            ..usual
        })
    }

    fn chat(&self, mode: ActionMode) -> ChatSettings {
        let usual = ChatSettings::default();
        ChatSettings {
            mode: self.mode.map_or(mode, Into::into),
            temperature: self.temperature.unwrap_or(usual.temperature),
            max_tokens: self.max_tokens.unwrap_or(usual.max_tokens),
            examples: self.examples,
        }
    }
}

impl From<ModeName> for ActionMode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Native => ActionMode::Native,
            ModeName::Schema => ActionMode::Schema,
            ModeName::Text => ActionMode::Text,
        }
    }
}

impl Models {
    /// Whether any model behind a server may be asked: in this process one answers after the other.
    pub fn asks(&self) -> bool {
        self.served
    }

    /// How the command tells how far it is, and what its models are doing.
    pub fn progress(&self) -> Box<dyn Progress> {
        let models = self.lock().models.values().map(|real| Arc::clone(&real.backend)).collect();
        match self.options.progress.unwrap_or_default() {
            Style::Bar => Box::new(Bar::asking(models)),
            Style::Json => Box::new(Lines::new(models)),
        }
    }

    /// What is known of the models that were asked for: of each the newest verdict on it as it is asked here.
    ///
    /// # Errors
    /// A verdict that cannot be read.
    pub fn qualifications(&self) -> Result<Vec<Qualification>, Error> {
        let mut all = Vec::new();
        for real in self.lock().models.values() {
            let path = qualification_path(&real.digest());
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let wrong = |e| Error::Input(format!("{}: {e}", path.display()));
            all.push(serde_json::from_slice(&bytes).map_err(wrong)?);
        }
        Ok(all)
    }

    /// Says what was spent, and puts the cassette in its final form.
    ///
    /// # Errors
    /// Where the file system refuses.
    pub fn close(&self) -> Result<(), Failure> {
        let opened = self.lock();
        let currency = self.options.prices()?.map(|prices| format!(" {}", prices.currency())).unwrap_or_default();
        for real in opened.models.values() {
            let usage = real.backend.usage();
            let cost = usage.cost.map(|cost| format!(", {cost:.4}{currency}")).unwrap_or_default();
            print_note(&format!(
                "{}: {} answers asked for, {} retries, {} tokens read, {} written{cost}",
                real.name(),
                usage.answered,
                usage.retried,
                usage.input_tokens,
                usage.output_tokens
            ));
        }
        if let Some(cassette) = &opened.cassette {
            cassette.close().map_err(|e| Error::Input(e.to_string()))?;
            print_note(&format!("cassette: {} answers in {}", cassette.len(), self.cassette_path.display()));
        }
        Ok(())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(&self, name: &str, cassette: &Arc<Cassette>) -> Result<Real, Error> {
        let input = |e: &dyn std::fmt::Display| Error::Input(e.to_string());
        let only = matches!(self.options.cassette, Some(UseName::Only));
        let (backend, mode, price): (Option<Arc<dyn Backend>>, _, _) = if only {
            (None, ActionMode::Text, [0, 0])
        } else if let Some(path) = name.strip_prefix(GGUF) {
            (Some(local(path)?), ActionMode::Schema, [0, 0])
        } else {
            let settings = self.options.settings()?;
            let server = Server::resolve(name, |variable| std::env::var(variable).ok()).map_err(|e| input(&e))?;
            let price = settings.prices.as_ref().map(|prices| prices.of(&server)).transpose().map_err(|e| input(&e))?;
            let client = Client::connect(server, settings).map_err(|e| input(&e))?;
            let mode = client.mode();
            (Some(Arc::new(client)), mode, price.map_or([0, 0], weir_agent::http::Price::millionths))
        };
        let backend = cassette.around(&reported(name), backend).map_err(|e| input(&e))?;
        // A replay asks as the recording did.
        let mode = if only { recorded_mode(backend.as_ref()) } else { mode };
        let settings = self.options.chat(mode);
        if settings.examples && settings.mode == ActionMode::Native {
            let why = "--examples shows actions as text, and this model is asked for native calls";
            return Err(Error::Input(format!("{why}: add --mode schema or --mode text")));
        }
        Ok(Real { backend, settings, price })
    }
}

impl RealModels for Models {
    fn find(&self, name: &str) -> Result<Real, Error> {
        let mut opened = self.lock();
        if let Some(known) = opened.models.get(name) {
            return Ok(known.clone());
        }
        let cassette = match &opened.cassette {
            Some(cassette) => Arc::clone(cassette),
            None => {
                if let Some(folder) = self.cassette_path.parent() {
                    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
                }
                let using = match self.options.cassette {
                    None | Some(UseName::Read) => CassetteUse::Read,
                    Some(UseName::Write) => CassetteUse::Write,
                    Some(UseName::Only) => CassetteUse::Only,
                };
                let cassette = Cassette::open(&self.cassette_path, using).map_err(|e| Error::Input(e.to_string()))?;
                Arc::new(cassette)
            }
        };
        let real = self.open(name, &cassette)?;
        opened.cassette = Some(cassette);
        opened.models.insert(name.to_owned(), real.clone());
        Ok(real)
    }

    fn roles(&self) -> Result<BTreeMap<String, Real>, Error> {
        self.roles.iter().map(|(role, model)| Ok((role.clone(), self.find(model)?))).collect()
    }
}

/// The name under which a model's results are reported: of weights, not where they lie.
fn reported(name: &str) -> String {
    let stem = |path: &str| Path::new(path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    name.strip_prefix(GGUF).and_then(stem).map_or_else(|| name.to_owned(), |stem| format!("gguf/{stem}"))
}

fn recorded_mode(backend: &dyn Backend) -> ActionMode {
    let said = backend.identity().details.get("mode");
    let known = ActionMode::ALL.into_iter().find(|mode| said.is_some_and(|said| said == mode.name()));
    known.unwrap_or(ActionMode::Schema)
}

#[cfg(feature = "local-models")]
fn local(path: &str) -> Result<Arc<dyn Backend>, Error> {
    weir_local_models::settle_threads(1).map_err(|e| Error::io("this program", e))?;
    let model = weir_local_models::LocalModel::load(Path::new(path), weir_local_models::Settings::default());
    Ok(Arc::new(model.map_err(|e| Error::Input(e.to_string()))?))
}

#[cfg(not(feature = "local-models"))]
fn local(path: &str) -> Result<Arc<dyn Backend>, Error> {
    Err(Error::Input(format!(
        "gguf:{path}: this weir is built without models in its own process\n  build it with: cargo build --release -p weir --features local-models"
    )))
}
