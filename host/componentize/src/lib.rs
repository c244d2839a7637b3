//! From guest crates to components, by the language's ordinary tools: `cargo build` for `wasm32-unknown-unknown`, then
//! `wit-component` around the core module. A component built so imports nothing but `weir:plugin`.
//!
//! Used by build scripts; the guests are built in a target folder of their own, so that a build script can run cargo while
//! cargo runs it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of all Rust guests.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes of guest stack. Rust's default of 1 MiB would push the heap out of the part of memory that the host keeps
/// resident between instances; the deepest built-in guest recursion, JSON nested 128 deep, uses under 32 KiB.
const STACK: u32 = 128 << 10;

/// Bytes of memory that a guest begins with. What a rollout needs fits: the built-in domains use five pages of 64 KiB, the
/// policies three. Growing it costs the host a change of page protections each time, and memory that is there from the
/// start only a look, at its end, at which pages were touched.
const MEMORY: u32 = 512 << 10;

/// A guest crate's name and its component.
pub struct Built {
    /// Package name.
    pub package: String,
    /// The component.
    pub component: Vec<u8>,
}

/// Builds guest packages of a workspace, in one cargo run. With `examples`, the packages' cdylib examples are built
/// instead, each a component of its own.
///
/// # Errors
/// A message that says what to do.
pub fn build(workspace: &Path, target_dir: &Path, packages: &[String], examples: bool) -> Result<Vec<Built>, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace).args(["build", "--locked", "--profile", "guest", "--target", TARGET]);
    command.arg("--target-dir").arg(target_dir);
    for package in packages {
        command.args(["-p", package]);
    }
    if examples {
        command.arg("--examples");
    }
    // The outer build's flags are for the host, and its wrappers (clippy's among them) would not make code.
    for name in ["RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET", "CARGO_MAKEFLAGS"] {
        command.env_remove(name);
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags(workspace, examples).join("\u{1f}"));
    let output = command.output().map_err(|e| format!("cannot run cargo: {e}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let hint = if stderr.contains("can't find crate for `core`") {
            format!("\nthe target is missing: run `rustup target add {TARGET}`, or `make`, which does it")
        } else {
            String::new()
        };
        return Err(format!("building guests failed:\n{stderr}{hint}"));
    }
    let folder = target_dir.join(TARGET).join("guest");
    let modules =
        if examples { example_modules(&folder.join("examples"))? } else { package_modules(&folder, packages) };
    modules.into_iter().map(|(package, path)| Ok(Built { package, component: encode(&path)? })).collect()
}

/// Makes a component's bytes the same wherever the sources stand, and its stack as small as it needs.
fn flags(workspace: &Path, examples: bool) -> Vec<String> {
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")))
        .unwrap_or_default();
    let mut flags = vec![
        format!("-Clink-arg=-zstack-size={STACK}"),
        format!("--remap-path-prefix={}=weir", workspace.display()),
        format!("--remap-path-prefix={}=cargo", cargo_home.display()),
    ];
    // Examples may have more data of their own than that.
    if !examples {
        flags.push(format!("-Clink-arg=--initial-memory={MEMORY}"));
    }
    flags
}

fn package_modules(folder: &Path, packages: &[String]) -> Vec<(String, PathBuf)> {
    let module = |package: &String| folder.join(package.replace('-', "_")).with_extension("wasm");
    packages.iter().map(|package| (package.clone(), module(package))).collect()
}

/// Cargo also leaves files with a hash in their name; those that a crate's name cannot have are left out.
fn example_modules(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut modules: Vec<(String, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_stem()?.to_str()?.to_owned();
            let wasm = path.extension()? == "wasm";
            (wasm && !name.contains('-')).then_some((name, path))
        })
        .collect();
    modules.sort();
    Ok(modules)
}

/// Wraps a core module, which carries its world in a custom section, as a component.
///
/// # Errors
/// Where the module cannot be read or does not fit its world.
pub fn encode(module: &Path) -> Result<Vec<u8>, String> {
    let bytes = fs::read(module).map_err(|e| format!("cannot read {}: {e}", module.display()))?;
    wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&bytes)
        .and_then(|encoder| encoder.encode())
        .map_err(|e| format!("cannot make a component of {}: {e:#}", module.display()))
}
