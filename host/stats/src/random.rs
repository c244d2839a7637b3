//! A counter-based random generator: the draws of a replicate follow from its seed and index alone, so any number of
//! threads, in any order, compute the same bytes. Good for resampling, useless for secrets.

/// The increment of SplitMix64: 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// SplitMix64 (Steele, Lea and Flood 2014), started at a point that depends on a seed and a replicate.
pub(crate) struct Draws(u64);

impl Draws {
    /// The draws of one replicate under one seed.
    pub(crate) fn new(seed: u64, replicate: u64) -> Self {
        // Mixed twice: replicates that started a few increments apart would be shifted copies of each other.
        Draws(mix(mix(seed.wrapping_add(GOLDEN)).wrapping_add(replicate)))
    }

    /// The next 64 bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        mix(self.0)
    }

    /// A uniform draw from 0 up to, not including, `bound`, without bias (Lemire 2019). 0 if `bound` is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        let (mut low, mut high) = self.next().carrying_mul(bound, 0);
        if low < bound {
            // Some values have one preimage more than others: draws that fall on the surplus are thrown away.
            let surplus = bound.wrapping_neg() % bound;
            while low < surplus {
                (low, high) = self.next().carrying_mul(bound, 0);
            }
        }
        high
    }
}

/// The output function of SplitMix64: a bijection in which every input bit reaches every output bit.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_splitmix64() {
        // First outputs of the reference implementation for seed 0.
        let mut draws = Draws(0);
        assert_eq!([draws.next(), draws.next()], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
    }

    #[test]
    fn a_draw_depends_on_the_seed_and_the_replicate() {
        let first = |seed, replicate| Draws::new(seed, replicate).next();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(2, 1));
        assert_ne!(first(1, 2), first(1, 3));
        assert_ne!(first(0, 0), 0);
    }

    #[test]
    fn bounded_draws_stay_in_bounds_and_are_even() {
        let mut counts = [0u32; 7];
        for replicate in 0..100 {
            let mut draws = Draws::new(9, replicate);
            for _ in 0..700 {
                counts[usize::try_from(draws.below(7)).unwrap()] += 1;
            }
        }
        // 10,000 expected in each; the standard deviation is 93.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 400), "{counts:?}");
    }

    #[test]
    fn a_bound_that_does_not_divide_the_range_brings_no_bias() {
        // With this bound every third value has two preimages: without rejection half of the draws would be multiples
        // of 3.
        let bound = 3 << 62;
        let mut draws = Draws::new(3, 0);
        let multiples = (0..9_000).filter(|_| draws.below(bound).is_multiple_of(3)).count();
        // 3,000 expected; the standard deviation is 45.
        assert!(multiples.abs_diff(3_000) < 200, "{multiples}");
    }

    #[test]
    fn a_bound_of_one_or_zero_gives_zero() {
        let mut draws = Draws::new(3, 0);
        assert_eq!((draws.below(1), draws.below(0)), (0, 0));
    }
}
