//! The site of real runs: its numbers against their reports, its traces against their frames, and its pages in a browser.
//!
//! What the pages do with the data is tested in JavaScript, beside this file: `node --test` on a site that is built here.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod browser;
#[path = "../cli/folder.rs"]
mod folder;
mod hostile;
mod leaderboard;
mod numbers;
mod served;
#[allow(dead_code)]
#[path = "../cli/support/mod.rs"]
mod support;
mod traces;
mod whole;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use support::program::{scratch, weir};
use support::recorded::with_cache;

/// A folder with a run of a containment suite (`run`), one of an authority suite (`authority`), and their site (`site`).
/// Nobody changes it.
fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = scratch("home");
        for (name, text, out) in [
            ("small.toml", include_str!("small.toml"), "run"),
            ("small-authority.toml", include_str!("small-authority.toml"), "authority"),
        ] {
            fs::write(home.join(name), text).unwrap();
            weir(&home, &with_cache(&["run", name, "--out", out])).good();
        }
        weir(&home, &["leaderboard", "build", "run", "authority", "--out", "site"]).good();
        home
    })
}

/// What a data file hands over, read as a browser reads it: a string of code, then JSON.
fn data(site: &Path, name: &str) -> Value {
    let script = fs::read_to_string(site.join(format!("{name}.js"))).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(script.is_ascii(), "{name} is not ASCII");
    let literal =
        script.strip_prefix(&format!("weir.put(\"{name}\",JSON.parse('")).and_then(|rest| rest.strip_suffix("'));\n"));
    let literal = literal.unwrap_or_else(|| panic!("{name} is more than one call"));
    assert!(!literal.contains(['\'', '\n', '\r', '<', '>', '&']), "{name} can break out of its string");
    serde_json::from_str(&literal.replace("\\\\", "\\")).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

/// The place of a number in a list of places.
fn place(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap_or_else(|| panic!("no place: {value}"))).unwrap()
}
