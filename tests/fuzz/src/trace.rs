//! Trace files, as somebody else may have written them: read, written again, and looked at by all that needs no plugin.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use weir_suite::case_file::{Case, of_decision};
use weir_suite::{Error, Row};
use weir_trace::codec::{Reader, Toolsets, decode, encode, read_frame};
use weir_trace::contract::Tool;
use weir_trace::{Columns, NodeKind, Trace, json, taint};

/// Traces of one file that are looked at; an input of many is slow and has nothing new.
const TRACES: usize = 16;

/// Decisions of one trace of which a case is made.
const DECISIONS: usize = 3;

/// A file's bytes.
pub fn trace_file(bytes: &[u8]) {
    let Ok(mut reader) = Reader::open(bytes) else { return };
    for _ in 0..TRACES {
        let before = reader.position();
        match reader.next_trace() {
            Ok(Some((trace, digest))) => {
                assert!(reader.position() > before);
                assert_eq!(digest.len(), 64);
                looked_at(&trace, reader.toolsets());
            }
            Ok(None) | Err(_) => return,
        }
    }
}

/// A frame's text: its first line lists tools, the others are header and events. The last line, with the digest that nobody
/// guesses, is added here.
pub fn trace_text(bytes: &[u8]) {
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return };
    let (tools, rest) = (&bytes[..end], &bytes[end + 1..]);
    let Ok(tools) = serde_json::from_slice::<Vec<Tool>>(tools) else { return };
    let mut toolsets = Toolsets::default();
    let toolset = toolsets.insert(tools.into()).unwrap();
    // The header names the tools by their digest, which nobody guesses either.
    let mut lines = String::from_utf8_lossy(rest).replace("TOOLSET", &toolset).into_bytes();
    if !lines.ends_with(b"\n") {
        lines.push(b'\n');
    }
    let events = lines.iter().filter(|&&byte| byte == b'\n').count() - 1;
    let sha256 = json::hex(&Sha256::digest(&lines));
    lines.extend(format!("{{\"events\":{events},\"sha256\":\"{sha256}\"}}\n").bytes());
    if let Ok((trace, digest)) = decode(&lines, &toolsets) {
        assert_eq!(digest, sha256);
        looked_at(&trace, &toolsets);
    }
}

fn looked_at(trace: &Trace, toolsets: &Toolsets) {
    written_again(trace, toolsets);
    let names = || trace.tools.iter().map(|tool| tool.name.as_str());
    let columns = Columns::of(&trace.events, &trace.header.agents, names());
    assert_eq!(columns.kinds.len(), trace.events.len());
    assert_eq!(columns.edge_offsets.len(), trace.events.len() + 1);
    let (tainted, reachable) = (taint::closure(&trace.events), taint::reachable(&trace.events));
    assert!(tainted.iter().zip(&reachable).all(|(tainted, reachable)| !tainted || *reachable));
    let _ = Row::new(trace, "policy", "oracle", BTreeMap::new());
    for decision in trace.events.iter().filter(|event| event.kind == NodeKind::Decision).take(DECISIONS) {
        // What is written as a case is one.
        let Ok(text) = of_decision(trace, decision.id, None) else { continue };
        let mut lookup = |_: &str, _: Option<&str>| Err(Error::Input("no domain".into()));
        if let Err(error) = Case::parse("case.toml", &text, &mut lookup) {
            panic!("{error}\n{text}");
        }
    }
}

/// What was read is written to bytes that read as the same.
fn written_again(trace: &Trace, toolsets: &Toolsets) {
    let frame = encode(&trace.header, &trace.events).unwrap();
    let text = read_frame(&mut frame.bytes.as_slice()).unwrap().unwrap();
    let (again, digest) = decode(&text, toolsets).unwrap();
    assert_eq!((again, digest), (trace.clone(), frame.sha256));
}
