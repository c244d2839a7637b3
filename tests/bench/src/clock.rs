//! CPU time of this process, and medians.

use nix::sys::resource::{UsageWho, getrusage};
use rustix::time::{ClockId, clock_gettime};

/// Seconds of CPU time that this thread has used.
pub fn cpu() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

/// Seconds of CPU time that this process has used.
pub fn process() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let now = clock_gettime(clock);
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

/// CPU seconds of all processes that this one started and that have ended, and kilobytes of the largest.
pub fn children() -> (f64, f64) {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return (f64::NAN, f64::NAN) };
    // Exact below 2^53 microseconds or kilobytes.
    #[allow(clippy::cast_precision_loss)]
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    #[allow(clippy::cast_precision_loss)]
    let kilobytes = usage.max_rss() as f64;
    (seconds(usage.user_time()) + seconds(usage.system_time()), kilobytes)
}

/// The middle value.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
