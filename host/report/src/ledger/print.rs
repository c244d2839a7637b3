//! Numbers as the paper prints them.

use crate::ledger::statistic::Ours;

/// What a product of a share and a count may lose.
const NOISE: f64 = 1e-9;

/// Decimals of a printed number.
pub(super) fn decimals(text: &str) -> usize {
    let digits = text.trim_end_matches(['%', ']']);
    digits.rsplit_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// The value of a printed number, count or percentage.
pub(super) fn value_of(text: &str) -> Option<f64> {
    match text.split_once('/') {
        Some((count, of)) => Some(count.parse::<f64>().ok()? / of.parse::<f64>().ok()?),
        None => text.trim_end_matches('%').parse().ok(),
    }
}

/// The ends of a printed interval.
pub(super) fn ends_of(text: &str) -> Option<(f64, f64)> {
    let (low, high) = text.strip_prefix('[')?.strip_suffix(']')?.split_once(", ")?;
    Some((low.parse().ok()?, high.parse().ok()?))
}

/// Ours as the published value is printed, perhaps with our interval.
pub(super) fn printed(ours: &Ours, like: &str, with_interval: bool) -> String {
    let percent = if like.ends_with('%') { "%" } else { "" };
    written(ours, decimals(like), percent, with_interval)
}

/// Ours with so many decimals.
pub(super) fn written(ours: &Ours, places: usize, unit: &str, with_interval: bool) -> String {
    let number = |value: f64| {
        // A share beside a published count, and a rate beside a published 0.
        let places = if places == 0 && (value - value.round()).abs() > NOISE { 4 } else { places };
        let text = format!("{value:.places$}");
        if text.trim_start_matches(['-', '0', '.']).is_empty() { text.trim_start_matches('-').to_owned() } else { text }
    };
    match ours {
        Ours::Number { value, interval } => {
            let interval = interval.filter(|_| with_interval);
            let interval = interval.map(|(low, high)| format!(" [{}, {}]", number(low), number(high)));
            format!("{}{unit}{}", number(*value), interval.unwrap_or_default())
        }
        Ours::Count { count, of, interval } => {
            let interval = interval.filter(|_| with_interval);
            let interval = interval.map(|(low, high)| format!(" [{low:.4}, {high:.4}]"));
            format!("{count:.0}/{of:.0}{}", interval.unwrap_or_default())
        }
        Ours::Interval { low, high, .. } => format!("[{}, {}]", number(*low), number(*high)),
    }
}
