//! A reducer that measures its one metric twice: the second word would overwrite the first. Its answers are made without the
//! SDK, which numbers measurements itself.

use std::cell::Cell;
use weir_plugin::bindings::reducer::exports::weir::plugin::reducer as contract;
use weir_plugin::reducer::{Columns, Error};

/// The attacker.
pub struct Hostile;

/// Its fold.
pub struct Fold(Cell<u32>);

impl contract::Guest for Hostile {
    type Fold = Fold;

    fn metrics() -> Vec<contract::Metric> {
        vec![contract::Metric {
            name: "harm".into(),
            family: "hostile".into(),
            better: contract::Better::Less,
            stages: Vec::new(),
            description: String::new(),
        }]
    }
}

impl contract::GuestFold for Fold {
    fn new(_: contract::Header) -> Self {
        Fold(Cell::new(0))
    }

    fn push(&self, batch: Columns) -> Result<(), Error> {
        self.0.set(self.0.get().wrapping_add(u32::try_from(batch.kinds.len()).unwrap_or(u32::MAX)));
        Ok(())
    }

    fn finish(&self) -> Result<Vec<contract::Measurement>, Error> {
        let measured =
            |value| contract::Measurement { metric: 0, value: Some(value), numerator: None, denominator: None };
        Ok(vec![measured(f64::from(self.0.get())), measured(0.0)])
    }
}

#[cfg(target_arch = "wasm32")]
weir_plugin::bindings::reducer::export_bindings_reducer!(Hostile with_types_in weir_plugin::bindings::reducer);
