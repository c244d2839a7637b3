//! What is kept of the last prompt, so that a conversation which grows is not read again from its beginning.
//!
//! A network's numbers for a token depend a little on how many tokens were computed with it: kernels for one row and for
//! many add in another order. If an answer used numbers that an earlier ask had computed in other company, it would depend
//! on what was asked before. So a prompt is read in strides at fixed places, and only whole strides of a prompt are kept,
//! never tokens that were written: whether a stride is kept or computed again, it is the same computation.

use std::ops::Range;

/// Tokens of a stride. A shorter one keeps more of a prompt. Reading Qwen2.5-0.5B in strides of 16, 32 or 64 took the same
/// CPU time within 6 %.
pub(crate) const STRIDE: usize = 32;

/// The prompt whose strides stand in the network's cache.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    tokens: Vec<u32>,
}

impl Kept {
    /// How many of the prompt's tokens need not be read: whole strides that it shares with the kept prompt, but not its
    /// last token, whose numbers decide the first word. What lies behind them is no longer kept.
    pub(crate) fn keep(&mut self, prompt: &[u32]) -> usize {
        let shared = self.tokens.iter().zip(prompt).take_while(|(ours, theirs)| ours == theirs).count();
        let shared = whole_strides(shared.min(prompt.len().saturating_sub(1)));
        self.tokens.truncate(shared);
        shared
    }

    /// The whole prompt has been read.
    pub(crate) fn read(&mut self, prompt: &[u32]) {
        self.tokens = prompt.iter().copied().take(whole_strides(prompt.len())).collect();
    }
}

/// The places at which a prompt is read, from a stride's beginning to the prompt's end.
pub(crate) fn strides(from: usize, end: usize) -> impl Iterator<Item = Range<usize>> {
    (from..end).step_by(STRIDE).map(move |start| start..end.min(start.saturating_add(STRIDE)))
}

fn whole_strides(tokens: usize) -> usize {
    tokens - tokens % STRIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(length: usize) -> Vec<u32> {
        (0..u32::try_from(length).unwrap()).collect()
    }

    #[test]
    fn nothing_is_kept_before_a_prompt_was_read() {
        assert_eq!(Kept::default().keep(&prompt(100)), 0);
    }

    #[test]
    fn whole_strides_are_kept_and_what_differs_is_read_again() {
        let mut kept = Kept::default();
        kept.read(&prompt(3 * STRIDE + 5));
        let mut other = prompt(5 * STRIDE);
        assert_eq!(kept.keep(&other), 3 * STRIDE);
        other[2 * STRIDE + 1] = 9999;
        assert_eq!(kept.keep(&other), 2 * STRIDE);
    }

    #[test]
    fn what_was_not_shared_is_forgotten() {
        let mut kept = Kept::default();
        kept.read(&prompt(3 * STRIDE));
        kept.keep(&prompt(STRIDE + 1));
        assert_eq!(kept.keep(&prompt(3 * STRIDE)), STRIDE);
    }

    #[test]
    fn the_last_token_is_always_read() {
        let mut kept = Kept::default();
        kept.read(&prompt(2 * STRIDE));
        assert_eq!(kept.keep(&prompt(2 * STRIDE)), STRIDE);
    }

    #[test]
    fn strides_begin_at_the_same_places_wherever_reading_begins() {
        let all: Vec<_> = strides(0, 2 * STRIDE + 3).collect();
        assert_eq!(all, [0..STRIDE, STRIDE..2 * STRIDE, 2 * STRIDE..2 * STRIDE + 3]);
        assert_eq!(strides(STRIDE, 2 * STRIDE + 3).collect::<Vec<_>>(), all[1..]);
        assert_eq!(strides(0, 0).count(), 0);
    }
}
