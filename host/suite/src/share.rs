//! A share of a run's rollouts, chosen by a public seed: anybody can tell which ones they are.
//!
//! A unit stands in the draw by the SHA-256 of the seed, a line end and the unit's identity, as text; the first of them in the
//! order of these digests are drawn, as many as the share needs, rounded up. So
//! `printf '%s\n%s' SEED UNIT | sha256sum` is a unit's place.

use crate::error::Error;
use std::collections::BTreeSet;
use weir_trace::json::sha256_of_pieces;

/// Which rollouts are run again in full. All others are held to their decisions, rows, identities and headers.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    percent: f64,
    seed: String,
}

impl Share {
    /// All rollouts.
    #[must_use]
    pub fn all() -> Self {
        Share { percent: 100.0, seed: String::new() }
    }

    /// So many per cent of them.
    ///
    /// # Errors
    /// Where this is no share, or the seed is not one line.
    pub fn new(percent: f64, seed: &str) -> Result<Self, Error> {
        if !(0.0..=100.0).contains(&percent) {
            return Err(Error::Input(format!("a share of {percent} % is none: give 0 to 100")));
        }
        if seed.contains(['\n', '\r']) {
            return Err(Error::Input("the seed of a share is one line".into()));
        }
        Ok(Share { percent, seed: seed.into() })
    }

    /// Per cent of all rollouts.
    #[must_use]
    pub fn percent(&self) -> f64 {
        self.percent
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> &str {
        &self.seed
    }

    /// Whether these are all rollouts.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.percent >= 100.0
    }

    /// Those of a run's units that are drawn.
    #[must_use]
    pub fn of(&self, units: impl IntoIterator<Item = String>) -> BTreeSet<String> {
        let mut drawn: Vec<(String, String)> =
            units.into_iter().map(|unit| (sha256_of_pieces([self.seed.as_str(), "\n", &unit]), unit)).collect();
        drawn.sort_unstable();
        let wanted = (drawn.len() as f64 * self.percent / 100.0).ceil();
        let within = (1_u32..).zip(drawn).take_while(|(number, _)| f64::from(*number) <= wanted);
        within.map(|(_, (_, unit))| unit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weir_trace::json::sha256;

    fn units(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("{number:064x}")).collect()
    }

    #[test]
    fn as_many_are_drawn_as_the_share_needs_rounded_up() {
        for (percent, count) in [(0.0, 0), (0.1, 1), (10.0, 5), (11.0, 6), (100.0, 50)] {
            assert_eq!(Share::new(percent, "s").unwrap().of(units(50)).len(), count, "{percent}");
        }
        assert!(Share::all().is_all());
        assert!(
            Share::new(101.0, "s").is_err() && Share::new(f64::NAN, "s").is_err() && Share::new(1.0, "a\nb").is_err()
        );
    }

    #[test]
    fn the_draw_is_by_the_digest_of_seed_and_unit_and_nothing_else() {
        let drawn = Share::new(20.0, "2026-12-01").unwrap().of(units(10));
        let mut by_hand: Vec<(String, String)> =
            units(10).into_iter().map(|unit| (sha256(format!("2026-12-01\n{unit}").as_bytes()), unit)).collect();
        by_hand.sort();
        assert_eq!(drawn, by_hand.into_iter().take(2).map(|(_, unit)| unit).collect());
        let turned = units(10).into_iter().rev();
        assert_eq!(Share::new(20.0, "2026-12-01").unwrap().of(turned), drawn);
        assert_ne!(Share::new(20.0, "another").unwrap().of(units(10)), drawn);
        // A larger share has all that a smaller one has.
        assert!(Share::new(50.0, "2026-12-01").unwrap().of(units(10)).is_superset(&drawn));
    }
}
