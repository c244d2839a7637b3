//! Suite files: which scenarios, policies, models and seeds a live run has. Unknown keys are errors.

use crate::error::{Error, nearest};
use serde::Deserialize;

/// The built-in suites.
const BUILT_IN: [(&str, &str); 1] = [("smoke", include_str!("../suites/smoke.toml"))];

/// A suite.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// One line for a reader.
    pub title: String,
    /// Policies, by name or path; the first is the control.
    pub policies: Vec<String>,
    /// Models.
    pub models: Vec<String>,
    /// Rollout seeds.
    pub seeds: Vec<u64>,
    /// Which ledger the policies are given.
    pub ledger: String,
    /// Scenarios.
    pub scenarios: Vec<Scenarios>,
}

/// Scenarios of one domain and stage.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenarios {
    /// The domain, by name or path.
    pub domain: String,
    /// Evidence stage.
    pub stage: String,
    /// How many.
    pub count: u32,
    /// Seed of the scenarios themselves.
    pub seed: u64,
}

impl Suite {
    /// Reads a suite's text.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        let suite: Suite = toml::from_str(text).map_err(|e| Error::Input(format!("{name}: {e}")))?;
        for (what, empty) in [
            ("policies", suite.policies.is_empty()),
            ("models", suite.models.is_empty()),
            ("seeds", suite.seeds.is_empty()),
            ("scenarios", suite.scenarios.is_empty()),
        ] {
            if empty {
                return Err(Error::Input(format!("{name}: `{what}` is empty: name at least one")));
            }
        }
        Ok(suite)
    }

    /// A built-in suite by name, or a suite file by path.
    ///
    /// # Errors
    /// Where there is none, or it is wrong.
    pub fn find(wanted: &str) -> Result<Self, Error> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(name, _)| *name == wanted) {
            return Self::parse(name, text);
        }
        if !wanted.ends_with(".toml") {
            let names: Vec<&str> = Self::names().collect();
            let hint =
                nearest(wanted, names.iter().copied()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            return Err(Error::Input(format!(
                "there is no suite `{wanted}`{hint}\n  built in: {}\n  a suite of your own is given by its .toml file",
                names.join(", ")
            )));
        }
        let bytes = crate::input::read(std::path::Path::new(wanted))?;
        let text = String::from_utf8(bytes).map_err(|e| Error::Input(format!("{wanted}: not UTF-8: {e}")))?;
        Self::parse(wanted, &text)
    }

    /// Names of the built-in suites.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_suite_parses() {
        for name in Suite::names() {
            assert_eq!(Suite::find(name).unwrap().name, name);
        }
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let text = include_str!("../suites/smoke.toml").replace("seeds", "seed");
        let error = Suite::parse("my.toml", &text).unwrap_err().to_string();
        assert!(error.contains("my.toml") && error.contains("seed") && error.contains("line"), "{error}");
    }
}
