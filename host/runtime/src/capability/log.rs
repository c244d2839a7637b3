//! `log`: lines for the trace's audit log. Never shown to a model; capped in count and bytes.

use crate::fault::{Cause, printable};
use crate::state::{LogLine, State, wide};
use crate::wit::log::{Host, Level};

impl Host for State {
    fn write(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let bytes = self.log_bytes.saturating_add(wide(message.len()));
        let budget = |limit, unit: &str| Cause::Budget { import: "log.write".into(), limit, unit: unit.into() };
        if wide(self.log.len()) >= u64::from(self.limits.log_lines) {
            return self.stop(budget(u64::from(self.limits.log_lines), "lines"));
        }
        if bytes > self.limits.log_bytes {
            return self.stop(budget(self.limits.log_bytes, "bytes"));
        }
        self.log_bytes = bytes;
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        self.log.push(LogLine { level, message: printable(&message) });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::sync::Arc;

    fn state(limits: Limits) -> State {
        State::new(Arc::new(limits), None)
    }

    #[test]
    fn lines_are_kept_without_control_characters() {
        let mut state = state(Limits::default());
        state.write(Level::Warn, "\u{1b}[31mred\n".into()).unwrap();
        assert_eq!(state.log, [LogLine { level: "warn", message: " [31mred ".into() }]);
    }

    #[test]
    fn a_flood_of_lines_or_bytes_stops_the_guest() {
        let mut few = state(Limits { log_lines: 2, ..Limits::default() });
        assert!(few.write(Level::Info, String::new()).is_ok());
        assert!(few.write(Level::Info, String::new()).is_ok());
        assert!(few.write(Level::Info, String::new()).is_err());
        assert!(matches!(few.stopped, Some(Cause::Budget { limit: 2, .. })));
        let mut small = state(Limits { log_bytes: 10, ..Limits::default() });
        assert!(small.write(Level::Info, "x".repeat(11)).is_err());
    }
}
