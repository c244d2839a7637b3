//! `weir watch`: rounds as an author meets them, from a real project and its real build.

use crate::author::{target, turn};
use crate::support::program::{Ran, command, scratch, weir};
use crate::support::recorded::with_cache;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command};

/// A new project of a policy.
fn project(name: &str) -> PathBuf {
    let home = scratch(name);
    weir(&home, &["new", "policy", name]).good();
    home.join(name)
}

fn watch(project: &Path, more: &[&str]) -> Command {
    let mut watch = command(project, &with_cache(&[&["watch"], more].concat()));
    watch.env("CARGO_TARGET_DIR", target());
    watch
}

fn once(project: &Path, more: &[&str]) -> Ran {
    let output = watch(project, &[&["--once"], more].concat()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

fn edit(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn one_round_says_whether_all_is_well_and_so_does_its_exit_code() {
    let _turn = turn();
    let project = project("watched-once");
    let well = once(&project, &["--json"]).good();
    let round: Value = serde_json::from_str(&well.stdout).expect("one line of JSON");
    assert_eq!((&round["round"], &round["well"], &round["error"]), (&1.into(), &true.into(), &Value::Null));
    assert_eq!(round["cases"].as_array().unwrap().len(), 3);
    let own = &round["smoke"]["policy"];
    assert_eq!((&own["policy"], &own["violations"], &own["faulted"]), (&"watched-once".into(), &0.into(), &0.into()));
    assert!(own["against"][0]["violations"].as_u64().unwrap() > 0, "no defence lets some through: {own}");
    // The round's run stays until the next one, so that its traces can be looked at.
    weir(&project, &["trace", "weir-out/watch", "--unit", "1"]).good();

    edit(&project.join("cases/stranger.toml"), "decision = \"block\"", "decision = \"allow\"");
    let missed = once(&project, &[]);
    assert_eq!((missed.code, missed.stderr.as_str()), (Some(100), ""), "{}", missed.stdout);
    assert!(
        missed.stdout.contains("\ncases  2 of 3 hold\nFAIL  ") && missed.stdout.ends_with(": not all is well\n"),
        "{}",
        missed.stdout
    );

    edit(&project.join("src/lib.rs"), "Ledger::new", "Ledger::knew");
    let broken = once(&project, &[]);
    assert_eq!(broken.code, Some(1), "{}", broken.stdout);
    assert!(broken.stdout.contains("error[E0599]") && !broken.stdout.contains("smoke"), "{}", broken.stdout);
    assert_eq!(broken.stderr, "error: watched-once was not built\n");
}

/// A watch under way, and what it has printed.
struct Watching {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watching {
    /// The lines of the next round.
    fn round(&mut self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "it ended after {lines:?}");
            lines.push(line.trim_end().to_owned());
            if lines.last().is_some_and(|line| line.starts_with("round ") && line.contains(" took ")) {
                return lines;
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Of a test that failed; of any other it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn each_change_begins_a_round_and_ctrl_c_ends_it() {
    let _turn = turn();
    let project = project("watched");
    let mut child = watch(&project, &[]).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap());
    let mut watching = Watching { child, lines };
    let first = watching.round();
    assert_eq!((first[0].as_str(), first[1].as_str()), ("round 1", "cases  3 of 3 hold"), "{first:?}");
    assert!(first.last().unwrap().ends_with(": all is well"), "{first:?}");

    edit(&project.join("src/lib.rs"), "allow_low_risk", "allow_without_effect");
    let second = watching.round();
    assert_eq!(second[0], "round 2: src/lib.rs");
    assert!(second.last().unwrap().starts_with("round 2 took ") && second.last().unwrap().ends_with(": all is well"));

    edit(&project.join("cases/authorised.toml"), "expect = { decision = \"allow\" }", "expect = { rule = \"none\" }");
    let third = watching.round();
    assert_eq!((third[0].as_str(), third[1].as_str()), ("round 3: cases/authorised.toml", "cases  2 of 3 hold"));
    assert!(
        third.iter().any(|line| line.contains("+ rule = \"allow_without_effect\"")),
        "the new build was asked: {third:?}"
    );

    edit(&project.join("src/lib.rs"), "Ledger::new", "Ledger::knew");
    let fourth = watching.round();
    assert!(fourth.iter().any(|line| line.contains("error[E0599]")), "{fourth:?}");
    assert!(fourth.last().unwrap().ends_with(": watched was not built"), "{fourth:?}");

    let pid = watching.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(watching.child.wait().unwrap().code(), Some(0));
}
