//! `weir build`: the component of a project.

use crate::common::{Outcome, print, print_json};
use crate::progress::print_waiting;
use clap::Args;
use std::path::PathBuf;
use weir_author::ProjectFile;
use weir_trace::json::sha256;

/// Arguments.
#[derive(Args)]
pub struct Build {
    /// The project's folder: the one with weir.toml
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print as JSON; the language's own tools still print to standard error
    #[arg(long)]
    json: bool,
}

impl Build {
    /// Runs it.
    pub fn run(self) -> Outcome {
        let project = ProjectFile::read(&self.dir)?;
        if let Some(patience) = project.language.patience() {
            print_waiting(&format!("{}: {patience}", project.name));
        }
        let built = weir_author::build(&self.dir)?;
        let digest = sha256(&built.bytes);
        if self.json {
            print_json(&serde_json::json!({
                "component": built.component,
                "metadata": built.metadata,
                "bytes": built.bytes.len(),
                "sha256": digest,
            }))?;
            return Ok(true);
        }
        let component = built.component.display();
        print(&format!(
            "{component}: a {}, {} bytes, sha256 {digest}\nwhether it may run: weir check {component}\n",
            built.metadata.kind.name(),
            built.bytes.len()
        ))?;
        Ok(true)
    }
}
