//! What can go wrong with a run, for a person at a terminal.

use std::path::Path;
use weir_rollout::Infra;
use weir_runtime::Fault;
use weir_trace::codec::CodecError;

/// An error of a whole run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// What the user gave is wrong; the text names it and says what to do.
    #[error("{0}")]
    Input(String),
    /// A plugin could not be loaded or linked.
    #[error("{0}")]
    Plugin(#[from] Box<Fault>),
    /// A rollout cannot be scored, outside a run.
    #[error("{0}")]
    Infra(#[from] Infra),
    /// A unit of a run could not be scored.
    #[error("{source}\n  in the rollout of {rollout}{}", after(*more, source))]
    Rollout {
        /// The unit, in words.
        rollout: String,
        /// Why.
        source: Infra,
        /// How many more have no result either.
        more: usize,
    },
    /// The file system refused.
    #[error("{path}: {source}")]
    Io {
        /// Which file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// A trace file is damaged.
    #[error("{path}: {source}")]
    Codec {
        /// Which file.
        path: String,
        /// Why.
        source: CodecError,
    },
}

impl Error {
    /// A file system error with its path.
    pub fn io(path: impl AsRef<Path>, source: std::io::Error) -> Self {
        Error::Io { path: path.as_ref().display().to_string(), source }
    }

    /// A trace file's error with its path.
    pub fn codec(path: impl AsRef<Path>, source: CodecError) -> Self {
        Error::Codec { path: path.as_ref().display().to_string(), source }
    }
}

/// What follows from a unit that has no result.
fn after(more: usize, source: &Infra) -> String {
    let others = if more > 0 { format!("\n  {more} more rollouts have no result either") } else { String::new() };
    match source {
        Infra::Model(_) => {
            others + "\n  none of them is scored; the same command again asks for what is missing and for nothing else"
        }
        _ => others,
    }
}

/// The name among `known` that is most like `wanted`, as a hint.
#[must_use]
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let close = |name: &str| strsim::jaro_winkler(name, wanted);
    known.into_iter().max_by(|a, b| close(a).total_cmp(&close(b))).filter(|name| close(name) > 0.6)
}
