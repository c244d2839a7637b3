//! A run's noise floor: some of its rollouts asked anew under the same seeds. A model that samples, or a server that batches,
//! may answer otherwise; what its verdicts differ by without any other policy is what no difference between policies can mean.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use weir_rollout::reduce::Measured;

/// Name of the file in a run's folder.
pub const NOISE: &str = "noise.json";

/// Metrics that are a rollout's verdict: each is 0 or 1 where it applies.
pub const VERDICTS: [&str; 5] = [
    "committed_harm",
    "authorized_tainted_action_success",
    "clean_benign_completion",
    "recovery_success",
    "benign_completion",
];

/// What repeating some rollouts showed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Noise {
    /// Rollouts that were repeated.
    pub repeated: u32,
    /// Of these, the ones with another verdict in any metric.
    pub flipped: u32,
    /// For each verdict, the rollouts where it applies and those where it came out otherwise.
    pub verdicts: BTreeMap<String, [u32; 2]>,
}

impl Noise {
    /// Adds one rollout and its repetition.
    pub(crate) fn add(&mut self, first: &BTreeMap<String, Measured>, second: &BTreeMap<String, Measured>) {
        self.repeated = self.repeated.saturating_add(1);
        let mut any = false;
        for name in VERDICTS {
            let value = |all: &BTreeMap<String, Measured>| all.get(name).and_then(|measured| measured.value);
            let (Some(one), Some(other)) = (value(first), value(second)) else { continue };
            let [applies, flips] = self.verdicts.entry(name.to_owned()).or_default();
            *applies = applies.saturating_add(1);
            if one != other {
                *flips = flips.saturating_add(1);
                any = true;
            }
        }
        self.flipped = self.flipped.saturating_add(u32::from(any));
    }
}
