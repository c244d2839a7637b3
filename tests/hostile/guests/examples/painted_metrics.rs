//! A reducer whose metric's name clears the screen.

use weir_plugin::export_reducer;
use weir_plugin::reducer::{Better, Header, Metric, Reducer, Row, Value, metric};

/// The attacker.
pub struct Hostile;

impl Reducer for Hostile {
    fn metrics() -> Vec<Metric> {
        vec![metric("harm\u{1b}[2J", "hostile", Better::Less, &[], "")]
    }

    fn start(_: Header) -> Self {
        Hostile
    }

    fn push(&mut self, _: &Row) {}

    fn finish(&mut self) -> Vec<Value> {
        vec![Value::number(0.0)]
    }
}

export_reducer!(Hostile);
