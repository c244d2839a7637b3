//! All cases.

use crate::case::Case;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Every `.toml` file in `cases/` as a test of its own name; all of them are run before any failure is told.
#[test]
fn every_command_prints_what_its_case_says() {
    let bless = env::var_os("BLESS").is_some_and(|value| value == "1");
    let paths = paths();
    assert!(!paths.is_empty(), "no cases");
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(problem) = Case::read(path).and_then(|case| case.check(bless)) {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                failures.lock().unwrap().push(format!("case {name}: {problem}"));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    let count = failures.len();
    assert!(
        failures.is_empty(),
        "{count} of {} cases fail; where the new output is right, BLESS=1 writes it down\n\n{}",
        paths.len(),
        failures.join("\n\n")
    );
}

/// What a case that is gone has left behind would document something that nobody checks.
#[test]
fn every_expected_output_belongs_to_a_case() {
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        assert!(["toml", "stdout", "stderr"].contains(&extension.as_str()), "{}: not part of a case", path.display());
        assert!(path.with_extension("toml").exists(), "{} has no case", path.display());
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/cases")
}

fn paths() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    paths.sort();
    paths
}
