//! Suite files: which scenarios, policies, models and seeds a live run has. Unknown keys are errors.

use crate::authority::AuthoritySuite;
use crate::error::{Error, nearest};
use crate::grid;
use crate::perturb::LedgerError;
use serde::{Deserialize, Serialize};
use weir_rollout::live::Confirmation;

/// The suite that `weir run` takes where none is named.
pub const DEFAULT: &str = "containmentbench";

/// The built-in suites, each with the list of its frozen scenarios where it has one.
const BUILT_IN: [(&str, &str, Option<&str>); 9] = [
    (
        DEFAULT,
        include_str!("../suites/containmentbench.toml"),
        Some(include_str!("../suites/containmentbench.scenarios.json")),
    ),
    (
        "leaderboard",
        include_str!("../suites/leaderboard.toml"),
        Some(include_str!("../suites/leaderboard.scenarios.json")),
    ),
    ("stress", include_str!("../suites/stress.toml"), Some(include_str!("../suites/stress.scenarios.json"))),
    ("controls", include_str!("../suites/controls.toml"), Some(include_str!("../suites/controls.scenarios.json"))),
    ("ledger-errors", include_str!("../suites/ledger-errors.toml"), None),
    (
        "memory-writers",
        include_str!("../suites/memory-writers.toml"),
        Some(include_str!("../suites/memory-writers.scenarios.json")),
    ),
    ("qualify", include_str!("../suites/qualify.toml"), None),
    ("slice", include_str!("../suites/slice.toml"), None),
    ("smoke", include_str!("../suites/smoke.toml"), None),
];

/// A suite.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// Its name.
    pub name: String,
    /// One line for a reader.
    pub title: String,
    /// Policies, by name or path; the first is the control.
    pub policies: Vec<String>,
    /// Models: built-in names, or profile files.
    pub models: Vec<String>,
    /// Rollout seeds.
    pub seeds: Vec<u64>,
    /// Which ledger the policies are given.
    pub ledger: String,
    /// Who confirms a call that a policy sends to confirmation.
    pub confirmation: Confirmation,
    /// Turns after which a session is stopped, for each of its agents: a real model may go round in circles.
    #[serde(default = "grid::turns")]
    pub turns: u32,
    /// Errors in the ledger or in the user's confirmations, under each of which everything is run once more.
    #[serde(default)]
    pub errors: Vec<LedgerErrors>,
    /// Memory writers, by name or path, under each of which everything is run once more: it consolidates each session but the
    /// last, and the next one begins with what it wrote.
    #[serde(default)]
    pub writers: Vec<String>,
    /// Scenarios.
    pub scenarios: Vec<Scenarios>,
    /// The frozen scenarios of a built-in suite, as a JSON list of identifiers and digests.
    #[serde(skip)]
    pub frozen: Option<&'static str>,
}

/// Errors of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerErrors {
    /// Which kind.
    pub kind: LedgerError,
    /// How often: shares of what can be wrong, from 0 to 1.
    pub rates: Vec<f64>,
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
    /// Of these, only the ones with more than one session: a memory writer has no part in others.
    #[serde(default)]
    pub several_sessions: bool,
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
        if suite.turns == 0 {
            return Err(Error::Input(format!("{name}: `turns` is 0: an agent needs at least one")));
        }
        for errors in &suite.errors {
            if let Some(rate) = errors.rates.iter().find(|rate| !(0.0..=1.0).contains(*rate)) {
                return Err(Error::Input(format!("{name}: `rates` has {rate}: a rate lies between 0 and 1")));
            }
        }
        Ok(suite)
    }

    /// A built-in suite by name, or a suite file by path.
    ///
    /// # Errors
    /// Where there is none, or it is wrong.
    pub fn find(wanted: &str) -> Result<Self, Error> {
        if let Some((name, text, frozen)) = BUILT_IN.iter().find(|(name, ..)| *name == wanted) {
            return Ok(Suite { frozen: *frozen, ..Self::parse(name, text)? });
        }
        if !wanted.ends_with(".toml") {
            let names: Vec<&str> = Self::names().chain(AuthoritySuite::names()).collect();
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
        BUILT_IN.iter().map(|(name, ..)| *name)
    }

    /// Adds a domain's scenarios for each stage that the suite has: as many as the suite takes of any domain there.
    ///
    /// # Errors
    /// Where the suite has the domain: its scenarios would be counted twice.
    pub fn add_domain(&mut self, domain: &str, stages: &[String]) -> Result<(), Error> {
        if self.scenarios.iter().any(|known| known.domain == domain) {
            return Err(Error::Input(format!(
                "suite `{}` has domain `{domain}`: its scenarios would be counted twice\n  leave out --domain {domain}; a suite file gives a larger `count` instead",
                self.name
            )));
        }
        let mut added: Vec<Scenarios> = Vec::new();
        for known in &self.scenarios {
            if !stages.contains(&known.stage) {
                continue;
            }
            match added.iter_mut().find(|mine| mine.stage == known.stage) {
                Some(mine) => mine.count = mine.count.max(known.count),
                None => added.push(Scenarios { domain: domain.to_owned(), ..known.clone() }),
            }
        }
        self.scenarios.extend(added);
        self.frozen = None;
        Ok(())
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

    #[test]
    fn a_rate_beyond_one_is_an_error() {
        let text = include_str!("../suites/ledger-errors.toml").replacen("rates = [", "rates = [1.5, ", 1);
        assert!(Suite::parse("my.toml", &text).unwrap_err().to_string().contains("has 1.5"));
    }

    #[test]
    fn writers_are_a_key_of_their_own_and_mostly_absent() {
        assert_eq!(Suite::find("memory-writers").unwrap().writers.len(), 7);
        for name in Suite::names().filter(|name| *name != "memory-writers") {
            assert!(Suite::find(name).unwrap().writers.is_empty(), "{name}");
        }
    }

    #[test]
    fn an_added_domain_gets_the_stages_that_it_has() {
        let mut suite = Suite::find("smoke").unwrap();
        let before = suite.scenarios.len();
        suite.add_domain("mine.wasm", &["security".into(), "something else".into()]).unwrap();
        let added: Vec<_> = suite.scenarios.iter().skip(before).collect();
        assert_eq!(added.len(), 1);
        assert_eq!((added[0].domain.as_str(), added[0].stage.as_str()), ("mine.wasm", "security"));
        assert!(suite.add_domain("email", &[]).unwrap_err().to_string().contains("suite `smoke` has domain `email`"));
    }
}
