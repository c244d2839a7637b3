//! Frozen scenarios: a built-in suite's list of identifiers and SHA-256 digests, committed beside it. A domain that makes
//! other scenarios from the same request is a change of the benchmark, and is told before anything runs.

use crate::cases::Case;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use weir_trace::json::sha256_of_pieces;

/// One scenario with its toolset, which the scenario itself names by its place only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Frozen {
    pub(crate) domain: String,
    pub(crate) id: String,
    stage: String,
    pub(crate) sha256: String,
    toolset: String,
}

impl Frozen {
    /// A scenario of the domain of this name.
    pub(crate) fn of(domain: &str, case: &Case) -> Self {
        Frozen {
            domain: domain.into(),
            id: case.scenario.id.clone(),
            stage: case.scenario.stage.clone(),
            sha256: case.digest.clone(),
            toolset: case.toolset.clone(),
        }
    }
}

/// The list's text: one scenario a line, so that a change shows as a difference of lines.
pub(crate) fn list(scenarios: impl Iterator<Item = Frozen>) -> String {
    let lines: Vec<String> = scenarios.map(|one| serde_json::to_string(&one).unwrap_or_default()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// One digest over all scenarios, in order.
pub(crate) fn digest<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    sha256_of_pieces(cases.map(|case| case.digest.as_str()))
}

/// The same of a frozen list.
pub(crate) fn digest_of(list: &[Frozen]) -> String {
    sha256_of_pieces(list.iter().map(|one| one.sha256.as_str()))
}

/// Reads a frozen list.
///
/// # Errors
/// Where it is none.
pub(crate) fn read(suite: &str, list: &str) -> Result<Vec<Frozen>, Error> {
    serde_json::from_str(list).map_err(|e| Error::Input(format!("the frozen list of suite `{suite}`: {e}")))
}

/// Compares scenarios with their frozen list.
///
/// # Errors
/// The first that differs.
pub(crate) fn check(suite: &str, list: &str, scenarios: impl Iterator<Item = Frozen>) -> Result<(), Error> {
    let frozen = read(suite, list)?;
    let differs = |what: String| {
        Err(Error::Input(format!(
            "suite `{suite}`: {what}: its domain was changed, and its results could not be compared with others"
        )))
    };
    let mut expected = frozen.into_iter();
    for found in scenarios {
        let wanted = expected.next();
        let name = wanted.as_ref().map_or("none", |wanted| wanted.id.as_str());
        match &wanted {
            Some(wanted) if *wanted == found => {}
            Some(wanted) if Frozen { toolset: found.toolset.clone(), ..wanted.clone() } == found => {
                return differs(format!("the tools of scenario {} are not the frozen ones", found.id));
            }
            _ => return differs(format!("scenario {} is not the frozen one ({name})", found.id)),
        }
    }
    match expected.next() {
        Some(missing) => differs(format!("scenario none is not the frozen one ({})", missing.id)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frozen(id: &str) -> Frozen {
        let text = |text: &str| text.to_owned();
        Frozen { domain: text("d"), id: text(id), stage: text("clean"), sha256: text("aa"), toolset: text("bb") }
    }

    /// What is said of scenarios against the frozen `one` and `two`.
    fn said(found: Vec<Frozen>) -> String {
        let list = list([frozen("one"), frozen("two")].into_iter());
        check("s", &list, found.into_iter()).map_or_else(|e| e.to_string(), |()| "the same".into())
    }

    #[test]
    fn the_scenarios_of_the_list_pass_and_any_other_is_named() {
        assert_eq!(said(vec![frozen("one"), frozen("two")]), "the same");
        let changed = Frozen { sha256: "ab".into(), ..frozen("two") };
        assert!(said(vec![frozen("one"), changed]).contains("scenario two is not the frozen one (two)"));
        assert!(said(vec![frozen("two")]).contains("scenario two is not the frozen one (one)"));
        assert!(said(vec![frozen("one")]).contains("scenario none is not the frozen one (two)"));
        assert!(
            said(vec![frozen("one"), frozen("two"), frozen("three")]).contains("three is not the frozen one (none)")
        );
    }

    #[test]
    fn other_tools_in_the_same_place_are_no_frozen_scenario() {
        let other = Frozen { toolset: "cc".into(), ..frozen("two") };
        assert!(said(vec![frozen("one"), other]).contains("the tools of scenario two are not the frozen ones"));
    }
}
