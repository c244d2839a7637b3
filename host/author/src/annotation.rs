//! `weir annotate`: what a component says of itself, written into it or changed. Its code stays as it is.

use crate::project_file::ProjectFile;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weir_metadata::{Capability, Limit, Surface};
use weir_runtime::check::prescan;
use weir_runtime::{Fault, Limits, Metadata, Phase};
use weir_suite::{Error, Plugins, input};
use weir_trace::json::sha256;

/// What is to be said otherwise; what is none, or empty, stays as it is.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// A project's file, which says everything.
    pub from: Option<PathBuf>,
    /// Begin with nothing, whatever the component says now.
    pub anew: bool,
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// All authors.
    pub authors: Vec<String>,
    /// Its licence.
    pub licence: Option<String>,
    /// Where to read more.
    pub homepage: Option<String>,
    /// All capabilities that it cannot do without.
    pub asks: Vec<Capability>,
    /// All capabilities that it uses where they are granted.
    pub optional: Vec<Capability>,
    /// All limits that it wants.
    pub limits: BTreeMap<Limit, u64>,
}

/// What became of it.
pub struct Annotated {
    /// What it said before; none where it said nothing that could be read.
    pub before: Option<Metadata>,
    /// What it says now.
    pub after: Metadata,
    /// SHA-256 of the component before.
    pub was: String,
    /// SHA-256 of the component now.
    pub is: String,
}

/// Changes what a component's file says of itself. The file is replaced whole, or not at all.
///
/// # Errors
/// Where the file is no plugin's component, or what it is to say lacks something or is not allowed.
pub fn annotate(path: &Path, changes: &Changes) -> Result<Annotated, Error> {
    let found = Plugins::read(&path.display().to_string())?;
    let was = sha256(&found.bytes);
    let refused = |cause| Error::Plugin(Fault::early(&found.name, &was, Phase::Load, cause));
    prescan::scan(&found.bytes, &Limits::default()).map_err(refused)?;
    let named = |what: &dyn std::fmt::Display| Error::Input(format!("{}: {what}", path.display()));
    let surface = Surface::read(&found.bytes).map_err(|e| named(&e))?;
    let before = weir_metadata::read(&found.bytes);
    let after = changes.applied(&before, &surface).map_err(|e| named(&e))?;
    let bytes = weir_metadata::write(&found.bytes, &after).map_err(|e| named(&e))?;
    if bytes != found.bytes {
        input::write(path, &bytes)?;
    }
    Ok(Annotated { before: before.ok().flatten(), after, is: sha256(&bytes), was })
}

impl Changes {
    fn applied(
        &self,
        before: &Result<Option<Metadata>, weir_metadata::Error>,
        surface: &Surface,
    ) -> Result<Metadata, String> {
        let kind = surface.kind().ok_or("it exports no interface of the contract, so it is no plugin")?;
        let mut said = match (&self.from, before) {
            (Some(project), _) => {
                let project = ProjectFile::read_file(project).map_err(|e| e.to_string())?;
                project.metadata(surface).map_err(|e| e.to_string())?
            }
            (None, Ok(Some(before))) if !self.anew => before.clone(),
            (None, Err(e)) if !self.anew => {
                return Err(format!("what it says now cannot be changed: {e}\n  --anew forgets it"));
            }
            _ => self.begun(surface)?,
        };
        (said.kind, said.contract) = kind;
        let put = |place: &mut String, given: &Option<String>| {
            if let Some(given) = given {
                place.clone_from(given);
            }
        };
        put(&mut said.name, &self.name);
        put(&mut said.version, &self.version);
        said.licence = self.licence.clone().or(said.licence);
        said.homepage = self.homepage.clone().or(said.homepage);
        replace(&mut said.authors, &self.authors);
        replace(&mut said.asks, &self.asks);
        replace(&mut said.optional, &self.optional);
        if !self.limits.is_empty() {
            said.limits.clone_from(&self.limits);
        }
        Ok(said)
    }

    /// What a component says that has said nothing yet.
    fn begun(&self, surface: &Surface) -> Result<Metadata, String> {
        let missing: Vec<&str> = [("--name", &self.name), ("--version", &self.version)]
            .into_iter()
            .filter_map(|(flag, given)| given.is_none().then_some(flag))
            .collect();
        let (Some(name), Some(version)) = (&self.name, &self.version) else {
            return Err(format!(
                "it says nothing of itself yet, and what it is to say lacks {}\n  give {}, or --from weir.toml",
                missing.join(" and ").replace("--", ""),
                missing.join(" and ")
            ));
        };
        surface.metadata(name, version).ok_or_else(|| "it is no plugin".into())
    }
}

/// A list that is given takes the whole place of the one before.
fn replace<T: Clone>(list: &mut Vec<T>, given: &[T]) {
    if !given.is_empty() {
        *list = given.to_vec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A folder with a component that is a policy by its exports, and its path.
    fn component() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("guard.wasm");
        let text = r#"(component
            (import "weir:plugin/log@0.0.7" (instance))
            (instance $i) (export "weir:plugin/policy@0.0.7" (instance $i)))"#;
        fs::write(&path, wat::parse_str(text).unwrap()).unwrap();
        (folder, path)
    }

    fn named() -> Changes {
        Changes { name: Some("guard".into()), version: Some("1.0.0".into()), ..Changes::default() }
    }

    fn said(path: &Path, changes: &Changes) -> String {
        annotate(path, changes).err().unwrap().to_string()
    }

    #[test]
    fn a_component_begins_with_what_it_is_and_imports() {
        let (_folder, path) = component();
        let done = annotate(&path, &named()).unwrap();
        assert_eq!((done.before, done.after.asks.as_slice()), (None, &[Capability::Log][..]));
        assert_eq!(done.after.contract, "weir:plugin@0.0.7");
        assert_eq!(sha256(&fs::read(&path).unwrap()), done.is);
    }

    #[test]
    fn what_is_not_named_stays_and_a_second_time_changes_nothing() {
        let (_folder, path) = component();
        let first = Changes { authors: vec!["Ann".into()], licence: Some("MIT".into()), ..named() };
        annotate(&path, &first).unwrap();
        let next = Changes { version: Some("1.1.0".into()), authors: vec!["Bob".into()], ..Changes::default() };
        let done = annotate(&path, &next).unwrap();
        assert_eq!((done.after.name.as_str(), done.after.version.as_str()), ("guard", "1.1.0"));
        assert_eq!((done.after.authors, done.after.licence.as_deref()), (vec!["Bob".to_owned()], Some("MIT")));
        let again = annotate(&path, &next).unwrap();
        assert_eq!((again.was, again.before.as_ref()), (again.is, Some(&again.after)));
    }

    #[test]
    fn what_lacks_is_named_with_its_flag_and_nothing_is_written() {
        let (_folder, path) = component();
        let before = fs::read(&path).unwrap();
        let text = said(&path, &Changes { name: Some("guard".into()), ..Changes::default() });
        assert!(text.ends_with("lacks version\n  give --version, or --from weir.toml"), "{text}");
        assert!(
            said(&path, &Changes { name: Some("My Guard".into()), ..named() }).contains("cannot be a plugin's name")
        );
        assert_eq!(fs::read(&path).unwrap(), before);
    }

    #[test]
    fn what_cannot_be_read_is_replaced_only_on_request() {
        let (_folder, path) = component();
        let mut bytes = fs::read(&path).unwrap();
        // A section of 13 bytes: the name's length, the name, and no JSON.
        bytes.extend_from_slice(b"\0\x0d\x0bweir:plugin{");
        fs::write(&path, bytes).unwrap();
        assert!(said(&path, &named()).ends_with("--anew forgets it"));
        annotate(&path, &Changes { anew: true, ..named() }).unwrap();
    }

    #[test]
    fn a_projects_file_says_everything() {
        let (folder, path) = component();
        let project = folder.path().join("weir.toml");
        let text = "kind = \"policy\"\nlanguage = \"rust\"\nname = \"guard\"\nversion = \"2.0.0\"\nasks = []\n";
        fs::write(&project, text).unwrap();
        let changes = Changes { from: Some(project), version: Some("2.0.1".into()), ..Changes::default() };
        let after = annotate(&path, &changes).unwrap().after;
        assert_eq!((after.version.as_str(), after.asks), ("2.0.1", vec![]));
    }

    #[test]
    fn a_core_module_and_a_component_that_is_no_plugin_are_told_so() {
        let (_folder, path) = component();
        fs::write(&path, wat::parse_str("(module)").unwrap()).unwrap();
        assert!(said(&path, &named()).contains("this is a core WebAssembly module"));
        fs::write(&path, wat::parse_str("(component)").unwrap()).unwrap();
        assert!(said(&path, &named()).contains("it exports no interface of the contract"));
    }
}
