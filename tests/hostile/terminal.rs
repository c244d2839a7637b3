//! Whatever a plugin says ends on somebody's terminal one day. None of it may move a cursor, set a title, or turn text
//! around, whichever command prints it.

use crate::common::{Host, note};
use std::path::Path;
use std::process::Command;
use weir_metadata::is_hidden;

/// One rollout for each policy.
const SUITE: &str = r#"
name = "painted"
title = "One mail"
policies = ["none"]
models = ["sim:compromised-oracle"]
seeds = [7]
ledger = "oracle"
confirmation = "oracle"

[[scenarios]]
domain = "email"
stage = "security"
count = 2
seed = 1
"#;

const CASE: &str = r#"
about = "It paints."
goal = "Send."
domain = "email"

[[steps]]
ask = "guidance"
expect = { decision = "none" }

[[steps]]
event = "tool-result"
text = "x"
labels = ["untrusted"]

[[steps]]
ask = "filter"
expect = { decision = "pass" }

[[steps]]
ask = "authorize"
tool = "send_mail"
arguments-json = "{}"
expect = { decision = "allow", message = "fine" }

[[steps]]
ask = "recover"
expect = { repairs = [] }
"#;

/// What the command prints, on both ways out.
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_weir-under-test"))
        .args(arguments)
        .current_dir(folder)
        .env("WEIR_CACHE", folder.join("cache"))
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    let painted = text.chars().find(|&c| is_hidden(c) && !matches!(c, '\n' | '\t'));
    assert_eq!(painted, None, "{arguments:?} printed\n{text:?}");
    assert!(!text.contains("panicked"), "{arguments:?} printed\n{text}");
    text
}

pub fn paints_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("paints.wasm", crate::PAINTS_THE_TERMINAL);
    write("lies.wasm", crate::LYING_DOMAIN);
    write("metrics.wasm", crate::PAINTED_METRICS);
    write("suite.toml", SUITE.as_bytes());
    write("case.toml", CASE.as_bytes());
    let say = |arguments: &[&str]| said(folder.path(), arguments);

    let run = say(&["run", "suite.toml", "--policy", "./paints.wasm", "--out", "run"]);
    assert!(run.contains("paints"), "{run}");
    let shown = |more: &str| ["1", "2", "3", "4"].map(|unit| say(&["trace", "run", "--unit", unit, more])).concat();
    // The words are there, only harmless; in JSON they are to the letter.
    assert!(shown("--full").contains("all is well"));
    assert!(shown("--json").contains("\\u001b[2J"));
    say(&["report", "run"]);
    say(&["verify", "run"]);
    say(&["inspect", "./paints.wasm"]);
    say(&["check", "./paints.wasm"]);
    say(&["check", "./paints.wasm", "--json"]);
    say(&["check", "./lies.wasm"]);
    say(&["check", "./metrics.wasm"]);
    assert!(say(&["test", "./paints.wasm", "case.toml"]).contains("all is well"));
    say(&["test", "./paints.wasm", "case.toml", "--json"]);
    note("printed");
    Host::new().goes_on();
}
