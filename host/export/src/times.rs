//! Times that are made up: a run has no clock, and other tools' formats ask for one.

use chrono::{DateTime, SecondsFormat};

/// When a run is said to have taken place, in whole seconds after 1970 began (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The beginning.
    pub seconds: u32,
}

impl Times {
    /// Milliseconds after 1970 began at which an event took place: one after the other.
    pub(crate) fn milliseconds(self, event: u32) -> u64 {
        u64::from(self.seconds).saturating_mul(1000).saturating_add(event.into())
    }

    /// The same in nanoseconds, of which OpenTelemetry takes 0 for "unknown": the first event is at one millisecond.
    pub(crate) fn nanoseconds(self, event: u32) -> u64 {
        self.milliseconds(event).saturating_add(1).saturating_mul(1_000_000)
    }

    /// The time of an event as RFC 3339 has it, to the millisecond.
    pub(crate) fn text(self, event: u32) -> String {
        let milliseconds = i64::try_from(self.milliseconds(event)).unwrap_or_default();
        DateTime::from_timestamp_millis(milliseconds).unwrap_or_default().to_rfc3339_opts(SecondsFormat::Millis, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_rise_with_events_and_are_the_calendar_s() {
        assert_eq!(Times::default().text(0), "1970-01-01T00:00:00.000+00:00");
        assert_eq!(Times::default().text(u32::MAX), "1970-02-19T17:02:47.295+00:00");
        assert_eq!(Times { seconds: 951_782_399 }.text(1), "2000-02-28T23:59:59.001+00:00");
        assert_eq!(Times { seconds: 951_782_400 }.text(0), "2000-02-29T00:00:00.000+00:00");
        assert_eq!(Times { seconds: u32::MAX }.text(0), "2106-02-07T06:28:15.000+00:00");
    }

    #[test]
    fn no_event_is_at_the_time_that_means_unknown() {
        assert_eq!(Times::default().nanoseconds(0), 1_000_000);
    }
}
