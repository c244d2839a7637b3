//! A reducer whose measurement is no number, so that every mean over it would be none either.

use weir_plugin::export_reducer;
use weir_plugin::reducer::{Better, Header, Metric, Reducer, Row, Value, metric};

/// The attacker.
pub struct Hostile;

impl Reducer for Hostile {
    fn metrics() -> Vec<Metric> {
        vec![metric("ratio", "hostile", Better::More, &[], "nothing over nothing")]
    }

    fn start(_: Header) -> Self {
        Hostile
    }

    fn push(&mut self, _: &Row) {}

    fn finish(&mut self) -> Vec<Value> {
        vec![Value::number(f64::NAN)]
    }
}

export_reducer!(Hostile);
