//! Names of new plugins. One becomes a folder, a package, a file and a row of every table, so it has to suit them all.

use weir_runtime::Kind;
use weir_suite::{Error, Plugins};

/// Demands that a name is one that a plugin can have.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub(crate) fn check(name: &str) -> Result<(), Error> {
    if !weir_metadata::is_name(name) {
        return Err(Error::Input(weir_metadata::name_rule(name)));
    }
    if let Some(kind) = Kind::ALL.into_iter().find(|kind| Plugins::names(*kind).any(|known| known == name)) {
        return Err(Error::Input(format!(
            "`{name}` is the name of a built-in {}: reports could not tell them apart\n  choose another, such as `my-{name}`",
            kind.name()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_that_is_no_name_is_refused_with_what_is_allowed() {
        check("my-guard").unwrap();
        for name in ["", "My-guard", "my_guard", "../guard"] {
            let error = check(name).unwrap_err().to_string();
            assert!(error.contains("lower-case letters a to z"), "{name}: {error}");
        }
    }

    #[test]
    fn a_built_in_name_is_refused_whatever_its_kind() {
        for (name, kind) in [("none", "policy"), ("email", "domain"), ("containment", "reducer"), ("letta", "writer")] {
            let error = check(name).unwrap_err().to_string();
            assert!(error.contains(&format!("a built-in {kind}")), "{error}");
        }
    }
}
