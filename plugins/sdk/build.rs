//! Writes the contract's bindings, which `src/bindings.rs` includes.

use std::fs;

fn main() {
    weir_componentize::script(|out, here| {
        let contract = here.join("../../wit");
        println!("cargo:rerun-if-changed={}", contract.display());
        for (module, text) in weir_bindgen::modules(&contract)? {
            let path = out.join(format!("{module}.rs"));
            fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        }
        Ok(())
    });
}
