//! The file of a cassette.

use super::CassetteError;
use crate::backend::{Ask, Identity, Reply};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first line's `format`.
const FORMAT: &str = "weir/cassette@1";

/// Most bytes of one frame, decompressed: a closed cassette is one frame, and no suite's is near this size.
const LONGEST: u64 = 4 << 30;

/// Compression of the many small frames of a run: fast.
const LEVEL: i32 = 3;
/// Compression of the one frame that stays: small, since a cassette is committed and published.
const FINAL_LEVEL: i32 = 19;

/// The file's first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
}

/// Any other line.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Line {
    /// A question and its answer.
    Exchange { model: String, ask: Box<Ask>, reply: Reply },
    /// A model whose answers follow.
    Model { model: Identity },
}

/// What a file has.
pub(super) struct Found {
    pub(super) lines: Vec<Line>,
    /// Where the last whole frame ends.
    pub(super) end: u64,
}

/// Reads a file up to where a kill cut it short; none where there is none and it need not be `whole`.
pub(super) fn read(path: &Path, whole: bool) -> Result<Option<Found>, CassetteError> {
    let io = |source| CassetteError::Io { path: path.into(), source };
    let wrong = |what: String| CassetteError::Format { path: path.into(), what };
    let file = match File::open(path) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound && !whole => return Ok(None),
        Err(e) => return Err(io(e)),
    };
    let mut input = BufReader::new(file);
    let mut found = Found { lines: Vec::new(), end: 0 };
    let mut headed = false;
    while !input.fill_buf().map_err(io)?.is_empty() {
        let mut text = String::new();
        let decoder = zstd::stream::read::Decoder::with_buffer(&mut input).map_err(io)?.single_frame();
        match decoder.take(LONGEST).read_to_string(&mut text) {
            Ok(_) => {}
            Err(_) if headed && !whole => break,
            Err(e) => return Err(wrong(format!("a frame cannot be read: {e}"))),
        }
        let mut lines = text.lines();
        if !headed {
            let head = lines.next().and_then(|line| serde_json::from_str::<Head>(line).ok());
            match head {
                Some(head) if head.format == FORMAT => headed = true,
                Some(head) => return Err(wrong(format!("its format is `{}`, expected `{FORMAT}`", head.format))),
                None => return Err(wrong(format!("its first line does not say `{FORMAT}`"))),
            }
        }
        for line in lines {
            found.lines.push(serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?);
        }
        found.end = input.stream_position().map_err(io)?;
    }
    if !headed && whole {
        return Err(wrong("it is empty".into()));
    }
    Ok(headed.then_some(found))
}

/// Opens a file to append behind its last whole frame.
pub(super) fn open_at(path: &Path, end: u64) -> std::io::Result<File> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    lock(&file)?;
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    Ok(file)
}

/// A new file with a head.
pub(super) fn create(path: &Path) -> std::io::Result<File> {
    // Not truncated before it is known that nobody else writes it.
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    lock(&file)?;
    file.set_len(0)?;
    file.write_all(&compressed(&head()?, LEVEL)?)?;
    Ok(file)
}

/// Two runs that append to one file would cut each other's answers.
fn lock(file: &File) -> std::io::Result<()> {
    let taken = "another run records into it: wait for that one, or choose another file with --cassette-file";
    file.try_lock().map_err(|_| std::io::Error::other(taken))
}

/// Puts a new file in the old one's place, and opens it to append.
pub(super) fn replace(path: &Path, lines: impl Iterator<Item = Line>) -> std::io::Result<File> {
    let mut text = head()?;
    for line in lines {
        push(&mut text, &line)?;
    }
    let bytes = compressed(&text, FINAL_LEVEL)?;
    let temporary = path.with_extension("tmp");
    let mut file = File::create(&temporary)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)?;
    Ok(file)
}

/// One frame of lines.
pub(super) fn frame<'a>(lines: impl Iterator<Item = &'a Line>) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    for line in lines {
        push(&mut text, line)?;
    }
    compressed(&text, LEVEL)
}

fn head() -> std::io::Result<Vec<u8>> {
    let mut text = serde_json::to_vec(&Head { format: FORMAT.into() })?;
    text.push(b'\n');
    Ok(text)
}

fn push(text: &mut Vec<u8>, line: &Line) -> std::io::Result<()> {
    serde_json::to_writer(&mut *text, line)?;
    text.push(b'\n');
    Ok(())
}

fn compressed(text: &[u8], level: i32) -> std::io::Result<Vec<u8>> {
    zstd::bulk::compress(text, level)
}
