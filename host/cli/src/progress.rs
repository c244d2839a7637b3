//! A progress bar on standard error; quiet where that is no terminal.

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::Duration;
use weir_suite::Progress;

/// The bar.
#[derive(Default)]
pub struct Bar(Option<ProgressBar>);

impl Progress for Bar {
    fn begin(&mut self, units: usize, done: usize) {
        let (units, done) = (wide(units), wide(done));
        let bar = ProgressBar::new(units);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} units, {rate}") {
            // What an earlier command did is no work of this one: its rate would promise an end that does not come.
            bar.set_style(style.with_key("rate", move |state: &ProgressState, out: &mut dyn Write| {
                let _ = out.write_str(&rate(
                    state.pos().saturating_sub(done),
                    units.saturating_sub(state.pos()),
                    state.elapsed(),
                ));
            }));
        }
        bar.set_position(done);
        self.0 = Some(bar);
    }

    fn advance(&mut self, done: usize) {
        if let Some(bar) = &self.0 {
            bar.set_position(wide(done));
        }
    }

    fn end(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish_and_clear();
        }
    }
}

/// Units a second, and the time that those ahead take at this rate.
fn rate(made: u64, ahead: u64, elapsed: Duration) -> String {
    let (millis, made_wide) = (elapsed.as_millis(), u128::from(made));
    if made == 0 || millis == 0 {
        return "starting".into();
    }
    let left = u64::try_from(u128::from(ahead).saturating_mul(millis) / made_wide).unwrap_or(u64::MAX);
    let rate = u64::try_from(made_wide.saturating_mul(1000) / millis).unwrap_or(u64::MAX);
    format!("{}/s, {} left", HumanCount(rate), HumanDuration(Duration::from_millis(left)))
}

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_counts_only_what_this_command_made() {
        assert_eq!(rate(500, 4_000, Duration::from_secs(2)), "250/s, 16 seconds left");
        assert_eq!(rate(30_000, 90_000, Duration::from_secs(10)), "3,000/s, 30 seconds left");
    }

    #[test]
    fn before_the_first_unit_there_is_no_rate() {
        assert_eq!(rate(0, 9, Duration::from_secs(1)), "starting");
        assert_eq!(rate(9, 0, Duration::ZERO), "starting");
    }
}
