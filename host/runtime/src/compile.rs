//! Compilation in a child process with memory and CPU limits.
//!
//! Cranelift cannot be interrupted, and wasmtime does not count slow compilation as a vulnerability; a process can be
//! limited and killed. The child is the same program with [`CHILD_ARGUMENT`], reads the component from standard input and
//! writes native code to standard output.

use crate::fault::Cause;
use crate::limits::Limits;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wasmtime::Engine;

/// The hidden subcommand of a program that can be the child.
pub const CHILD_ARGUMENT: &str = "__compile";

/// Exit status of a child whose compiler refused the component; its message is on standard error.
const REFUSED: u8 = 3;

/// How components are compiled.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program to start; it must call [`child_main`] on [`CHILD_ARGUMENT`].
    pub program: PathBuf,
}

impl Compiler {
    /// This program itself.
    ///
    /// # Errors
    /// Where the system does not say which program this is.
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Compiler { program: std::env::current_exe()? })
    }

    /// Compiles a component.
    ///
    /// # Errors
    /// The compiler's refusal, the limit that was hit, or a host failure.
    pub fn compile(&self, component: &[u8], limits: &Limits) -> Result<Vec<u8>, Cause> {
        let host = |what: &str, e: std::io::Error| Cause::Host { message: format!("{what} the compiler process: {e}") };
        let mut child = Command::new(&self.program)
            .args([CHILD_ARGUMENT, &limits.compile_bytes.to_string(), &limits.compile_seconds.to_string()])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| host("cannot start", e))?;
        let Io { stdout, stderr } = exchange(&mut child, component, limits);
        let status = child.wait().map_err(|e| host("cannot wait for", e))?;
        outcome(status, stdout, &String::from_utf8_lossy(&stderr), limits)
    }
}

struct Io {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Feeds the child and reads what it says, all at once so that no pipe fills up, and kills it past twice its CPU limit of
/// wall-clock time.
fn exchange(child: &mut Child, component: &[u8], limits: &Limits) -> Io {
    let deadline = Instant::now() + Duration::from_secs(limits.compile_seconds.saturating_mul(2));
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A child that died early closes the pipe; its status says why.
            if let Some(mut pipe) = stdin {
                let _ = pipe.write_all(component);
            }
        });
        let out = scope.spawn(move || read_all(stdout));
        let err = scope.spawn(move || read_all(stderr));
        while Instant::now() < deadline && !matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = child.kill();
        Io { stdout: out.join().unwrap_or_default(), stderr: err.join().unwrap_or_default() }
    })
}

fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}

fn outcome(status: ExitStatus, stdout: Vec<u8>, stderr: &str, limits: &Limits) -> Result<Vec<u8>, Cause> {
    if status.success() {
        return Ok(stdout);
    }
    if status.code() == Some(i32::from(REFUSED)) {
        return Err(Cause::Compile { message: crate::fault::printable(stderr.trim()) });
    }
    let megabytes = limits.compile_bytes >> 20;
    let memory = CompileLimit::Memory(megabytes);
    let limit = match signal(status) {
        // SIGXCPU, or SIGKILL from the hard limit or from the deadline.
        Some(24 | 9) => CompileLimit::Time(limits.compile_seconds),
        _ if stderr.contains("memory allocation") || stderr.contains("Cannot allocate") => memory,
        // Rust aborts where an allocation fails.
        Some(6) => memory,
        _ => {
            let message = crate::fault::printable(stderr.trim());
            return Err(Cause::Compile { message: format!("the compiler failed ({status}): {message}") });
        }
    };
    Err(Cause::CompileLimit { limit: limit.to_string() })
}

enum CompileLimit {
    Time(u64),
    Memory(u64),
}

impl std::fmt::Display for CompileLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            CompileLimit::Time(seconds) => write!(f, "{seconds} s"),
            CompileLimit::Memory(megabytes) => write!(f, "{megabytes} MiB of memory"),
        }
    }
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<i32> {
    None
}

/// The child's whole life. `arguments` are those after [`CHILD_ARGUMENT`]: bytes of address space and CPU seconds.
#[must_use]
pub fn child_main(arguments: &[String]) -> std::process::ExitCode {
    let refuse = |message: String| {
        let _ = writeln!(std::io::stderr(), "{message}");
        std::process::ExitCode::from(REFUSED)
    };
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse::<u64>().ok());
    let (Some(bytes), Some(seconds)) = (number(0), number(1)) else {
        return refuse("usage: __compile BYTES SECONDS < component > native".into());
    };
    limit_self(bytes, seconds);
    let mut component = Vec::new();
    if let Err(e) = std::io::stdin().read_to_end(&mut component) {
        return refuse(format!("cannot read the component: {e}"));
    }
    // Only compiles: no pool, whose reservation would not fit the limit. Allocation is no part of native code.
    let native = Engine::new(&crate::engine::config()).and_then(|engine| engine.precompile_component(&component));
    match native.map(|native| std::io::stdout().write_all(&native)) {
        Ok(Ok(())) => std::process::ExitCode::SUCCESS,
        Ok(Err(e)) => refuse(format!("cannot hand over the native code: {e}")),
        Err(e) => refuse(format!("{e:#}")),
    }
}

#[cfg(unix)]
fn limit_self(bytes: u64, seconds: u64) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let limit = |current: u64, maximum: u64| Rlimit { current: Some(current), maximum: Some(maximum) };
    // A second between soft and hard limit: SIGXCPU first, so that the parent can tell time from a kill.
    let _ = setrlimit(Resource::Cpu, limit(seconds, seconds.saturating_add(1)));
    let _ = setrlimit(Resource::As, limit(bytes, bytes));
    let _ = setrlimit(Resource::Core, limit(0, 0));
}

#[cfg(not(unix))]
fn limit_self(_bytes: u64, _seconds: u64) {}
