//! Embeds what a new project takes along: the SDK's sources, the contract and its bindings for Rust and C, the workspace's
//! versions of crates, and the templates of languages that are more than a few files.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use wit_bindgen_core::Files;
use wit_bindgen_core::wit_parser::Resolve;

/// Each constant, the folder that it holds, and which files of it, by their ending.
const FOLDERS: [(&str, &str, &str); 5] = [
    ("SDK", "plugins/sdk", ".rs"),
    ("CONTRACT", "wit", ".wit"),
    ("PYTHON", "host/author/templates/python", ""),
    ("JS", "host/author/templates/js", ""),
    ("C", "host/author/templates/c", ""),
];

/// Each constant and the file that it holds.
const FILES: [(&str, &str); 3] =
    [("SDK_MANIFEST", "plugins/sdk/Cargo.toml"), ("WORKSPACE", "Cargo.toml"), ("LOCK", "Cargo.lock")];

/// Folders whose files no project takes along: frozen copies of the contract, since a project is built against the open one,
/// and what Python leaves beside its sources.
const LEFT_OUT: [&str; 2] = ["released", "__pycache__"];

/// The world of policies, which is the one for which there are bindings for C.
const POLICY_WORLD: &str = "policy-plugin";

fn main() {
    weir_componentize::script(run);
}

fn run(out: &Path, here: &Path) -> Result<(), String> {
    let workspace = here.ancestors().nth(2).ok_or("this crate stands in the workspace's host folder")?;
    let mut text = String::new();
    // Writing to a String cannot fail.
    for (constant, folder, ending) in FOLDERS {
        let root = workspace.join(folder);
        println!("cargo:rerun-if-changed={}", root.display());
        let mut files = Vec::new();
        collect(&root, "", ending, &mut files)?;
        let _ = writeln!(text, "pub(super) const {constant}: &[(&str, &str)] = &[");
        for name in files {
            let path = root.join(&name).display().to_string();
            let _ = writeln!(text, "    ({name:?}, include_str!({path:?})),");
        }
        text.push_str("];\n");
    }
    text.push_str("pub(super) const BINDINGS: &[(&str, &str)] = &[\n");
    for (module, bindings) in weir_bindgen::modules(&workspace.join("wit"))? {
        let path = out.join(format!("bindings-{module}.rs"));
        fs::write(&path, bindings).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let path = path.display().to_string();
        let _ = writeln!(text, "    ({module:?}, include_str!({path:?})),");
    }
    text.push_str("];\n");
    for (constant, file) in FILES {
        let path = workspace.join(file).display().to_string();
        println!("cargo:rerun-if-changed={path}");
        let _ = writeln!(text, "pub(super) const {constant}: &str = include_str!({path:?});");
    }
    text.push_str("pub(super) const C_BINDINGS: &[(&str, &str)] = &[\n");
    for (name, bindings) in c_bindings(&workspace.join("wit"))? {
        let _ = writeln!(text, "    ({name:?}, {bindings:?}),");
    }
    text.push_str("];\n");
    fs::write(out.join("embedded.rs"), text).map_err(|e| format!("cannot write what is embedded: {e}"))
}

/// Files below a folder with this ending, by relative path, sorted.
fn collect(folder: &Path, below: &str, ending: &str, files: &mut Vec<String>) -> Result<(), String> {
    let failed = |e| format!("cannot read {}: {e}", folder.display());
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        if entry.path().is_dir() {
            if !LEFT_OUT.contains(&name.as_str()) {
                collect(&entry.path(), &format!("{below}{name}/"), ending, files)?;
            }
        } else if name.ends_with(ending) {
            files.push(format!("{below}{name}"));
        }
    }
    Ok(())
}

/// Header and source by which C speaks to the world of policies.
fn c_bindings(wit: &Path) -> Result<Vec<(String, String)>, String> {
    let failed = |e: &dyn std::fmt::Display| format!("cannot make bindings for C: {e:#}");
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(wit).map_err(|e| failed(&e))?;
    let world = resolve.select_world(&[package], Some(POLICY_WORLD)).map_err(|e| failed(&e))?;
    // The world is embedded when the component is made, not by an object file that is linked.
    let options = wit_bindgen_c::Opts { no_object_file: true, ..Default::default() };
    let mut files = Files::default();
    options.build().generate(&mut resolve, world, &mut files).map_err(|e| failed(&e))?;
    let text = |(name, bytes): (&str, &[u8])| {
        let text = String::from_utf8(bytes.to_vec()).map_err(|e| failed(&e))?;
        Ok((name.to_owned(), text))
    };
    files.iter().map(text).collect()
}
