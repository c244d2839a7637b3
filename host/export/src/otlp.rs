//! OpenTelemetry: a rollout as one trace of the generative-AI conventions, in the JSON of its protocol (OTLP), one
//! `ExportTraceServiceRequest` a line. A collector's `otlpjson` file receiver reads the file; an endpoint gets the same
//! requests by HTTP.
//!
//! | span | what |
//! |---|---|
//! | `invoke_workflow rollout` | the rollout; scores are its `gen_ai.evaluation.result` events |
//! | `invoke_agent AGENT` | a stretch in which one agent acts |
//! | `chat MODEL` | a turn of its model |
//! | `execute_tool TOOL` | a call from its proposal to its result, or its refusal; decisions and side effects are its events |
//!
//! What the conventions have no name for begins with `weir.`. What was said, asked for and returned is left out unless it
//! is asked for: spans go to places where an attacker's words and a user's secrets have no business.
//!
//! Identifiers are digests of the unit, so sending a run twice makes no second one. Runs have no clock: a trace begins at
//! the time that is given and takes a millisecond an event, and `weir.time` says so.

mod attributes;
mod send;
mod spans;

use crate::file;
use crate::run::Run;
use crate::scores::Scores;
use crate::{Exported, Times};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use weir_suite::store::Store;
use weir_suite::{Error, Progress};

pub use send::Endpoint;

/// How to write a run as spans.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spans {
    /// Also what was said, asked for and returned.
    pub content: bool,
    /// When the run took place.
    pub times: Times,
}

/// Writes a run as a file of OTLP requests, one a line.
///
/// # Errors
/// Where the run is incomplete or damaged, or the file cannot be written or exists already. Nothing is left behind.
pub fn otlp(
    store: &Store,
    out: Option<PathBuf>,
    force: bool,
    spans: Spans,
    progress: &dyn Progress,
) -> Result<Exported, Error> {
    let run = Run::open(store)?;
    let out = out.unwrap_or_else(|| PathBuf::from(format!("weir-{}-otlp.jsonl", run.manifest.identity())));
    file::check(&out, store.path(), force)?;
    let (rollouts, bytes) = file::whole(&out, force, |file| {
        let mut file = BufWriter::new(file);
        let rollouts = each(&run, spans, progress, &mut |request| {
            file.write_all(request.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(|e| Error::io(&out, e))
        })?;
        file.flush().map_err(|e| Error::io(&out, e))?;
        Ok(rollouts)
    })?;
    Ok(Exported { rollouts, left_out: 0, files: 1, bytes, out, manifest: run.manifest_digest })
}

/// Sends a run to a collector, a rollout after the other.
///
/// # Errors
/// Where the run is incomplete or damaged, or the collector cannot be reached or refuses a rollout. What it has accepted
/// before stays with it; sending again gives the same traces.
pub fn otlp_to(store: &Store, endpoint: &Endpoint, spans: Spans, progress: &dyn Progress) -> Result<Exported, Error> {
    let run = Run::open(store)?;
    let (mut bytes, mut accepted) = (0_u64, 0_usize);
    let rollouts = each(&run, spans, progress, &mut |request| {
        bytes = bytes.saturating_add(u64::try_from(request.len()).unwrap_or(u64::MAX));
        endpoint.post(request, accepted)?;
        accepted = accepted.saturating_add(1);
        Ok(())
    })?;
    Ok(Exported { rollouts, left_out: 0, files: 0, bytes, out: endpoint.path(), manifest: run.manifest_digest })
}

/// Makes one request a rollout.
fn each(
    run: &Run<'_>,
    spans: Spans,
    progress: &dyn Progress,
    take: &mut dyn FnMut(String) -> Result<(), Error>,
) -> Result<usize, Error> {
    let scores = Scores::new(&run.manifest.metrics);
    let mut rollouts = 0;
    progress.begin(run.manifest.units, 0);
    run.each_trace(&mut |row, trace| {
        take(spans::request(run, row, trace, &scores.of(row), spans)?)?;
        rollouts += 1;
        progress.advance(rollouts);
        Ok(())
    })?;
    progress.end();
    Ok(rollouts)
}
