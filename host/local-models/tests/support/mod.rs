//! Where the weights of `make local-models` lie.

use std::path::{Path, PathBuf};

/// A file of weights. Where it is absent a line says what was skipped. `WEIR_LOCAL_MODELS` names another folder.
pub fn weights(file: &str) -> Option<PathBuf> {
    let models = std::env::var("WEIR_LOCAL_MODELS")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/models").into());
    let path = Path::new(&models).join(file);
    if !path.exists() {
        eprintln!("skipped: {} is not there; `make local-models` fetches it", path.display());
        return None;
    }
    Some(path)
}
