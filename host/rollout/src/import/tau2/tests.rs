//! The three shapes on samples of our own, and on a folder of real histories where there is one.

use super::*;
use crate::import::base;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weir_memory::History;
use weir_memory::history::Speaker;
use weir_memory::schema::Tool;

fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/samples/tau2").join(name);
    std::fs::read(path).unwrap()
}

fn conversations(name: &str, bytes: &[u8], options: &Options) -> (Vec<Recorded>, usize) {
    match read(name, bytes, options).unwrap() {
        Read::Conversations { recorded, unsuccessful } => (recorded, unsuccessful),
        Read::Other(why) => panic!("{name}: {why}"),
    }
}

fn only(name: &str) -> (History, usize) {
    let (recorded, unsuccessful) = conversations(name, &sample(name), &Options::default());
    assert_eq!(recorded.len(), 1);
    (recorded[0].history(None).unwrap(), unsuccessful)
}

/// Turns as one letter each: a system, user, assistant or tool that speaks, in capitals with calls.
fn shape(history: &History) -> String {
    let letter = |turn: &weir_memory::Turn| match (turn.speaker, turn.calls.is_empty()) {
        (Speaker::System, _) => 's',
        (Speaker::User, true) => 'u',
        (Speaker::User, false) => 'U',
        (Speaker::Assistant, true) => 'a',
        (Speaker::Assistant, false) => 'A',
        (Speaker::Tool, _) => 't',
    };
    history.turns.iter().map(letter).collect()
}

#[test]
fn results_of_tau2_bench() {
    let (history, unsuccessful) = only("results.json");
    assert_eq!(unsuccessful, 2);
    assert_eq!(shape(&history), "sauAtaUtuAttau");
    assert_eq!((history.domain.as_str(), history.customer.as_str()), ("telecom", "C2044"));
    assert_eq!(history.turns[0].text, "You help subscribers of a phone company. Be brief.");
    assert_eq!(history.turns[7].call_id.as_deref(), Some("call_b"));
    let ids: Vec<&str> = history.turns[9].calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_a#2", "call_c"]);
    assert_eq!(history.turns[10].call_id.as_deref(), Some("call_a#2"));
    assert_eq!(history.turns[13].text, "Great, it works.");
    assert!(history.id.starts_with("telecom-mobile_data-roaming_off-") && history.id.ends_with("-0"), "{}", history.id);
    assert_eq!(history.source, "tau2-bench results.json, task [mobile_data]roaming_off, trial 0");
}

#[test]
fn trajectories_of_tau_bench() {
    let (history, unsuccessful) = only("trajectories.json");
    assert_eq!(unsuccessful, 1);
    assert_eq!(shape(&history), "suAtAtAta");
    assert_eq!((history.domain.as_str(), history.customer.as_str()), ("retail", "ola_berg_3101"));
    assert_eq!((history.turns[2].text.as_str(), history.turns[4].calls[0].tool.as_str()), ("One moment.", "think"));
    assert_eq!(history.turns[6].calls[0].id, "call_1#2");
    assert_eq!(history.id, "retail-7-0");
}

#[test]
fn one_conversation_a_file() {
    let (history, _) = only("conversation.json");
    assert_eq!(shape(&history), "suAtau");
    assert_eq!((history.id.as_str(), history.customer.as_str()), ("sample-airline-01", "ivo_kral_5520"));
    assert_eq!(history.source, "somebody/somewhere runs/1.json, task 3");
    assert_eq!(history.turns[5].text, "Thanks!");
}

#[test]
fn unsuccessful_runs_are_taken_on_demand() {
    let options = Options { all: true, domain: Some("retail".into()) };
    let (recorded, unsuccessful) = conversations("t", &sample("trajectories.json"), &options);
    assert_eq!((recorded.len(), unsuccessful), (2, 0));
    // The empty one says nothing, which is no history.
    let (recorded, _) = conversations("r", &sample("results.json"), &options);
    assert_eq!(recorded.len(), 3);
    let said = recorded[2].history(None).unwrap_err().to_string();
    assert_eq!(said, "r simulations[2]: the user says nothing, expected a conversation");
}

#[test]
fn what_is_broken_is_named_with_its_place() {
    for (text, expected) in [
        ("{", "f.json: not JSON"),
        (r#"{"simulations": 1}"#, "f.json: not tau2-bench results"),
        (
            r#"{"simulations": [{"trial": 0}]}"#,
            "f.json simulations[0]: not a simulation of tau2-bench: missing field `task_id`",
        ),
        (
            r#"{"simulations": [{"task_id": 1, "reward_info": {"reward": 1}, "messages": null}]}"#,
            "f.json simulations[0]: no `messages`: a run by voice",
        ),
        (
            r#"[{"task_id": 1, "reward": 1, "traj": [{"role": "user", "content": "x"}]}]"#,
            "f.json [0]: it does not say its domain, and its calls do not show it: give --domain",
        ),
        (
            r#"[{"task_id": 1, "reward": 1, "traj": [{"role": "user", "content": 5}]}]"#,
            "f.json [0] turn 0: not a message",
        ),
        (
            r#"{"id": "a", "domain": "d", "turns": [{"role": "assistant", "tool_calls": [{"id": "1", "name": "t", "arguments": "{"}]}]}"#,
            "f.json turn 0: the arguments of `t` are not a JSON object",
        ),
        (
            r#"{"id": "a", "domain": "d", "turns": [{"role": "assistant", "tool_calls": [{"id": "1", "name": "t", "arguments": {}, "requestor": "user"}]}]}"#,
            "f.json turn 0: a call of `t` is requested by `user` in a turn of `assistant`",
        ),
    ] {
        let said = read("f.json", text.as_bytes(), &Options::default()).unwrap_err().to_string();
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn other_json_is_no_run() {
    for text in ["{}", "[]", "[1]", "3", r#"{"format": "weir/history@1", "turns": []}"#] {
        assert!(matches!(read("f", text.as_bytes(), &Options::default()).unwrap(), Read::Other(_)), "{text}");
    }
}

/// The folder named by `WEIR_HISTORIES`; none where there is none, which is said.
fn real_histories(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("WEIR_HISTORIES").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        // Not by a macro, whose output the harness keeps to itself.
        let line = format!("SKIPPED {test}: WEIR_HISTORIES names no folder of real histories\n");
        std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes()).unwrap();
    }
    folder
}

/// The tools of each domain, as the folder describes them.
fn real_tools(folder: &Path) -> BTreeMap<String, Vec<Tool>> {
    let value: Value = serde_json::from_slice(&std::fs::read(folder.join("tau2_tools.json")).unwrap()).unwrap();
    let list = |domain: &Value, key: &str| -> Vec<Tool> {
        let tools = domain.get(key).and_then(Value::as_array).into_iter().flatten();
        tools.map(|tool| Tool::from_schema(tool["name"].as_str().unwrap(), &tool["parameters"]).unwrap()).collect()
    };
    let domains = value["domains"].as_object().unwrap();
    let both = |domain: &Value| [list(domain, "tools"), list(domain, "user_tools")].concat();
    domains.iter().map(|(name, domain)| (name.clone(), both(domain))).collect()
}

#[test]
fn real_histories_import_without_loss() {
    let Some(folder) = real_histories("real_histories_import_without_loss") else { return };
    let tools = real_tools(&folder);
    let mut count = 0;
    for group in ["base-tau2", "base-second", "extra"] {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(folder.join(group)).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let bytes = std::fs::read(&path).unwrap();
            let (recorded, _) = conversations(&name, &bytes, &Options::default());
            let domain = recorded[0].domain.clone();
            let history = recorded[0].history(tools.get(&domain).map(Vec::as_slice)).unwrap_or_else(|e| panic!("{e}"));
            same(&name, &serde_json::from_slice(&bytes).unwrap(), &history);
            assert_ne!(history.customer, "", "{name}");
            // What was written is read again, with the same checks.
            let written = serde_json::to_vec(&history).unwrap();
            assert_eq!(base::read(&name, &written).unwrap(), history);
            base::check_calls(&name, &history, &tools[&domain]).unwrap();
            count += usize::from(group != "extra");
        }
    }
    assert_eq!(count, 50);
}

/// Holds a history against its file: every text, call, argument and result, in order. This knows of the file no more than
/// JSON, so that nothing is lost that the importer overlooks.
fn same(name: &str, file: &Value, history: &History) {
    let mut turns = history.turns.iter();
    // The importer's identifier of each call that is open, by the file's.
    let mut open: Vec<(&str, &str)> = Vec::new();
    for (number, raw) in file["turns"].as_array().unwrap().iter().enumerate() {
        let said = raw["content"].as_str().unwrap_or_default();
        let is_user = raw["role"] == "user";
        let stops = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"];
        let expected = match stops.iter().find(|stop| is_user && said.contains(**stop)) {
            Some(stop) => said.strip_suffix(stop).unwrap().trim_end(),
            None => said,
        };
        let raw_calls = raw["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
        if is_user && expected.is_empty() && raw_calls.is_empty() {
            continue;
        }
        let turn = turns.next().unwrap_or_else(|| panic!("{name} turn {number} is lost"));
        assert_eq!(serde_json::to_value(turn.speaker).unwrap(), raw["role"], "{name} turn {number}");
        assert_eq!(turn.text, expected, "{name} turn {number}");
        assert_eq!(turn.calls.len(), raw_calls.len(), "{name} turn {number}");
        for (call, raw) in turn.calls.iter().zip(raw_calls) {
            assert_eq!(call.tool, raw["name"], "{name} turn {number}");
            assert_eq!(Value::Object(call.arguments.clone()), raw["arguments"], "{name} turn {number}");
            open.push((raw["id"].as_str().unwrap(), &call.id));
        }
        if let Some(id) = raw["tool_call_id"].as_str() {
            let at = open.iter().position(|(given, _)| *given == id).unwrap();
            assert_eq!(turn.call_id.as_deref(), Some(open.remove(at).1), "{name} turn {number}");
        }
    }
    assert_eq!(turns.next(), None, "{name} has a turn too many");
}
