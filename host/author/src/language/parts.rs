//! The folder `build` of a project, where parts of a component lie until it is put together: what is written by us, and what
//! a tool makes of it. Each build begins it anew.

use crate::project_file::ProjectFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use weir_runtime::Capability;
use weir_suite::{Error, input};
use wit_parser::Resolve;

/// The world of a project: of its kind's interface, and of the imports that it asks for. A language that imports all that its
/// world offers would otherwise need grants for what it never uses.
pub(super) const WORLD: &str = "project";

/// The folder, relative to the project's.
pub(super) const FOLDER: &str = "build";

/// A folder of parts.
pub(super) struct Parts {
    project: PathBuf,
    /// The contract's package with its version, as the project has it.
    package: String,
}

impl Parts {
    /// Begins a project's folder of parts, with the contract and the project's world.
    ///
    /// # Errors
    /// Where the project has no readable contract, or the file system refuses.
    pub(super) fn new(project: &Path, file: &ProjectFile) -> Result<Self, Error> {
        let wit = project.join("wit");
        let mut resolve = Resolve::default();
        let read = |e| Error::Input(format!("{}: the contract cannot be read: {e:#}", wit.display()));
        let (id, _) = resolve.push_dir(&wit).map_err(read)?;
        let package = resolve.packages.get(id).map(|package| package.name.to_string()).unwrap_or_default();
        let parts = Parts { project: project.to_path_buf(), package };
        let own = project.join(FOLDER);
        match fs::remove_dir_all(&own) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::io(&own, e)),
            _ => fs::create_dir_all(own.join("wit")).map_err(|e| Error::io(&own, e))?,
        }
        for entry in fs::read_dir(&wit).map_err(|e| Error::io(&wit, e))? {
            let path = entry.map_err(|e| Error::io(&wit, e))?.path();
            if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|name| name.ends_with(".wit")) {
                fs::copy(&path, own.join("wit").join(name)).map_err(|e| Error::io(&path, e))?;
            }
        }
        parts.write("wit/project.wit", &parts.world(file))?;
        Ok(parts)
    }

    /// The interfaces that a project imports, by the name of each without its package.
    pub(super) fn imports(file: &ProjectFile) -> Vec<&'static str> {
        let mut names: Vec<&str> = file.asks.iter().chain(&file.optional).map(interface).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// An interface's name with package and version.
    pub(super) fn full_name(&self, interface: &str) -> String {
        match self.package.split_once('@') {
            Some((package, version)) => format!("{package}/{interface}@{version}"),
            None => format!("{}/{interface}", self.package),
        }
    }

    fn world(&self, file: &ProjectFile) -> String {
        let imports: String = Self::imports(file).iter().map(|name| format!("  import {name};\n")).collect();
        format!("package {};\n\nworld {WORLD} {{\n{imports}  export {};\n}}\n", self.package, file.kind.name())
    }

    /// Writes a file of the folder.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        input::write(&self.project.join(FOLDER).join(name), text.as_bytes())
    }

    /// Reads what a tool left in the folder.
    pub(super) fn take(&self, name: &str, file: &ProjectFile) -> Result<Vec<u8>, Error> {
        let path = self.project.join(FOLDER).join(name);
        fs::read(&path)
            .map_err(|e| Error::Input(format!("{} was not built: there is no {}: {e}", file.name, path.display())))
    }

    /// Runs a tool in the project's folder. What it prints goes to standard error as it comes.
    ///
    /// # Errors
    /// Where it cannot be started or fails.
    pub(super) fn run(&self, name: &str, mut command: Command, file: &ProjectFile) -> Result<(), Error> {
        command.current_dir(&self.project).stdin(Stdio::null()).stdout(std::io::stderr());
        let not_built = |why: String| Error::Input(format!("{} was not built: {why}", file.name));
        let status = command.status().map_err(|e| not_built(format!("{name} cannot be started: {e}")))?;
        match status.success() {
            true => Ok(()),
            false => Err(not_built(format!("{name} failed ({status}): see its messages above"))),
        }
    }
}

fn interface(capability: &Capability) -> &'static str {
    match capability {
        Capability::Log => "log",
        Capability::Transcript => "transcript",
        Capability::Model(_) => "model",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::creation::{New, create};
    use crate::language::Language;
    use weir_runtime::Kind;

    #[test]
    fn a_projects_world_has_what_it_asks_for_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        let new = New { kind: Kind::Policy, language: Language::Js, name: "my-own".into() };
        let folder = create(&new, home.path()).unwrap().folder;
        let mut file = ProjectFile::read(&folder).unwrap();
        file.optional = vec![Capability::Model("judge".into()), Capability::Model("agent".into())];
        let parts = Parts::new(&folder, &file).unwrap();
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(folder.join("build/wit")).unwrap();
        let world = resolve.select_world(&[package], Some(WORLD)).unwrap();
        let names: Vec<String> = resolve.worlds[world].imports.keys().map(|key| resolve.name_world_key(key)).collect();
        assert!(names.contains(&parts.full_name("log")) && names.contains(&parts.full_name("model")), "{names:?}");
        assert!(!names.contains(&parts.full_name("transcript")), "{names:?}");
        assert!(
            resolve.worlds[world].exports.keys().any(|key| resolve.name_world_key(key) == parts.full_name("policy"))
        );
    }

    #[test]
    fn each_build_begins_anew() {
        let home = tempfile::tempdir().unwrap();
        let new = New { kind: Kind::Policy, language: Language::C, name: "my-own".into() };
        let folder = create(&new, home.path()).unwrap().folder;
        let file = ProjectFile::read(&folder).unwrap();
        fs::create_dir_all(folder.join("build")).unwrap();
        fs::write(folder.join("build/module.wasm"), "old").unwrap();
        let parts = Parts::new(&folder, &file).unwrap();
        assert!(parts.take("module.wasm", &file).unwrap_err().to_string().contains("my-own was not built"));
    }
}
