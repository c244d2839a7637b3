//! Frozen scenarios: a built-in suite's list of identifiers and SHA-256 digests, committed beside it. A domain that makes
//! other scenarios from the same request is a change of the benchmark, and is told before anything runs.

use crate::cases::Case;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use weir_trace::json::sha256_of_pieces;

/// One scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Frozen {
    domain: String,
    id: String,
    stage: String,
    sha256: String,
}

/// The list's text: one scenario a line, so that a change shows as a difference of lines.
pub(crate) fn list<'a>(cases: impl Iterator<Item = (&'a str, &'a Case)>) -> String {
    let line = |(domain, case): (&str, &Case)| {
        let frozen = Frozen {
            domain: domain.into(),
            id: case.scenario.id.clone(),
            stage: case.scenario.stage.clone(),
            sha256: case.digest.clone(),
        };
        serde_json::to_string(&frozen).unwrap_or_default()
    };
    let lines: Vec<String> = cases.map(line).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// One digest over all scenarios, in order.
pub(crate) fn digest<'a>(cases: impl Iterator<Item = &'a Case>) -> String {
    sha256_of_pieces(cases.map(|case| case.digest.as_str()))
}

/// Compares scenarios with their frozen list.
///
/// # Errors
/// The first that differs.
pub(crate) fn check<'a>(suite: &str, list: &str, cases: impl Iterator<Item = &'a Case>) -> Result<(), Error> {
    let frozen: Vec<Frozen> =
        serde_json::from_str(list).map_err(|e| Error::Input(format!("the frozen list of suite `{suite}`: {e}")))?;
    let mut expected = frozen.iter();
    let differs = |found: &str, wanted: Option<&Frozen>| {
        let wanted = wanted.map_or("none", |wanted| wanted.id.as_str());
        Error::Input(format!(
            "suite `{suite}`: scenario {found} is not the frozen one ({wanted}): its domain was changed, and its results could not be compared with others"
        ))
    };
    for case in cases {
        let wanted = expected.next();
        if wanted.is_none_or(|wanted| wanted.sha256 != case.digest || wanted.id != case.scenario.id) {
            return Err(differs(&case.scenario.id, wanted));
        }
    }
    match expected.next() {
        Some(missing) => Err(differs("none", Some(missing))),
        None => Ok(()),
    }
}
