//! A run whose every text was written to get out of where it stands: its site is data, and its pages show it as text.

use crate::support::program::{scratch, weir};
use crate::{data, list, text};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use weir_suite::store::Store;
use weir_trace::codec::{encode, encode_prelude};
use weir_trace::{Body, Trace};

/// Ends scripts, strings, attributes, elements and lines, hides itself, and is a key that objects have already.
pub const HOSTILE: &str = "</script><script>window.hurt=1</script>'));window.hurt=2;//\\'\"`${window.hurt=3}`<img src=x onerror=window.hurt=4>\u{2028}\u{2029}\u{202e}\n\r\0<!--]]>__proto__";

/// A run like `run`, with hostile texts in its traces, and a policy whose name and rules are hostile too.
pub fn forge(home: &Path) {
    let from = Store::open(&crate::home().join("run")).unwrap();
    let reader = from.traces().unwrap();
    let mut traces = encode_prelude(reader.toolsets()).unwrap();
    let mut results = Vec::new();
    for row in from.rows().unwrap() {
        let mut row = row.unwrap();
        let mut trace = from.trace(&row).unwrap();
        spoil(&mut trace);
        let frame = encode(&trace.header, &trace.events).unwrap();
        row.trace.offset = u64::try_from(traces.len()).unwrap();
        row.trace.length = u64::try_from(frame.bytes.len()).unwrap();
        row.trace.sha256 = frame.sha256;
        traces.extend(frame.bytes);
        if row.policy == "intent-ledger" {
            row.policy = HOSTILE.into();
        }
        row.cluster = format!("{}{HOSTILE}", row.cluster);
        row.family = HOSTILE.into();
        row.lost = row.lost.into_iter().map(|(rule, count)| (format!("{rule}{HOSTILE}"), count)).collect();
        results.extend(serde_json::to_vec(&row).unwrap());
        results.push(b'\n');
    }
    let run = home.join("run");
    fs::create_dir_all(&run).unwrap();
    fs::copy(crate::home().join("run/plan.jsonl"), run.join("plan.jsonl")).unwrap();
    fs::write(run.join("traces.jsonl.zst"), traces).unwrap();
    fs::write(run.join("results.jsonl"), results).unwrap();
    let manifest = fs::read_to_string(crate::home().join("run/manifest.json")).unwrap();
    let title = serde_json::to_string(HOSTILE).unwrap();
    let manifest = manifest.replace("\"Four stages, two domains\"", &title);
    fs::write(
        run.join("manifest.json"),
        manifest.replace("\"name\": \"intent-ledger\"", &format!("\"name\": {title}")),
    )
    .unwrap();
}

fn spoil(trace: &mut Trace) {
    trace.header.goal = HOSTILE.into();
    trace.header.scenario = HOSTILE.into();
    trace.header.agents.iter_mut().for_each(|agent| agent.push_str(HOSTILE));
    for event in &mut trace.events {
        event.text = Arc::from(format!("{}{HOSTILE}", event.text));
        match &mut event.body {
            Body::Text { origin } => origin.push_str(HOSTILE),
            Body::Decision { rule, message, .. } => (*rule, *message) = (Some(HOSTILE.into()), HOSTILE.into()),
            Body::Commit { targets } => targets.push(HOSTILE.into()),
            _ => {}
        }
    }
}

/// Builds the hostile run's site.
pub fn site(name: &str) -> std::path::PathBuf {
    let home = scratch(name);
    forge(&home);
    // The pages are looked at with a track of either kind.
    let authority = crate::home().join("authority").display().to_string();
    weir(&home, &["leaderboard", "build", "run", &authority, "--out", "site"]).good();
    home.join("site")
}

#[test]
fn hostile_texts_come_back_to_the_letter_from_files_that_hold_nothing_but_data() {
    let site = site("hostile");
    assert_eq!(text(&data(&site, "data/site")["tracks"][0]["title"]), HOSTILE);
    // `data` demands of each file that it is one call with one string.
    let board = data(&site, "data/small/board");
    let entry = list(&board["entries"]).iter().find(|entry| entry["name"] == HOSTILE).unwrap();
    let id = text(&entry["id"]);
    assert!(id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{id}");
    assert!(!entry["digest"].as_str().unwrap().is_empty());
    let scenarios = data(&site, "data/small/scenarios");
    assert!(list(&scenarios["ids"]).iter().all(|id| text(id).ends_with(HOSTILE)));
    let units = data(&site, &format!("data/small/{id}/units"));
    let lost = units["lost"].as_object().unwrap();
    assert!(lost.values().flat_map(|rules| rules.as_object().unwrap().keys()).all(|rule| rule.ends_with(HOSTILE)));
    for file in ["pairs", "tools"] {
        data(&site, &format!("data/small/{file}"));
    }
    // Nothing of it is in a name of a file, or in the page.
    for name in crate::folder::contents(&site).keys() {
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || "./-".contains(c)), "{name}");
    }
}
