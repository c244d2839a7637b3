//! Pairs of real histories. They are not the project's to give away, so they are looked for where `WEIR_HISTORIES` says,
//! and without them the test says that it skipped.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};
use weir_desk::record::{Call, HISTORY, History, Speaker, Turn};
use weir_desk::testing::{check, pairs};
use weir_desk::{FIELD_STAGE, STAGE, Service};
use weir_plugin::domain::Request;

fn folder() -> Option<PathBuf> {
    let folder = env::var_os("WEIR_HISTORIES").map(PathBuf::from).filter(|folder| folder.join("base-tau2").is_dir());
    if folder.is_none() {
        // Past the test harness, which keeps what a passing test prints.
        let _ = writeln!(std::io::stderr(), "skipped: WEIR_HISTORIES names no folder of recorded histories");
    }
    folder
}

/// As little of a reader as this test needs.
fn read(path: &Path) -> History {
    let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut turns = Vec::new();
    for turn in file["turns"].as_array().unwrap() {
        let call = |call: &Value| Call {
            id: text(&call["id"]),
            tool: text(&call["name"]),
            arguments: call["arguments"].as_object().unwrap().clone(),
        };
        let mut said = text(&turn["content"]);
        for token in ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"] {
            said = said.replace(token, "");
        }
        turns.push(Turn {
            speaker: serde_json::from_value(turn["role"].clone()).unwrap(),
            text: said,
            calls: turn["tool_calls"].as_array().into_iter().flatten().map(call).collect(),
            call_id: turn["tool_call_id"].as_str().map(str::to_owned),
        });
    }
    let calls = |turn: &Turn| turn.calls.is_empty() && turn.text.trim().is_empty();
    while turns.last().is_some_and(|turn| turn.speaker == Speaker::User && calls(turn)) {
        turns.pop();
    }
    number(&mut turns);
    let id = text(&file["id"]);
    History {
        format: HISTORY.into(),
        customer: id.clone(),
        id,
        domain: text(&file["domain"]),
        source: "file".into(),
        turns,
    }
}

/// Identifiers of calls, which one of the files has twice, become numbers. Results follow their calls in order.
fn number(turns: &mut [Turn]) {
    let (mut called, mut answered) = (0, 0);
    for turn in turns {
        for call in &mut turn.calls {
            called += 1;
            call.id = format!("call_{called}");
        }
        if turn.speaker == Speaker::Tool {
            answered += 1;
            turn.call_id = Some(format!("call_{answered}"));
        }
    }
}

fn histories(domain: &str) -> Vec<History> {
    let mut out = Vec::new();
    let Some(folder) = folder() else { return out };
    for group in ["base-tau2", "base-second"] {
        let mut paths: Vec<PathBuf> = fs::read_dir(folder.join(group)).unwrap().map(|e| e.unwrap().path()).collect();
        paths.sort();
        out.extend(paths.iter().map(|path| read(path)).filter(|history| history.domain == domain));
    }
    out
}

fn checked<S: Service>(stage: &str, kinds: usize, values: &mut BTreeSet<String>) -> usize {
    let mut count = 0;
    for history in histories(S::NAME) {
        let parameters = Value::Object(Map::from_iter([("bases".into(), json!([history]))])).to_string();
        let request = Request { stage: stage.into(), count: 1, seed: 1, parameters };
        let scenarios = weir_desk::scenarios::<S>(&request).unwrap();
        let bytes: usize = scenarios.iter().map(|s| s.state.len() + s.script.len() + s.goal.len()).sum();
        assert!(bytes < 900_000, "{}: {bytes} bytes", history.id);
        let made = pairs(&scenarios).unwrap();
        assert_eq!(made.len(), kinds, "{}", history.id);
        for pair in made {
            check::<S>(&pair, &history.turns).unwrap();
            assert!(values.insert(pair.negative.focal.value.clone()), "{}: a value comes again", pair.negative.pair);
        }
        count += 1;
    }
    count
}

#[test]
fn all_fifty_real_histories_give_pairs_that_keep_the_rules() {
    if folder().is_none() {
        return;
    }
    let mut values = BTreeSet::new();
    for (stage, kinds) in [(STAGE, 7), (FIELD_STAGE, 8)] {
        let count = checked::<weir_domain_airline::Airline>(stage, kinds, &mut values)
            + checked::<weir_domain_retail::Retail>(stage, kinds, &mut values)
            + checked::<weir_domain_telecom::Telecom>(stage, kinds, &mut values);
        assert_eq!(count, 50);
    }
}
