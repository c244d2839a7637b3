//! Server-sent events: bytes in any pieces go in, the data of whole events comes out. Characters are decoded only when an
//! event is complete, so it does not matter where the network cuts.

use memchr::memchr;

/// Reads an event stream.
#[derive(Default)]
pub(crate) struct Events {
    /// What came and is not read yet.
    buffer: Vec<u8>,
    /// Where in the buffer the next line begins.
    start: usize,
    /// How far it has been searched for a line's end.
    seen: usize,
}

impl Events {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        // What has been read goes only when new bytes come, once for many lines.
        self.buffer.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Bytes of a line that is not complete.
    pub(crate) fn pending(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// The data of the next event. One line of data is one event: no server of this interface breaks JSON over lines, and so
    /// the stream need not be held back until the empty line after it. Comments, which keep a connection alive, and other
    /// fields are skipped.
    pub(crate) fn next(&mut self) -> Option<&[u8]> {
        loop {
            let Some(length) = self.buffer.get(self.seen..).and_then(|rest| memchr(b'\n', rest)) else {
                self.seen = self.buffer.len();
                return None;
            };
            let (from, end) = (self.start, self.seen + length);
            (self.start, self.seen) = (end + 1, end + 1);
            let is_data = self.buffer.get(from..end).is_some_and(|line| line.starts_with(b"data:"));
            if is_data {
                return self.buffer.get(from + 5..end).map(<[u8]>::trim_ascii);
            }
        }
    }

    /// What remains after the last line's end: servers may forget it.
    pub(crate) fn rest(&self) -> Option<&[u8]> {
        self.buffer.get(self.start..).and_then(|line| line.strip_prefix(b"data:")).map(<[u8]>::trim_ascii)
    }
}
