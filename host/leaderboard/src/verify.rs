//! A submission verified: valid, every decision in every trace taken again without a model, and a share of its rollouts run
//! again in full, chosen by a public seed.

use crate::prepare::same_grants;
use crate::validate::{Finding, Validated, validate};
use std::path::Path;
use weir_suite::share::Share;
use weir_suite::store::{Store, planned};
use weir_suite::verify::{Verification, verify as verify_run};
use weir_suite::{Error, Plugins, Progress};

/// A submission that was verified.
pub struct Verified {
    /// What was looked at, with what does not hold.
    pub validated: Validated,
    /// What was executed; nothing is of a submission that is not valid.
    pub verification: Option<Verification>,
}

impl Verified {
    /// Whether all holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.validated.findings.is_empty() && self.verification.is_some()
    }
}

/// Verifies a submission.
///
/// # Errors
/// Where it cannot be read at all, was run under other grants than `plugins` have, or the host fails.
pub fn verify(
    path: &Path,
    board: Option<&Path>,
    share: &Share,
    plugins: &Plugins,
    jobs: usize,
    progress: &dyn Progress,
) -> Result<Verified, Error> {
    let mut validated = validate(path, board)?;
    if !validated.findings.is_empty() {
        return Ok(Verified { validated, verification: None });
    }
    same_grants(plugins, &validated.entry.manifest)?;
    let store = Store::open(path)?;
    let verification = verify_run(&store, plugins, share, jobs, progress)?;
    validated.findings.extend(named(&store, &verification)?);
    Ok(Verified { validated, verification: Some(verification) })
}

/// What verification found, with the beginnings of the units' identities in the place of their positions: enough for
/// `weir trace`.
pub(crate) fn named(store: &Store, verification: &Verification) -> Result<Vec<Finding>, Error> {
    let mut units = Vec::new();
    if verification.findings.iter().any(|finding| finding.unit.is_some()) {
        for line in store.plan()? {
            let unit = planned(&line?, "unit").unwrap_or_default();
            units.push(unit.get(..12).unwrap_or(&unit).to_owned());
        }
    }
    let unit = |position: usize| units.get(position.saturating_sub(1)).cloned();
    let findings = verification.findings.iter();
    Ok(findings.map(|finding| Finding { what: finding.what.clone(), unit: finding.unit.and_then(unit) }).collect())
}
