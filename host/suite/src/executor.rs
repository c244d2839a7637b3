//! Runs a plan's units on worker threads and appends their results in the order of the plan.

use crate::error::Error;
use crate::plan::Plan;
use crate::row::Row;
use crate::store::{Writing, planned};
use rayon::prelude::*;
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

/// Hears how far a run is.
pub trait Progress {
    /// Begins, with so many units of which some are done.
    fn begin(&mut self, units: usize, done: usize);
    /// So many are done.
    fn advance(&mut self, done: usize);
    /// All are done.
    fn end(&mut self);
}

/// Hears nothing.
pub struct Quiet;

impl Progress for Quiet {
    fn begin(&mut self, _units: usize, _done: usize) {}
    fn advance(&mut self, _done: usize) {}
    fn end(&mut self) {}
}

/// Runs the units of a plan, by their positions, from the first that is not done.
///
/// # Errors
/// The first unit, in the order of the plan, that could not be scored; those before it are kept.
pub fn execute(
    plan: &dyn Plan,
    writing: &mut Writing,
    settings: Settings,
    progress: &mut dyn Progress,
    run: impl Fn(usize) -> Result<(Row, Frame), Infra> + Sync,
) -> Result<(), Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(settings.jobs)
        .build()
        .map_err(|e| Error::Input(format!("cannot start {} threads: {e}", settings.jobs)))?;
    let units = plan.len();
    progress.begin(units, writing.done());
    let size = PORTION.saturating_mul(settings.jobs.max(1));
    for start in (writing.done()..units).step_by(size) {
        let portion = start..units.min(start.saturating_add(size));
        let units = portion.clone().into_par_iter();
        let results: Vec<_> = pool.install(|| units.map(|at| persistently(|| run(at))).collect());
        let mut good = Vec::with_capacity(results.len());
        let mut failure = None;
        for (at, result) in portion.zip(results) {
            match result {
                Ok(unit) => good.push(unit),
                Err(source) => {
                    failure = Some(Error::Rollout { rollout: named(plan, at), source });
                    break;
                }
            }
        }
        writing.append(good)?;
        progress.advance(writing.done());
        if let Some(error) = failure {
            return Err(error);
        }
    }
    progress.end();
    Ok(())
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
