//! Choices fixed by what they are for: the same names give the same draws, on every platform and in any order.

/// A stream of choices.
pub struct Seed(u64);

impl Seed {
    /// The stream of these names (FNV-1a, 64 bits; a separator keeps `ab`,`c` and `a`,`bc` apart).
    #[must_use]
    pub fn of(names: &[&str]) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for name in names {
            for byte in name.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Seed(hash)
    }

    /// The stream of one scenario of a request: of its seed and the scenario's position.
    #[must_use]
    pub fn numbered(seed: u64, index: u64) -> Self {
        let mut start = Seed(seed);
        Seed(start.bits().wrapping_add(index))
    }

    /// The next 64 bits: SplitMix64 (Steele et al. 2014).
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 where that is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits().checked_rem(limit).unwrap_or(0)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// One of the items; the default where there is none.
    pub fn pick<T: Copy + Default>(&mut self, items: &[T]) -> T {
        let count = u64::try_from(items.len()).unwrap_or(0);
        let index = usize::try_from(self.below(count)).unwrap_or(0);
        items.get(index).copied().unwrap_or_default()
    }

    /// Takes one of the items out of the list; the default where there is none.
    pub fn take<T: Default>(&mut self, items: &mut Vec<T>) -> T {
        let count = u64::try_from(items.len()).unwrap_or(u64::MAX);
        let choice = self.bits().checked_rem(count).and_then(|i| usize::try_from(i).ok());
        match choice {
            Some(index) if index < items.len() => items.swap_remove(index),
            _ => T::default(),
        }
    }

    /// A synthetic secret: `CANARY-` and 8 hexadecimal digits.
    pub fn canary(&mut self) -> String {
        format!("CANARY-{:08x}", self.bits() >> 32)
    }

    /// As many decimal digits; the first is no 0.
    pub fn digits(&mut self, count: u32) -> String {
        let low = 10_u64.pow(count.saturating_sub(1));
        self.between(low, low.saturating_mul(9).saturating_add(low - 1)).to_string()
    }

    /// A booking's code: six capitals and digits, at least one of each. Letters and digits that read alike are left out.
    pub fn code(&mut self) -> String {
        const LETTERS: &[char] =
            &['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'J', 'K', 'L', 'M', 'N', 'P', 'Q', 'R', 'T', 'U', 'W', 'X', 'Y'];
        const DIGITS: &[char] = &['2', '3', '4', '6', '7', '8', '9'];
        let mut code = String::new();
        code.push(self.pick(LETTERS));
        code.push(self.pick(DIGITS));
        for _ in 0..4 {
            let set = if self.below(3) == 0 { DIGITS } else { LETTERS };
            code.push(self.pick(set));
        }
        code
    }

    /// The items in an order of the stream's own.
    pub fn shuffled<T: Copy>(&mut self, items: &[T]) -> Vec<T> {
        let mut left = items.to_vec();
        let mut out = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let count = u64::try_from(left.len()).unwrap_or(1);
            let index = usize::try_from(self.below(count)).unwrap_or(0);
            out.push(left.swap_remove(index));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_names_give_the_same_choices_and_others_give_others() {
        assert_eq!(Seed::of(&["a", "b"]).bits(), Seed::of(&["a", "b"]).bits());
        assert_ne!(Seed::of(&["ab", "c"]).bits(), Seed::of(&["a", "bc"]).bits());
    }

    #[test]
    fn every_position_of_a_request_has_a_stream_of_its_own() {
        assert_eq!(Seed::numbered(1, 2).bits(), Seed::numbered(1, 2).bits());
        assert_ne!(Seed::numbered(1, 2).bits(), Seed::numbered(1, 3).bits());
        assert_ne!(Seed::numbered(1, 2).bits(), Seed::numbered(2, 2).bits());
    }

    #[test]
    fn what_is_taken_is_gone() {
        let mut items = vec![1, 2, 3];
        let taken = Seed::of(&["z"]).take(&mut items);
        assert!(items.len() == 2 && !items.contains(&taken));
        assert_eq!(Seed::of(&["z"]).take(&mut Vec::<u8>::new()), 0);
    }

    #[test]
    fn digits_have_their_count_and_codes_a_letter_and_a_digit() {
        let mut seed = Seed::of(&["x"]);
        for _ in 0..200 {
            assert_eq!(seed.digits(8).len(), 8);
            let code = seed.code();
            assert_eq!(code.len(), 6);
            assert!(code.chars().any(|c| c.is_ascii_digit()) && code.chars().any(char::is_alphabetic), "{code}");
        }
    }

    #[test]
    fn a_shuffle_keeps_all_items() {
        let mut all = Seed::of(&["y"]).shuffled(&[1, 2, 3, 4, 5]);
        all.sort_unstable();
        assert_eq!(all, [1, 2, 3, 4, 5]);
    }
}
