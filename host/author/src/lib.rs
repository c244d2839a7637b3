//! What authors of plugins need: new projects, building them, and what their components say of themselves.
//!
//! A project is a folder that works alone: its sources, `weir.toml` ([`ProjectFile`]), and everything of Weir's that it is
//! built with. A language is one file of [`language`].

mod annotation;
mod building;
mod creation;
pub mod language;
mod name;
mod native;
mod project_file;

pub use annotation::{Annotated, Changes, annotate};
pub use building::{Product, build};
pub use creation::{Created, New, create};
pub use language::Language;
pub use native::Native;
pub use project_file::{PROJECT_FILE, ProjectFile};

use std::path::{Path, PathBuf};

/// A path in a folder as people write it: without `./` before it where the folder is the current one.
fn within(folder: &Path, name: &str) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(name) } else { folder.join(name) }
}
