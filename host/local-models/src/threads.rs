//! How many threads the kernels use.

/// The environment variable that says how many threads the kernels of all models of this process use together. candle looks
/// at it once, at its first product; unset, it takes one for each physical core.
pub const THREADS_VARIABLE: &str = "CANDLE_NUM_THREADS";

/// The variable's value.
pub(crate) fn settled() -> Option<usize> {
    std::env::var(THREADS_VARIABLE).ok()?.parse().ok().filter(|count| *count > 0)
}

/// Makes sure that [`THREADS_VARIABLE`] is set. Where it is not, this program is started again in its own place, with the
/// same arguments and the variable set to `threads`: a process cannot safely change its own environment, and more threads
/// than idle cores are many times slower than one, because they wait for each other at each product.
///
/// To be called at the beginning of `main`. Elsewhere than on Unix it does nothing.
///
/// # Errors
/// What the system says if the program cannot be started again.
pub fn settle_threads(threads: u32) -> std::io::Result<()> {
    if settled().is_some() {
        return Ok(());
    }
    restart(threads)
}

#[cfg(unix)]
fn restart(threads: u32) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;
    let mut arguments = std::env::args_os();
    let mut again = std::process::Command::new(std::env::current_exe()?);
    if let Some(name) = arguments.next() {
        again.arg0(name);
    }
    // It comes back only where it failed.
    Err(again.args(arguments).env(THREADS_VARIABLE, threads.max(1).to_string()).exec())
}

#[cfg(not(unix))]
fn restart(_threads: u32) -> std::io::Result<()> {
    Ok(())
}
