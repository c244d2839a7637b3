//! A reducer with a million metrics.

use weir_plugin::export_reducer;
use weir_plugin::reducer::{Better, Header, Metric, Reducer, Row, Value, metric};

struct Hostile;

impl Reducer for Hostile {
    fn metrics() -> Vec<Metric> {
        vec![metric("", "", Better::Neither, &[], ""); 1_000_000]
    }

    fn start(_: Header) -> Self {
        Hostile
    }

    fn push(&mut self, _: &Row) {}

    fn finish(&mut self) -> Vec<Value> {
        vec![Value::NOT_APPLICABLE; 1_000_000]
    }
}

export_reducer!(Hostile);
