//! What calls into a plugin cost. Kept only where somebody measures: a rollout of a suite has no meter and reads no clock.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// One entry into a plugin: its instantiation, or a call of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The export as faults name it, such as `session.authorize`; `instantiation` for the start of a store.
    pub export: String,
    /// Fuel that it used: the same on every machine.
    pub fuel: u64,
    /// Wall time, conversion of arguments and results included; for an instantiation that of making its store too. It
    /// depends on the machine.
    pub time: Duration,
    /// Bytes of linear memory that the plugin's instance has had at most so far.
    pub memory: u64,
}

/// Keeps what calls cost, for all stores of the components that carry it.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Mutex<Vec<Call>>>);

impl Meter {
    /// The calls since the last look, in their order.
    #[must_use]
    pub fn take(&self) -> Vec<Call> {
        // Whoever panicked while it held the lock had only appended.
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn add(&self, call: Call) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(call);
    }
}
