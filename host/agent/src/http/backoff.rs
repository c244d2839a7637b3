//! How long to wait before the next attempt: as the server says, else longer each time.

use reqwest::header::HeaderMap;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

/// A wish beyond this is taken for something else, such as a time since 1970.
const MOST: Duration = Duration::from_hours(24);

/// What the server asks for: `retry-after-ms`, else `retry-after` in seconds or as a date. Under 429 also the largest of
/// `x-ratelimit-reset-*`: under any other status these speak of limits that were not the reason. No time at all is no wish.
pub(crate) fn wish(status: u16, headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let usable = |wait: &Duration| !wait.is_zero() && *wait <= MOST;
    let milliseconds = text("retry-after-ms").and_then(|value| seconds(value, 1e-3));
    let asked = || {
        let value = text("retry-after")?;
        seconds(value, 1.0).or_else(|| {
            // By the server's own clock where it shows one.
            let now = text("date").and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
            let until = httpdate::parse_http_date(value).ok()?;
            Some(until.duration_since(now).unwrap_or_default())
        })
    };
    let reset = || {
        let resets = headers.iter().filter(|(name, _)| name.as_str().starts_with("x-ratelimit-reset-"));
        resets.filter_map(|(_, value)| span(value.to_str().ok()?.trim())).filter(usable).max()
    };
    milliseconds.or_else(asked).filter(usable).or_else(|| reset().filter(|_| status == 429))
}

/// Without a wish: a random time below a bound that doubles with each attempt ("full jitter"), so that asks which failed
/// together do not come again together. `failures` counts from 1.
pub(crate) fn jittered(failures: u32, base: Duration, most: Duration) -> Duration {
    let bound = base.saturating_mul(1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX)).min(most);
    // A fresh hasher has random keys: a random number without a crate for it. Nothing in a result depends on it.
    let random = RandomState::new().hash_one(failures);
    bound.mul_f64((random >> 11) as f64 / (1_u64 << 53) as f64)
}

fn seconds(text: &str, unit: f64) -> Option<Duration> {
    text.parse::<f64>().ok().and_then(|number| Duration::try_from_secs_f64(number * unit).ok())
}

/// Seconds, or a row like `1m30.5s` or `120ms`.
fn span(text: &str) -> Option<Duration> {
    if let Some(plain) = seconds(text, 1.0) {
        return Some(plain);
    }
    let mut rest = text;
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at_checked(digits)?;
        let unit = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(unit)?;
        let unit = match unit {
            "ms" => 1e-3,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        sum = sum.checked_add(seconds(number, unit)?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn wished(status: u16, headers: &[(&str, &str)]) -> Option<Duration> {
        let headers = headers.iter().map(|(name, value)| {
            (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
        });
        wish(status, &headers.collect(), SystemTime::UNIX_EPOCH)
    }

    #[test]
    fn milliseconds_go_before_seconds_and_these_before_resets() {
        let all = [("retry-after-ms", "1500"), ("retry-after", "7"), ("x-ratelimit-reset-tokens", "9s")];
        assert_eq!(wished(429, &all), Some(Duration::from_millis(1500)));
        assert_eq!(wished(429, &all[1..]), Some(Duration::from_secs(7)));
        assert_eq!(wished(503, &all[1..]), Some(Duration::from_secs(7)));
        assert_eq!(wished(429, &all[2..]), Some(Duration::from_secs(9)));
        assert_eq!(wished(503, &all[2..]), None, "these limits were not the reason");
    }

    #[test]
    fn a_date_counts_from_the_servers_own_clock() {
        let date = "Wed, 21 Oct 2015 07:28:00 GMT";
        let later = ("retry-after", "Wed, 21 Oct 2015 07:28:30 GMT");
        assert_eq!(wished(429, &[("date", date), later]), Some(Duration::from_secs(30)));
        assert_eq!(wished(429, &[("date", date), ("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT")]), None);
        assert_eq!(wished(429, &[later]), None, "forty-five years after 1970 are no wish");
    }

    #[test]
    fn the_largest_reset_counts_in_any_of_the_forms_in_use() {
        let headers = [("x-ratelimit-reset-requests", "120ms"), ("x-ratelimit-reset-tokens", "1m30.5s")];
        assert_eq!(wished(429, &headers), Some(Duration::from_millis(90_500)));
        assert_eq!(wished(429, &[("x-ratelimit-reset-requests", "2.5")]), Some(Duration::from_millis(2_500)));
        assert_eq!(wished(429, &[("x-ratelimit-reset-requests", "6m0s")]), Some(Duration::from_secs(360)));
        for nonsense in ["", "soon", "5 apples", "1x", "-3", "1700000000000", "NaN"] {
            assert_eq!(wished(429, &[("x-ratelimit-reset-requests", nonsense)]), None, "{nonsense}");
        }
    }

    #[test]
    fn without_a_wish_the_wait_is_random_below_a_bound_that_doubles() {
        let (base, most) = (Duration::from_millis(100), Duration::from_secs(1));
        for (failures, bound) in [(1, 100), (2, 200), (3, 400), (4, 800), (5, 1000), (60, 1000)] {
            for _ in 0..50 {
                assert!(jittered(failures, base, most) <= Duration::from_millis(bound));
            }
        }
        let waits: std::collections::BTreeSet<Duration> = (0..20).map(|_| jittered(3, base, most)).collect();
        assert!(waits.len() > 1);
    }
}
