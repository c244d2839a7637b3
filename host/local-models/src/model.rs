//! A model with a thread of its own.

use crate::engine::{Engine, Facts};
use crate::gguf::{LoadError, Weights};
use crate::kernels::kernels;
use crate::threads::settled;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use weir_agent::{Ask, Backend, Identity, ModelError, Reply, Usage};

/// How a model is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The longest prompt and answer together, in tokens; a model that was trained for fewer takes no more than these. The
    /// default is 8,192: several times an agent's longest conversation, and 200 MB of keys and values when it is full
    /// (Qwen2.5-0.5B has 24 KB a token).
    pub context: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { context: 8192 }
    }
}

/// An ask and where its answer goes.
struct Job {
    ask: Ask,
    answer: Sender<Result<Reply, String>>,
}

/// A language model whose weights are in this process. It answers one ask after the other, in the order in which they come;
/// any number of threads may ask.
pub struct LocalModel {
    identity: Identity,
    jobs: Sender<Job>,
    spent: Mutex<Spent>,
}

/// What has been spent.
#[derive(Default)]
struct Spent {
    under_way: u32,
    answered: u64,
    input_tokens: u64,
    output_tokens: u64,
}

impl LocalModel {
    /// Loads the weights in a GGUF file.
    ///
    /// # Errors
    /// [`LoadError`] if the file cannot be read, is damaged, or holds a model that is not supported.
    pub fn load(path: &Path, settings: Settings) -> Result<Self, LoadError> {
        let weights = Weights::open(path)?;
        let context = usize::try_from(settings.context).unwrap_or(usize::MAX);
        let stopped = |detail: String| LoadError::Thread { path: path.to_owned(), detail };
        // Kernels that are split by rayon must not be split over the program's own pool: its threads may all be waiting
        // for this model's answer.
        let pool = ThreadPoolBuilder::new()
            .num_threads(settled().unwrap_or(1))
            .thread_name(|number| format!("weir-gguf-{number}"))
            .build()
            .map_err(|error| stopped(error.to_string()))?;
        let engine = pool.install(|| Engine::load(weights, context)).map_err(|unfit| unfit.of(path))?;
        let identity = identity(path, engine.facts());
        let (jobs, waiting) = channel();
        std::thread::Builder::new()
            .name("weir-gguf".into())
            .spawn(move || serve(engine, &pool, &waiting))
            .map_err(|error| stopped(error.to_string()))?;
        Ok(LocalModel { identity, jobs, spent: Mutex::default() })
    }

    fn spent(&self) -> MutexGuard<'_, Spent> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn exchange(&self, ask: &Ask) -> Result<Reply, String> {
        let (answer, answered) = channel();
        // Where either fails, the thread has ended by a panic, whose message is on standard error.
        let ended = "its thread has ended";
        self.jobs.send(Job { ask: ask.clone(), answer }).map_err(|_| ended)?;
        answered.recv().map_err(|_| ended)?
    }
}

impl Backend for LocalModel {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ask(&self, ask: &Ask) -> Result<Reply, ModelError> {
        self.spent().under_way += 1;
        let outcome = self.exchange(ask);
        let mut spent = self.spent();
        spent.under_way = spent.under_way.saturating_sub(1);
        match outcome {
            Ok(reply) => {
                spent.answered += 1;
                spent.input_tokens += reply.input_tokens;
                spent.output_tokens += reply.output_tokens;
                Ok(reply)
            }
            Err(detail) => Err(ModelError::Rejected { model: self.identity.name.clone(), detail }),
        }
    }

    fn usage(&self) -> Usage {
        let spent = self.spent();
        let queue = spent.under_way.saturating_sub(1);
        Usage {
            answered: spent.answered,
            input_tokens: spent.input_tokens,
            output_tokens: spent.output_tokens,
            in_flight: spent.under_way.min(1),
            limit: 1,
            waiting: (queue > 0).then(|| format!("{queue} more asks wait for their turn")),
            ..Usage::default()
        }
    }
}

/// Answers until nobody can ask any more.
fn serve(mut engine: Engine, pool: &ThreadPool, jobs: &Receiver<Job>) {
    for job in jobs {
        let reply = pool.install(|| engine.answer(&job.ask));
        // Whoever asked may have gone.
        let _ = job.answer.send(reply);
    }
}

fn identity(path: &Path, facts: &Facts) -> Identity {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let details = BTreeMap::from([
        ("architecture".to_owned(), facts.architecture.to_owned()),
        ("context".to_owned(), facts.context.to_string()),
        ("kernels".to_owned(), kernels().to_owned()),
        ("tokenizer".to_owned(), facts.cut.to_owned()),
        ("trained_context".to_owned(), facts.trained_context.to_string()),
        ("weights_sha256".to_owned(), facts.digest.clone()),
    ]);
    Identity { name: format!("gguf/{stem}"), details }
}
