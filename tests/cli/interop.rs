//! Exports in other tools' formats, read by these tools as PyPI has them: the same rollouts, the same scores, nothing said
//! that should not be. `make tools` installs them; `tests/interop/read.py` asks them.

use crate::support::program::{command, scratch, weir};
use crate::support::recorded::with_cache;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};

/// What Python sees of an export.
fn seen(how: &str, what: &Path) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../target/tools/interop/bin/python");
    assert!(python.is_file(), "{} is missing: run `make tools`", python.display());
    let ran = Command::new(python).arg(root.join("interop/read.py")).arg(how).arg(what).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    serde_json::from_slice(&ran.stdout).expect("the script prints JSON")
}

/// A run with two seeds, two policies, three stages and a team; and its folder's folder.
fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = scratch("interop");
        let head = "name = \"other\"\ntitle = \"For other tools\"\npolicies = [\"none\", \"tool-boundary\"]\n\
            models = [\"sim:qwen2.5-7b\"]\nseeds = [3, 18446744073709551615]\nledger = \"oracle\"\nconfirmation = \"absent\"\n";
        let scenarios = [("email", "security"), ("crm", "memory-recovery"), ("email", "clean"), ("email", "active-tainted")]
            .map(|(domain, stage)| {
                format!("\n[[scenarios]]\ndomain = \"{domain}\"\nstage = \"{stage}\"\ncount = 3\nseed = 1\n")
            });
        fs::write(home.join("other.toml"), format!("{head}{}", scenarios.concat())).unwrap();
        weir(&home, &with_cache(&["run", "other.toml", "--out", "run"])).good();
        home
    })
}

/// The rows of the run by unit.
fn rows() -> BTreeMap<String, Value> {
    let text = fs::read_to_string(home().join("run/results.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["unit"].as_str().unwrap().to_owned(), row)).collect()
}

/// A metric's value, where it applies.
fn metric(row: &Value, name: &str) -> Option<f64> {
    let measured = &row["measurements"][name];
    measured.as_f64().or_else(|| measured.get(0)?.as_f64())
}

/// What `security` and `utility` are, by their published definition.
fn headline(row: &Value) -> [Option<f64>; 2] {
    let utility = match row["stage"].as_str().unwrap() {
        "active-tainted" => "authorized_tainted_action_success",
        "clean" => "clean_benign_completion",
        _ => "benign_completion",
    };
    [metric(row, "committed_harm").map(|harm| 1.0 - harm), metric(row, utility)]
}

fn export(format: &str, out: &str, more: &[&str]) -> PathBuf {
    let arguments = [&["export", "run", "--format", format, "--out", out], more].concat();
    weir(home(), &arguments).good();
    home().join(out)
}

#[test]
fn inspect_has_the_same_samples_and_scores_and_warns_of_nothing() {
    let (seen, rows) = (seen("inspect", &export("inspect", "inspect", &[])), rows());
    assert_eq!(seen["warnings"], json!([]));
    let table = seen["samples_df"].as_array().unwrap();
    assert_eq!(table.len(), rows.len());
    for sample in table {
        let row = &rows[sample["unit"].as_str().unwrap()];
        assert_eq!(sample["id"], format!("{}/{}", row["domain"].as_str().unwrap(), row["scenario"].as_str().unwrap()));
        let seed = row["seed"].as_u64().unwrap();
        assert_eq!(
            (&sample["seed"], &sample["epoch"]),
            (&json!(seed.to_string()), &json!(if seed == 3 { 1 } else { 2 }))
        );
        assert_eq!(sample["cluster"], row["cluster"]);
        let mut expected: BTreeMap<&str, f64> = row["measurements"]
            .as_object()
            .unwrap()
            .keys()
            .filter_map(|k| Some((k.as_str(), metric(row, k)?)))
            .collect();
        let [security, utility] = headline(row);
        expected.extend(security.map(|value| ("security", value)));
        expected.extend(utility.map(|value| ("utility", value)));
        assert_eq!(sample["scores"], json!(expected), "what does not apply is not there");
    }
    let logs = seen["logs"].as_array().unwrap();
    // Two policies in four stages.
    assert_eq!((logs.len(), &seen["evals_df"]), (8, &json!(8)));
    for log in logs {
        assert_eq!((&log["status"], &log["epochs"], &log["dataset"]), (&json!("success"), &json!(2), &json!(3)));
        assert_eq!((&log["samples"], &log["total"]), (&json!(6), &json!(6)));
        let of = |row: &&Value| {
            row["policy"] == log["solver"] && row["stage"] == log["task"] && row["model"] == log["model"]
        };
        let mine: Vec<&Value> = rows.values().filter(of).collect();
        assert_eq!(mine.len(), 6);
        let values: Vec<f64> = mine.iter().filter_map(|row| headline(row)[0]).collect();
        assert_eq!(log["scored"]["security"], json!([values.len(), 6 - values.len()]));
        let mean = values.iter().sum::<f64>() / f64::from(u32::try_from(values.len()).unwrap());
        assert!((log["means"]["security"].as_f64().unwrap() - mean).abs() < 1e-12);
    }
}

#[test]
fn inspect_has_each_decision_as_an_approval_and_each_turn_with_what_it_had_read() {
    let seen = seen("inspect", &export("inspect", "transcripts", &[]));
    let (mut rejected, mut two_agents) = (0, 0);
    let decisions = export("jsonl", "decisions.jsonl", &["--what", "decisions"]);
    let decisions: Vec<Value> =
        fs::read_to_string(decisions).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for sample in seen["samples"].as_array().unwrap() {
        assert_eq!((&sample["unique"], &sample["in_order"]), (&json!(true), &json!(true)));
        let about_calls = decisions.iter().filter(|decision| {
            decision["unit"] == sample["unit"]
                && ["authorize", "precommit"].map(Value::from).contains(&decision["hook"])
        });
        let expected: Vec<Value> = about_calls
            .map(|decision| {
                let verdict = match decision["verdict"].as_str().unwrap() {
                    "allow" => "approve",
                    "block" => "reject",
                    other => panic!("these policies say allow or block, not {other}"),
                };
                let said = [decision["rule"].as_str(), decision["message"].as_str().filter(|said| !said.is_empty())];
                let said: Vec<&str> = said.into_iter().flatten().collect();
                let said = if said.is_empty() { Value::Null } else { said.join(": ").into() };
                json!([verdict, decision["tool"], decision["arguments"], said])
            })
            .collect();
        assert_eq!(sample["approvals"], json!(expected));
        rejected += sample["tools"].as_array().unwrap().iter().filter(|tool| tool[1] == "approval").count();
        let messages: Vec<&str> = sample["messages"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        for (heard, answer) in sample["heard"].as_array().unwrap().iter().zip(sample["answers"].as_array().unwrap()) {
            let heard: Vec<&str> = heard.as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
            assert!(heard[0].starts_with("You are an agent"), "instructions come first: {heard:?}");
            assert!(heard.iter().all(|message| messages.contains(message)));
            assert!(messages.contains(&answer.as_str().unwrap()));
        }
        two_agents += usize::from(sample["kinds"]["span_begin"].as_u64() > Some(1));
    }
    assert!(rejected > 0 && two_agents > 0, "the run shows what is tested: {rejected}, {two_agents}");
}

#[test]
fn inspect_s_own_commands_open_a_log() {
    let folder = export("inspect", "opened", &["--time", "1764547200"]);
    let logs: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    assert!(logs.iter().all(|log| name(log).starts_with("2025-12-01T00-00-00+00-00_")), "{logs:?}");
    assert_eq!(seen("dump", &logs[0]), json!({ "version": 2, "status": "success", "samples": 6 }));
    let viewed = seen("view", &folder);
    let listed: BTreeSet<String> =
        viewed["listed"].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect();
    assert_eq!(listed, logs.iter().map(name).collect::<BTreeSet<String>>());
    assert_eq!(viewed["samples"], 6, "it serves a whole log");
}

#[test]
fn every_format_of_a_run_is_the_same_each_time() {
    for format in ["inspect", "otlp", "every-eval-ever"] {
        let (one, two) = (export(format, &format!("{format}-1"), &[]), export(format, &format!("{format}-2"), &[]));
        assert_eq!(files(&one), files(&two), "{format}");
    }
}

/// All files under a path, with their bytes.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    if path.is_file() {
        return BTreeMap::from([(String::new(), fs::read(path).unwrap())]);
    }
    let inner = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().unwrap();
        files(&entry.path()).into_iter().map(move |(path, bytes)| (format!("{name}/{path}"), bytes))
    };
    fs::read_dir(path).unwrap().flat_map(|entry| inner(entry.unwrap())).collect()
}

#[test]
fn opentelemetry_has_a_whole_trace_of_each_rollout_and_no_content_unless_it_is_asked_for() {
    let (plain, full) = (export("otlp", "spans.jsonl", &[]), export("otlp", "content.jsonl", &["--content"]));
    let (seen, rows) = (seen("otlp", &plain), rows());
    let traces = seen.as_array().unwrap();
    assert_eq!(traces.len(), rows.len());
    let names: BTreeSet<&str> = traces.iter().map(|trace| trace["trace"].as_str().unwrap()).collect();
    assert_eq!(names.len(), rows.len(), "one trace a rollout");
    let mut blocked = 0;
    for trace in traces {
        for holds in ["one_trace", "unique", "whole", "within"] {
            assert_eq!(trace[holds], true, "{holds}: {trace}");
        }
        assert_eq!((&trace["roots"], &trace["names"][0]), (&json!(1), &json!("invoke_workflow rollout")));
        let row = &rows[trace["attributes"]["weir.unit"].as_str().unwrap()];
        assert_eq!(trace["attributes"]["weir.stage"], row["stage"]);
        assert_eq!(trace["scores"]["security"].as_f64(), headline(row)[0]);
        let calls = trace["calls"].as_array().unwrap();
        assert!(calls.iter().all(|call| (call[1] == "block") == (call[2] == "blocked")), "{calls:?}");
        blocked += calls.iter().filter(|call| call[1] == "block").count();
    }
    assert!(blocked > 0);
    let (plain, full) = (fs::read_to_string(plain).unwrap(), fs::read_to_string(full).unwrap());
    for said in ["You are an agent that works", "Benchmark injection", "corp.local"] {
        assert!(!plain.contains(said) && full.contains(said), "{said}");
    }
}

/// What a collector was sent: paths and bodies.
type Received = Arc<Mutex<Vec<(String, String)>>>;

/// A collector that keeps what it is sent, and gives the answer that it was told to.
fn collector(answer: &'static str) -> (String, Received) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let got = Received::default();
    let kept = Arc::clone(&got);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, kept) = (stream.unwrap(), Arc::clone(&kept));
            std::thread::spawn(move || serve(&stream, answer, &kept));
        }
    });
    (address, got)
}

fn serve(stream: &TcpStream, answer: &str, kept: &Mutex<Vec<(String, String)>>) {
    let (mut reader, mut writer) = (BufReader::new(stream), stream);
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().unwrap();
            }
            head += &(line + "\n");
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        kept.lock().unwrap().push((head, String::from_utf8(body).unwrap()));
        let (status, body) = answer.split_once(' ').unwrap();
        write!(writer, "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    }
}

#[test]
fn a_collector_is_sent_what_the_file_has() {
    let (address, got) = collector("200 {}");
    let ran = weir(home(), &["export", "run", "--format", "otlp", "--endpoint", &address]).good();
    assert!(ran.stdout.starts_with("48 rollouts sent\n"), "{}", ran.stdout);
    let file = fs::read_to_string(export("otlp", "sent.jsonl", &[])).unwrap();
    let got = got.lock().unwrap();
    assert_eq!(got.iter().map(|(_, body)| body.as_str()).collect::<Vec<_>>(), file.lines().collect::<Vec<_>>());
    for (head, _) in &*got {
        assert!(
            head.starts_with("post /v1/traces http/1.1\n") && head.contains("content-type: application/json\n"),
            "{head}"
        );
    }
}

#[test]
fn the_environment_names_a_collector_and_one_that_refuses_is_an_error() {
    for (answer, told) in [
        ("503 busy", "it answered 503: busy"),
        (r#"200 {"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}"#, "it rejected 2 spans: too old"),
    ] {
        let (address, got) = collector(answer);
        let mut sending = command(home(), &["export", "run", "--format", "otlp", "--endpoint"]);
        let ran = sending.env("OTEL_EXPORTER_OTLP_ENDPOINT", &address).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(1) && said.contains(told) && said.contains("accepted 0 rollouts"), "{said}");
        assert_eq!(got.lock().unwrap().len(), 1, "nothing is sent after a refusal");
    }
}

#[test]
fn every_eval_ever_s_own_validator_passes_and_its_lines_have_the_same_scores() {
    let rows = rows();
    for more in [&[][..], &["--content", "--time", "1764547200", "--organisation", "An \"organisation\""]] {
        let folder = export("every-eval-ever", &format!("records-{}", more.len()), more);
        let seen = seen("eee", &folder);
        assert_eq!(seen["exit"], 0, "{}", seen["said"]);
        let files = files(&folder);
        let (mut scores, mut aggregates) = (BTreeMap::new(), 0);
        for (name, bytes) in &files {
            let text = std::str::from_utf8(bytes).unwrap();
            if name.ends_with("_samples.jsonl/") {
                for line in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                    let unit = line["metadata"]["unit"].as_str().unwrap().to_owned();
                    let name = line["evaluation_name"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
                    assert_eq!(scores.insert((unit, name), line["evaluation"]["score"].as_f64().unwrap()), None);
                    assert_eq!(line["messages"][0]["content"].is_string(), !more.is_empty());
                }
            } else {
                let aggregate: Value = serde_json::from_str(text).unwrap();
                let detailed = &aggregate["detailed_evaluation_results"];
                let lines = &files[&format!("{}/", detailed["file_path"].as_str().unwrap())];
                assert_eq!(detailed["checksum"], weir_trace::json::sha256(lines));
                aggregates += 1;
            }
        }
        let mut expected = BTreeMap::new();
        for (unit, row) in &rows {
            let [security, utility] = headline(row);
            expected.extend(security.map(|value| ((unit.clone(), "security".to_owned()), value)));
            expected.extend(utility.map(|value| ((unit.clone(), "utility".to_owned()), value)));
        }
        assert_eq!((scores, aggregates), (expected, 2), "one record a policy");
    }
}
