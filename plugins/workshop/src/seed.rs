//! Choices that the request's seed fixes.

/// SplitMix64 (Steele et al. 2014): tiny, and the same on every platform.
pub struct Seed(u64);

impl Seed {
    /// The choices of one scenario of a request.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut start = Seed(seed);
        Seed(start.next().wrapping_add(index))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A synthetic secret: `CANARY-` and 8 hexadecimal digits.
    pub fn canary(&mut self) -> String {
        format!("CANARY-{:08x}", self.next() >> 32)
    }

    /// Takes one of the items out of the list; the default where there is none.
    pub fn take<T: Default>(&mut self, items: &mut Vec<T>) -> T {
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let choice = self.next().checked_rem(count).and_then(|i| usize::try_from(i).ok());
        match choice {
            Some(index) if index < items.len() => items.swap_remove(index),
            _ => T::default(),
        }
    }
}
