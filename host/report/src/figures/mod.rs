//! The paper's figures, as SVG documents.
//!
//! Each is made from plain numbers or from a trace, and is complete in itself: its style adapts to light, dark and print, its
//! text is text, and it loads nothing. A policy has the same colour, shape and dash in all of them (`mark.rs`). All share one
//! style sheet, so that a page with many needs it once.

mod axis;
mod bars;
mod curves;
mod graph;
mod mark;
mod panels;
mod parting;
mod place;
mod scatter;
mod selectivity;
mod stacks;
mod svg;

pub use bars::{Bars, bars};
pub use curves::{Curve, CurvePanel, Curves, curves};
pub use graph::graph;
pub use panels::{Panel, Panels, panels};
pub use parting::{Parting, parting};
pub use scatter::{Point, Scatter, scatter};
pub use selectivity::{Selective, Selectivity, selectivity};
pub use stacks::{Stack, Stacks, stacks};

pub(crate) use svg::shorten;

use crate::estimate::Estimate;

/// The style sheet of every figure. All its rules are about `.weir-figure`.
pub const STYLE: &str = include_str!("style.css");

/// A number with what a reader needs to weigh it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Value {
    /// The estimate; none where the metric does not apply. N/A is drawn as words, never as 0.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
    /// The denominator as it is printed: `514/600`, or `n=600`.
    pub counts: String,
}

impl From<&Estimate> for Value {
    fn from(estimate: &Estimate) -> Self {
        let counts = match (estimate.value, estimate.counted) {
            (None, _) => String::new(),
            (Some(_), true) => format!("{:.0}/{:.0}", estimate.numerator, estimate.denominator),
            (Some(_), false) => format!("n={:.0}", estimate.denominator),
        };
        Value { value: estimate.value, low: estimate.low, high: estimate.high, counts }
    }
}

impl Value {
    /// The estimate, if it is a number that can be drawn.
    fn known(&self) -> Option<f64> {
        self.value.filter(|value| value.is_finite())
    }

    /// The interval; none where it cannot be drawn.
    fn interval(&self) -> Option<(f64, f64)> {
        self.known()?;
        self.low.zip(self.high).filter(|(low, high)| low.is_finite() && high.is_finite())
    }

    /// Every number that an axis must hold.
    fn extent(&self) -> impl Iterator<Item = f64> {
        let ends = self.interval();
        self.known().into_iter().chain(ends.map(|e| e.0)).chain(ends.map(|e| e.1))
    }

    /// `0.857 [0.796, 0.910] 514/600`, for the description.
    fn words(&self) -> String {
        let Some(value) = self.known() else { return "N/A".into() };
        let interval = self.interval().map(|(low, high)| format!(" [{low:.3}, {high:.3}]")).unwrap_or_default();
        let counts = if self.counts.is_empty() { String::new() } else { format!(" {}", self.counts) };
        format!("{value:.3}{interval}{counts}")
    }
}

/// Adds the sentence on intervals over scenarios.
fn caption(scope: &str, what: &str) -> String {
    resampled(scope, what, "scenarios")
}

/// Adds the sentence on intervals, which is the same for all but for what counts as one independent case.
fn resampled(scope: &str, what: &str, over: &str) -> String {
    format!(
        "{scope}. {what} Whiskers: 95 % intervals, resampled over {over}; where no or every case counts, the exact one-sided bound."
    )
}

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
