//! The program under test, as a process.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// What a command did.
pub struct Ran {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ran {
    /// Demands that it went well.
    #[track_caller]
    pub fn good(self) -> Self {
        assert_eq!(self.code, Some(0), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }
}

/// Runs a command line in a folder.
pub fn weir<S: AsRef<str>>(folder: &Path, arguments: &[S]) -> Ran {
    let Output { status, stdout, stderr } = command(folder, arguments).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
    Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

/// A command line in a folder, not yet started.
pub fn command<S: AsRef<str>>(folder: &Path, arguments: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weir-under-test"));
    command.args(arguments.iter().map(AsRef::as_ref)).current_dir(folder);
    // What the person who runs the tests prefers must not change what the program prints.
    for name in ["COLUMNS", "CLICOLOR_FORCE", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The compiled cache of all commands of this process: each component is compiled once, by the first that needs it. It
/// begins empty, so that compilation itself is tested too.
pub fn cache() -> &'static Path {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    CACHE.get_or_init(|| scratch("cache"))
}

/// An empty folder of this test target in the target folder, for what all its tests share. What the last run left there
/// is removed.
pub fn scratch(name: &str) -> PathBuf {
    // Test targets may run at once, so each has a folder of its own.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(name);
    if path.exists() {
        fs::remove_dir_all(&path).expect("what the last run left can be removed");
    }
    fs::create_dir_all(&path).expect("a folder can be made");
    path
}

/// The folder of sample runs.
pub fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

/// Tells the person who runs the tests something, even where the test passes and its output is captured.
pub fn tell(line: &str) {
    let _ = std::io::stderr().write_all(format!("{line}\n").as_bytes());
}
