//! Every seed and every former finding of the fuzzers, once more.

// A test reports by panicking.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use weir_fuzz::{TARGETS, Target, compile_with};

fn replay(kind: &str) -> usize {
    compile_with(PathBuf::from(env!("CARGO_BIN_EXE_weir-under-test")));
    let mut inputs = 0;
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(kind).join(name);
        // Not every target has found something.
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let file = entry.unwrap().path();
            let bytes = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            run(&file, target, &bytes);
            inputs += 1;
        }
    }
    inputs
}

fn run(file: &Path, target: Target, bytes: &[u8]) {
    let ran = std::panic::catch_unwind(|| target(bytes));
    assert!(ran.is_ok(), "{}: what it found stands above", file.display());
}

#[test]
fn every_target_has_seeds_and_no_seed_finds_anything() {
    for (name, _) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(name);
        let seeds = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())).count();
        assert!(seeds > 0, "{name}");
    }
    assert!(replay("seeds") >= TARGETS.len());
}

#[test]
fn no_former_finding_is_found_again() {
    replay("findings");
}
