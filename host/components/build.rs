//! Builds every first-party plugin and writes a table of them.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use weir_componentize::{Guests, Package};

/// Folders of plugins, and the prefix of their packages' names.
const FOLDERS: [(&str, &str, &str); 4] = [
    ("plugins/policies", "policy", "weir-policy-"),
    ("plugins/writers", "writer", "weir-writer-"),
    ("plugins/reducers", "reducer", "weir-reducer-"),
    ("domains", "domain", "weir-domain-"),
];

fn main() {
    weir_componentize::script(run);
}

fn run(out: &Path, here: &Path) -> Result<(), String> {
    let workspace = here.ancestors().nth(2).ok_or("this crate stands in the workspace's host folder")?;
    for watched in ["plugins", "domains", "wit", "Cargo.lock", "Cargo.toml"] {
        println!("cargo:rerun-if-changed={}", workspace.join(watched).display());
    }
    let mut packages = Vec::new();
    for (folder, kind, prefix) in FOLDERS {
        for name in names(&workspace.join(folder)) {
            packages.push((format!("{prefix}{name}"), kind, name));
        }
    }
    let wanted: Vec<String> = packages.iter().map(|(package, ..)| package.clone()).collect();
    let built = Guests::packages(workspace, &out.join("guests"), &wanted).build().map_err(|e| e.to_string())?;
    let described = Package::all(workspace).map_err(|e| e.to_string())?;
    let mut table = String::from("&[\n");
    for ((package, kind, name), built) in packages.iter().zip(built) {
        let file = out.join(format!("{kind}-{name}.wasm"));
        let package = described.iter().find(|one| one.name == *package).ok_or(format!("cargo knows no `{package}`"))?;
        let component = package.annotated(name, &built.component).map_err(|e| e.to_string())?;
        fs::write(&file, component).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let _ = writeln!(
            table,
            "    Embedded {{ kind: {kind:?}, name: {name:?}, bytes: include_bytes!({:?}) }},",
            file.display().to_string()
        );
    }
    table.push(']');
    fs::write(out.join("table.rs"), table).map_err(|e| format!("cannot write the table: {e}"))
}

/// Crates in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}
