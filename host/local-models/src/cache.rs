//! What is kept of the last prompts, so that a conversation which grows is not read again from its beginning. There is more
//! than one, since the agents of a team take turns.
//!
//! A network's numbers for a token depend a little on how many tokens were computed with it: kernels for one row and for
//! many add in another order. If an answer used numbers that an earlier ask had computed in other company, it would depend
//! on what was asked before. So a prompt is read in strides at fixed places, and only whole strides of a prompt are kept,
//! never tokens that were written: whether a stride is kept or computed again, it is the same computation.

use std::ops::Range;

/// Tokens of a stride. A shorter one keeps more of a prompt. Reading Qwen2.5-0.5B in strides of 16, 32 or 64 took the same
/// CPU time within 6 %.
pub(crate) const STRIDE: usize = 32;

/// Conversations that are kept at once.
pub(crate) const SLOTS: usize = 3;

/// The prompts whose strides stand in the network's cache.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// The slots, and what each keeps; the one that was used last comes last.
    slots: Vec<(usize, Vec<u32>)>,
}

impl Kept {
    /// Which slot a prompt is read into, and how many of its tokens need not be read: whole strides that it shares with what
    /// the slot keeps, but not its last token, whose numbers decide the first word. What lies behind them is no longer kept.
    ///
    /// It is the slot that shares most, if that is at least half of what it keeps: a conversation that goes on, and not
    /// another with the same beginning. Otherwise it is the one that was used longest ago.
    pub(crate) fn keep(&mut self, prompt: &[u32]) -> (usize, usize) {
        let shared = |kept: &[u32]| {
            let same = kept.iter().zip(prompt).take_while(|(ours, theirs)| ours == theirs).count();
            whole_strides(same.min(prompt.len().saturating_sub(1)))
        };
        let goes_on = self.slots.iter().enumerate().filter(|(_, (_, kept))| shared(kept) * 2 >= kept.len());
        let best = goes_on.max_by_key(|(_, (_, kept))| shared(kept)).map(|(at, _)| at);
        let (slot, mut kept) = match best {
            Some(at) => self.slots.remove(at),
            None if self.slots.len() < SLOTS => (self.slots.len(), Vec::new()),
            None => self.slots.remove(0),
        };
        let same = shared(&kept);
        kept.truncate(same);
        self.slots.push((slot, kept));
        (slot, same)
    }

    /// The whole prompt has been read into the slot that was given last.
    pub(crate) fn read(&mut self, prompt: &[u32]) {
        if let Some((_, kept)) = self.slots.last_mut() {
            *kept = prompt.iter().copied().take(whole_strides(prompt.len())).collect();
        }
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
        assert_eq!(Kept::default().keep(&prompt(100)), (0, 0));
    }

    #[test]
    fn whole_strides_are_kept_and_what_differs_is_read_again() {
        let mut kept = Kept::default();
        kept.keep(&prompt(3 * STRIDE + 5));
        kept.read(&prompt(3 * STRIDE + 5));
        let mut other = prompt(5 * STRIDE);
        assert_eq!(kept.keep(&other), (0, 3 * STRIDE));
        other[2 * STRIDE + 1] = 9999;
        assert_eq!(kept.keep(&other), (0, 2 * STRIDE));
    }

    #[test]
    fn what_was_not_shared_is_forgotten() {
        let mut kept = Kept::default();
        kept.keep(&prompt(3 * STRIDE));
        kept.read(&prompt(3 * STRIDE));
        kept.keep(&prompt(2 * STRIDE + 1));
        assert_eq!(kept.keep(&prompt(3 * STRIDE)), (0, 2 * STRIDE));
    }

    #[test]
    fn the_last_token_is_always_read() {
        let mut kept = Kept::default();
        kept.keep(&prompt(2 * STRIDE));
        kept.read(&prompt(2 * STRIDE));
        assert_eq!(kept.keep(&prompt(2 * STRIDE)), (0, STRIDE));
    }

    #[test]
    fn conversations_that_take_turns_are_kept_side_by_side_and_the_oldest_makes_room() {
        let mut kept = Kept::default();
        // All begin in the same way.
        let said = |who: u32, strides: usize| {
            let mut all = prompt(strides * STRIDE + 1);
            all.iter_mut().skip(STRIDE).for_each(|token| *token += 10_000 * who);
            all
        };
        let mut ask = |who, strides| {
            let found = kept.keep(&said(who, strides));
            kept.read(&said(who, strides));
            found
        };
        assert_eq!([ask(1, 4), ask(2, 4), ask(3, 4)], [(0, 0), (1, 0), (2, 0)]);
        assert_eq!([ask(1, 5), ask(2, 5)], [(0, 4 * STRIDE), (1, 4 * STRIDE)]);
        assert_eq!(ask(4, 4), (2, STRIDE), "a fourth, in the place of the third, whose beginning it shares");
        assert_eq!([ask(1, 6), ask(3, 4)], [(0, 5 * STRIDE), (1, STRIDE)]);
    }

    #[test]
    fn strides_begin_at_the_same_places_wherever_reading_begins() {
        let all: Vec<_> = strides(0, 2 * STRIDE + 3).collect();
        assert_eq!(all, [0..STRIDE, STRIDE..2 * STRIDE, 2 * STRIDE..2 * STRIDE + 3]);
        assert_eq!(strides(STRIDE, 2 * STRIDE + 3).collect::<Vec<_>>(), all[1..]);
        assert_eq!(strides(0, 0).count(), 0);
    }
}
