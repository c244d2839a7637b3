//! Runs a plan's units on worker threads and appends their results in the order of the plan.

use crate::error::Error;
use crate::plan::Plan;
use crate::row::Row;
use crate::store::{Writing, planned};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use weir_rollout::Infra;
use weir_trace::codec::Frame;

/// Units that are computed before they are written, for each thread. A kill loses at most these.
const PORTION: usize = 64;

/// Times that a unit is run again after a host failure.
const RETRIES: u32 = 2;

/// How a run is executed. None of it changes a result.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Worker threads.
    pub jobs: usize,
}

/// Hears how far a run is, from several threads.
pub trait Progress: Sync {
    /// Begins, with so many units of which some are done.
    fn begin(&self, units: usize, done: usize);
    /// So many are done.
    fn advance(&self, done: usize);
    /// Nothing more comes.
    fn end(&self);
}

/// Hears nothing.
pub struct Quiet;

impl Progress for Quiet {
    fn begin(&self, _units: usize, _done: usize) {}
    fn advance(&self, _done: usize) {}
    fn end(&self) {}
}

/// Runs the units of a plan, by their positions, from the first that is not done.
///
/// Results are appended in the order of the plan, so nothing is appended behind a unit that could not be scored. Where a
/// model could not be reached the run goes on all the same as long as others can be asked: their answers are in the
/// cassette, and the next run of the same command asks only for what is missing.
///
/// # Errors
/// The first unit, in the order of the plan, that could not be scored; those before it are kept.
pub fn execute(
    plan: &dyn Plan,
    writing: &mut Writing,
    settings: Settings,
    progress: &dyn Progress,
    run: impl Fn(usize) -> Result<(Row, Frame), Infra> + Sync,
) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.jobs)
        .build()
        .map_err(|e| Error::Input(format!("cannot start {} threads: {e}", settings.jobs)))?;
    let units = plan.len();
    progress.begin(units, writing.done());
    let done = AtomicUsize::new(writing.done());
    let one = |at: usize| {
        let outcome = persistently(|| run(at));
        progress.advance(done.fetch_add(1, Ordering::Relaxed).saturating_add(1));
        outcome
    };
    let size = PORTION.saturating_mul(settings.jobs.max(1));
    let mut failed = Failed::default();
    for start in (writing.done()..units).step_by(size) {
        let portion = start..units.min(start.saturating_add(size));
        let positions = portion.clone().into_par_iter();
        let results: Vec<_> = pool.install(|| positions.map(one).collect());
        let before = failed.count;
        let mut good = Vec::with_capacity(results.len());
        for (at, result) in portion.clone().zip(results) {
            match result {
                Ok(unit) if failed.count == 0 => good.push(unit),
                Ok(_) => {}
                Err(source) => failed.add(at, source),
            }
        }
        writing.append(good)?;
        // Where most of a portion has no result, neither has what comes after it.
        let most = failed.count.saturating_sub(before).saturating_mul(2) > portion.len();
        if failed.count > 0 && (most || !failed.passing) {
            break;
        }
    }
    progress.end();
    match failed.first {
        None => Ok(()),
        Some((at, source)) => {
            Err(Error::Rollout { rollout: named(plan, at), source, more: failed.count.saturating_sub(1) })
        }
    }
}

/// Units without a result.
#[derive(Default)]
struct Failed {
    first: Option<(usize, Infra)>,
    count: usize,
    /// All of them for reasons that pass.
    passing: bool,
}

impl Failed {
    fn add(&mut self, at: usize, source: Infra) {
        let passes = matches!(&source, Infra::Model(error) if error.is_transient());
        self.passing = passes && (self.passing || self.count == 0);
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert((at, source));
    }
}

/// A unit in words.
fn named(plan: &dyn Plan, at: usize) -> String {
    let line = plan.line(at).unwrap_or_default();
    let part = |name: &str| Some(format!("{name} `{}`", planned(&line, name)?));
    ["policy", "writer", "scenario", "unit"].into_iter().filter_map(part).collect::<Vec<_>>().join(", ")
}

/// A host failure says nothing about the unit, so it is tried again before the run stops.
fn persistently<T>(run: impl Fn() -> Result<T, Infra>) -> Result<T, Infra> {
    let mut outcome = run();
    for _ in 0..RETRIES {
        match outcome {
            Err(Infra::Host(_)) => outcome = run(),
            other => return other,
        }
    }
    outcome
}
