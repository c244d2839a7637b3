//! Builds the hostile guests and makes a constant of each, and a macro that visits all of them: a guest without a test does
//! not compile.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use weir_componentize::Guests;

fn main() {
    weir_componentize::script(run);
}

fn run(out: &Path, here: &Path) -> Result<(), String> {
    let workspace = here.parent().ok_or("this crate stands in the workspace's folder")?;
    let watched = ["tests/hostile/guests", "tests/hostile/wasi", "plugins/sdk", "wit", "Cargo.lock", "Cargo.toml"];
    for watched in watched {
        println!("cargo:rerun-if-changed={}", workspace.join(watched).display());
    }
    let strict = Guests::examples(workspace, &out.join("guests"), &["weir-hostile-guests".to_owned()]);
    let compat = Guests::wasi_examples(workspace, &out.join("wasi"), &["weir-hostile-wasi".to_owned()]);
    let mut guests = strict.build().map_err(|e| e.to_string())?;
    guests.extend(compat.build().map_err(|e| e.to_string())?);
    let mut constants = String::new();
    let mut visits = String::new();
    // Writing to a String cannot fail.
    for guest in guests {
        let file = out.join(format!("{}.wasm", guest.package));
        fs::write(&file, guest.component).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
        let _ = writeln!(
            constants,
            "/// The component.\npub const {}: &[u8] = include_bytes!({:?});",
            guest.package.to_uppercase(),
            file.display().to_string()
        );
        let _ = writeln!(visits, "        $visit!({});", guest.package);
    }
    let text = format!("{constants}\nmacro_rules! for_each_guest {{\n    ($visit:ident) => {{\n{visits}    }};\n}}\n");
    fs::write(out.join("guests.rs"), text).map_err(|e| format!("cannot write the constants: {e}"))
}
