//! The manual's commands, each run in the order in which a reader meets it, in a folder of the chapter's own.
//!
//! What a block of a chapter is stands after its three backticks:
//!
//! | mark | what becomes of it |
//! |---|---|
//! | `sh` | run, line by line; `weir` is the program under test, and a line that fails fails the test |
//! | `sh,readme=LANGUAGE` | the way of a new project's README, which `tests/cli/languages.rs` holds equal to it and walks |
//! | `LANGUAGE,file=PATH` | written to this file first |
//! | `text` | only shown |
//!
//! Anything else is an error, so that no block of the manual goes unlooked at.

// A test that cannot go on says so by panicking; the workspace's lints are for code that users run.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

#[allow(dead_code)]
#[path = "../cli/support/mod.rs"]
mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};
use support::program::scratch;

const CHAPTERS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../host/docs/chapters");

/// A chapter's test, by its file's name. Chapters that build projects take turns: to cargo the SDKs of all projects are one
/// package in the target folder that they share.
macro_rules! chapters {
    ($($test:ident: $file:literal),* $(,)?) => {
        const TESTED: &[&str] = &[$($file),*];
        $(#[test]
        fn $test() {
            run_chapter($file);
        })*
    };
}

chapters! {
    introduction: "introduction.md",
    submit_a_defence: "submit-a-defence.md",
    other_languages: "other-languages.md",
    submit_to_a_leaderboard: "submit-to-a-leaderboard.md",
    add_a_domain: "add-a-domain.md",
    write_a_reducer: "write-a-reducer.md",
    write_a_writer: "write-a-writer.md",
    look_at_a_run: "look-at-a-run.md",
    reproduce_the_papers: "reproduce-the-papers.md",
    statistics: "statistics.md",
    contract: "contract.md",
    sandbox: "sandbox.md",
    trace_format: "trace-format.md",
    use_elsewhere: "use-elsewhere.md",
}

#[test]
fn every_chapter_is_tested() {
    let there: BTreeSet<String> =
        fs::read_dir(CHAPTERS).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let tested = TESTED.iter().copied().chain(["SUMMARY.md"]).map(str::to_owned).collect();
    assert_eq!(there, tested);
}

/// A block of a chapter: the line that it begins on, its mark and its text.
struct Block {
    line: usize,
    mark: String,
    text: String,
}

fn blocks(chapter: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (index, line) in chapter.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open) {
            (Some(mark), false) => {
                blocks.push(Block { line: index + 1, mark: mark.to_owned(), text: String::new() });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let text = &mut blocks.last_mut().unwrap().text;
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!open, "a block is not closed");
    blocks
}

fn run_chapter(name: &str) {
    static BUILDS: Mutex<()> = Mutex::new(());
    let text = fs::read_to_string(Path::new(CHAPTERS).join(name)).unwrap();
    let _turn = text.contains("weir build").then(|| BUILDS.lock().unwrap_or_else(PoisonError::into_inner));
    let mut folder = scratch(name.trim_end_matches(".md"));
    for block in blocks(&text) {
        let at = format!("{name}:{}", block.line);
        match block.mark.split_once(",file=") {
            Some((_, file)) => {
                let path = folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, &block.text).unwrap();
            }
            None if block.mark == "sh" => folder = shell(&at, &block.text, &folder),
            None if block.mark.starts_with("sh,readme=") => {}
            None => assert_eq!(block.mark, "text", "{at}: a block that is not run is marked `text`"),
        }
    }
}

/// Runs a block and says in which folder it ended: the next one goes on there.
fn shell(at: &str, commands: &str, folder: &Path) -> PathBuf {
    let here = tempfile::NamedTempFile::new().unwrap();
    let script = format!("set -euo pipefail\n{commands}\npwd > {}\n", here.path().display());
    let path = std::env::var("PATH").unwrap_or_default();
    let ran = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program_folder().display()))
        .env("WEIR_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("book-cache"))
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("author-target"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(ran.status.success(), "{at}: {}\n{commands}\n{}{}", ran.status, text(&ran.stdout), text(&ran.stderr));
    PathBuf::from(fs::read_to_string(here.path()).unwrap().trim_end())
}

/// A folder in which the program under test is called `weir`.
fn program_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = scratch("bin");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_weir-under-test"), folder.join("weir")).unwrap();
        folder
    })
}
