//! What has been asked and spent.

use super::prices::Price;
use crate::backend::Reply;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts answers, tokens and money.
pub(crate) struct Meter {
    price: Option<Price>,
    cost_limit: Option<f64>,
    counts: Mutex<Counts>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Counts {
    pub answered: u64,
    pub retried: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
}

impl Meter {
    pub(crate) fn new(price: Option<Price>, cost_limit: Option<f64>) -> Meter {
        Meter { price, cost_limit, counts: Mutex::default() }
    }

    /// Adds a reply's tokens. Those of the preflight cost too, but answer no ask.
    pub(crate) fn add(&self, reply: &Reply, is_answer: bool) {
        let mut counts = self.lock();
        counts.answered += u64::from(is_answer);
        counts.input_tokens = counts.input_tokens.saturating_add(reply.input_tokens);
        counts.output_tokens = counts.output_tokens.saturating_add(reply.output_tokens);
    }

    pub(crate) fn retried(&self) {
        self.lock().retried += 1;
    }

    pub(crate) fn counts(&self) -> Counts {
        *self.lock()
    }

    /// What the tokens so far cost. It follows from their sums, so that the order of answers does not show in it.
    pub(crate) fn cost(&self) -> Option<f64> {
        let counts = self.counts();
        self.price.map(|price| price.cost(counts.input_tokens, counts.output_tokens))
    }

    /// The limit and what was spent, if it is reached.
    pub(crate) fn overspent(&self) -> Option<(f64, f64)> {
        let (limit, cost) = (self.cost_limit?, self.cost()?);
        (cost >= limit).then_some((limit, cost))
    }

    /// Whether money is counted against a limit.
    pub(crate) fn is_limited(&self) -> bool {
        self.cost_limit.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
