//! What Weir's build scripts have in common.

use std::env;
use std::path::{Path, PathBuf};
use std::process;

/// Runs a build script with the folder that it writes to and its package's own. An error ends it with one line that says
/// what to do, in the place of a panic's.
pub fn script(run: impl FnOnce(&Path, &Path) -> Result<(), String>) {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).ok_or_else(|| format!("{name} is not set"));
    let done = folder("OUT_DIR").and_then(|out| run(&out, &folder("CARGO_MANIFEST_DIR")?));
    if let Err(message) = done {
        eprintln!("error: {message}");
        process::exit(1);
    }
}
