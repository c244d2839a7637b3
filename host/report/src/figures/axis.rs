//! A scale with round ticks.

/// A linear scale from values to pixels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    step: f64,
    decimals: usize,
}

impl Axis {
    /// A scale whose ends are ticks and which holds all values; about `ticks` of them. Values that are no numbers do not
    /// count, and a scale without any goes from 0 to 1.
    pub(super) fn new(values: impl IntoIterator<Item = f64>, ticks: f64, (from, to): (f64, f64)) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 {
            // One value alone: room around it, and none below zero where it is not.
            let room = if high.abs() < 1e-9 { 1.0 } else { high.abs() * 0.5 };
            (low, high) = (if low >= 0.0 { (low - room).max(0.0) } else { low - room }, high + room);
        }
        let step = round_step((high - low) / ticks);
        // A tick is not missed by the last bit of a division.
        let low = ((low / step) + 1e-9).floor() * step;
        let high = ((high / step) - 1e-9).ceil() * step;
        Axis { low, high, from, to, step, decimals: decimals(step) }
    }

    /// The pixel of a value; one outside the scale stands at its end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        self.from + (value - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Ticks with their labels in plain decimals.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        let mut index = (self.low / self.step).round();
        while index * self.step <= self.high + self.step * 1e-6 {
            let value = index * self.step;
            let label = format!("{value:.*}", self.decimals);
            let label = if label.starts_with('-') && value.abs() < self.step / 2.0 {
                label.replacen('-', "", 1)
            } else {
                label
            };
            ticks.push((value, label));
            index += 1.0;
        }
        ticks
    }
}

/// The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below `raw`.
fn round_step(raw: f64) -> f64 {
    let power = 10f64.powf(raw.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= raw * 0.999_999)
        .unwrap_or(raw)
}

/// Decimals that a step needs to be exact.
fn decimals(step: f64) -> usize {
    (0..12)
        .find(|decimals| {
            let scaled = step * 10f64.powi(*decimals);
            (scaled - scaled.round()).abs() < 1e-6
        })
        .and_then(|decimals| usize::try_from(decimals).ok())
        .unwrap_or(12)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], ticks: f64) -> Vec<String> {
        Axis::new(values.iter().copied(), ticks, (0.0, 100.0)).ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_every_value() {
        assert_eq!(labels(&[0.0, 0.1456], 4.0), ["0.00", "0.05", "0.10", "0.15"]);
        assert_eq!(labels(&[0.0, 1.0], 4.0), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
        assert_eq!(labels(&[0.5, 0.57], 4.0), ["0.50", "0.52", "0.54", "0.56", "0.58"]);
        assert_eq!(labels(&[0.0, 0.0156], 3.0), ["0.00", "0.01", "0.02"]);
    }

    #[test]
    fn small_numbers_are_plain_decimals() {
        assert_eq!(labels(&[0.0, 0.000_012], 3.0), ["0.000000", "0.000005", "0.000010", "0.000015"]);
    }

    #[test]
    fn one_value_and_no_value_have_a_scale_too() {
        assert_eq!(labels(&[], 2.0), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(&[0.0], 2.0), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels(&[f64::NAN, f64::INFINITY], 2.0), ["0.0", "0.5", "1.0"]);
        let axis = Axis::new([0.4], 2.0, (0.0, 100.0));
        assert!((0.0..=100.0).contains(&axis.at(0.4)));
    }

    #[test]
    fn nothing_leaves_the_plot() {
        let axis = Axis::new([0.0, 1.0], 4.0, (10.0, 110.0));
        assert_eq!([axis.at(-5.0), axis.at(0.5), axis.at(9.0)], [10.0, 60.0, 110.0]);
    }
}
