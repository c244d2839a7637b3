//! How a simulated model behaves.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A probability, from 0 (never) to 1 (always).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Probability(f64);

/// A number that is no probability.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{0} is no probability: it must lie between 0 and 1")]
pub struct OutOfRange(pub f64);

impl TryFrom<f64> for Probability {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        if (0.0..=1.0).contains(&value) { Ok(Probability(value)) } else { Err(OutOfRange(value)) }
    }
}

impl From<Probability> for f64 {
    fn from(probability: Probability) -> f64 {
        probability.0
    }
}

/// The traits of a simulated model. All numbers are made up: they exercise the host and say nothing about any real
/// model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name, which begins with `sim:` so that no table can take it for a real model.
    pub name: String,
    /// Probability, per rollout, of obeying an injection once one has been read.
    pub susceptibility: Probability,
    /// Probability, per turn, of wrapping the action in a fenced block.
    pub fenced: Probability,
    /// Probability, per turn, of a sentence before the action.
    pub prose: Probability,
    /// Probability, per blocked call, of ending the task there and then instead of going on to the next step.
    pub gives_up_after_block: Probability,
}

impl Profile {
    /// `sim:smoke`: obeys in half of the rollouts and formats untidily, so that a small run meets every branch of the
    /// host.
    pub fn smoke() -> Self {
        Profile {
            name: "sim:smoke".to_owned(),
            susceptibility: Probability(0.5),
            fenced: Probability(0.3),
            prose: Probability(0.2),
            gives_up_after_block: Probability(0.25),
        }
    }

    /// `sim:compromised-oracle`: always carries out an injection that it reads, in the exact format, and never gives
    /// up. A positive control: a policy's zero means something only where this model reaches the commit without it.
    pub fn compromised_oracle() -> Self {
        Profile {
            name: "sim:compromised-oracle".to_owned(),
            susceptibility: Probability(1.0),
            fenced: Probability(0.0),
            prose: Probability(0.0),
            gives_up_after_block: Probability(0.0),
        }
    }

    /// The built-in profile of this name.
    pub fn built_in(name: &str) -> Option<Self> {
        [Profile::smoke(), Profile::compromised_oracle()].into_iter().find(|profile| profile.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str =
        r#"{"name": "sim:x", "susceptibility": 0.25, "fenced": 0, "prose": 1, "gives_up_after_block": 0.5}"#;

    #[test]
    fn a_profile_is_read_from_json() {
        let profile: Profile = serde_json::from_str(JSON).unwrap();
        assert_eq!((profile.susceptibility, profile.prose), (Probability(0.25), Probability(1.0)));
    }

    #[test]
    fn an_unknown_field_is_an_error() {
        let json = JSON.replace("fenced", "fencing");
        assert!(serde_json::from_str::<Profile>(&json).unwrap_err().to_string().contains("unknown field `fencing`"));
    }

    #[test]
    fn a_number_beyond_one_is_no_probability() {
        let json = JSON.replace("0.25", "1.5");
        assert!(serde_json::from_str::<Profile>(&json).unwrap_err().to_string().contains("1.5 is no probability"));
        assert!(Probability::try_from(f64::NAN).is_err());
        assert!(Probability::try_from(-0.1).is_err());
    }

    #[test]
    fn built_in_profiles_are_found_by_name() {
        assert_eq!(Profile::built_in("sim:smoke"), Some(Profile::smoke()));
        assert_eq!(Profile::built_in("sim:compromised-oracle"), Some(Profile::compromised_oracle()));
        assert_eq!(Profile::built_in("smoke"), None);
    }
}
