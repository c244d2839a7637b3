//! A reducer that measures what it must not; the trace's stage says what.

use weir_plugin::export_reducer;
use weir_plugin::reducer::{Better, Header, Metric, Reducer, Row, Value, metric};

/// The attacker.
pub struct Hostile {
    lie: String,
}

impl Reducer for Hostile {
    fn metrics() -> Vec<Metric> {
        vec![metric("lie", "hostile", Better::More, &[], "whatever serves")]
    }

    fn start(header: Header) -> Self {
        Hostile { lie: header.stage }
    }

    #[allow(clippy::panic)] // The panic is the attack.
    fn push(&mut self, _: &Row) {
        match self.lie.as_str() {
            "traps" => panic!("no"),
            "loops" => loop {
                std::hint::black_box(());
            },
            _ => {}
        }
    }

    fn finish(&mut self) -> Vec<Value> {
        let value = Value::number(1.0);
        match self.lie.as_str() {
            "infinite" => vec![Value::number(f64::INFINITY)],
            "infinite numerator" => vec![Value { numerator: Some(f64::NEG_INFINITY), ..value }],
            "no denominator" => vec![Value { denominator: Some(f64::NAN), ..value }],
            "more than described" => vec![value, value],
            _ => vec![value],
        }
    }
}

export_reducer!(Hostile);
