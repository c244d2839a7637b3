//! The time of an attestation: the one thing here that a clock says.

use chrono::{DateTime, SecondsFormat};
use std::time::{SystemTime, UNIX_EPOCH};

/// Now, after RFC 3339, in UTC and whole seconds.
#[must_use]
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    DateTime::from_timestamp(seconds, 0).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_again_as_a_whole_second_in_utc() {
        let now = now();
        assert_eq!((now.len(), now.ends_with('Z')), (20, true), "{now}");
        assert!(DateTime::parse_from_rfc3339(&now).is_ok(), "{now}");
    }
}
