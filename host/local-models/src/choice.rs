//! Which word comes next.

use llguidance::toktrie::SimpleVob;
use sha2::{Digest, Sha256};
use weir_agent::Ask;

/// Random numbers of one answer (SplitMix64).
pub(crate) struct Draws {
    state: u64,
}

impl Draws {
    /// The numbers that belong to an ask: those of its seed, its ordinal and its repetition, and of nothing else.
    pub(crate) fn of(ask: &Ask) -> Self {
        let mut hasher = Sha256::new();
        hasher.update(ask.seed.to_le_bytes());
        hasher.update(ask.ordinal.to_le_bytes());
        hasher.update(ask.repeat.to_le_bytes());
        let state = hasher.finalize().iter().take(8).fold(0, |state, byte| (state << 8) | u64::from(*byte));
        Draws { state }
    }

    /// The next number, from 0 to below 1.
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        // 53 bits are what an `f64` holds exactly.
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The next token: the likeliest at temperature 0, the lower number in a tie, and a draw otherwise. None if no allowed token
/// has a finite score.
pub(crate) fn choose(scores: &[f32], allowed: &SimpleVob, temperature: f64, draws: &mut Draws) -> Option<u32> {
    let candidates = || (0_u32..).zip(scores).filter(|(token, score)| score.is_finite() && allowed.is_allowed(*token));
    let best = candidates().reduce(|best, other| if other.1 > best.1 { other } else { best })?;
    if temperature == 0.0 {
        return Some(best.0);
    }
    let weight = |score: &f32| ((f64::from(*score) - f64::from(*best.1)) / temperature).exp();
    let mut left = draws.next() * candidates().map(|(_, score)| weight(score)).sum::<f64>();
    for (token, score) in candidates() {
        left -= weight(score);
        if left < 0.0 {
            return Some(token);
        }
    }
    // Rounding may leave a rest that no token takes.
    Some(best.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(seed: u64, ordinal: u32) -> Ask {
        Ask {
            messages: Vec::new(),
            tools: Vec::new(),
            schema: None,
            max_tokens: 1,
            temperature: 1.0,
            seed,
            ordinal,
            repeat: 0,
        }
    }

    fn all(count: usize) -> SimpleVob {
        SimpleVob::from_slice(&vec![true; count])
    }

    fn sample(seed: u64, ordinal: u32, temperature: f64) -> Vec<u32> {
        let mut draws = Draws::of(&ask(seed, ordinal));
        (0..50).map(|_| choose(&[0.0, 1.0, 2.0], &all(3), temperature, &mut draws).unwrap()).collect()
    }

    #[test]
    fn greedy_takes_the_likeliest_that_is_allowed_and_the_first_of_equals() {
        let mut draws = Draws::of(&ask(1, 0));
        assert_eq!(choose(&[1.0, 3.0, 3.0], &all(3), 0.0, &mut draws), Some(1));
        let allowed = SimpleVob::from_slice(&[true, false, false]);
        assert_eq!(choose(&[1.0, 3.0, 3.0], &allowed, 0.0, &mut draws), Some(0));
    }

    #[test]
    fn scores_that_are_no_numbers_are_never_chosen() {
        let mut draws = Draws::of(&ask(1, 0));
        assert_eq!(choose(&[f32::NAN, -1.0, f32::INFINITY], &all(3), 0.0, &mut draws), Some(1));
        assert_eq!(choose(&[f32::NAN], &all(1), 1.0, &mut draws), None);
    }

    #[test]
    fn the_same_ask_draws_the_same_and_another_seed_or_ordinal_something_else() {
        assert_eq!(sample(7, 0, 1.0), sample(7, 0, 1.0));
        assert_ne!(sample(7, 0, 1.0), sample(8, 0, 1.0));
        assert_ne!(sample(7, 0, 1.0), sample(7, 1, 1.0));
    }

    #[test]
    fn draws_follow_the_scores() {
        let cold = sample(7, 0, 0.1).iter().filter(|token| **token == 2).count();
        let hot = sample(7, 0, 100.0).iter().filter(|token| **token == 2).count();
        assert!(cold == 50 && (5..30).contains(&hot), "{cold} {hot}");
    }
}
