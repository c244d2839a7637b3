//! Traces that are compared with one another.

use crate::error::Error;
use crate::sample::MODELS;
use weir_trace::Trace;
use weir_trace::codec::encode;

/// The traces of cases that were run in the opposite order, in the order of the cases.
pub(super) fn turned_round(traces: &[Trace]) -> impl Iterator<Item = &Trace> {
    traces.chunks(MODELS.len()).rev().flatten()
}

/// How many traces of two rows differ.
pub(super) fn unequal<'a>(
    first: impl IntoIterator<Item = &'a Trace>,
    second: impl IntoIterator<Item = &'a Trace>,
) -> Result<usize, Error> {
    let (first, second) = (digests(first)?, digests(second)?);
    let differ = first.iter().zip(&second).filter(|(a, b)| a != b).count();
    Ok(differ.saturating_add(first.len().abs_diff(second.len())))
}

fn digests<'a>(traces: impl IntoIterator<Item = &'a Trace>) -> Result<Vec<String>, Error> {
    let digest =
        |trace: &Trace| encode(&trace.header, &trace.events).map(|f| f.sha256).map_err(|e| Error::Input(e.to_string()));
    traces.into_iter().map(digest).collect()
}
