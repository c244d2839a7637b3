//! The languages' own tools: looked for in the project first, as its author installed them there, then on the search path.

use std::env;
use std::path::{Path, PathBuf};
use weir_suite::Error;

/// Finds a program in a folder of the project, or on the search path.
pub(super) fn find(project: &Path, inside: &str, name: &str) -> Option<PathBuf> {
    let own = project.join(inside).join(name);
    if is_program(&own) {
        return Some(own);
    }
    on_path(name)
}

/// Finds a program on the search path.
pub(super) fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    // What stands in an empty entry is the current folder, which is whoever's.
    let folders = env::split_paths(&path).filter(|folder| !folder.as_os_str().is_empty());
    folders.map(|folder| folder.join(name)).find(|program| is_program(program))
}

/// Why a project cannot be built, and the command that changes it.
pub(super) fn missing(project: &Path, what: &str, command: &str) -> Error {
    Error::Input(format!("{what}\n  run, in {}: {command}", project.display()))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_projects_own_tool_comes_before_any_other() {
        let project = tempfile::tempdir().unwrap();
        assert_eq!(find(project.path(), "bin", "sh"), on_path("sh"));
        fs::create_dir(project.path().join("bin")).unwrap();
        let own = project.path().join("bin/sh");
        fs::write(&own, "#!/bin/true").unwrap();
        assert_eq!(find(project.path(), "bin", "sh"), on_path("sh"), "a file that cannot be run is no tool");
        fs::set_permissions(&own, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find(project.path(), "bin", "sh"), Some(own));
    }

    #[test]
    fn what_is_nowhere_is_not_found() {
        assert_eq!(find(Path::new("/nowhere"), "bin", "no-such-tool-anywhere"), None);
    }
}
