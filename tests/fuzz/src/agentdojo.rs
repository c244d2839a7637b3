//! AgentDojo's recorded runs: one a file, one a line, and the file of suites that users export.

use crate::host::agentdojo_domain;
use std::sync::OnceLock;
use weir_rollout::Infra;
use weir_rollout::import::agentdojo::{Importer, Record, Suites, read_json, read_jsonl};
use weir_trace::codec::{decode, encode, read_frame};

/// Our own suites file, in which the seeds' tasks stand.
const SUITES: &[u8] = include_bytes!("../../samples/agentdojo/suites.json");

/// Records of one file that are imported.
const RECORDS: usize = 8;

/// Every shape is tried. A record that is read becomes a trace, or what does not fit is told; never is it the host's failure.
pub fn agentdojo(bytes: &[u8]) {
    static OURS: OnceLock<Suites> = OnceLock::new();
    let ours = OURS.get_or_init(|| Suites::read(SUITES).unwrap());
    let _ = Suites::read(bytes);
    let one = read_json("run.json", bytes).into_iter();
    let many = read_jsonl("runs.jsonl", bytes).into_iter().flatten();
    let records: Vec<Record> = one.chain(many).take(RECORDS).collect();
    if records.is_empty() {
        return;
    }
    let mut importer = Importer::new(agentdojo_domain(), ours).unwrap();
    for record in records {
        match importer.import(&record) {
            Ok(trace) => {
                let frame = encode(&trace.header, &trace.events).unwrap();
                let text = read_frame(&mut frame.bytes.as_slice()).unwrap().unwrap();
                let (again, digest) = decode(&text, importer.toolsets()).unwrap();
                assert_eq!((again, digest), (trace, frame.sha256));
            }
            Err(Infra::Input(what)) => assert!(!what.is_empty()),
            Err(other) => panic!("{other}"),
        }
    }
}
