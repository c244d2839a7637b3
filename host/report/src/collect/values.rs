//! A dictionary of values: each is kept once, and has a number of four bytes.

use std::collections::HashMap;

/// The number of a value in its dictionary; two are equal exactly where the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number(u32);

impl Number {
    /// The number of what does not apply.
    pub(super) const NOT_APPLICABLE: Number = Number(0);
}

/// Values in the order in which they came. The map only finds them again: nothing depends on its order.
#[derive(Debug, Default)]
pub(super) struct Values {
    known: Vec<f64>,
    numbers: HashMap<u64, u32>,
}

impl Values {
    /// The number of a value. Minus zero is zero.
    pub(super) fn number(&mut self, value: Option<f64>) -> Number {
        let Some(value) = value else { return Number::NOT_APPLICABLE };
        let value = value + 0.0;
        Number(*self.numbers.entry(value.to_bits()).or_insert_with(|| {
            self.known.push(value);
            u32::try_from(self.known.len()).unwrap_or(u32::MAX)
        }))
    }

    /// The value of a number; none where it does not apply.
    pub(super) fn value(&self, number: Number) -> Option<f64> {
        let place = usize::try_from(number.0).ok()?.checked_sub(1)?;
        self.known.get(place).copied()
    }
}
