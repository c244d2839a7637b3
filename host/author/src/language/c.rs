//! Plugins in C: a compiler for bare WebAssembly makes a core module, and wit-component a component of it.

use crate::creation::New;
use crate::language::parts::{FOLDER, Parts};
use crate::language::{embedded, tool, with_contract};
use crate::project_file::ProjectFile;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;
use weir_suite::Error;

/// The command that installs what `weir build` needs.
pub(super) const INSTALL: &str = "python3 -m venv .venv && .venv/bin/pip install ziglang==0.16.0";

/// The command that runs a project's own tests.
pub(super) const TEST: &str = "make test";

/// The world for which the bindings in a project were made.
const WORLD: &str = "policy-plugin";

/// Bytes of stack, as for guests in Rust: more would push the heap out of the part of memory that the host keeps resident
/// between instances.
const STACK: u32 = 128 << 10;

/// Folders with headers.
const INCLUDED: [&str; 3] = ["vendor/weir", "vendor/bindings", "vendor/libc"];

/// Sources that every project has. The helpers of its tests are none of the component's.
const VENDORED: [&str; 6] = [
    "vendor/weir/weir.c",
    "vendor/weir/ledger.c",
    "vendor/weir/json.c",
    "vendor/weir/component.c",
    "vendor/bindings/policy_plugin.c",
    "vendor/libc/libc.c",
];

/// The files of a new project.
pub(super) fn files(new: &New) -> Vec<(String, String)> {
    let mut files = with_contract(new, embedded::C);
    let bindings = embedded::C_BINDINGS.iter();
    files.extend(bindings.map(|(name, text)| (format!("vendor/bindings/{name}"), (*text).to_owned())));
    files
}

/// Builds the component.
pub(super) fn build(folder: &Path, file: &ProjectFile) -> Result<Vec<u8>, Error> {
    let folder = absolute(folder).map_err(|e| Error::io(folder, e))?;
    let (name, mut command) = compiler(&folder).ok_or_else(|| {
        let what = "there is no compiler from C to WebAssembly: neither `python-zig` in .venv/bin, nor `zig`, nor a `clang` \
                    with its target wasm32 and `wasm-ld` on the search path";
        tool::missing(&folder, what, INSTALL)
    })?;
    let parts = Parts::new(&folder, file)?;
    // No library, so that nothing is imported but what the plugin asks of Weir; and none is assumed.
    command.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-nostdlib", "-ffreestanding", "-fno-builtin"]);
    command.args(["-Wl,--no-entry", "-Wl,--strip-debug", &format!("-Wl,-z,stack-size={STACK}")]);
    command.args(INCLUDED.map(|include| format!("-I{include}")));
    command.args(["-o", &format!("{FOLDER}/module.wasm")]).args(sources(&folder)?).args(VENDORED);
    parts.run(name, command, file)?;
    let module = parts.take("module.wasm", file)?;
    weir_componentize::encode_for(&module, &folder.join("wit"), WORLD)
        .map_err(|e| Error::Input(format!("{} was not built: {e}", file.name)))
}

/// The project's own sources, in the order of their names.
fn sources(folder: &Path) -> Result<Vec<String>, Error> {
    let own = folder.join("src");
    let mut names = Vec::new();
    for entry in fs::read_dir(&own).map_err(|e| Error::io(&own, e))? {
        let name = entry.map_err(|e| Error::io(&own, e))?.file_name();
        names.extend(name.to_str().filter(|name| name.ends_with(".c")).map(|name| format!("src/{name}")));
    }
    names.sort();
    Ok(names)
}

/// A compiler for bare WebAssembly, with what makes it one.
fn compiler(folder: &Path) -> Option<(&'static str, Command)> {
    let zig = tool::find(folder, ".venv/bin", "python-zig").or_else(|| tool::on_path("zig"));
    if let Some(zig) = zig {
        let mut command = Command::new(zig);
        // Zig checks C for undefined behaviour by default, with a library that is not there.
        command.args(["cc", "-target", "wasm32-freestanding", "-fno-sanitize=undefined"]);
        return Some(("zig cc", command));
    }
    let clang = tool::on_path("clang").filter(knows_wasm)?;
    let mut command = Command::new(clang);
    command.arg("--target=wasm32-unknown-unknown");
    Some(("clang", command))
}

/// Whether this clang has WebAssembly among its targets, and a linker for it.
fn knows_wasm(clang: &PathBuf) -> bool {
    let said = |argument: &str| {
        let output = Command::new(clang).arg(argument).output().ok().filter(|output| output.status.success());
        output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default()
    };
    let linker = said("-print-prog-name=wasm-ld");
    said("-print-targets").contains("wasm32")
        && (Path::new(linker.trim()).is_file() || tool::on_path("wasm-ld").is_some())
}
