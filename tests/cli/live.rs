//! A small live suite.

use crate::support::program::{Ran, command, weir};
use crate::support::recorded::with_cache;
use std::fs;
use std::path::Path;
use std::process::Command;
use weir_suite::store::RESULTS;

/// Writes a suite of the live mail environment: two policies, one model and one seed.
pub fn write_suite(folder: &Path, scenarios: u32) {
    let text = format!(
        "name = \"small\"\ntitle = \"A small suite\"\npolicies = [\"none\", \"intent-ledger\"]\n\
         models = [\"sim:compromised-oracle\"]\nseeds = [1]\nledger = \"oracle\"\nconfirmation = \"oracle\"\n\n\
         [[scenarios]]\ndomain = \"email\"\nstage = \"security\"\ncount = {scenarios}\nseed = 1\n"
    );
    fs::write(folder.join("small.toml"), text).unwrap();
}

/// A run of the suite that [`write_suite`] wrote.
pub fn run(folder: &Path, out: &str, more: &[&str]) {
    try_run(folder, out, more).good();
}

/// The same, whether it goes well or not.
pub fn try_run(folder: &Path, out: &str, more: &[&str]) -> Ran {
    weir(folder, &run_arguments(out, more))
}

/// The same, not yet started.
pub fn run_command(folder: &Path, out: &str, more: &[&str]) -> Command {
    command(folder, &run_arguments(out, more))
}

fn run_arguments(out: &str, more: &[&str]) -> Vec<String> {
    with_cache(&[&["run", "small.toml", "--out", out], more].concat())
}

#[test]
fn another_component_under_a_built_in_name_is_refused() {
    let home = tempfile::tempdir().unwrap();
    write_suite(home.path(), 2);
    weir(home.path(), &["list", "--save", "saved"]).good();
    for (component, told) in [
        ("policy-structured-guard", "policy `tool-boundary` is not the built-in policy of this name"),
        ("policy-tool-boundary", ""),
    ] {
        fs::copy(home.path().join(format!("saved/{component}.wasm")), home.path().join("tool-boundary.wasm")).unwrap();
        let ran = try_run(home.path(), "out", &["--policy", "./tool-boundary.wasm"]);
        if told.is_empty() {
            ran.good();
        } else {
            assert!(ran.code == Some(1) && ran.stderr.contains(told), "{:?}: {}", ran.code, ran.stderr);
            assert!(!home.path().join("out").exists(), "nothing is run");
        }
    }
}

#[test]
fn an_incomplete_run_has_no_report_traces_or_export_yet() {
    let home = tempfile::tempdir().unwrap();
    write_suite(home.path(), 2);
    run(home.path(), "out", &[]);
    for name in [RESULTS, "traces.jsonl.zst"] {
        fs::rename(home.path().join("out").join(name), home.path().join("out").join(format!("{name}.partial")))
            .unwrap();
    }
    for command in [["report", "out"], ["trace", "out"], ["export", "out"], ["verify", "out"]] {
        let ran = weir(home.path(), &command);
        assert_eq!(ran.code, Some(1), "{command:?}");
        assert!(ran.stderr.contains("out is not complete: run the same command again"), "{command:?}: {}", ran.stderr);
    }
}
