//! One pass over the frames of a run's trace file: each goes into the site as it is, and what its decisions cost is read on
//! the way. Nothing is compressed again, and of a trace only the lines of its decisions are parsed.

use crate::contract::{Fuel, HookFuel, Tokens};
use crate::sink::{Place, Sink};
use memchr::memmem::Finder;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use weir_suite::store::{Store, TRACES};
use weir_suite::{Error, Progress};
use weir_trace::Hook;
use weir_trace::codec::{CodecError, read_frame};
use weir_trace::exchange::{Answer, Exchange};

/// Frames that are in memory at once: enough for all threads, and a few megabytes.
const BATCH: usize = 512;

/// Every hook with its name, in the order in which a rollout comes to them.
const HOOKS: [(Hook, &str); 7] = [
    (Hook::Start, "start"),
    (Hook::Filter, "filter"),
    (Hook::Authorize, "authorize"),
    (Hook::Precommit, "precommit"),
    (Hook::Recover, "recover"),
    (Hook::Endorse, "endorse"),
    (Hook::Render, "render"),
];

/// Where a row of the run goes in the site, and how long its frame is. Rows stand in the order of their frames.
pub(crate) struct Going {
    /// Place of the entry among those that the pass is for.
    pub(crate) entry: usize,
    /// The unit within its entry.
    pub(crate) unit: usize,
    /// First byte of the frame.
    pub(crate) offset: u64,
    /// Bytes of the frame.
    pub(crate) length: u64,
}

/// What the decisions of an entry cost.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Spent {
    /// Fuel of each decision, by hook.
    fuel: [Vec<u64>; HOOKS.len()],
    tokens: Option<Tokens>,
}

impl Spent {
    fn add(&mut self, seen: &Seen) {
        for (hook, fuel) in &seen.fuel {
            let place = HOOKS.iter().position(|(known, _)| known == hook);
            if let Some(all) = place.and_then(|place| self.fuel.get_mut(place)) {
                all.push(*fuel);
            }
        }
        if let Some(tokens) = seen.tokens {
            let sum = self.tokens.get_or_insert_default();
            sum.read = sum.read.saturating_add(tokens.read);
            sum.written = sum.written.saturating_add(tokens.written);
        }
    }

    /// Over all decisions.
    pub(crate) fn fuel(&self) -> Fuel {
        let mut all: Vec<u64> = self.fuel.iter().flatten().copied().collect();
        all.sort_unstable();
        let total = all.iter().fold(0, |sum: u64, fuel| sum.saturating_add(*fuel));
        Fuel { median: quantile(&all, 50), p95: quantile(&all, 95), total }
    }

    /// By hook, of those that were called.
    pub(crate) fn hooks(&self) -> Vec<HookFuel> {
        let called = HOOKS.iter().zip(&self.fuel).filter(|(_, fuel)| !fuel.is_empty());
        called
            .map(|((_, hook), fuel)| {
                let mut sorted = fuel.clone();
                sorted.sort_unstable();
                let max = sorted.last().copied().unwrap_or_default();
                let (median, p95) = (quantile(&sorted, 50), quantile(&sorted, 95));
                HookFuel { hook, decisions: sorted.len(), median, p95, max }
            })
            .collect()
    }

    /// Tokens of the policy's own models.
    pub(crate) fn tokens(&self) -> Option<Tokens> {
        self.tokens
    }
}

/// The smallest value that so many per cent of the values do not exceed; 0 without any.
fn quantile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// Hands every frame of a run to a sink. `entries` are names in the site, `TRACK/ENTRY`; the result is in their order.
///
/// # Errors
/// Where rows and frames do not fit together, a frame cannot be read, and where the sink refuses.
pub(crate) fn pass(
    store: &Store,
    entries: &[String],
    going: &[Going],
    sink: &dyn Sink,
    progress: &dyn Progress,
    before: usize,
) -> Result<Vec<Spent>, Error> {
    let path = store.path().join(TRACES);
    let codec = |e: CodecError| Error::codec(&path, e);
    let mut reader = store.traces()?;
    let scanner = Scanner::new();
    let mut spent: Vec<Spent> = entries.iter().map(|_| Spent::default()).collect();
    let mut done = before;
    for batch in going.chunks(BATCH) {
        let mut frames = Vec::with_capacity(batch.len());
        for row in batch {
            if row.offset != reader.position() {
                return Err(Error::Input(format!(
                    "{}: a frame begins at byte {}, and results.jsonl says {}: rows and traces do not fit together",
                    path.display(),
                    reader.position(),
                    row.offset
                )));
            }
            frames.push((row, reader.next_frame(row.length).map_err(codec)?));
        }
        let seen: Vec<Seen> = frames
            .par_iter()
            .map(|(row, frame)| {
                let entry = entries.get(row.entry).map(String::as_str).unwrap_or_default();
                let place = Place { entry, unit: row.unit, offset: row.offset, length: row.length };
                sink.trace(store, &place, frame)?;
                scanner.scan(frame).map_err(codec)
            })
            .collect::<Result<_, Error>>()?;
        for (row, seen) in batch.iter().zip(&seen) {
            if let Some(sum) = spent.get_mut(row.entry) {
                sum.add(seen);
            }
        }
        done += batch.len();
        progress.advance(done);
    }
    Ok(spent)
}

/// What one trace says of its cost.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    fuel: Vec<(Hook, u64)>,
    tokens: Option<Tokens>,
}

/// Finds the lines that say what was spent.
struct Scanner {
    decision: Finder<'static>,
    exchanges: Finder<'static>,
}

/// A decision's line, as far as it matters here.
#[derive(Deserialize)]
struct Line {
    body: Decision,
}

#[derive(Deserialize)]
struct Decision {
    hook: Hook,
    fuel: u64,
}

/// A header's line, likewise.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    exchanges: BTreeMap<String, Vec<Exchange>>,
}

impl Scanner {
    // Within a string of JSON each quote has a backslash before it, so that no text of a trace is taken for a key.
    fn new() -> Self {
        Scanner { decision: Finder::new("\"type\":\"decision\""), exchanges: Finder::new("\"exchanges\":{") }
    }

    fn scan(&self, mut frame: &[u8]) -> Result<Seen, CodecError> {
        let text = read_frame(&mut frame)?.unwrap_or_default();
        if !frame.is_empty() {
            let what = format!("{} bytes follow the frame where its row has it end", frame.len());
            return Err(CodecError::Line { line: 1, what });
        }
        let mut seen = Seen::default();
        for (number, line) in (1..).zip(text.split(|&byte| byte == b'\n')) {
            let wrong = |e: serde_json::Error| CodecError::Line { line: number, what: e.to_string() };
            if number == 1 && self.exchanges.find(line).is_some() {
                let head: Head = serde_json::from_slice(line).map_err(wrong)?;
                seen.tokens = head.exchanges.get("policy").map(|asked| tokens(asked));
            }
            if number > 1 && self.decision.find(line).is_some() {
                let Decision { hook, fuel } = serde_json::from_slice::<Line>(line).map_err(wrong)?.body;
                seen.fuel.push((hook, fuel));
            }
        }
        Ok(seen)
    }
}

fn tokens(asked: &[Exchange]) -> Tokens {
    let mut sum = Tokens::default();
    for exchange in asked {
        if let Answer::Completion(answer) = &exchange.answer {
            sum.read = sum.read.saturating_add(answer.input_tokens);
            sum.written = sum.written.saturating_add(answer.output_tokens);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_a_value_that_was_there() {
        assert_eq!((quantile(&[], 50), quantile(&[7], 50), quantile(&[7], 95)), (0, 7, 7));
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!((quantile(&hundred, 50), quantile(&hundred, 95)), (50, 95));
        assert_eq!(quantile(&[1, 2, 3], 50), 2);
    }

    #[test]
    fn only_decisions_are_counted_and_no_text_is_taken_for_one() {
        let lines = concat!(
            r#"{"unit":"00","goal":"\"exchanges\":{"}"#,
            "\n",
            r#"{"id":0,"text":"\"type\":\"decision\"","body":{"type":"text","origin":"user"}}"#,
            "\n",
            r#"{"id":1,"text":"","body":{"type":"decision","hook":"authorize","verdict":"allow","rule":null,"message":"","fuel":12}}"#,
            "\n",
            r#"{"events":2,"sha256":""}"#,
            "\n"
        );
        let frame = zstd::bulk::compress(lines.as_bytes(), 3).unwrap();
        let seen = Scanner::new().scan(&frame).unwrap();
        assert_eq!(seen, Seen { fuel: vec![(Hook::Authorize, 12)], tokens: None });
    }

    #[test]
    fn every_hook_has_its_name() {
        for (hook, name) in HOOKS {
            assert_eq!(serde_json::to_value(hook).unwrap(), name);
        }
    }
}
