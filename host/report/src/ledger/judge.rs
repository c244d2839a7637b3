//! The rule by which a published number and ours get their verdict.

use crate::ledger::Entry;
use crate::ledger::published::{Library, Number, Shape, Test};
use crate::ledger::statistic::{Ours, Statistic};
use crate::view::View;
use serde::Serialize;
use std::fmt;

/// Sums over some thousand rows lose less than this; two values that differ by no more are the same.
const NOISE: f64 = 1e-12;

/// What can be said of a published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Equal as printed, and no model has a part in it.
    ReproducedExactly,
    /// Our 95 % interval has the published value in it.
    WithinInterval,
    /// It has not, but the order, sign or zero in which the number takes part holds.
    ShapeOnly,
    /// Not even that.
    Differs,
    /// The simulated model was set on it.
    Calibrated,
    /// The number does not follow from its own definition.
    CannotBeReproduced,
    /// This run has no rows of which it could be computed.
    NotInThisRun,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::ReproducedExactly => "reproduced exactly",
            Verdict::WithinInterval => "within interval",
            Verdict::ShapeOnly => "shape only",
            Verdict::Differs => "differs",
            Verdict::Calibrated => "calibrated",
            Verdict::CannotBeReproduced => "cannot be reproduced as defined",
            Verdict::NotInThisRun => "not in this run",
        })
    }
}

/// Judges one number.
pub(super) fn judge(view: &View, library: &Library, number: &Number) -> Entry {
    let ours = number.ours.of(view);
    let (verdict, because) = match &ours {
        None => {
            (Verdict::NotInThisRun, "the run has no rollouts of a policy or stage that the number is about".to_owned())
        }
        Some(ours) => verdict(view, library, number, ours),
    };
    Entry {
        id: number.id.clone(),
        table: number.table.clone(),
        row: number.row.clone(),
        column: number.column.clone(),
        published: number.value.clone(),
        ours: ours.map_or_else(|| "N/A".to_owned(), |ours| printed(&ours, &number.value, true)),
        model: view.model_name(),
        verdict,
        because,
    }
}

fn verdict(view: &View, library: &Library, number: &Number, ours: &Ours) -> (Verdict, String) {
    if number.calibrated {
        return (Verdict::Calibrated, "the simulated model's profile was set on this number".to_owned());
    }
    if let Some(why) = &number.undefined {
        return (Verdict::CannotBeReproduced, format!("{why}{}", nearest(view, number)));
    }
    let equal = printed(ours, &number.value, false) == number.value;
    if number.exact {
        return if equal {
            (Verdict::ReproducedExactly, "equal as printed; no model has a part in it".to_owned())
        } else {
            (Verdict::Differs, "the run's design is another one, or the arithmetic is".to_owned())
        };
    }
    if let (Some((low, high)), Some(value)) = (ours.interval(), value_of(&number.value))
        && value >= low - NOISE
        && value <= high + NOISE
    {
        return (Verdict::WithinInterval, "our interval has the published value in it".to_owned());
    }
    if let Some(held) = sides(ours, &number.value) {
        return held;
    }
    let Some(shape) = number.shape.as_deref().and_then(|id| library.shape(id)) else {
        return (
            Verdict::Differs,
            format!("another value, and the paper states no order or sign for it{}", gap(ours, number)),
        );
    };
    match broken(view, shape) {
        None => (Verdict::ShapeOnly, format!("{}: holds{}", shape.says, gap(ours, number))),
        Some(what) => (Verdict::Differs, format!("{}: does not hold, {what}{}", shape.says, gap(ours, number))),
    }
}

/// An interval is judged by its sides of zero: they say whether there is an effect, and which.
fn sides(ours: &Ours, published: &str) -> Option<(Verdict, String)> {
    let (Ours::Interval(low, high), Some((from, to))) = (ours, ends_of(published)) else { return None };
    let side = |low: f64, high: f64| {
        if low > 0.0 {
            "above"
        } else if high < 0.0 {
            "below"
        } else {
            "across"
        }
    };
    let (mine, theirs) = (side(*low, *high), side(from, to));
    Some(if mine == theirs {
        (Verdict::ShapeOnly, format!("both intervals lie {mine} zero"))
    } else {
        (Verdict::Differs, format!("ours lies {mine} zero, the published one {theirs}"))
    })
}

fn gap(ours: &Ours, number: &Number) -> String {
    value_of(&number.value)
        .map_or_else(String::new, |value| format!("; ours less published {:+.4}", ours.value() - value))
}

/// The reading of ours that comes nearest.
fn nearest(view: &View, number: &Number) -> String {
    let Some(value) = value_of(&number.value) else { return String::new() };
    let readings = number.readings.iter().filter_map(|(name, statistic)| Some((name, statistic.of(view)?.value())));
    readings
        .min_by(|one, other| (one.1 - value).abs().total_cmp(&(other.1 - value).abs()))
        .map_or_else(String::new, |(name, ours)| format!("; nearest of our readings: {name}, {ours:.4}"))
}

/// Whether values are as a shape has them.
type Holds = fn(&[f64]) -> bool;

/// The first part of a shape that does not hold; none where all do.
fn broken(view: &View, shape: &Shape) -> Option<String> {
    shape.tests.iter().find_map(|test| {
        let (statistics, holds, words): (&[Statistic], Holds, &str) = match test {
            Test::Falling(of) => (of, |v| v.array_windows().all(|[a, b]| *a > *b + NOISE), "not falling"),
            Test::Equal(of) => (of, |v| v.array_windows().all(|[a, b]| (a - b).abs() <= NOISE), "not equal"),
            Test::Zero(of) => (of, |v| v.iter().all(|v| *v == 0.0), "not zero"),
            Test::Positive(of) => (of, |v| v.iter().all(|v| *v > NOISE), "not above zero"),
            Test::Negative(of) => (of, |v| v.iter().all(|v| *v < -NOISE), "not below zero"),
        };
        let values: Option<Vec<f64>> = statistics.iter().map(|s| s.of(view).map(|ours| ours.value())).collect();
        let Some(values) = values else { return Some("since the run lacks a policy or stage of it".to_owned()) };
        (!holds(&values)).then(|| {
            let values: Vec<String> = values.iter().map(|value| format!("{value:.4}")).collect();
            format!("{words}: {}", values.join(", "))
        })
    })
}

/// Decimals of a printed number.
fn decimals(text: &str) -> usize {
    let digits = text.trim_end_matches(['%', ']']);
    digits.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len())
}

fn value_of(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((count, of)) => Some(count.parse::<f64>().ok()? / of.parse::<f64>().ok()?),
        None => text.trim_end_matches('%').parse().ok(),
    }
}

fn ends_of(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Ours as the published value is printed, perhaps with our interval.
fn printed(ours: &Ours, like: &str, with_interval: bool) -> String {
    let places = decimals(like);
    let number = |value: f64| {
        // A share beside a published count, and a rate beside a published 0.
        let places = if places == 0 && value.fract() != 0.0 { 4 } else { places };
        let text = format!("{value:.places$}");
        if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
    };
    match ours {
        Ours::Number { value, interval } => {
            let percent = if like.ends_with('%') { "%" } else { "" };
            let interval = interval.filter(|_| with_interval);
            let interval = interval.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
            format!("{}{percent}{}", number(*value), interval.unwrap_or_default())
        }
        Ours::Count { count, of, interval } => {
            let interval = interval.filter(|_| with_interval);
            let interval = interval.map(|(low, high)| format!(" [{low:.4}, {high:.4}]"));
            format!("{count:.0}/{of:.0}{}", interval.unwrap_or_default())
        }
        Ours::Interval(low, high) => format!("[{}, {}]", number(*low), number(*high)),
    }
}
