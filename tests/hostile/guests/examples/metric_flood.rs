//! A reducer with more metrics than may cross the boundary at once.

use weir_plugin::export_reducer;
use weir_plugin::reducer::{Better, Header, Metric, Reducer, Row, Value, metric};

/// The attacker.
pub struct Hostile;

impl Reducer for Hostile {
    fn metrics() -> Vec<Metric> {
        vec![metric("", "", Better::Neither, &[], ""); 60_000]
    }

    fn start(_: Header) -> Self {
        Hostile
    }

    fn push(&mut self, _: &Row) {}

    fn finish(&mut self) -> Vec<Value> {
        vec![Value::NOT_APPLICABLE; 60_000]
    }
}

export_reducer!(Hostile);
