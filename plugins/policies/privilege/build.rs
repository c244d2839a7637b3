//! Turns `rules.toml` into the table of rules that the component carries. A rule that is not well formed ends the build.

mod rules_file;

use std::path::Path;
use std::{env, fs, process};

/// The rules, beside this file.
const RULES: &str = "rules.toml";

fn main() {
    println!("cargo:rerun-if-changed={RULES}");
    println!("cargo:rerun-if-changed=rules_file.rs");
    println!("cargo:rerun-if-changed=build.rs");
    if let Err(problem) = run() {
        eprintln!("error: {problem}");
        process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let text = fs::read_to_string(RULES).map_err(|e| format!("cannot read {RULES}: {e}"))?;
    let table = rules_file::table(&text).map_err(|problem| format!("{RULES}: {problem}"))?;
    let out = env::var_os("OUT_DIR").ok_or("cargo gives no OUT_DIR")?;
    let file = Path::new(&out).join("rules.rs");
    fs::write(&file, table).map_err(|e| format!("cannot write {}: {e}", file.display()))
}
