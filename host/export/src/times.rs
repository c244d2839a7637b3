//! Times that are made up: a run has no clock, and other tools' formats ask for one.

/// When a run is said to have taken place, in whole seconds after 1970 began (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The beginning.
    pub seconds: u32,
}

/// Milliseconds of a day.
const DAY: u64 = 86_400_000;

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
        let all = self.milliseconds(event);
        let (day, rest) = (all / DAY, all % DAY);
        let (year, month, day) = civil(day);
        let (hours, minutes, seconds, milliseconds) =
            (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60, rest % 1000);
        format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}+00:00")
    }
}

/// Year, month and day of a day after 1970 began, by H. Hinnant's algorithm: years begin in March, and 400 of them have
/// 146,097 days.
fn civil(day: u64) -> (u64, u64, u64) {
    let shifted = day + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
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
