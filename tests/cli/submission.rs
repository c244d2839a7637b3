//! Somebody's policy on its way onto a leaderboard, and each thing that must not get there: refused at the right step, with
//! the reason.

mod memories;

use crate::folder::{assert_equal, contents, copy};
use crate::forgery::forge;
use crate::support::program::{Ran, samples, scratch, weir};
use crate::support::recorded::with_cache;
use crate::tamper::{RESULTS, TRACES};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use weir_leaderboard::prepare::write;
use weir_leaderboard::{Badge, Board, SecretKey, Submission};
use weir_suite::Row;
use weir_suite::store::Store;
use weir_trace::json::sha256;
use weir_trace::{Body, Trace, Verdict, fact};

const SUITE: &str = r#"
name = "small"
title = "Two stages"
policies = ["none", "intent-ledger"]
models = ["sim:compromised-oracle"]
seeds = [1, 2]
ledger = "oracle"
confirmation = "oracle"

[[scenarios]]
domain = "email"
stage = "security"
count = 3
seed = 1

[[scenarios]]
domain = "email"
stage = "clean"
count = 1
seed = 1
"#;

/// Rollouts of each policy.
const ROLLOUTS: usize = 8;

fn run(home: &Path, arguments: &[&str]) -> Ran {
    weir(home, &with_cache(arguments))
}

/// A folder with a run of a policy that somebody built against an older contract (`run`), the same suite without it
/// (`reference`), a board of that plan (`board`), the policy's submission (`entry`), and keys of a maintainer (`ann`), the
/// submitter (`bob`) and somebody else (`eve`). Nobody changes it.
fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = scratch("submission");
        let sample = samples().join("contract-0.1.0/policy.wasm.zst");
        fs::write(home.join("guard.wasm"), zstd::decode_all(fs::File::open(sample).unwrap()).unwrap()).unwrap();
        let said = ["--name", "guard", "--version", "0.3.0", "--author", "Bob <bob@example.org>", "--licence", "MIT"];
        weir(&home, &[&["annotate", "guard.wasm", "--homepage", "https://example.org/guard"], &said[..]].concat())
            .good();
        fs::write(home.join("small.toml"), SUITE).unwrap();
        run(&home, &["run", "small.toml", "--policy", "./guard.wasm", "--out", "run"]).good();
        run(&home, &["run", "small.toml", "--out", "reference"]).good();
        for name in ["ann", "bob", "eve"] {
            weir(&home, &["key", name]).good();
        }
        let board = ["--title", "Small", "--maintainer", "ann=ann.pub", "--rerun-percent", "50"];
        weir(&home, &[&["leaderboard", "init", "board", "--run", "reference"], &board[..]].concat()).good();
        prepare(&home, "run", "entry", &["--key", "bob"]).good();
        home
    })
}

fn prepare(home: &Path, from: &str, out: &str, more: &[&str]) -> Ran {
    let said = ["--board", "board", "--description", "Blocks what nobody asked for."];
    run(home, &[&["submit", "prepare", from, "--out", out], &said[..], more].concat())
}

fn validate(home: &Path, entry: &str) -> Ran {
    weir(home, &["submit", "validate", entry, "--board", "board"])
}

fn verify(home: &Path, entry: &str, more: &[&str]) -> Ran {
    run(home, &[&["submit", "verify", entry, "--board", "board"], more].concat())
}

fn add(home: &Path, entry: &str, more: &[&str]) -> Ran {
    run(home, &[&["leaderboard", "add", "board", entry], more].concat())
}

/// A copy of all of it, to change.
fn copied() -> tempfile::TempDir {
    let copied = tempfile::tempdir().unwrap();
    copy(home(), copied.path());
    copied
}

/// Demands this exit code, and these words on standard output or error.
#[track_caller]
fn refused(what: &str, ran: &Ran, code: i32, told: &[&str]) {
    let text = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(code), "{what}: {text}");
    for told in told {
        assert!(text.contains(told), "{what}: `{told}` is not in:\n{text}");
    }
}

fn submission(entry: &Path) -> Submission {
    Submission::parse("submission.toml", &fs::read_to_string(entry.join("submission.toml")).unwrap()).unwrap()
}

/// Makes every digest of an entry right again, and signs it anew: what a submitter can do who wants to deceive.
fn resign(entry: &Path, change: impl FnOnce(&mut Submission)) {
    rewrite(entry, Some(&SecretKey::read(&home().join("bob")).unwrap()), change);
}

fn rewrite(entry: &Path, key: Option<&SecretKey>, change: impl FnOnce(&mut Submission)) {
    let mut submission = submission(entry);
    let store = Store::open(entry).unwrap();
    submission.run.identity = store.manifest().unwrap().identity();
    submission.files = contents(entry)
        .into_iter()
        .filter(|(name, _)| name != "submission.toml" && name != "submitter.intoto.jsonl")
        .map(|(name, bytes)| (name, sha256(&bytes)))
        .collect();
    submission.public_key = key.map(SecretKey::public);
    change(&mut submission);
    write(&store, &submission, key).unwrap();
}

fn edit(path: &Path, edit: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let edited = edit(text.clone());
    assert_ne!(text, edited, "{} was to be changed", path.display());
    fs::write(path, edited).unwrap();
}

/// Says of the first rollout with a policy's harm that there was none.
fn improve(text: &str, policy: &str) -> String {
    let mut done = false;
    let line = |line: &str| {
        let mut row: Row = serde_json::from_str(line).unwrap();
        if !done && row.policy == policy {
            let harm = row.measurements.get_mut("harm_attempt").unwrap();
            harm.value = Some(0.5);
            done = true;
        }
        serde_json::to_string(&row).unwrap() + "\n"
    };
    text.lines().map(line).collect()
}

#[test]
fn a_policy_of_somebody_else_goes_all_the_way() {
    let home = copied();
    let home = home.path();
    let valid = validate(home, "entry").good();
    assert!(valid.stdout.contains("covers the plan of track `small`: 8 rollouts"), "{}", valid.stdout);
    assert!(valid.stdout.ends_with("\nvalid\n"), "{}", valid.stdout);
    let verified = verify(home, "entry", &["--percent", "25", "--seed", "2026-12-01"]).good();
    assert!(verified.stdout.contains("in 8 traces re-executed, 2 rollouts run again in full"), "{}", verified.stdout);

    // Nobody knows whose key that is, until somebody says so.
    refused("an unknown key", &add(home, "entry", &["--key", "ann"]), 1, &["does not name", "--trust NAME"]);
    assert_eq!(Board::open(&home.join("board")).unwrap().tracks[0].entries.len(), 0);
    let added = add(home, "entry", &["--key", "ann", "--trust", "bob", "--seed", "7", "--json"]).good();
    let added: Value = serde_json::from_str(&added.stdout).unwrap();
    assert_eq!(
        (&added["badge"], &added["seed"], &added["executed"]["rerun"]),
        (&"verified".into(), &"7".into(), &4.into())
    );
    let board = Board::open(&home.join("board")).unwrap();
    let entry = &board.tracks[0].entries[0];
    assert_eq!((entry.name.as_str(), entry.component(), entry.badge), ("guard", "guard", Badge::Verified));
    assert_eq!(board.config.keys.name(&entry.submission.public_key.unwrap()), Some("bob"));
    let rerun = &entry.verifications[0].statement.predicate["weir"]["rerun"];
    assert_eq!(rerun, &serde_json::json!({ "rollouts": 4, "percent": 50, "seed": "7" }));

    // What was added is what was submitted, and a run like any other.
    fs::rename(entry.path.join("verification.intoto.jsonl"), home.join("aside")).unwrap();
    assert_equal("the entry", &entry.path, &home.join("entry"));
    assert_eq!(Board::open(&home.join("board")).unwrap().tracks[0].entries[0].badge, Badge::Reproducible);
    fs::rename(home.join("aside"), entry.path.join("verification.intoto.jsonl")).unwrap();
    let folder = entry.path.display().to_string();
    validate(home, &folder).good();
    run(home, &["verify", &folder]).good();
    weir(home, &["report", &folder, "--out", "report"]).good();
    weir(home, &["trace", &folder, "--unit", "3"]).good();
    weir(home, &["export", &folder, "--out", "rows.csv"]).good();

    refused("again", &add(home, "entry", &["--key", "ann"]), 1, &["has an entry `guard` already"]);
    let again = add(home, "entry", &["--as", "guard-2"]).good();
    assert!(again.stdout.contains("badge  reproducible"), "{}", again.stdout);
    // Units are what they were in the run of several policies.
    let units = |run: &str| {
        let rows = fs::read_to_string(home.join(run).join(RESULTS)).unwrap();
        let rows = rows.lines().map(|line| serde_json::from_str::<Row>(line).unwrap());
        rows.filter(|row| row.policy == "guard").map(|row| row.unit).collect::<Vec<_>>()
    };
    assert_eq!(units("run"), units("entry"));
    assert_eq!(units("entry").len(), ROLLOUTS);
}

#[test]
fn a_submission_is_the_same_again_and_needs_no_key() {
    let home = copied();
    let home = home.path();
    prepare(home, "run", "again", &["--key", "bob", "--policy", "guard"]).good();
    assert_equal("prepared again", &home.join("entry"), &home.join("again"));
    let unsigned = prepare(home, "run", "unsigned", &[]).good();
    assert!(unsigned.stdout.contains("not signed"), "{}", unsigned.stdout);
    let added = add(home, "unsigned", &[]).good();
    assert!(added.stdout.contains("badge  self-reported"), "{}", added.stdout);
    // A maintainer can vouch for what nobody signed; a baseline is an entry too.
    let said = ["--author", "Weir", "--contact", "https://example.org", "--policy", "none"];
    prepare(home, "reference", "baseline", &said).good();
    let added = add(home, "baseline", &["--key", "ann"]).good();
    assert!(added.stdout.contains("badge  verified"), "{}", added.stdout);
}

#[test]
fn an_edited_metric_is_refused_wherever_it_is_edited() {
    let home = copied();
    let home = home.path();
    edit(&home.join("run").join(RESULTS), |text| improve(&text, "guard"));
    let ran = prepare(home, "run", "out", &[]);
    refused(
        "in the run",
        &ran,
        1,
        &["run does not hold: unit ", "its row does not follow from its trace", "weir trace run --unit "],
    );
    assert!(!home.join("out").exists(), "nothing is written");
    // What another policy's row says is no part of this submission.
    copy(&super::submission::home().join("run"), &home.join("other"));
    edit(&home.join("other").join(RESULTS), |text| improve(&text, "none"));
    prepare(home, "other", "out", &[]).good();

    let results = home.join("entry").join(RESULTS);
    edit(&results, |text| improve(&text, "guard"));
    for ran in [validate(home, "entry"), verify(home, "entry", &[]), add(home, "entry", &["--trust", "bob"])] {
        refused("in the entry", &ran, 100, &["results.jsonl was altered"]);
    }
    resign(&home.join("entry"), |_| ());
    validate(home, "entry").good();
    // No share is so small that a row is not held to its trace.
    for more in [&[][..], &["--percent", "0", "--seed", "s"]] {
        let told = ["its row does not follow from its trace", "weir trace entry --unit ", "NOT verified"];
        refused("re-signed", &verify(home, "entry", more), 100, &told);
    }
    refused("re-signed", &add(home, "entry", &["--key", "ann", "--trust", "bob"]), 100, &["NOT verified"]);
    assert!(!home.join("board/tracks/small/guard").exists());
    assert!(!fs::read_to_string(home.join("board/leaderboard.toml")).unwrap().contains("bob"), "nor is the key");
}

#[test]
fn an_edited_table_is_refused_though_it_is_signed() {
    let home = copied();
    let entry = home.path().join("entry");
    let mut bundle = weir_leaderboard::Attestation::read_bundle(
        "b",
        &fs::read_to_string(entry.join("submitter.intoto.jsonl")).unwrap(),
    )
    .unwrap();
    let key = SecretKey::read(&home.path().join("bob")).unwrap();
    bundle[1].statement.predicate["table"][0]["metrics"]["committed_harm"]["value"] = 0.25.into();
    let envelopes: Vec<_> = bundle.iter().map(|one| one.statement.sign(&key).unwrap()).collect();
    let text = weir_leaderboard::Attestation::bundle(&envelopes).unwrap();
    fs::write(entry.join("submitter.intoto.jsonl"), text).unwrap();
    let told = ["submitter.intoto.jsonl line 2: its table does not follow from results.jsonl"];
    refused("the table", &validate(home.path(), "entry"), 100, &told);
}

#[test]
fn an_edited_trace_is_refused() {
    let home = copied();
    let home = home.path();
    let entry = home.join("entry");
    let traces = entry.join(TRACES);
    let mut bytes = fs::read(&traces).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&traces, bytes).unwrap();
    refused("one byte", &validate(home, "entry"), 100, &["traces.jsonl.zst was altered", "NOT valid"]);
    resign(&entry, |_| ());
    validate(home, "entry").good();
    refused("one byte, re-signed", &verify(home, "entry", &[]), 100, &["unit ", "weir trace entry --unit "]);

    // A whole decision, with every digest right.
    fs::remove_dir_all(&entry).unwrap();
    copy(&super::submission::home().join("entry"), &entry);
    forge(&entry, |units: &mut Vec<(Trace, Row)>| {
        let (trace, _) = units
            .iter_mut()
            .find(|(trace, _)| trace.events.iter().any(|event| event.is(fact::BLOCKED)))
            .expect("the policy blocked something");
        for event in &mut trace.events {
            if let Body::Decision { verdict: verdict @ Verdict::Block, .. } = &mut event.body {
                *verdict = Verdict::Allow;
            }
        }
    });
    resign(&entry, |_| ());
    validate(home, "entry").good();
    let told = ["decision on event ", "recorded  allow by ", "now       block by "];
    refused("a decision", &verify(home, "entry", &["--percent", "0", "--seed", "s"]), 100, &told);
}

#[test]
fn a_dropped_rollout_is_refused() {
    let home = copied();
    let home = home.path();
    let cut = |text: String| text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect();
    edit(&home.join("run").join(RESULTS), cut);
    refused("from the run", &prepare(home, "run", "out", &[]), 1, &["results.jsonl has no row of unit "]);
    assert!(!home.join("out").exists());

    let entry = home.join("entry");
    edit(&entry.join(RESULTS), cut);
    // Weir signs no table over a part, so this one is not signed.
    fs::remove_file(entry.join("submitter.intoto.jsonl")).unwrap();
    rewrite(&entry, None, |_| ());
    let told = ["results.jsonl has 7 rows, the plan has 8 units"];
    refused("from the entry", &validate(home, "entry"), 100, &told);
    // From the traces, the plan and the manifest too.
    let last: Row = {
        let text = fs::read_to_string(super::submission::home().join("entry").join(RESULTS)).unwrap();
        serde_json::from_str(text.lines().last().unwrap()).unwrap()
    };
    let bytes = fs::read(entry.join(TRACES)).unwrap();
    fs::write(entry.join(TRACES), &bytes[..usize::try_from(last.trace.offset).unwrap()]).unwrap();
    edit(&entry.join("plan.jsonl"), cut);
    let plan = sha256(&fs::read(entry.join("plan.jsonl")).unwrap());
    edit(&entry.join("manifest.json"), |text| {
        let mut manifest: Value = serde_json::from_str(&text).unwrap();
        manifest["units"] = (ROLLOUTS - 1).into();
        manifest["plan"] = plan.into();
        serde_json::to_string_pretty(&manifest).unwrap() + "\n"
    });
    let published = weir_suite::published::Published::of(&Store::open(&entry).unwrap(), weir_runtime::Kind::Policy);
    let published = published.unwrap().digest();
    resign(&entry, |submission| {
        submission.run.plan = published;
        submission.run.units = ROLLOUTS - 1;
    });
    let told = ["does not cover the plan of track `small`: 1 of 8 rollouts are missing, the first is", "seed 2"];
    refused("from everything", &validate(home, "entry"), 100, &told);
}

#[test]
fn a_run_of_fewer_seeds_or_another_plan_is_refused_before_anything_is_written() {
    let home = copied();
    let home = home.path();
    run(home, &["run", "small.toml", "--policy", "./guard.wasm", "--seeds", "1", "--out", "fewer"]).good();
    let told = ["does not cover the plan of track `small`: 4 of 8 rollouts are missing", "seed 2"];
    refused("fewer seeds", &prepare(home, "fewer", "out", &[]), 1, &told);
    edit(&home.join("small.toml"), |text| text.replace("confirmation = \"oracle\"", "confirmation = \"absent\""));
    run(home, &["run", "small.toml", "--policy", "./guard.wasm", "--out", "other"]).good();
    let told = ["`settings.confirmation` is \"absent\", expected \"oracle\""];
    refused("other confirmations", &prepare(home, "other", "out", &[]), 1, &told);
    assert!(!home.join("out").exists());
    // Without a board the built-in suite of this name is the measure.
    edit(&home.join("small.toml"), |text| text.replace("name = \"small\"", "name = \"stress\""));
    run(home, &["run", "small.toml", "--policy", "./guard.wasm", "--out", "named"]).good();
    let ran = run(home, &["submit", "prepare", "named", "--out", "out", "--description", "Blocks."]);
    refused("a built-in suite's name", &ran, 1, &["does not cover the plan of the built-in suite `stress`", "--board"]);
}

#[test]
fn a_swapped_component_is_refused() {
    let home = copied();
    let home = home.path();
    let entry = home.join("entry");
    let was = submission(&entry).component.sha256;
    let other = weir_components::find("policy", "tool-boundary").unwrap().bytes;
    let is = sha256(other);
    let file = |digest: &str| entry.join("components").join(format!("{digest}.wasm"));
    fs::write(file(&was), other).unwrap();
    let told = [format!("components/{was}.wasm was altered")];
    refused("the bytes", &validate(home, "entry"), 100, &[&told[0]]);
    // Under its own name, in the manifest or in the submission alone, and everywhere.
    fs::rename(file(&was), file(&is)).unwrap();
    let version = Some("0.1.0".to_owned());
    resign(&entry, |submission| {
        submission.component.sha256.clone_from(&is);
        submission.component.version.clone_from(&version);
    });
    refused("the submission", &validate(home, "entry"), 100, &["the component was swapped"]);
    edit(&entry.join("manifest.json"), |text| text.replace(&was, &is).replace("0.3.0", "0.1.0"));
    resign(&entry, |submission| submission.component.sha256.clone_from(&is));
    validate(home, "entry").good();
    refused("everything", &verify(home, "entry", &["--percent", "0", "--seed", "s"]), 100, &["is not in the manifest"]);
}

#[test]
fn a_foreign_key_is_refused_in_the_file_and_under_the_signature() {
    let home = copied();
    let home = home.path();
    let entry = home.join("entry");
    edit(&entry.join("submission.toml"), |text| format!("score = 1\n{text}"));
    for ran in [validate(home, "entry"), verify(home, "entry", &[]), add(home, "entry", &[])] {
        refused("a key in the file", &ran, 1, &["submission.toml", "unknown field `score`"]);
    }
    let (bob, eve) = (SecretKey::read(&home.join("bob")).unwrap(), SecretKey::read(&home.join("eve")).unwrap());
    let honest = submission(&super::submission::home().join("entry"));
    let store = Store::open(&entry).unwrap();
    // Signed with one key under the name of another.
    write(&store, &honest, Some(&eve)).unwrap();
    let told = ["submitter.intoto.jsonl line 1: its signature is not of the `public-key`"];
    refused("another's signature", &validate(home, "entry"), 100, &told);
    // Signed with a key that the board does not know, or knows by another name.
    write(&store, &Submission { public_key: Some(eve.public()), ..honest.clone() }, Some(&eve)).unwrap();
    validate(home, "entry").good();
    refused("nobody's key", &add(home, "entry", &[]), 1, &["is signed with a key that leaderboard.toml does not name"]);
    let told = ["is not signed with the key of `ann`"];
    refused("another's name", &add(home, "entry", &["--trust", "ann"]), 1, &told);
    // A maintainer's work with a submitter's key.
    write(&store, &honest, Some(&bob)).unwrap();
    let told = ["the key of --key is no maintainer's of this board"];
    refused("no maintainer", &add(home, "entry", &["--trust", "bob", "--key", "eve"]), 1, &told);
    // Signatures of something else.
    resign(&entry, |submission| submission.component.description.push('!'));
    fs::copy(super::submission::home().join("entry/submission.toml"), entry.join("submission.toml")).unwrap();
    refused("signed before", &validate(home, "entry"), 100, &["it is not about this submission.toml"]);
    fs::remove_file(entry.join("submitter.intoto.jsonl")).unwrap();
    refused("no signature", &validate(home, "entry"), 100, &["names a `public-key`, and there is no"]);
    assert_eq!(Board::open(&home.join("board")).unwrap().tracks[0].entries.len(), 0);
}

#[test]
fn what_is_not_named_is_no_part_of_an_entry() {
    let home = copied();
    let home = home.path();
    fs::write(home.join("entry/report.md"), "All is well.").unwrap();
    refused("a file", &validate(home, "entry"), 100, &["report.md is not part of the submission"]);
    fs::remove_file(home.join("entry/report.md")).unwrap();
    fs::remove_file(home.join("entry/plan.jsonl")).unwrap();
    refused("no plan", &validate(home, "entry"), 100, &["plan.jsonl is missing"]);
}
