//! Draws of simulated models. Each is a hash of all that identifies it, so that it needs no state: the same draw has the same
//! outcome in any order, on any thread and after any restart.

use sha2::{Digest, Sha256};

/// A hash of these texts and numbers, as a number in [0, 1).
pub(crate) fn draw(texts: &[&str], seed: u64, index: u64) -> f64 {
    let mut hash = Sha256::new();
    for text in texts {
        // With its length first, so that no two lists of texts have the same bytes.
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.update(seed.to_le_bytes());
    hash.update(index.to_le_bytes());
    let bits = hash.finalize().iter().take(8).fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
    // 53 bits fill a double's fraction exactly.
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Whether an event of this probability happens, by this draw. One that happens at one probability happens at every higher
/// one.
pub(crate) fn happens(probability: f64, draw: impl FnOnce() -> f64) -> bool {
    probability > 0.0 && draw() < probability
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_depends_on_everything_that_identifies_it() {
        let first = draw(&["ab", "c"], 1, 2);
        assert_eq!(first, draw(&["ab", "c"], 1, 2));
        for other in
            [draw(&["a", "bc"], 1, 2), draw(&["ab", "c"], 2, 2), draw(&["ab", "c"], 1, 1), draw(&["abc"], 1, 2)]
        {
            assert_ne!(first, other);
        }
        assert!((0..1_000).all(|index| (0.0..1.0).contains(&draw(&[], 0, index))));
    }

    #[test]
    fn what_happens_at_one_probability_happens_at_every_higher_one() {
        assert!(!happens(0.0, || 0.0) && happens(1.0, || 0.999) && happens(0.5, || 0.4) && !happens(0.5, || 0.5));
    }
}
