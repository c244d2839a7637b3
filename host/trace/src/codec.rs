//! The trace file, `.jsonl.zst`: format `weir-trace/1`.
//!
//! A file is a row of zstd frames, so `zstd -dc` reads it whole and one frame can be read alone.
//!
//! - The first frame is the prelude, one line: `{"format":"weir-trace/1","toolsets":{DIGEST:[TOOL,...],...}}`. Toolsets
//!   are shared; DIGEST is the SHA-256 of the list's canonical JSON.
//! - Each further frame is one trace: the [`Header`] in one line, one [`Event`] a line, and a last line
//!   `{"events":N,"sha256":HEX}`. HEX is the SHA-256 of all lines before it, each with its newline: the trace's canonical
//!   digest. Field order is fixed, maps are sorted and there is no clock, so equal traces are equal bytes.
//!
//! Unknown fields are errors. A format change that an older reader would misread changes the format's name.

use crate::contract::Tool;
use crate::event::Event;
use crate::header::{Header, Trace};
use crate::json;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// The format's name, in each prelude.
pub const FORMAT: &str = "weir-trace/1";

/// Compression level: higher ones cost more time than a trace takes to make and save under 10 % of its size.
const LEVEL: i32 = 3;

/// No line of a trace comes near this; a longer one is refused instead of read.
const MAX_TRACE_BYTES: u64 = 256 << 20;

/// Why a trace could not be read.
#[derive(Debug, thiserror::Error)]
pub enum CodecError {
    /// The file could not be read or is not zstd.
    #[error("not a readable zstd frame: {0}")]
    Io(#[from] io::Error),
    /// A line is not what it should be.
    #[error("line {line} of the frame: {what}")]
    Line {
        /// 1-based.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The digest in the last line does not fit the lines before it.
    #[error("the trace was altered: its lines hash to {actual}, its last line says {recorded}")]
    Digest {
        /// Over the lines as they stand.
        actual: String,
        /// In the last line.
        recorded: String,
    },
    /// The file is of another format or version.
    #[error("format is {found:?}, this version of Weir reads {FORMAT:?}")]
    Format {
        /// What the prelude says.
        found: String,
    },
    /// The header names a toolset that the prelude lacks.
    #[error("toolset {0} is not in the file's prelude")]
    Toolset(String),
}

/// Toolsets by digest.
#[derive(Clone, Debug, Default)]
pub struct Toolsets(BTreeMap<String, Arc<Vec<Tool>>>);

impl Toolsets {
    /// Adds a toolset and returns its digest.
    ///
    /// # Errors
    /// Where the tools cannot be written as JSON, which their types rule out.
    pub fn insert(&mut self, tools: Arc<Vec<Tool>>) -> Result<String, CodecError> {
        let value = serde_json::to_value(&*tools).map_err(|e| bad_line(1, &e))?;
        let digest = json::sha256(json::canonical(&value).as_bytes());
        self.0.insert(digest.clone(), tools);
        Ok(digest)
    }

    /// Every toolset with its digest, in the order of digests.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[Tool])> {
        self.0.iter().map(|(digest, tools)| (digest.as_str(), tools.as_slice()))
    }

    /// A toolset.
    #[must_use]
    pub fn get(&self, digest: &str) -> Option<&Arc<Vec<Tool>>> {
        self.0.get(digest)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Prelude {
    format: String,
    toolsets: BTreeMap<String, Arc<Vec<Tool>>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    events: usize,
    sha256: String,
}

/// A trace as bytes.
#[derive(Clone, Debug)]
pub struct Frame {
    /// One zstd frame.
    pub bytes: Vec<u8>,
    /// The trace's canonical digest, in lower-case hex.
    pub sha256: String,
}

/// Writes the prelude frame.
///
/// # Errors
/// Where compression fails.
pub fn encode_prelude(toolsets: &Toolsets) -> Result<Vec<u8>, CodecError> {
    let prelude = Prelude { format: FORMAT.into(), toolsets: toolsets.0.clone() };
    let mut line = serde_json::to_vec(&prelude).map_err(|e| bad_line(1, &e))?;
    line.push(b'\n');
    compress(&line)
}

/// Writes one trace as a frame.
///
/// # Errors
/// Where compression fails.
pub fn encode(header: &Header, events: &[Event]) -> Result<Frame, CodecError> {
    // Room for what most events need beside their texts: growing it would copy it again and again.
    let texts: usize = events.iter().map(|event| event.text.len()).sum();
    let mut lines = Vec::with_capacity(2 * texts + 400 * events.len());
    serde_json::to_writer(&mut lines, header).map_err(|e| bad_line(1, &e))?;
    lines.push(b'\n');
    for event in events {
        serde_json::to_writer(&mut lines, event).map_err(|e| bad_line(1, &e))?;
        lines.push(b'\n');
    }
    let sha256 = json::hex(&Sha256::digest(&lines));
    let footer = Footer { events: events.len(), sha256: sha256.clone() };
    serde_json::to_writer(&mut lines, &footer).map_err(|e| bad_line(1, &e))?;
    lines.push(b'\n');
    Ok(Frame { bytes: compress(&lines)?, sha256 })
}

/// Reads a file's frames in order.
pub struct Reader<R: BufRead> {
    input: Counted<R>,
    toolsets: Toolsets,
}

/// Counts the bytes that were consumed.
struct Counted<R> {
    input: R,
    position: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.position = self.position.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
        self.position = self.position.saturating_add(u64::try_from(amount).unwrap_or(u64::MAX));
    }
}

impl<R: BufRead> Reader<R> {
    /// Opens a file by its prelude.
    ///
    /// # Errors
    /// Where it has none, or one of another format.
    pub fn open(input: R) -> Result<Self, CodecError> {
        let mut input = Counted { input, position: 0 };
        let text =
            read_frame(&mut input)?.ok_or_else(|| CodecError::Line { line: 1, what: "the file is empty".into() })?;
        // The format's name is read alone first, so that a newer file is called that and not malformed.
        let value: serde_json::Value = serde_json::from_slice(&text).map_err(|e| bad_line(1, &e))?;
        let found = value.get("format").and_then(|f| f.as_str()).unwrap_or("none");
        if found != FORMAT {
            return Err(CodecError::Format { found: found.into() });
        }
        let prelude: Prelude = serde_json::from_slice(&text).map_err(|e| bad_line(1, &e))?;
        let mut toolsets = Toolsets::default();
        for (digest, tools) in prelude.toolsets {
            let actual = toolsets.insert(tools)?;
            if actual != digest {
                return Err(CodecError::Digest { actual, recorded: digest });
            }
        }
        Ok(Reader { input, toolsets })
    }

    /// The file's toolsets.
    #[must_use]
    pub fn toolsets(&self) -> &Toolsets {
        &self.toolsets
    }

    /// The byte after the last frame that was read: where the next one begins.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.input.position
    }

    /// The next trace with its canonical digest; none at the end.
    ///
    /// # Errors
    /// Where the frame is damaged, altered or malformed.
    pub fn next_trace(&mut self) -> Result<Option<(Trace, String)>, CodecError> {
        match read_frame(&mut self.input)? {
            Some(text) => decode(&text, &self.toolsets).map(Some),
            None => Ok(None),
        }
    }

    /// The next bytes as they are in the file: a frame whose length is known from elsewhere.
    ///
    /// # Errors
    /// Where the file ends before.
    pub fn next_frame(&mut self, length: u64) -> Result<Vec<u8>, CodecError> {
        let mut bytes = Vec::new();
        // What is read and not what is promised decides how much memory is taken.
        (&mut self.input).take(length).read_to_end(&mut bytes)?;
        if u64::try_from(bytes.len()) != Ok(length) {
            return Err(CodecError::Io(io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(bytes)
    }
}

impl<R: BufRead + io::Seek> Reader<R> {
    /// Goes to the byte where a frame begins.
    ///
    /// # Errors
    /// Where the input cannot be sought.
    pub fn seek(&mut self, position: u64) -> Result<(), CodecError> {
        self.input.input.seek(io::SeekFrom::Start(position))?;
        self.input.position = position;
        Ok(())
    }
}

/// Reads one trace from a frame's decompressed text.
///
/// # Errors
/// Where it was altered or is malformed.
pub fn decode(text: &[u8], toolsets: &Toolsets) -> Result<(Trace, String), CodecError> {
    let missing = |line| CodecError::Line { line, what: "the frame ends too early".into() };
    let body = text.strip_suffix(b"\n").ok_or_else(|| missing(1))?;
    let last = body.iter().rposition(|&byte| byte == b'\n').ok_or_else(|| missing(2))?;
    let (lines, footer) = (text.get(..=last).unwrap_or_default(), body.get(last + 1..).unwrap_or_default());
    let mut events = Vec::new();
    let mut header: Option<Header> = None;
    for (number, line) in (1..).zip(lines.split_inclusive(|&byte| byte == b'\n')) {
        if header.is_none() {
            header = Some(serde_json::from_slice(line).map_err(|e| bad_line(number, &e))?);
        } else {
            let event: Event = serde_json::from_slice(line).map_err(|e| bad_line(number, &e))?;
            check_position(&event, events.len()).map_err(|what| CodecError::Line { line: number, what })?;
            events.push(event);
        }
    }
    let header = header.ok_or_else(|| missing(1))?;
    let footer: Footer = serde_json::from_slice(footer).map_err(|e| bad_line(events.len() + 2, &e))?;
    let actual = json::hex(&Sha256::digest(lines));
    if actual != footer.sha256 || footer.events != events.len() {
        return Err(CodecError::Digest { actual, recorded: footer.sha256 });
    }
    let tools = toolsets.get(&header.toolset).cloned().ok_or_else(|| CodecError::Toolset(header.toolset.clone()))?;
    Ok((Trace { header, tools, events }, actual))
}

/// Decompresses the next frame; none at the end of the input.
///
/// # Errors
/// Where it is not zstd, is cut short or is larger than any trace.
pub fn read_frame(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, CodecError> {
    if input.fill_buf()?.is_empty() {
        return Ok(None);
    }
    // Reading from a buffer, the decoder consumes exactly its own frame.
    let decoder = zstd::stream::read::Decoder::with_buffer(input)?.single_frame();
    let mut text = Vec::new();
    decoder.take(MAX_TRACE_BYTES + 1).read_to_end(&mut text)?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > MAX_TRACE_BYTES {
        return Err(CodecError::Line { line: 1, what: format!("a trace of more than {MAX_TRACE_BYTES} bytes") });
    }
    Ok(Some(text))
}

fn check_position(event: &Event, position: usize) -> Result<(), String> {
    if usize::try_from(event.id) != Ok(position) {
        return Err(format!("event {} stands at position {position}", event.id));
    }
    match event.edges.iter().find(|edge| edge.parent >= event.id) {
        Some(edge) => Err(format!("event {} has an edge from event {}, which is not earlier", event.id, edge.parent)),
        None => Ok(()),
    }
}

fn bad_line(line: usize, error: &serde_json::Error) -> CodecError {
    CodecError::Line { line, what: error.to_string() }
}

thread_local! {
    /// A compressor's tables are larger than most traces, so each thread keeps one. Frames do not depend on each other.
    static COMPRESSOR: RefCell<Option<zstd::bulk::Compressor<'static>>> = const { RefCell::new(None) };
}

fn compress(text: &[u8]) -> Result<Vec<u8>, CodecError> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let compressor = match kept {
            Some(compressor) => compressor,
            None => {
                let mut new = zstd::bulk::Compressor::new(LEVEL)?;
                new.include_checksum(true)?;
                kept.insert(new)
            }
        };
        Ok(compressor.compress(text)?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{NewEvent, TraceBuilder};
    use crate::contract::{Effect, Ledger};
    use crate::event::NodeKind;
    use crate::header::{Origin, PluginRef, VerdictRecord};

    fn file(goals: &[&str]) -> Vec<u8> {
        let mut toolsets = Toolsets::default();
        let tool =
            Tool { name: "send".into(), description: String::new(), effect: Effect::SideEffect, parameters: vec![] };
        let toolset = toolsets.insert(Arc::new(vec![tool])).unwrap();
        let mut bytes = encode_prelude(&toolsets).unwrap();
        for goal in goals {
            let header = Header {
                unit: "00".into(),
                origin: Origin::Live {
                    scenario_digest: String::new(),
                    model: "sim:test".into(),
                    simulated: true,
                    seed: 1,
                },
                scenario: "s".into(),
                stage: "clean".into(),
                family: "f".into(),
                topology: "single".into(),
                memory_mode: "session".into(),
                domain: PluginRef { name: "d".into(), digest: String::new(), version: None },
                policy: None,
                goal: (*goal).into(),
                agents: vec!["a".into()],
                toolset: toolset.clone(),
                ledgers: vec![Ledger { form: "oracle".into(), entries: vec![] }],
                label_names: vec![],
                taint_vocabulary: 1,
                canaries: vec![],
                verdict: VerdictRecord::default(),
                memory: None,
                exchanges: BTreeMap::new(),
            };
            let mut trace = TraceBuilder::default();
            trace.push(NewEvent::text(NodeKind::Source, "user", *goal));
            bytes.extend(encode(&header, trace.events()).unwrap().bytes);
        }
        bytes
    }

    #[test]
    fn traces_are_read_back_in_order_and_written_again_to_the_same_bytes() {
        let bytes = file(&["one", "two"]);
        let mut reader = Reader::open(bytes.as_slice()).unwrap();
        let mut again = encode_prelude(reader.toolsets()).unwrap();
        let mut goals = Vec::new();
        while let Some((trace, digest)) = reader.next_trace().unwrap() {
            let frame = encode(&trace.header, &trace.events).unwrap();
            assert_eq!(reader.position(), u64::try_from(again.len() + frame.bytes.len()).unwrap());
            assert_eq!(frame.sha256, digest);
            again.extend(frame.bytes);
            goals.push(trace.header.goal);
        }
        assert_eq!(goals, ["one", "two"]);
        assert_eq!(again, bytes);
    }

    #[test]
    fn a_flipped_byte_anywhere_in_a_trace_is_found() {
        let bytes = file(&["one"]);
        let prelude = file(&[]).len();
        for position in prelude..bytes.len() {
            let mut altered = bytes.clone();
            altered[position] ^= 1;
            let mut reader = Reader::open(altered.as_slice()).unwrap();
            let whole = reader.next_trace().and_then(|first| reader.next_trace().map(|rest| (first, rest)));
            assert!(whole.is_err(), "byte {position} of {}", bytes.len());
        }
    }

    #[test]
    fn an_event_rewritten_together_with_its_compression_is_found_by_the_digest() {
        let bytes = file(&["one"]);
        let mut input = bytes.as_slice();
        read_frame(&mut input).unwrap();
        let text = String::from_utf8(read_frame(&mut input).unwrap().unwrap()).unwrap();
        let reader = Reader::open(bytes.as_slice()).unwrap();
        let altered = text.replace("\"text\":\"one\"", "\"text\":\"two\"");
        assert!(matches!(decode(altered.as_bytes(), reader.toolsets()), Err(CodecError::Digest { .. })));
    }

    #[test]
    fn a_file_of_another_version_is_called_that() {
        let newer = compress(b"{\"format\":\"weir-trace/2\",\"more\":1}\n").unwrap();
        assert!(matches!(Reader::open(newer.as_slice()), Err(CodecError::Format { found }) if found == "weir-trace/2"));
    }

    #[test]
    fn random_bytes_and_truncated_files_are_errors() {
        assert!(Reader::open(&b"not zstd at all"[..]).is_err());
        let bytes = file(&["one"]);
        let mut reader = Reader::open(&bytes[..bytes.len() - 3]).unwrap();
        assert!(reader.next_trace().is_err());
    }
}
