//! The rule by which a published number and ours get their verdict.

use crate::ledger::Entry;
use crate::ledger::counterpart::Counterpart;
use crate::ledger::print::{ends_of, printed, value_of};
use crate::ledger::published::{Library, Number};
use crate::ledger::shape::{NOISE, broken};
use crate::ledger::statistic::Ours;
use serde::Serialize;
use std::fmt;

/// What can be said of a published number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Equal as printed, and no model has a part in it.
    ReproducedExactly,
    /// Equal as printed though a model has a part in it, or our 95 % interval has the published value in it; of two
    /// intervals, each has the other's estimate in it.
    WithinInterval,
    /// It has not, but the order, sign or zero in which the number takes part holds.
    ShapeOnly,
    /// Not even that.
    Differs,
    /// The simulated model of this run was set on it.
    Calibrated,
    /// The number does not follow from its own definition.
    CannotBeReproduced,
    /// This run has no rows, or another model's, of which it could be computed.
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
pub(crate) fn judge<S: Counterpart>(run: &S::Run<'_>, library: &Library<S>, number: &Number<S>) -> Entry {
    let is_of = |of: &Option<String>| of.as_deref().is_none_or(|of| S::has_model(run, of));
    let ours = number.ours.of(run).filter(|_| is_of(&number.model));
    let (verdict, because) = match &ours {
        None => (Verdict::NotInThisRun, absent(number)),
        Some(_) if number.calibrated.as_deref().is_some_and(|model| S::has_model(run, model)) => {
            (Verdict::Calibrated, calibrated(number))
        }
        Some(ours) => verdict(run, library, number, ours),
    };
    let cause = number.cause.as_deref().and_then(|id| library.cause(id)).filter(|cause| is_of(&cause.model));
    Entry {
        id: number.id.clone(),
        table: number.table.clone(),
        row: number.row.clone(),
        column: number.column.clone(),
        published: number.value.clone(),
        ours: ours.map_or_else(|| "N/A".to_owned(), |ours| printed(&ours, &number.value, true)),
        model: S::models(run),
        verdict,
        because,
        cause: cause.filter(|_| verdict != Verdict::NotInThisRun).map(|cause| cause.says.clone()),
    }
}

fn absent<S: Counterpart>(number: &Number<S>) -> String {
    number.absent.clone().unwrap_or_else(|| S::elsewhere(number.run.as_deref()))
}

fn calibrated<S>(number: &Number<S>) -> String {
    let undefined = number.undefined.as_ref().map(|why| format!("; {why}")).unwrap_or_default();
    format!("the simulated model's profile was set on this number{undefined}")
}

fn verdict<S: Counterpart>(
    run: &S::Run<'_>,
    library: &Library<S>,
    number: &Number<S>,
    ours: &Ours,
) -> (Verdict, String) {
    let agreed = agreement(number, ours);
    if let Some(why) = &number.undefined {
        let agreed = agreed.map(|how| format!("; {how}")).unwrap_or_default();
        return (Verdict::CannotBeReproduced, format!("{why}{}{agreed}", nearest(run, number)));
    }
    let equal = printed(ours, &number.value, false) == number.value;
    if number.exact {
        return if equal {
            (Verdict::ReproducedExactly, "equal as printed; no model has a part in it".to_owned())
        } else {
            (Verdict::Differs, "the run's design is another one, or the arithmetic is".to_owned())
        };
    }
    if equal {
        return (Verdict::WithinInterval, "equal as printed".to_owned());
    }
    if let Some(how) = agreed {
        return (Verdict::WithinInterval, how.to_owned());
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
    match broken(run, &shape.tests) {
        None => (Verdict::ShapeOnly, format!("{}: holds{}", shape.says, gap(ours, number))),
        Some(what) => {
            (Verdict::Differs, format!("{}: does not hold, {}{}", shape.says, what.says(), gap(ours, number)))
        }
    }
}

/// How our interval and the published number agree, if they do.
fn agreement<S>(number: &Number<S>, ours: &Ours) -> Option<&'static str> {
    let within = |(low, high): (f64, f64), value: f64| value >= low - NOISE && value <= high + NOISE;
    if let Ours::Interval { low, high, estimate } = *ours {
        let theirs = value_of(number.estimate.as_deref()?)?;
        let each = within((low, high), theirs) && within(ends_of(&number.value)?, estimate);
        return each.then_some("each interval has the other's estimate in it");
    }
    within(ours.interval()?, value_of(&number.value)?).then_some("our interval has the published value in it")
}

/// An interval is judged by its sides of zero: they say whether there is an effect, and which.
fn sides(ours: &Ours, published: &str) -> Option<(Verdict, String)> {
    let (Ours::Interval { low, high, .. }, Some((from, to))) = (ours, ends_of(published)) else { return None };
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

fn gap<S>(ours: &Ours, number: &Number<S>) -> String {
    value_of(&number.value)
        .map_or_else(String::new, |value| format!("; ours less published {:+.4}", ours.value() - value))
}

/// The reading of ours that comes nearest.
fn nearest<S: Counterpart>(run: &S::Run<'_>, number: &Number<S>) -> String {
    let Some(value) = value_of(&number.value) else { return String::new() };
    let readings = number.readings.iter().filter_map(|(name, statistic)| Some((name, statistic.of(run)?.value())));
    readings
        .min_by(|one, other| (one.1 - value).abs().total_cmp(&(other.1 - value).abs()))
        .map_or_else(String::new, |(name, ours)| format!("; nearest of our readings: {name}, {ours:.4}"))
}
