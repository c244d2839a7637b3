//! A progress bar on standard error; quiet where that is no terminal.

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::any::Any;
use std::fmt::Write;
use std::io::{IsTerminal, Write as _};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use weir_agent::{Backend, Usage};
use weir_runtime::load::Watch;
use weir_suite::Progress;

/// A line about the run itself on standard error, whether or not that is a terminal.
pub fn print_note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}", crate::common::shown(text));
}

/// A line for a person who waits: only where standard error is a terminal.
pub fn print_waiting(text: &str) {
    if std::io::stderr().is_terminal() {
        print_note(text);
    }
}

/// Bytes of a component that compiles within two seconds: what is smaller needs no spinner.
const COMPILED_AT_ONCE: u64 = 1 << 20;

/// A spinner while a language runtime is compiled.
pub struct Compiling;

impl Watch for Compiling {
    fn compiling(&self, plugin: &str, bytes: u64) -> Box<dyn Any> {
        if bytes < COMPILED_AT_ONCE {
            return Box::new(());
        }
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}, {elapsed}") {
            spinner.set_style(style);
        }
        let size = HumanBytes(bytes);
        spinner.set_message(format!("compiling {plugin} ({size}); this is done once, its native code is kept"));
        spinner.enable_steady_tick(TICK);
        Box::new(Cleared(spinner))
    }
}

/// A spinner that goes when what it waits for is done.
struct Cleared(ProgressBar);

impl Drop for Cleared {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Milliseconds between two drawings while nothing is done: what is being waited for changes meanwhile.
const TICK: Duration = Duration::from_millis(500);

/// The bar.
#[derive(Default)]
pub struct Bar {
    bar: Mutex<Option<ProgressBar>>,
    /// Models that are asked: the bar says what is being waited for.
    models: Vec<Arc<dyn Backend>>,
}

impl Bar {
    /// A bar that also says what these models are doing.
    pub fn asking(models: Vec<Arc<dyn Backend>>) -> Self {
        Bar { bar: Mutex::default(), models }
    }

    fn lock(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for Bar {
    fn begin(&self, units: usize, done: usize) {
        let (units, done) = (wide(units), wide(done));
        let bar = ProgressBar::new(units);
        let template = if self.models.is_empty() { "{bar:40} {pos}/{len} units, {rate}" } else { ASKING };
        if let Ok(style) = ProgressStyle::with_template(template) {
            let models = self.models.clone();
            // What an earlier command did is no work of this one: its rate would promise an end that does not come.
            let style = style.with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&rate(
                    state.pos().saturating_sub(done),
                    units.saturating_sub(state.pos()),
                    state.elapsed(),
                ));
            });
            bar.set_style(style.with_key("models", move |_: &ProgressState, out: &mut dyn Write| {
                let all: Vec<String> = models.iter().map(|model| doing(&model.usage())).collect();
                let _ = out.write_str(&all.join("; "));
            }));
        }
        bar.set_position(done);
        if !self.models.is_empty() {
            bar.enable_steady_tick(TICK);
        }
        *self.lock() = Some(bar);
    }

    fn advance(&self, done: usize) {
        if let Some(bar) = self.lock().as_ref() {
            bar.set_position(wide(done));
        }
    }

    fn end(&self) {
        if let Some(bar) = self.lock().take() {
            bar.finish_and_clear();
        }
    }
}

/// The bar of a run that asks real models.
const ASKING: &str = "{bar:40} {pos}/{len} units, {rate}\n{models}";

/// How a run tells how far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Style {
    /// A bar, where standard error is a terminal.
    #[default]
    Bar,
    /// A line of JSON on standard error every second.
    Json,
}

/// Lines of JSON: units done, and what each model is doing and waiting for.
pub struct Lines {
    models: Vec<Arc<dyn Backend>>,
    told: Arc<Told>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Default)]
struct Told {
    units: AtomicUsize,
    done: AtomicUsize,
    over: AtomicBool,
}

impl Lines {
    /// Lines about a run that asks these models.
    pub fn new(models: Vec<Arc<dyn Backend>>) -> Self {
        Lines { models, told: Arc::default(), thread: Mutex::default() }
    }
}

impl Progress for Lines {
    fn begin(&self, units: usize, done: usize) {
        self.told.units.store(units, Ordering::Relaxed);
        self.told.done.store(done, Ordering::Relaxed);
        let (told, models) = (Arc::clone(&self.told), self.models.clone());
        let thread = std::thread::spawn(move || {
            loop {
                let over = told.over.load(Ordering::Relaxed);
                print_note(&line(&told, &models));
                if over {
                    return;
                }
                std::thread::park_timeout(SECOND);
            }
        });
        *self.thread.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread);
    }

    fn advance(&self, done: usize) {
        self.told.done.store(done, Ordering::Relaxed);
    }

    fn end(&self) {
        self.told.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take() {
            thread.thread().unpark();
            drop(thread.join());
        }
    }
}

const SECOND: Duration = Duration::from_secs(1);

fn line(told: &Told, models: &[Arc<dyn Backend>]) -> String {
    let models: Vec<_> = models
        .iter()
        .map(|model| serde_json::json!({ "model": model.identity().name, "usage": model.usage() }))
        .collect();
    let (units, done) = (told.units.load(Ordering::Relaxed), told.done.load(Ordering::Relaxed));
    serde_json::json!({ "units": units, "done": done, "models": models }).to_string()
}

/// What a model is doing, on one line.
fn doing(usage: &Usage) -> String {
    let Usage { answered, retried, input_tokens, output_tokens, cost, in_flight, limit, waiting } = usage;
    let cost = cost.map(|cost| format!(", cost {cost:.4}")).unwrap_or_default();
    let waiting = waiting.as_ref().map(|what| format!(", waiting: {what}")).unwrap_or_default();
    format!(
        "{answered} answers, {retried} retries, {in_flight} of {limit} under way, {} tokens read, {} written{cost}{waiting}",
        HumanCount(*input_tokens),
        HumanCount(*output_tokens)
    )
}

/// Units a second, and the time that those ahead take at this rate.
fn rate(made: u64, ahead: u64, elapsed: Duration) -> String {
    let (millis, made_wide) = (elapsed.as_millis(), u128::from(made));
    if made == 0 || millis == 0 {
        return "starting".into();
    }
    let left = u64::try_from(u128::from(ahead).saturating_mul(millis) / made_wide).unwrap_or(u64::MAX);
    let rate = u64::try_from(made_wide.saturating_mul(1000) / millis).unwrap_or(u64::MAX);
    format!("{}/s, {} left", HumanCount(rate), HumanDuration(Duration::from_millis(left)))
}

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_counts_only_what_this_command_made() {
        assert_eq!(rate(500, 4_000, Duration::from_secs(2)), "250/s, 16 seconds left");
        assert_eq!(rate(30_000, 90_000, Duration::from_secs(10)), "3,000/s, 30 seconds left");
    }

    #[test]
    fn before_the_first_unit_there_is_no_rate() {
        assert_eq!(rate(0, 9, Duration::from_secs(1)), "starting");
        assert_eq!(rate(9, 0, Duration::ZERO), "starting");
    }
}
