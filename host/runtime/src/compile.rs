//! Compilation, and the reading of interfaces, in a child process with memory and CPU limits.
//!
//! Cranelift cannot be interrupted, and wasmtime does not count slow compilation as a vulnerability; the reader of
//! interfaces can recurse without end on a valid component. A process can be limited, killed and outlived. The child is the
//! same program with [`CHILD_ARGUMENT`], reads the component from standard input and writes native code, or a
//! [`Look`] as JSON, to standard output.

use crate::check::conform::{self, Look};
use crate::check::printed;
use crate::fault::Cause;
use crate::limits::Limits;
use crate::load::Kind;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wasmtime::Engine;

/// The hidden subcommand of a program that can be the child.
pub const CHILD_ARGUMENT: &str = "__compile";

/// Exit status of a child whose compiler refused the component; its message is on standard error.
const REFUSED: u8 = 3;

/// The child's task: native code.
const COMPILE: &str = "compile";

/// The child's task: interfaces, without comparing them with a world.
const NO_KIND: &str = "interfaces";

/// The child's task: the component's world as WIT.
const PRINT: &str = "wit";

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
        match self.child(component, limits, COMPILE)? {
            End::Done(native) => Ok(native),
            End::Refused(message) => Err(Cause::Compile { message }),
            End::Limit(limit) => Err(Cause::CompileLimit { limit }),
            End::Died(how) => Err(Cause::Compile { message: format!("the compiler failed ({how})") }),
        }
    }

    /// Reads a component's interfaces and compares them with the world of a kind.
    ///
    /// # Errors
    /// Where they cannot be read, within the limits of a compilation, or the host fails.
    pub fn look(&self, component: &[u8], limits: &Limits, wanted: Option<Kind>) -> Result<Look, Cause> {
        let malformed = |message: String| Cause::Malformed { message, offset: 0 };
        let unreadable = |how: String| malformed(format!("its interfaces cannot be read: the reader ended with {how}"));
        match self.child(component, limits, wanted.map_or(NO_KIND, Kind::name))? {
            End::Done(json) => serde_json::from_slice(&json)
                .map_err(|e| Cause::Host { message: format!("the reader of interfaces answered with no JSON: {e}") }),
            End::Refused(message) => Err(malformed(message)),
            End::Limit(limit) => Err(unreadable(format!("more than {limit}"))),
            End::Died(how) => Err(unreadable(how)),
        }
    }

    /// A component's own world and what it speaks of, as WIT.
    ///
    /// # Errors
    /// As for [`look`](Self::look).
    pub fn wit(&self, component: &[u8], limits: &Limits) -> Result<String, Cause> {
        let unreadable =
            |how: String| Cause::Malformed { message: format!("it cannot be printed as WIT: {how}"), offset: 0 };
        match self.child(component, limits, PRINT)? {
            End::Done(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
            End::Refused(how) => Err(unreadable(how)),
            End::Limit(limit) => Err(unreadable(format!("the printer took more than {limit}"))),
            End::Died(how) => Err(unreadable(format!("the printer ended with {how}"))),
        }
    }

    fn child(&self, component: &[u8], limits: &Limits, task: &str) -> Result<End, Cause> {
        let host = |what: &str, e: std::io::Error| Cause::Host { message: format!("{what} the compiler process: {e}") };
        let mut child = Command::new(&self.program)
            .args([CHILD_ARGUMENT, &limits.compile_bytes.to_string(), &limits.compile_seconds.to_string(), task])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| host("cannot start", e))?;
        let Io { stdout, stderr } = exchange(&mut child, component, limits);
        let status = child.wait().map_err(|e| host("cannot wait for", e))?;
        Ok(outcome(status, stdout, &String::from_utf8_lossy(&stderr), limits, task == COMPILE))
    }
}

/// How a child ended.
enum End {
    Done(Vec<u8>),
    Refused(String),
    Limit(String),
    Died(String),
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

fn outcome(status: ExitStatus, stdout: Vec<u8>, stderr: &str, limits: &Limits, compiling: bool) -> End {
    if status.success() {
        return End::Done(stdout);
    }
    if status.code() == Some(i32::from(REFUSED)) {
        return End::Refused(crate::fault::printable(stderr.trim()));
    }
    let time = || End::Limit(format!("{} s", limits.compile_seconds));
    let memory = || End::Limit(format!("{} MiB of memory", limits.compile_bytes >> 20));
    match signal(status) {
        // SIGXCPU, or SIGKILL from the hard limit or from the deadline.
        Some(24 | 9) => time(),
        _ if stderr.contains("memory allocation") || stderr.contains("Cannot allocate") => memory(),
        // Rust aborts where an allocation fails; the reader also where its stack overflows.
        Some(6) if compiling => memory(),
        // The first line of a panic names its place in our own dependencies; the rest is for nobody.
        _ => End::Died(status.to_string()),
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

/// The child's whole life. `arguments` are those after [`CHILD_ARGUMENT`]: bytes of address space, CPU seconds, and the
/// task: `compile`, a plugin kind, `interfaces`, or `wit`.
#[must_use]
pub fn child_main(arguments: &[String]) -> std::process::ExitCode {
    let refuse = |message: String| {
        let _ = writeln!(std::io::stderr(), "{message}");
        std::process::ExitCode::from(REFUSED)
    };
    let number = |index: usize| arguments.get(index).and_then(|text| text.parse::<u64>().ok());
    let (Some(bytes), Some(seconds), Some(task)) = (number(0), number(1), arguments.get(2)) else {
        return refuse("usage: __compile BYTES SECONDS TASK < component > answer".into());
    };
    limit_self(bytes, seconds);
    let mut component = Vec::new();
    if let Err(e) = std::io::stdin().read_to_end(&mut component) {
        // Out of memory already: as for any other allocation.
        if e.kind() == std::io::ErrorKind::OutOfMemory {
            std::process::abort();
        }
        return refuse(format!("cannot read the component: {e}"));
    }
    let answer = match task.as_str() {
        COMPILE => native(&component),
        PRINT => printed::world(&component).map(String::into_bytes).map_err(|e| format!("{e:#}")),
        _ => looked(&component, task),
    };
    match answer.map(|answer| std::io::stdout().write_all(&answer)) {
        Ok(Ok(())) => std::process::ExitCode::SUCCESS,
        Ok(Err(e)) => refuse(format!("cannot hand over the answer: {e}")),
        Err(message) => refuse(message),
    }
}

/// Adapts and compiles: no pool, whose reservation would not fit the limit. Allocation is no part of native code.
fn native(component: &[u8]) -> Result<Vec<u8>, String> {
    let engine = Engine::new(&crate::engine::config()).map_err(|e| format!("{e:#}"))?;
    let component = crate::contract::adapt::adapted(component)?;
    engine.precompile_component(&component).map_err(|e| format!("{e:#}"))
}

fn looked(component: &[u8], task: &str) -> Result<Vec<u8>, String> {
    let wanted = Kind::ALL.into_iter().find(|kind| kind.name() == task);
    let look = conform::look(component, wanted).map_err(|cause| match cause {
        Cause::Malformed { message, .. } => message,
        other => other.to_string(),
    })?;
    serde_json::to_vec(&look).map_err(|e| e.to_string())
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
