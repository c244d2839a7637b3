//! Names of plugins. One becomes a folder, a package, two files and a row of every table, so it has to suit them all.

use weir_runtime::Kind;
use weir_suite::{Error, Plugins};

/// Characters of the longest name: longer ones break the tables of reports.
const LONGEST: usize = 40;

/// Names that would collide with a project's own files, on file systems that do not tell capitals apart either.
const FILES: [&str; 2] = ["weir", "cargo"];

/// Demands that a name is one that a plugin can have.
///
/// # Errors
/// What is wrong with it, and what is allowed.
pub(crate) fn check(name: &str) -> Result<(), Error> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || !name.split('-').all(is_word) || name.len() > LONGEST {
        return Err(Error::Input(format!(
            "`{name}` cannot be a plugin's name\n  allowed: lower-case letters a to z and digits, in words joined by single hyphens, a letter first, at most {LONGEST} \
             characters, as in `my-guard`"
        )));
    }
    if let Some(kind) = Kind::ALL.into_iter().find(|kind| Plugins::names(*kind).any(|known| known == name)) {
        return Err(Error::Input(format!(
            "`{name}` is the name of a built-in {}: reports could not tell them apart\n  choose another, such as `my-{name}`",
            kind.name()
        )));
    }
    if FILES.contains(&name) {
        return Err(Error::Input(format!(
            "`{name}` cannot be a plugin's name: its manifest `{name}.toml` would be taken for a file of the project\n  choose \
             another, such as `my-{name}`"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_joined_by_hyphens_are_names() {
        for name in ["guard", "my-guard", "guard-2", "g"] {
            check(name).unwrap();
        }
    }

    #[test]
    fn anything_else_is_refused_with_what_is_allowed() {
        let long = "x".repeat(LONGEST + 1);
        for name in ["", "My-guard", "my_guard", "2-guards", "-guard", "guard-", "my--guard", "../guard", "gärd", &long]
        {
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

    #[test]
    fn a_name_whose_manifest_would_be_another_file_of_the_project_is_refused() {
        for name in FILES {
            assert!(check(name).unwrap_err().to_string().contains(&format!("{name}.toml")));
        }
    }
}
