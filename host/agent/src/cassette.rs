//! Recorded answers of real models, by what was asked: a run replays from them offline, byte for byte, and a run that was
//! stopped goes on without asking again.
//!
//! The file is a row of zstd frames of JSON lines, so `zstd -dc` reads it whole: a head, then models and exchanges. While a
//! run goes on each exchange is appended as a frame of its own as soon as it is known; what a kill cuts short is dropped
//! when the file is opened again. [`Cassette::close`] writes it anew in one frame, sorted, so that the same exchanges are the
//! same bytes.

mod file;

use crate::backend::{Ask, Backend, Identity, Reply, Usage};
use crate::model::ModelError;
use file::Line;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What a cassette is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CassetteUse {
    /// What it has is answered from it; the rest is asked and added.
    Read,
    /// Everything is asked anew, once, and replaces what it had.
    Write,
    /// Nothing is asked: what it does not have is an error.
    Only,
}

/// A file of recorded answers, shared by all models and threads of a run.
pub struct Cassette {
    path: PathBuf,
    using: CassetteUse,
    inner: Mutex<Inner>,
    /// Rung when an answer arrives.
    arrived: Condvar,
}

struct Inner {
    models: BTreeMap<String, Identity>,
    exchanges: BTreeMap<Key, Slot>,
    /// Where new ones go; none where nothing may be added.
    file: Option<File>,
}

/// SHA-256 of a model's name and an ask.
type Key = [u8; 32];

enum Slot {
    /// Somebody is asking; whoever asks the same waits for that answer.
    Asking,
    /// Answered.
    Known(Box<(String, Ask)>, Reply),
}

/// Why a cassette cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// The file system refuses.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is none, or of another format.
    #[error("{path}: not a cassette: {what}")]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Its answers are another model's.
    #[error(
        "{path} was recorded from another `{name}`: {what}\n  choose another file with --cassette-file, or record it anew with --cassette write"
    )]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// The model's name.
        name: String,
        /// The first thing in which they differ.
        what: String,
    },
}

impl Cassette {
    /// Opens a cassette, or begins a new one where there is none; with [`CassetteUse::Only`] there must be one, and it is
    /// not changed.
    ///
    /// # Errors
    /// [`CassetteError`].
    pub fn open(path: &Path, using: CassetteUse) -> Result<Self, CassetteError> {
        let io = |source| CassetteError::Io { path: path.into(), source };
        let mut inner = Inner { models: BTreeMap::new(), exchanges: BTreeMap::new(), file: None };
        let read = match using {
            CassetteUse::Write => None,
            CassetteUse::Read => file::read(path, false)?,
            CassetteUse::Only => file::read(path, true)?,
        };
        if using != CassetteUse::Only {
            let file = match &read {
                Some(read) => file::open_at(path, read.end).map_err(io)?,
                None => file::create(path).map_err(io)?,
            };
            inner.file = Some(file);
        }
        for line in read.into_iter().flat_map(|read| read.lines) {
            match line {
                Line::Model { model } => {
                    inner.models.insert(model.name.clone(), model);
                }
                Line::Exchange { model, ask, reply } => {
                    inner.exchanges.insert(key(&model, &ask), Slot::Known(Box::new((model, *ask)), reply));
                }
            }
        }
        Ok(Cassette { path: path.into(), using, inner: Mutex::new(inner), arrived: Condvar::new() })
    }

    /// The models whose answers it has.
    #[must_use]
    pub fn models(&self) -> Vec<Identity> {
        self.lock().models.values().cloned().collect()
    }

    /// How many answers it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lock().exchanges.values().filter(|slot| matches!(slot, Slot::Known(..))).count()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A model that answers from this cassette, and asks `model` what it does not have. Without a model, one that was
    /// recorded under this name.
    ///
    /// # Errors
    /// Where the recorded model is another one, or none of this name was recorded and none is given.
    pub fn around(
        self: &Arc<Self>,
        name: &str,
        model: Option<Arc<dyn Backend>>,
    ) -> Result<Arc<dyn Backend>, CassetteError> {
        let mut inner = self.lock();
        let recorded = inner.models.get(name).cloned();
        let identity = match (&recorded, &model) {
            (Some(recorded), Some(model)) => {
                if let Some(what) = differs(recorded, model.identity()) {
                    return Err(CassetteError::OtherModel { path: self.path.clone(), name: name.into(), what });
                }
                recorded.clone()
            }
            (Some(recorded), None) => recorded.clone(),
            (None, Some(model)) => {
                let identity = model.identity().clone();
                inner.append(&Line::Model { model: identity.clone() }).map_err(|source| self.io(source))?;
                inner.models.insert(identity.name.clone(), identity.clone());
                identity
            }
            (None, None) => {
                let known: Vec<&str> = inner.models.keys().map(String::as_str).collect();
                let what = format!("it has no answers of `{name}`; it has those of: {}", known.join(", "));
                return Err(CassetteError::Format { path: self.path.clone(), what });
            }
        };
        drop(inner);
        Ok(Arc::new(Recorded { cassette: Arc::clone(self), identity, model }))
    }

    /// Writes the file anew, sorted and in one frame. A cassette that was only read stays as it is.
    ///
    /// # Errors
    /// Where the file system refuses; the file is then as it was.
    pub fn close(&self) -> Result<(), CassetteError> {
        let mut inner = self.lock();
        if inner.file.is_none() {
            return Ok(());
        }
        let models = inner.models.values().map(|model| Line::Model { model: model.clone() });
        let exchanges = inner.exchanges.values().filter_map(|slot| match slot {
            Slot::Known(asked, reply) => {
                let (model, ask) = (**asked).clone();
                Some(Line::Exchange { model, ask: Box::new(ask), reply: reply.clone() })
            }
            Slot::Asking => None,
        });
        let file = file::replace(&self.path, models.chain(exchanges)).map_err(|source| self.io(source))?;
        inner.file = Some(file);
        Ok(())
    }

    fn ask(&self, name: &str, model: Option<&dyn Backend>, ask: &Ask) -> Result<Reply, ModelError> {
        let key = key(name, ask);
        let mut inner = self.lock();
        loop {
            match inner.exchanges.get(&key) {
                Some(Slot::Known(_, reply)) => return Ok(reply.clone()),
                Some(Slot::Asking) => inner = self.arrived.wait(inner).unwrap_or_else(PoisonError::into_inner),
                None => break,
            }
        }
        let Some(model) = model.filter(|_| self.using != CassetteUse::Only) else {
            return Err(ModelError::Rejected { model: name.into(), detail: self.lacks(ask) });
        };
        inner.exchanges.insert(key, Slot::Asking);
        drop(inner);
        let answer = model.ask(ask);
        let mut inner = self.lock();
        let kept = match answer {
            Ok(reply) => {
                let asked = (name.to_owned(), ask.clone());
                let line =
                    Line::Exchange { model: asked.0.clone(), ask: Box::new(asked.1.clone()), reply: reply.clone() };
                let written = inner.append(&line);
                inner.exchanges.insert(key, Slot::Known(Box::new(asked), reply.clone()));
                // An answer that is not kept would be asked for again after a kill, and might then be another one.
                written.map(|()| reply).map_err(|e| ModelError::Unavailable {
                    model: name.into(),
                    detail: format!("its answer cannot be written to {}: {e}", self.path.display()),
                })
            }
            Err(error) => {
                inner.exchanges.remove(&key);
                Err(error)
            }
        };
        drop(inner);
        self.arrived.notify_all();
        kept
    }

    fn lacks(&self, ask: &Ask) -> String {
        let last = ask.messages.last().map_or("", |message| message.content.as_str());
        let shown: String = last.chars().take(80).collect();
        format!(
            "{} has no answer to this ask of seed {} with {} messages, the last of which begins {shown:?}",
            self.path.display(),
            ask.seed,
            ask.messages.len()
        )
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // What a panic elsewhere left behind is still a list of answers.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn io(&self, source: std::io::Error) -> CassetteError {
        CassetteError::Io { path: self.path.clone(), source }
    }
}

impl Inner {
    fn append(&mut self, line: &Line) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        file.write_all(&file::frame(std::iter::once(line))?)
    }
}

/// A model behind a cassette.
struct Recorded {
    cassette: Arc<Cassette>,
    identity: Identity,
    model: Option<Arc<dyn Backend>>,
}

impl Backend for Recorded {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ask(&self, ask: &Ask) -> Result<Reply, ModelError> {
        self.cassette.ask(&self.identity.name, self.model.as_deref(), ask)
    }

    fn usage(&self) -> Usage {
        self.model.as_ref().map(|model| model.usage()).unwrap_or_default()
    }
}

fn key(model: &str, ask: &Ask) -> Key {
    // Writing JSON to memory cannot fail; the fields of an ask have one order.
    Sha256::new_with_prefix(model)
        .chain_update([0])
        .chain_update(serde_json::to_vec(ask).unwrap_or_default())
        .finalize()
        .into()
}

/// The first detail in which two models of one name differ.
fn differs(recorded: &Identity, now: &Identity) -> Option<String> {
    let names: std::collections::BTreeSet<&String> = recorded.details.keys().chain(now.details.keys()).collect();
    names.into_iter().find_map(|name| {
        let (was, is) = (recorded.details.get(name), now.details.get(name));
        let shown = |value: Option<&String>| value.map_or("unknown", String::as_str).to_owned();
        (was != is).then(|| format!("{name} was {} and is {}", shown(was), shown(is)))
    })
}

#[cfg(test)]
mod tests;
