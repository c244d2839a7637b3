//! Where a site's files go: into a folder, or into memory, from which they are served.

use crate::script;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use weir_suite::Error;
use weir_suite::store::Store;

/// Where a unit's trace stands, in the site and in the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// `TRACK/ENTRY`.
    pub entry: &'a str,
    /// The unit within its entry.
    pub unit: usize,
    /// First byte of its frame in the run's trace file.
    pub offset: u64,
    /// Bytes of its frame.
    pub length: u64,
}

impl Place<'_> {
    /// The name of its data file.
    #[must_use]
    pub fn name(&self) -> String {
        format!("traces/{}/{}", self.entry, self.unit)
    }
}

/// Takes a site's files, from several threads. Each path is given once.
pub trait Sink: Sync {
    /// Takes a file.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn file(&self, path: &str, bytes: Vec<u8>) -> Result<(), Error>;

    /// Takes a trace: a frame of this run.
    ///
    /// # Errors
    /// Where it cannot be kept.
    fn trace(&self, store: &Store, place: &Place, frame: &[u8]) -> Result<(), Error>;
}

/// A site in memory. Traces stay in their runs, and are read when somebody asks for one.
#[derive(Default)]
pub struct Memory {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
    traces: Mutex<Traces>,
}

/// Where traces stand, by the path of their data file.
#[derive(Default)]
pub(crate) struct Traces {
    folders: Vec<std::path::PathBuf>,
    places: BTreeMap<String, (usize, u64, u64)>,
}

impl Traces {
    /// A trace's data file; none where there is no such trace.
    pub(crate) fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        let Some(&(folder, offset, length)) = self.places.get(path) else { return Ok(None) };
        let Some(folder) = self.folders.get(folder) else { return Ok(None) };
        // A handle of its own: two requests would seek in a shared one.
        let frame = Store::open(folder)?.frames()?.at(offset, length)?;
        Ok(frame.map(|frame| script::bytes(path.trim_end_matches(".js"), &frame)))
    }
}

impl Memory {
    /// Everything that it took: the files, and where the traces stand.
    pub(crate) fn into_parts(self) -> (BTreeMap<String, Vec<u8>>, Traces) {
        (
            self.files.into_inner().unwrap_or_else(PoisonError::into_inner),
            self.traces.into_inner().unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<Vec<u8>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }
}

impl Sink for Memory {
    fn file(&self, path: &str, bytes: Vec<u8>) -> Result<(), Error> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes);
        Ok(())
    }

    fn trace(&self, store: &Store, place: &Place, _frame: &[u8]) -> Result<(), Error> {
        let mut traces = self.traces.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = traces.folders.iter().rposition(|known| known == store.path()).unwrap_or_else(|| {
            traces.folders.push(store.path().to_owned());
            traces.folders.len() - 1
        });
        traces.places.insert(script::path(&place.name()), (folder, place.offset, place.length));
        Ok(())
    }
}
