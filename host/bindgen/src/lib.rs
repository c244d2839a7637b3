//! What `wit-bindgen` makes of the contract for guests in Rust, as sources: a module a world. The worlds share one set of
//! types, so that a helper written for one kind of plugin serves the others.
//!
//! The SDK's build script writes them beside what it compiles, and `weir new` beside the SDK that it vendors: an author's
//! project then builds without the generator, whose parsers take ten times as long to compile as everything else.

use std::path::Path;
use wit_bindgen_core::wit_parser::{Resolve, WorldId};
use wit_bindgen_core::{Files, WorldGenerator};
use wit_bindgen_rust::{Opts, WithOption};

/// The world whose module has the types that the others share; it uses most of them.
const FIRST: &str = "policy";

/// A world's module, the name of its export macro, and the interfaces whose types it takes from the first module.
const WORLDS: [(&str, &str, &[&str]); 4] = [
    (FIRST, "export_bindings", &[]),
    ("domain", "export_bindings_domain", &["types", "log"]),
    ("writer", "export_bindings_writer", &["types", "memory", "model", "log"]),
    ("reducer", "export_bindings_reducer", &["types", "trace", "log"]),
];

/// A module's name and its text.
pub type Module = (&'static str, String);

/// What a native build derives for the shared types, so that it reads what the host wrote: only under the SDK's feature
/// `replay`, which no component is built with.
const WIRE: &str = r#" #[cfg_attr(feature = "replay", derive(serde::Deserialize, serde::Serialize))]"#;

/// The modules for a contract: the folder of its WIT files.
///
/// # Errors
/// What is wrong with the contract, with the name of the file or world.
pub fn modules(contract: &Path) -> Result<Vec<Module>, String> {
    WORLDS.iter().map(|(module, export, shared)| Ok((*module, module_of(contract, module, export, shared)?))).collect()
}

fn module_of(contract: &Path, module: &str, export: &str, shared: &[&str]) -> Result<String, String> {
    let named = |what: &dyn std::fmt::Display| format!("{}: {what}", contract.display());
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_path(contract).map_err(|e| named(&format!("{e:#}")))?;
    let world = format!("{module}-plugin");
    let id: WorldId =
        resolve.select_world(&[package], Some(&world)).map_err(|e| named(&format!("world {world}: {e:#}")))?;
    let name = resolve.packages.get(package).map(|package| package.name.clone());
    let name = name.ok_or_else(|| named(&"it has no package"))?;
    let with = |interface: &&str| {
        let path = format!("super::{FIRST}::{}::{}::{interface}", name.namespace, name.name);
        (name.interface_id(interface), WithOption::Path(path))
    };
    let options = Opts {
        format: true,
        pub_export_macro: true,
        export_macro_name: Some(export.to_owned()),
        default_bindings_module: Some(format!("weir_plugin::bindings::{module}")),
        additional_derive_attributes: ["PartialEq", "Clone"].map(str::to_owned).to_vec(),
        with: shared.iter().map(with).collect(),
        ..Opts::default()
    };
    let mut files = Files::default();
    options.build().generate(&mut resolve, id, &mut files).map_err(|e| named(&format!("world {world}: {e:#}")))?;
    let texts: Vec<&[u8]> = files.iter().map(|(_, text)| text).collect();
    let text = match texts.as_slice() {
        [one] => String::from_utf8(one.to_vec()).map_err(|e| named(&e))?,
        many => return Err(named(&format!("world {world} became {} files", many.len()))),
    };
    Ok(if module == FIRST { with_wire(&text) } else { text })
}

/// A module whose values can be read and written under the feature `replay`. The attribute stands on the line of another one:
/// a panic's message holds the number of its line, so a line more would change every component.
fn with_wire(module: &str) -> String {
    let line = |line: &str| {
        // All values compare; what only prints is a handle.
        let value = line.trim_start().starts_with("#[derive(") && line.contains("PartialEq");
        format!("{line}{}\n", if value { WIRE } else { "" })
    };
    module.lines().map(line).collect()
}
