//! The import report: what a component wants from outside, sorted by what that means, and whether it may have it.

use crate::contract::{self, Version};
use crate::fault::Cause;
use crate::grants::{Asks, Grants, Profile};
use serde::Serialize;
use weir_metadata::Capability;

/// What an import is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Types of the contract: nothing is called.
    Types,
    /// A capability of the contract.
    Capability,
    /// WASI that the compat profile virtualises: input and output, command line, clocks, random, empty file system and
    /// refusing sockets.
    Wasi,
    /// Anything else.
    Unknown,
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Import {
    /// The interface.
    pub name: String,
    /// What it is about.
    pub class: Class,
}

/// Sorts imports by what they mean.
#[must_use]
pub fn report(names: &[String]) -> Vec<Import> {
    names.iter().map(|name| Import { name: name.clone(), class: class(name) }).collect()
}

/// Checks a report against profile and grants.
///
/// # Errors
/// The first import that is refused, and by whom.
pub fn check(report: &[Import], plugin: &str, asks: &Asks, grants: &Grants) -> Result<(), Cause> {
    let of = |class| {
        let names: Vec<String> = report.iter().filter(|i| i.class == class).map(|i| i.name.clone()).collect();
        (!names.is_empty()).then_some(names)
    };
    if let Some(imports) = of(Class::Unknown) {
        return Err(Cause::UnknownImport { imports });
    }
    if let Some(imports) = of(Class::Wasi).filter(|_| grants.profile(plugin) == Profile::Strict) {
        return Err(Cause::WasiImport { imports });
    }
    for import in report.iter().filter(|i| i.class == Class::Capability) {
        match capability(&import.name) {
            Some(Wanted::Plain(capability)) => grants.check(plugin, asks, &capability)?,
            Some(Wanted::Model) => grants.check_model(plugin, asks)?,
            None => {}
        }
    }
    Ok(())
}

fn class(name: &str) -> Class {
    if contract::interface(name).is_some() {
        return match offered(name) {
            Some("types" | "trace" | "memory") => Class::Types,
            Some(_) if capability(name).is_some() => Class::Capability,
            _ => Class::Unknown,
        };
    }
    let packages = ["wasi:io/", "wasi:cli/", "wasi:clocks/", "wasi:random/", "wasi:filesystem/", "wasi:sockets/"];
    match name.split_once('@') {
        Some((interface, number))
            if number.starts_with("0.2.") && packages.iter().any(|package| interface.starts_with(package)) =>
        {
            Class::Wasi
        }
        _ => Class::Unknown,
    }
}

/// An interface of a version of the contract that is loaded, by its own name.
fn offered(name: &str) -> Option<&str> {
    contract::interface(name).filter(|(_, number)| Version::find(number).is_some()).map(|(name, _)| name)
}

/// What an import of the contract needs a grant for.
enum Wanted {
    Plain(Capability),
    /// In which role is not known from the import.
    Model,
}

fn capability(name: &str) -> Option<Wanted> {
    match offered(name)? {
        "log" => Some(Wanted::Plain(Capability::Log)),
        "transcript" => Some(Wanted::Plain(Capability::Transcript)),
        "model" => Some(Wanted::Model),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<Import> {
        report(&names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn imports_of_another_contract_version_are_unknown() {
        assert_eq!(names(&["weir:plugin/log@0.0.9"])[0].class, Class::Unknown);
        assert_eq!(names(&["wasi:http/types@0.2.0"])[0].class, Class::Unknown);
    }

    #[test]
    fn wasi_needs_the_compat_profile() {
        let wanted = names(&["wasi:clocks/wall-clock@0.2.6"]);
        let strict = Grants::default();
        assert!(matches!(check(&wanted, "p", &Asks::of(None), &strict), Err(Cause::WasiImport { .. })));
        let compat: Grants = toml::from_str("[plugin.p]\ngrant = []\nprofile = \"compat\"").unwrap();
        assert_eq!(check(&wanted, "p", &Asks::of(None), &compat), Ok(()));
    }

    #[test]
    fn the_model_import_needs_a_role_on_both_sides() {
        let wanted = names(&[&contract::CURRENT.interface("model")]);
        assert!(check(&wanted, "p", &Asks::of(None), &Grants::default()).is_err());
        let asks = Asks { needed: vec![Capability::Model("judge".into())], optional: Vec::new() };
        let grants: Grants = toml::from_str("[plugin.p]\ngrant = [\"model:judge\"]").unwrap();
        assert_eq!(check(&wanted, "p", &asks, &grants), Ok(()));
    }
}
