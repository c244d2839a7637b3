//! One connection: HTTP/1.1, a request after the other.

use crate::answer::{Answer, End};
use crate::server::{Request, Shared};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;

/// Answers requests until the client goes away, or an answer says that the connection ends.
pub(crate) fn serve(stream: &TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    while let Some(mut request) = read(&mut reader)? {
        request.at_once = shared.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        shared.record(request.clone());
        let answer = (shared.handler)(&request);
        // Before the last bytes go: the client may ask again as soon as it has them.
        let mut counted = true;
        let mut over = || {
            if std::mem::take(&mut counted) {
                shared.under_way.fetch_sub(1, Ordering::SeqCst);
            }
        };
        let goes_on = send(stream, &answer, &request, &mut over);
        over();
        if !goes_on? {
            // A stalled client's request ends when the client does.
            if matches!(answer.end, End::Stall(_)) {
                drop(io::copy(&mut reader, &mut io::sink()));
            }
            return Ok(());
        }
    }
    Ok(())
}

fn read(reader: &mut impl BufRead) -> io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = Vec::new();
    reader.take(length.unwrap_or(0)).read_to_end(&mut body)?;
    Ok(Some(Request { method, path, headers, body, at_once: 0 }))
}

/// Sends an answer. Returns whether the connection goes on.
fn send(mut stream: &TcpStream, answer: &Answer, request: &Request, over: &mut dyn FnMut()) -> io::Result<bool> {
    if matches!(answer.end, End::Stall(None)) {
        return Ok(false);
    }
    let (kind, chunked, body) = answer.render(&request.json());
    let mut out = format!("HTTP/1.1 {} Scripted\r\ncontent-type: {kind}\r\n", answer.status).into_bytes();
    for (name, value) in &answer.headers {
        out.extend(format!("{name}: {value}\r\n").bytes());
    }
    if chunked {
        out.extend(b"transfer-encoding: chunked\r\n\r\n");
    } else {
        out.extend(format!("content-length: {}\r\n\r\n", body.len()).bytes());
    }
    let (limit, whole) = match answer.end {
        End::Whole => (body.len(), true),
        End::Cut(bytes) | End::Stall(Some(bytes)) => (bytes.min(body.len()), false),
        End::Stall(None) => (0, false),
    };
    let sent = body.get(..limit).unwrap_or_default();
    if !chunked {
        out.extend(sent);
        over();
        stream.write_all(&out)?;
        return Ok(whole);
    }
    let mut pieces = sent.chunks(answer.piece.min(usize::MAX - 1)).peekable();
    while let Some(piece) = pieces.next() {
        out.extend(format!("{:x}\r\n", piece.len()).bytes());
        out.extend(piece);
        out.extend(b"\r\n");
        if pieces.peek().is_none() {
            break;
        }
        stream.write_all(&out)?;
        out.clear();
    }
    if whole {
        out.extend(b"0\r\n\r\n");
    }
    over();
    stream.write_all(&out)?;
    Ok(whole)
}
