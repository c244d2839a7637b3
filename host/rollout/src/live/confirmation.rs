//! Who is there to confirm a call that a policy sends to confirmation.

use serde::{Deserialize, Serialize};
use weir_trace::json::sha256;

/// The user at the other end of a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confirmation {
    /// Nobody: the request is recorded and the call is not committed, as in ContainmentBench's own runs
    /// (`confirmation_not_committed`, section 7.1).
    Absent,
    /// A user who confirms exactly what the oracle says that they authorised.
    Oracle,
    /// The same user, who gives the wrong answer to this share of the requests (ContainmentBench table 16,
    /// user-confirmation errors).
    Mistaken(f64),
}

impl Confirmation {
    /// Whether the user confirms a call. `draw` identifies the request, so that the same request always has the same
    /// answer.
    #[must_use]
    pub fn given(self, authorized: bool, draw: &str) -> bool {
        match self {
            Confirmation::Absent => false,
            Confirmation::Oracle => authorized,
            Confirmation::Mistaken(share) => authorized != (fraction(draw) < share),
        }
    }
}

/// A text's hash as a number in [0, 1).
#[must_use]
pub fn fraction(draw: &str) -> f64 {
    let bits = sha256(draw.as_bytes()).get(..13).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or(0);
    // 13 hexadecimal digits are 52 bits, which a double holds exactly.
    bits as f64 / (1_u64 << 52) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_confirms_and_the_oracle_confirms_what_is_authorised() {
        assert!(!Confirmation::Absent.given(true, "x"));
        assert!(Confirmation::Oracle.given(true, "x") && !Confirmation::Oracle.given(false, "x"));
    }

    #[test]
    fn a_mistaken_user_errs_in_about_the_share_given_and_always_in_the_same_requests() {
        let wrong = (0..1000).filter(|n| !Confirmation::Mistaken(0.25).given(true, &n.to_string())).count();
        // The standard deviation is 14.
        assert!(wrong.abs_diff(250) < 55, "{wrong}");
        assert!(Confirmation::Mistaken(1.0).given(false, "x") && !Confirmation::Mistaken(0.0).given(false, "x"));
    }
}
