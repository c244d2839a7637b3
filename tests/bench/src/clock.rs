//! CPU time of this process, and medians.

use rustix::time::{ClockId, clock_gettime};

/// Seconds of CPU time that this thread has used.
pub fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanoseconds) = (now.tv_sec, now.tv_nsec);
    // Exact below 2^53, which is longer than any bench runs.
    #[allow(clippy::cast_precision_loss)]
    let total = seconds as f64 + nanoseconds as f64 / 1e9;
    total
}

/// CPU seconds of a piece of work.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = cpu();
    let value = work();
    (value, cpu() - start)
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
