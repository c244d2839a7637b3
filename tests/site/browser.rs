//! The pages in chromium, from the disk: every view, with each test in JavaScript beside this file.

use crate::{home, hostile};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests that look at one site, each in a process of its own.
fn node(site: &Path, files: &[PathBuf]) {
    // One at a time: each starts a browser.
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]).args(files);
    node.env("WEIR_SITE", site).env("WEIR_SHOTS", site.with_extension("shots"));
    // A build or a person's setting must not choose what is tested.
    node.env_remove("NODE_OPTIONS");
    let ran = node.output().unwrap_or_else(|e| panic!("node cannot be started ({e}): it is needed for `make test`"));
    assert!(ran.status.success(), "{}\n{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
}

fn tests(chosen: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("site");
    let named = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned).unwrap_or_default();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|found| found.unwrap().path()).collect();
    files.retain(|path| named(path).ends_with(".test.mjs") && chosen(&named(path)));
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn every_view_of_a_real_site_does_what_it_says() {
    node(&home().join("site"), &tests(|_| true));
}

#[test]
fn a_site_of_hostile_texts_shows_them_and_runs_none() {
    node(&hostile::site("hostile-pages"), &tests(|name| name == "hostile.test.mjs"));
}
