//! A run's folder.
//!
//! | file | what |
//! |---|---|
//! | `manifest.json` | everything that the results depend on, by digest |
//! | `plan.jsonl` | the units, one a line, in order |
//! | `components/DIGEST.wasm` | the plugins, so that the run can be verified without anything else |
//! | `traces.jsonl.zst` | a prelude, then one frame a unit, in the order of the plan |
//! | `results.jsonl` | one row a unit, in the order of the plan |
//!
//! While a run goes on, the last two end in `.partial` and only ever grow by whole units. A unit's frame is written before
//! its row, and both before the next unit's, so whatever a kill leaves behind is a prefix: rows that fit the plan and have
//! their frames. The rest is cut off and done again.

use crate::error::Error;
use crate::manifest::Manifest;
use crate::plan::Plan;
use crate::row::Row;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use weir_trace::codec::{self, Frame, Reader, Toolsets};
use weir_trace::json::{sha256, sha256_of_pieces};

/// Name of the trace file.
pub const TRACES: &str = "traces.jsonl.zst";
/// Name of the result file.
pub const RESULTS: &str = "results.jsonl";
const MANIFEST: &str = "manifest.json";
const PLAN: &str = "plan.jsonl";
const COMPONENTS: &str = "components";

/// A run's folder.
pub struct Store {
    dir: Dir,
    path: PathBuf,
}

/// A run that is being written.
pub struct Writing {
    traces: File,
    results: File,
    end: u64,
    done: usize,
}

impl Store {
    /// Opens a folder that holds a run.
    ///
    /// # Errors
    /// Where it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let dir = Dir::open_ambient_dir(path, ambient_authority()).map_err(|e| Error::io(path, e))?;
        Ok(Store { dir, path: path.into() })
    }

    /// Opens or makes a folder for a run.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn create(path: &Path) -> Result<Self, Error> {
        std::fs::create_dir_all(path).map_err(|e| Error::io(path, e))?;
        Self::open(path)
    }

    /// The folder's path, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The manifest.
    ///
    /// # Errors
    /// Where there is none, or it is of another format.
    pub fn manifest(&self) -> Result<Manifest, Error> {
        let path = self.path.join(MANIFEST);
        let text = self.dir.read_to_string(MANIFEST).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                Error::Input(format!("{}: not a run's folder: it has no {MANIFEST}", self.path.display()))
            }
            _ => Error::io(&path, e),
        })?;
        serde_json::from_str(&text).map_err(|e| Error::Input(format!("{}: {e}", path.display())))
    }

    /// Begins a run, or goes on with the one that is here. None where it is complete already.
    ///
    /// # Errors
    /// Where the folder holds another run, or cannot be written.
    pub fn begin(
        &self,
        manifest: &Manifest,
        plan: &dyn Plan,
        components: &[(String, Vec<u8>)],
        toolsets: &Toolsets,
    ) -> Result<Option<Writing>, Error> {
        let wanted = pretty(manifest)?;
        match self.dir.read_to_string(MANIFEST) {
            // A plan follows from the manifest, so one that was cut or changed since is written again.
            Ok(found) if found == wanted => {
                if !self.plan().is_ok_and(|lines| hash(lines) == manifest.plan) {
                    self.write_pieces(PLAN, plan.pieces())?;
                }
            }
            Ok(_) => {
                return Err(Error::Input(format!(
                    "{} holds another run: its plugins, settings or input differ\n  choose another folder with --out, or remove that one",
                    self.path.display()
                )));
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => self.prepare(&wanted, plan, components)?,
            Err(e) => return Err(Error::io(self.path.join(MANIFEST), e)),
        }
        if self.dir.exists(RESULTS) && self.dir.exists(TRACES) {
            return Ok(None);
        }
        self.resume(plan, toolsets).map(Some)
    }

    /// The manifest comes last: a folder with one has everything that a resumed run needs.
    fn prepare(&self, manifest: &str, plan: &dyn Plan, components: &[(String, Vec<u8>)]) -> Result<(), Error> {
        self.dir.create_dir_all(COMPONENTS).map_err(|e| Error::io(self.path.join(COMPONENTS), e))?;
        for (digest, bytes) in components {
            self.write(&format!("{COMPONENTS}/{digest}.wasm"), bytes)?;
        }
        self.write_pieces(PLAN, plan.pieces())?;
        self.write(MANIFEST, manifest.as_bytes())
    }

    fn resume(&self, plan: &dyn Plan, toolsets: &Toolsets) -> Result<Writing, Error> {
        // A kill between the two renames of `finish` leaves one final name: both go back to being partial.
        for name in [TRACES, RESULTS] {
            if self.dir.exists(name) {
                self.rename(name, &partial(name))?;
            }
        }
        let prelude = codec::encode_prelude(toolsets).map_err(|e| Error::codec(self.path.join(TRACES), e))?;
        let (mut traces, mut results) = (self.append_to(&partial(TRACES))?, self.append_to(&partial(RESULTS))?);
        let prelude_end = u64::try_from(prelude.len()).unwrap_or(u64::MAX);
        let length = traces.metadata().map_err(|e| self.io(TRACES, e))?.len();
        let (mut end, mut done, mut kept) = (prelude_end, 0, 0);
        if length < prelude_end {
            truncate(&mut traces, 0).and_then(|()| traces.write_all(&prelude)).map_err(|e| self.io(TRACES, e))?;
        } else {
            results.seek(SeekFrom::Start(0)).map_err(|e| self.io(RESULTS, e))?;
            let (mut lines, mut line) = (BufReader::new(&results), Vec::new());
            loop {
                line.clear();
                let read = lines.read_until(b'\n', &mut line).map_err(|e| self.io(RESULTS, e))?;
                // A line without its end was being written.
                let Some(text) = line.strip_suffix(b"\n") else { break };
                let Ok(row) = serde_json::from_slice::<Row>(text) else { break };
                let row_end = row.trace.offset.saturating_add(row.trace.length);
                let planned = plan.unit(done).is_some_and(|unit| unit == row.unit);
                if row.trace.offset != end || row_end > length || !planned {
                    break;
                }
                end = row_end;
                done += 1;
                kept += u64::try_from(read).unwrap_or(u64::MAX);
            }
        }
        truncate(&mut traces, end).map_err(|e| self.io(TRACES, e))?;
        truncate(&mut results, kept).map_err(|e| self.io(RESULTS, e))?;
        Ok(Writing { traces, results, end, done })
    }

    /// Gives the files of a complete run their names.
    ///
    /// # Errors
    /// Where the file system refuses.
    pub fn finish(&self, writing: Writing) -> Result<(), Error> {
        writing.traces.sync_all().map_err(|e| self.io(TRACES, e))?;
        writing.results.sync_all().map_err(|e| self.io(RESULTS, e))?;
        drop(writing);
        self.rename(&partial(TRACES), TRACES)?;
        self.rename(&partial(RESULTS), RESULTS)
    }

    /// The rows of a complete run, one after the other: a run may have more than fit in memory.
    ///
    /// # Errors
    /// Where the run is not complete, or cannot be read.
    pub fn rows(&self) -> Result<Lines<Row>, Error> {
        if !self.dir.exists(RESULTS) {
            return Err(Error::Input(format!(
                "{} is not complete: run the same command again to finish it",
                self.path.display()
            )));
        }
        self.lines(RESULTS, |line| serde_json::from_str(line).map_err(|e| e.to_string()))
    }

    /// The lines of the plan, one after the other.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn plan(&self) -> Result<Lines<String>, Error> {
        self.lines(PLAN, |line| Ok(line.to_owned()))
    }

    fn lines<T>(&self, name: &str, parse: fn(&str) -> Result<T, String>) -> Result<Lines<T>, Error> {
        let path = self.path.join(name);
        let file = self.dir.open(name).map_err(|e| Error::io(&path, e))?;
        Ok(Lines { reader: BufReader::with_capacity(1 << 18, file), path, number: 0, line: String::new(), parse })
    }

    /// One trace, by the place that its row names.
    ///
    /// # Errors
    /// Where it cannot be read, or is not the one that the row says.
    pub fn trace(&self, row: &Row) -> Result<weir_trace::Trace, Error> {
        let mut reader = self.traces()?;
        let path = self.path.join(TRACES);
        reader.seek(row.trace.offset).map_err(|e| Error::codec(&path, e))?;
        match reader.next_trace().map_err(|e| Error::codec(&path, e))? {
            Some((trace, digest)) if digest == row.trace.sha256 => Ok(trace),
            _ => Err(Error::Input(format!(
                "{}: the trace of unit {} is not where its row says",
                path.display(),
                row.unit
            ))),
        }
    }

    /// The traces as bytes, each by the place that its row names.
    ///
    /// # Errors
    /// Where they cannot be opened.
    pub fn frames(&self) -> Result<Frames, Error> {
        let path = self.path.join(TRACES);
        let file = self.dir.open(TRACES).map_err(|e| Error::io(&path, e))?;
        Ok(Frames { file, path })
    }

    /// The traces, in order.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn traces(&self) -> Result<Reader<BufReader<File>>, Error> {
        let path = self.path.join(TRACES);
        let file = self.dir.open(TRACES).map_err(|e| Error::io(&path, e))?;
        Reader::open(BufReader::with_capacity(1 << 20, file)).map_err(|e| Error::codec(&path, e))
    }

    /// A plugin's copy.
    ///
    /// # Errors
    /// Where there is none, or its bytes are not those of its digest.
    pub fn component(&self, digest: &str) -> Result<Vec<u8>, Error> {
        let name = format!("{COMPONENTS}/{digest}.wasm");
        let path = self.path.join(&name);
        let bytes = self.dir.read(&name).map_err(|e| Error::io(&path, e))?;
        let actual = sha256(&bytes);
        if actual != digest {
            return Err(Error::Input(format!(
                "{}: the component was swapped: its SHA-256 is {actual}, the manifest says {digest}",
                path.display()
            )));
        }
        Ok(bytes)
    }

    /// A file of the folder; none where there is none.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.dir.read(name) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(self.io(name, e)),
        }
    }

    /// Writes a whole file or nothing.
    ///
    /// # Errors
    /// Where the file system refuses.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.write_pieces(name, std::iter::once(bytes))
    }

    fn write_pieces<T: AsRef<[u8]>>(&self, name: &str, pieces: impl Iterator<Item = T>) -> Result<(), Error> {
        let temporary = format!("{name}.tmp");
        let written = (|| {
            let mut file = self.dir.create(&temporary)?;
            for piece in pieces {
                file.write_all(piece.as_ref())?;
            }
            file.sync_all()?;
            self.dir.rename(&temporary, &self.dir, name)
        })();
        written.map_err(|e| self.io(name, e))
    }

    fn append_to(&self, name: &str) -> Result<File, Error> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        self.dir.open_with(name, &options).map_err(|e| self.io(name, e))
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        self.dir.rename(from, &self.dir, to).map_err(|e| self.io(to, e))
    }

    fn io(&self, name: &str, source: std::io::Error) -> Error {
        Error::io(self.path.join(name), source)
    }
}

/// Traces as bytes.
pub struct Frames {
    file: File,
    path: PathBuf,
}

impl Frames {
    /// The frame of a row, as it stands in the file.
    ///
    /// # Errors
    /// Where the file does not go so far, or cannot be read.
    pub fn of(&self, row: &Row) -> Result<Vec<u8>, Error> {
        let short = || Error::Input(format!("{}: it ends before the trace of unit {}", self.path.display(), row.unit));
        self.at(row.trace.offset, row.trace.length)?.ok_or_else(short)
    }

    /// So many bytes from a place on; none where the file ends before.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub fn at(&self, offset: u64, length: u64) -> Result<Option<Vec<u8>>, Error> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.take(length).read_to_end(&mut bytes));
        let read = read.map_err(|e| Error::io(&self.path, e))?;
        Ok((u64::try_from(read) == Ok(length)).then_some(bytes))
    }
}

/// The lines of a file, parsed as they are read.
pub struct Lines<T> {
    reader: BufReader<File>,
    path: PathBuf,
    number: usize,
    line: String,
    parse: fn(&str) -> Result<T, String>,
}

impl<T> Iterator for Lines<T> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.line.clear();
        self.number += 1;
        match self.reader.read_line(&mut self.line) {
            Ok(0) => None,
            Ok(_) => Some(
                (self.parse)(self.line.trim_end_matches('\n'))
                    .map_err(|what| Error::Input(format!("{} line {}: {what}", self.path.display(), self.number))),
            ),
            Err(e) => Some(Err(Error::io(&self.path, e))),
        }
    }
}

impl Writing {
    /// Units that are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.done
    }

    /// Appends units in the order of the plan, and returns once they would survive a kill.
    ///
    /// # Errors
    /// Where the file system refuses.
    pub fn append(&mut self, units: Vec<(Row, Frame)>) -> Result<(), Error> {
        let mut frames = Vec::new();
        let mut lines = Vec::new();
        for (mut row, frame) in units {
            let length = u64::try_from(frame.bytes.len()).unwrap_or(u64::MAX);
            row.trace = crate::row::TraceRef { offset: self.end, length, sha256: frame.sha256 };
            self.end = self.end.saturating_add(length);
            frames.extend(frame.bytes);
            serde_json::to_writer(&mut lines, &row).map_err(|e| Error::Input(e.to_string()))?;
            lines.push(b'\n');
            self.done += 1;
        }
        self.traces.write_all(&frames).and_then(|()| self.traces.sync_data()).map_err(|e| Error::io(TRACES, e))?;
        self.results.write_all(&lines).map_err(|e| Error::io(RESULTS, e))
    }
}

/// SHA-256 of a plan's lines.
#[must_use]
pub fn hash(lines: Lines<String>) -> String {
    sha256_of_pieces(lines.map(|line| line.map_or_else(|_| String::new(), |line| line + "\n")))
}

/// What a line of the plan says under a name.
#[must_use]
pub fn planned(line: &str, name: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    value.get(name)?.as_str().map(str::to_owned)
}

fn partial(name: &str) -> String {
    format!("{name}.partial")
}

fn truncate(file: &mut File, length: u64) -> std::io::Result<()> {
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length)).map(|_| ())
}

fn pretty(manifest: &Manifest) -> Result<String, Error> {
    let mut text = serde_json::to_string_pretty(manifest).map_err(|e| Error::Input(e.to_string()))?;
    text.push('\n');
    Ok(text)
}

/// Reads a whole file of traces.
///
/// # Errors
/// Where it cannot be opened, or a trace is damaged.
pub fn read_traces(path: &Path) -> Result<(Toolsets, Vec<weir_trace::Trace>), Error> {
    let (mut reader, mut traces) = (open_traces(path)?, Vec::new());
    while let Some((trace, _)) = reader.next_trace().map_err(|e| Error::codec(path, e))? {
        traces.push(trace);
    }
    Ok((reader.toolsets().clone(), traces))
}

/// Opens a file of traces by its path.
///
/// # Errors
/// Where it cannot be opened or is no trace file.
pub fn open_traces(path: &Path) -> Result<Reader<BufReader<impl Read>>, Error> {
    let file = crate::input::open(path)?;
    Reader::open(BufReader::with_capacity(1 << 20, file)).map_err(|e| Error::codec(path, e))
}
