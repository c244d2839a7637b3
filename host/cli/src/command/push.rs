//! `weir push`: a component to an OCI registry, or to an image layout on disk.

use crate::common::{Outcome, print, print_json};
use clap::Args;
use std::path::PathBuf;
use weir_registry::{Moved, Reference, push};
use weir_runtime::Limits;
use weir_suite::{Error, input};

/// Arguments.
#[derive(Args)]
pub struct Push {
    /// The component
    file: PathBuf,
    /// Where to: HOST[:PORT]/NAME[:TAG] in a registry, or oci:FOLDER[:TAG] for a layout on disk
    reference: String,
    /// Speak to the registry in the clear, even on another machine
    #[arg(long)]
    insecure: bool,
    /// Print what was pushed as JSON
    #[arg(long)]
    json: bool,
}

impl Push {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let failed = |e: weir_registry::Error| Error::Input(e.to_string());
        let reference = Reference::parse(&self.reference).map_err(failed)?;
        let component = input::read(&self.file)?;
        let moved = push(&component, &reference, most(), self.insecure).map_err(failed)?;
        tell(&moved, self.json)
    }
}

/// Bytes of the largest component: what is larger would not be loaded by default.
pub fn most() -> u64 {
    Limits::default().component_bytes
}

/// Prints what pins an artifact.
pub fn tell(moved: &Moved, json: bool) -> Outcome {
    if json {
        print_json(moved)?;
    } else {
        let Moved { digest, component, bytes, pinned } = moved;
        print(&format!("manifest   {digest}\ncomponent  sha256:{component}, {bytes} bytes\npinned     {pinned}\n"))?;
    }
    Ok(true)
}
