//! Embeds what a new project takes along: the SDK's sources, the contract and its bindings, and the workspace's versions of
//! crates.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Each constant, the folder that it holds, and which files of it, by their ending.
const FOLDERS: [(&str, &str, &str); 2] = [("SDK", "plugins/sdk", ".rs"), ("CONTRACT", "wit", ".wit")];

/// Each constant and the file that it holds.
const FILES: [(&str, &str); 3] =
    [("SDK_MANIFEST", "plugins/sdk/Cargo.toml"), ("WORKSPACE", "Cargo.toml"), ("LOCK", "Cargo.lock")];

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
        let _ = writeln!(text, "const {constant}: &[(&str, &str)] = &[");
        for name in files {
            let path = root.join(&name).display().to_string();
            let _ = writeln!(text, "    ({name:?}, include_str!({path:?})),");
        }
        text.push_str("];\n");
    }
    text.push_str("const BINDINGS: &[(&str, &str)] = &[\n");
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
    fs::write(out.join("embedded.rs"), text).map_err(|e| format!("cannot write what is embedded: {e}"))
}

/// Files below a folder with this ending, by relative path, sorted. Frozen copies of the contract stay behind: a project is
/// built against the open one.
fn collect(folder: &Path, below: &str, ending: &str, files: &mut Vec<String>) -> Result<(), String> {
    let failed = |e| format!("cannot read {}: {e}", folder.display());
    let mut entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        if entry.path().is_dir() {
            if name != "released" {
                collect(&entry.path(), &format!("{below}{name}/"), ending, files)?;
            }
        } else if name.ends_with(ending) {
            files.push(format!("{below}{name}"));
        }
    }
    Ok(())
}
