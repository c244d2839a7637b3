//! From guest crates to components, by the language's ordinary tools: `cargo build` for `wasm32-unknown-unknown`, then
//! `wit-component` around the core module. A component built so imports nothing but `weir:plugin`.
//!
//! Build scripts make Weir's own plugins with it, and `weir build` an author's: there is no second way.

mod error;
mod package;
mod script;

pub use error::Error;
pub use package::Package;
pub use script::script;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// The target of all Rust guests.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The target of guests that need a WASI, of which there are only tests.
pub const WASI_TARGET: &str = "wasm32-wasip2";

/// The cargo profile of all Rust guests, which their workspace defines.
pub const PROFILE: &str = "guest";

/// Bytes of guest stack. Rust's default of 1 MiB would push the heap out of the part of memory that the host keeps
/// resident between instances; the deepest built-in guest recursion, JSON nested 128 deep, uses under 32 KiB.
const STACK: u32 = 128 << 10;

/// Bytes of memory that a guest begins with. What a rollout needs fits: the built-in domains use five pages of 64 KiB, the
/// policies three. Growing it costs the host a change of page protections each time, and memory that is there from the
/// start only a look, at its end, at which pages were touched.
const MEMORY: u32 = 512 << 10;

/// The same for a guest whose data nobody has measured: bytes beside its data and stack, so that any amount of data links.
const HEAP: u32 = 256 << 10;

/// A guest crate's name and its component.
pub struct Built {
    /// Package name.
    pub package: String,
    /// The component.
    pub component: Vec<u8>,
}

/// Guests that are built in one run of cargo.
pub struct Guests {
    workspace: PathBuf,
    target_dir: PathBuf,
    packages: Vec<String>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Packages,
    Examples,
    WasiExamples,
    Project,
}

impl Kind {
    fn target(self) -> &'static str {
        match self {
            Kind::Packages | Kind::Examples | Kind::Project => TARGET,
            Kind::WasiExamples => WASI_TARGET,
        }
    }
}

impl Guests {
    /// Packages of Weir's own workspace, for a build script. They have a target folder of their own, since cargo is run
    /// while cargo runs the script.
    #[must_use]
    pub fn packages(workspace: &Path, target_dir: &Path, packages: &[String]) -> Self {
        Self::new(workspace, target_dir, packages, Kind::Packages)
    }

    /// The cdylib examples of such packages, each a component of its own.
    #[must_use]
    pub fn examples(workspace: &Path, target_dir: &Path, packages: &[String]) -> Self {
        Self::new(workspace, target_dir, packages, Kind::Examples)
    }

    /// The same for [`WASI_TARGET`], whose linker makes components itself.
    #[must_use]
    pub fn wasi_examples(workspace: &Path, target_dir: &Path, packages: &[String]) -> Self {
        Self::new(workspace, target_dir, packages, Kind::WasiExamples)
    }

    /// An author's project of one package, whose author watches: cargo prints to standard error as usual, and may write
    /// the lock file.
    #[must_use]
    pub fn project(folder: &Path, target_dir: &Path, package: &str) -> Self {
        Self::new(folder, target_dir, &[package.to_owned()], Kind::Project)
    }

    fn new(workspace: &Path, target_dir: &Path, packages: &[String], kind: Kind) -> Self {
        Guests { workspace: workspace.into(), target_dir: target_dir.into(), packages: packages.to_vec(), kind }
    }

    /// Builds them.
    ///
    /// # Errors
    /// A tool or target that is missing, what cargo says, or a module that is no component; each says what to do.
    pub fn build(&self) -> Result<Vec<Built>, Error> {
        let mut command = self.cargo();
        let watched = self.kind == Kind::Project;
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(if watched { Stdio::inherit() } else { Stdio::piped() });
        let output = command.spawn().and_then(std::process::Child::wait_with_output).map_err(Error::NoCargo)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let known = has_target(&self.workspace, self.kind.target());
            return Err(if known { Error::Cargo(said) } else { Error::NoTarget(self.kind.target()) });
        }
        let folder = self.target_dir.join(self.kind.target()).join(PROFILE);
        let modules = match self.kind {
            Kind::Examples | Kind::WasiExamples => example_modules(&folder.join("examples"))?,
            Kind::Packages | Kind::Project => package_modules(&folder, &self.packages),
        };
        let component = |path: &Path| match self.kind {
            Kind::WasiExamples => read(path),
            Kind::Packages | Kind::Examples | Kind::Project => encode(path),
        };
        modules.into_iter().map(|(package, path)| Ok(Built { package, component: component(&path)? })).collect()
    }

    fn cargo(&self) -> Command {
        let mut command = cargo(&self.workspace);
        command.args(["build", "--profile", PROFILE, "--target", self.kind.target()]);
        command.arg("--target-dir").arg(&self.target_dir);
        for package in &self.packages {
            command.args(["-p", package]);
        }
        match self.kind {
            Kind::Packages => command.arg("--locked"),
            Kind::Examples | Kind::WasiExamples => command.args(["--locked", "--examples"]),
            Kind::Project => &mut command,
        };
        // The outer build's flags are for the host, and its wrappers (clippy's among them) would not make code.
        for name in ["RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_TARGET", "CARGO_MAKEFLAGS"] {
            command.env_remove(name);
        }
        command.env("CARGO_ENCODED_RUSTFLAGS", self.flags().join("\u{1f}"));
        command
    }

    /// Makes a component's bytes the same wherever the sources stand, and its stack as small as it needs.
    fn flags(&self) -> Vec<String> {
        let cargo_home = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")))
            .unwrap_or_default();
        let mut flags = Vec::new();
        // The linker of components does not know it.
        if self.kind != Kind::WasiExamples {
            flags.push(format!("-Clink-arg=-zstack-size={STACK}"));
        }
        // Cargo names a project's own files, the vendored ones included, relative to it. So its place is in no component,
        // and projects that share a target folder share what they depend on.
        if self.kind != Kind::Project {
            flags.push(format!("--remap-path-prefix={}=weir", self.workspace.display()));
        }
        flags.push(format!("--remap-path-prefix={}=cargo", cargo_home.display()));
        match self.kind {
            Kind::Packages => flags.push(format!("-Clink-arg=--initial-memory={MEMORY}")),
            Kind::Project => flags.push(format!("-Clink-arg=--initial-heap={HEAP}")),
            // Examples may have more data of their own than the first, and are not worth the second.
            Kind::Examples | Kind::WasiExamples => {}
        }
        flags
    }
}

/// The cargo that runs this, or the one on the search path, in a folder.
#[must_use]
pub fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    command
}

/// Whether a target's own libraries are installed for the toolchain that builds in this folder. Where nobody can say, the
/// fault is looked for elsewhere.
fn has_target(folder: &Path, target: &str) -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let asked = Command::new(rustc)
        .current_dir(folder)
        .args(["--print", "target-libdir", "--target", target])
        .stderr(Stdio::null())
        .output();
    asked.ok().filter(|output| output.status.success()).is_none_or(|output| {
        let path = String::from_utf8_lossy(&output.stdout);
        Path::new(path.trim()).is_dir()
    })
}

fn package_modules(folder: &Path, packages: &[String]) -> Vec<(String, PathBuf)> {
    let module = |package: &String| folder.join(package.replace('-', "_")).with_extension("wasm");
    packages.iter().map(|package| (package.clone(), module(package))).collect()
}

/// Cargo also leaves files with a hash in their name; those that a crate's name cannot have are left out.
fn example_modules(folder: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    let entries = fs::read_dir(folder).map_err(|e| Error::NoModule { path: folder.into(), source: e })?;
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
pub fn encode(module: &Path) -> Result<Vec<u8>, Error> {
    encoded(&read(module)?).map_err(|why| Error::NoComponent { path: module.into(), why })
}

/// Wraps a core module that carries no world: as a component of this world of the package in a folder.
///
/// # Errors
/// Where the world cannot be read, or the module does not fit it.
pub fn encode_for(module: &[u8], wit: &Path, world: &str) -> Result<Vec<u8>, Error> {
    let failed = |why: String| Error::NoComponent { path: wit.into(), why };
    let described = || {
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(wit).map_err(|e| format!("{e:#}"))?;
        let world = resolve.select_world(&[package], Some(world)).map_err(|e| e.to_string())?;
        let mut module = module.to_vec();
        embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8).map_err(|e| format!("{e:#}"))?;
        Ok(module)
    };
    described().and_then(|module| encoded(&module)).map_err(failed)
}

fn encoded(module: &[u8]) -> Result<Vec<u8>, String> {
    ComponentEncoder::default()
        .validate(true)
        .module(module)
        .and_then(|encoder| encoder.encode())
        .map_err(|e| format!("{e:#}"))
}

fn read(module: &Path) -> Result<Vec<u8>, Error> {
    fs::read(module).map_err(|e| Error::NoModule { path: module.into(), source: e })
}
