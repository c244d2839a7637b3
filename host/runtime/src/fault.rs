//! Everything that can go wrong with a plugin, in one typed report.

use serde::Serialize;
use std::fmt;
use weir_metadata::is_hidden;

/// Where in a plugin's life it went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Size, structure, validity, world.
    Load,
    /// Imports and grants.
    Link,
    /// Compilation.
    Compile,
    /// Start of an instance.
    Instantiate,
    /// A call of an export.
    Call,
}

/// What went wrong. Matched by the host, never compared as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "cause", rename_all = "kebab-case")]
pub enum Cause {
    /// The file is larger than any plugin.
    #[error("the file has {bytes} bytes, the limit is {limit}")]
    TooLarge {
        /// The file's size.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// A core module instead of a component.
    #[error("this is a core WebAssembly module, not a component: wrap it with wit-component and its WIT world")]
    CoreModule,
    /// Native code that wasmtime compiled before. It would run outside the sandbox.
    #[error("this is precompiled native code, which Weir never runs: submit the WebAssembly component itself")]
    Precompiled,
    /// Not WebAssembly, or cut short.
    #[error("not a well-formed WebAssembly component: {message} (at byte {offset})")]
    Malformed {
        /// The parser's message.
        message: String,
        /// Where.
        offset: u64,
    },
    /// More of something than a plugin needs and than the compiler is trusted with.
    #[error("the component has {found} {what}, the limit is {limit}")]
    Structure {
        /// What there is too much of.
        what: String,
        /// How much.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// The contract's items that are missing or differ.
    #[error("{}", .problems.join("\n  "))]
    WrongWorld {
        /// One line each, the first naming world and contract.
        problems: Vec<String>,
    },
    /// An import that no profile offers.
    #[error("the component imports {}, which Weir does not offer", .imports.join(", "))]
    UnknownImport {
        /// Names of the imports.
        imports: Vec<String>,
    },
    /// WASI under the strict profile.
    #[error(
        "the component imports {}: the strict profile allows only weir:plugin; build it without WASI, or run it in the compat profile",
        .imports.join(", ")
    )]
    WasiImport {
        /// Names of the imports.
        imports: Vec<String>,
    },
    /// What the component says of itself cannot be read, or is not allowed.
    #[error("{message}\n  `weir annotate FILE` writes it anew")]
    Metadata {
        /// What is wrong with it.
        message: String,
    },
    /// The plugin wants more than the operator allows.
    #[error(
        "it wants {wanted} for `{limit}`, and the operator allows {allowed}: raise `{limit}` under [limits] in the file of --grants, or want less"
    )]
    LimitWanted {
        /// The limit's name.
        limit: String,
        /// What the plugin wants.
        wanted: u64,
        /// What the operator allows.
        allowed: u64,
    },
    /// A capability that the plugin does not ask for or the operator does not grant.
    #[error("capability `{capability}` is imported but {refused_by}")]
    NotGranted {
        /// The capability.
        capability: String,
        /// Who refused it and what to change.
        refused_by: String,
    },
    /// The compiler refused the component.
    #[error("the compiler refused the component: {message}")]
    Compile {
        /// The compiler's message.
        message: String,
    },
    /// The compiling child process ran into its limits.
    #[error("compiling took more than {limit}: simplify the largest functions")]
    CompileLimit {
        /// Which limit.
        limit: String,
    },
    /// All fuel is used up.
    #[error("used all {fuel} units of fuel: an endless loop, or work that is too expensive for one call")]
    OutOfFuel {
        /// The budget.
        fuel: u64,
    },
    /// The wall-clock safety net: a host error, rerun, never a score.
    #[error("did not return within {seconds} s of wall-clock time, with fuel left")]
    Deadline {
        /// The limit.
        seconds: u64,
    },
    /// The guest's stack is exhausted.
    #[error("call stack exhausted: unbounded recursion")]
    StackOverflow,
    /// Linear memory, summed.
    #[error("asked for {asked} bytes of memory, the limit is {limit}")]
    Memory {
        /// What it asked for, in all.
        asked: u64,
        /// The limit.
        limit: u64,
    },
    /// Table elements, summed.
    #[error("asked for {asked} table elements, the limit is {limit}")]
    Table {
        /// What it asked for, in all.
        asked: u64,
        /// The limit.
        limit: u64,
    },
    /// A budget on an import.
    #[error("used up the budget of `{import}`: {limit} {unit}")]
    Budget {
        /// The import.
        import: String,
        /// The limit.
        limit: u64,
        /// Calls, lines or bytes.
        unit: String,
    },
    /// More data than one call may hand over.
    #[error("handed more than {limit} bytes to the host in one call")]
    Output {
        /// The limit.
        limit: u64,
    },
    /// An answer that breaks the contract.
    #[error("the answer breaks the contract: {message}")]
    Answer {
        /// How.
        message: String,
    },
    /// Any other trap.
    #[error("wasm trap: {message}")]
    Trap {
        /// wasmtime's name for it, with the guest's panic where it logged one.
        message: String,
    },
    /// The plugin answered with an error of its own.
    #[error("answered with an error: {message}")]
    Refused {
        /// The error, as the plugin put it.
        message: String,
    },
    /// Run again from a record, it asked a model otherwise than the record says.
    #[error("the replay differs from the record: {message}")]
    Replay {
        /// The first difference.
        message: String,
    },
    /// The host failed; nothing is known about the plugin.
    #[error("the host failed: {message}")]
    Host {
        /// What happened.
        message: String,
    },
}

impl Cause {
    /// Whether nothing is known about the plugin: the unit must be rerun and is never scored.
    #[must_use]
    pub fn is_infrastructure(&self) -> bool {
        matches!(self, Cause::Deadline { .. } | Cause::Host { .. })
    }
}

/// A frame of the guest's backtrace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Frame {
    /// Demangled function name, or its index.
    pub function: String,
    /// Offset in the module, where known.
    pub offset: Option<u64>,
}

/// A fault report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub struct Fault {
    /// The name by which the plugin was asked for.
    pub plugin: String,
    /// The plugin's own version, where it says.
    pub version: Option<String>,
    /// SHA-256 of the component; empty where it was not read.
    pub digest: String,
    /// Where in its life.
    pub phase: Phase,
    /// The export that was called.
    pub export: Option<String>,
    /// What went wrong.
    #[serde(flatten)]
    pub cause: Cause,
    /// The guest's stack, innermost first, at most 16 frames.
    pub backtrace: Vec<Frame>,
    /// The last lines that the guest logged or wrote to standard error.
    pub stderr_tail: Vec<String>,
    /// Fuel that the call used.
    pub fuel_used: Option<u64>,
    /// Most linear memory held at once, in bytes.
    pub peak_memory: Option<u64>,
}

impl Fault {
    /// A fault before anything ran.
    #[must_use]
    pub fn early(plugin: &str, digest: &str, phase: Phase, cause: Cause) -> Box<Self> {
        Box::new(Fault {
            plugin: plugin.into(),
            version: None,
            digest: digest.into(),
            phase,
            export: None,
            cause,
            backtrace: Vec::new(),
            stderr_tail: Vec::new(),
            fuel_used: None,
            peak_memory: None,
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let version = self.version.as_ref().map(|v| format!(" {v}")).unwrap_or_default();
        let digest = self.digest.get(..12).unwrap_or("unread");
        let phase = match self.phase {
            Phase::Load => "load",
            Phase::Link => "link",
            Phase::Compile => "compile",
            Phase::Instantiate => "instantiate",
            Phase::Call => "call",
        };
        write!(f, "plugin `{}`{version} (sha256 {digest}) failed at {phase}", self.plugin)?;
        if let Some(export) = &self.export {
            write!(f, " of {export}")?;
        }
        write!(f, "\n  {}", self.cause)?;
        for frame in &self.backtrace {
            write!(f, "\n    at {}", frame.function)?;
        }
        for line in &self.stderr_tail {
            write!(f, "\n  guest: {line}")?;
        }
        if let Some(fuel) = self.fuel_used {
            write!(f, "\n  fuel used {fuel}")?;
        }
        if let Some(memory) = self.peak_memory {
            write!(f, ", peak memory {memory} bytes")?;
        }
        Ok(())
    }
}

/// Text from a guest as one line that is safe to print: control characters, escape sequences among them, and characters that
/// nobody sees but that change what is seen become spaces.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_cursor_or_turns_text_around_is_not_printed() {
        assert_eq!(printable("a\u{1b}[2J\r\nb\u{9b}1m\u{202e}c\u{2066}\u{200b}"), "a [2J  b 1m c  ");
        assert_eq!(printable("Grüße, 世界"), "Grüße, 世界");
    }
}
