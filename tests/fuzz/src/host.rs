//! Loaded plugins, where a reader works with one.

use std::path::PathBuf;
use std::sync::OnceLock;
use weir_runtime::compile::{CHILD_ARGUMENT, Compiler, child_main};
use weir_runtime::world::DomainPlugin;
use weir_runtime::{Engines, Grants, Loader};
use weir_suite::Plugins;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Names the program that can be the compiling child. Without it this program itself is.
pub fn compile_with(program: PathBuf) {
    // Every test of a process names the same one.
    let _ = PROGRAM.set(program);
}

/// What a fuzzer does before its first input. It is also its own compiling child.
pub fn begin() {
    let mut given = std::env::args().skip(1);
    if given.next().as_deref() == Some(CHILD_ARGUMENT) {
        let done = child_main(&given.collect::<Vec<_>>()) == std::process::ExitCode::SUCCESS;
        std::process::exit(if done { 0 } else { 3 });
    }
}

/// Plugins under the default grants.
pub(crate) fn plugins() -> &'static Plugins {
    static PLUGINS: OnceLock<Plugins> = OnceLock::new();
    PLUGINS.get_or_init(|| {
        let program = PROGRAM.get().cloned().unwrap_or_else(|| std::env::current_exe().unwrap());
        Plugins::new(Loader::new(Engines::new(1).unwrap(), Grants::default(), Compiler { program }, None))
    })
}

/// The domain of AgentDojo's runs. Compiling it takes longer than an input may.
pub fn agentdojo_domain() -> &'static DomainPlugin {
    static DOMAIN: OnceLock<DomainPlugin> = OnceLock::new();
    DOMAIN.get_or_init(|| plugins().domain("agentdojo").unwrap().0)
}
