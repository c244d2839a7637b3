//! A progress bar on standard error; quiet where that is no terminal.

use indicatif::{ProgressBar, ProgressStyle};
use weir_suite::Progress;

/// The bar.
#[derive(Default)]
pub struct Bar(Option<ProgressBar>);

impl Progress for Bar {
    fn begin(&mut self, units: usize, done: usize) {
        let bar = ProgressBar::new(wide(units));
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} units, {per_sec}, {eta} left") {
            bar.set_style(style);
        }
        bar.set_position(wide(done));
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

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
