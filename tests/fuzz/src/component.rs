//! Components: all that happens to their bytes before the compiler sees them.

use crate::host::plugins;
use weir_runtime::check::{conform, imports};
use weir_runtime::load::examine;
use weir_runtime::{Cause, Kind, Limits, Phase};

/// What a process does with bytes that nobody has looked at yet. What passes is within the limits, what does not is told in
/// printable words.
pub fn component(bytes: &[u8]) {
    let limits = Limits::default();
    match examine(bytes, &limits) {
        Ok(found) => {
            assert!(found.modules <= u64::from(limits.modules));
            assert!(found.functions <= u64::from(limits.functions));
            assert!(found.most_locals <= u64::from(limits.function_locals));
            assert!(found.declarations <= u64::from(limits.declarations));
            assert!(found.custom_bytes <= limits.custom_bytes);
        }
        Err(cause) => {
            let early = matches!(
                cause,
                Cause::Precompiled | Cause::CoreModule | Cause::Malformed { .. } | Cause::Structure { .. }
            );
            assert!(early, "{cause:?}");
            printable(&cause);
        }
    }
}

/// The same, and then the interfaces, for every kind of plugin. In a host the latter are read by a child process, since
/// wit-parser may panic, or recurse without end, on a valid component: a panic is no finding.
pub fn interfaces(bytes: &[u8]) {
    if examine(bytes, &Limits::default()).is_err() {
        return;
    }
    // A stack that overflows takes the fuzzer with it, which then cannot say over what.
    if let Some(file) = std::env::var_os("WEIR_LAST_INPUT") {
        std::fs::write(file, bytes).unwrap();
    }
    for wanted in Kind::ALL.into_iter().map(Some).chain([None]) {
        let Ok(Ok(look)) = std::panic::catch_unwind(|| conform::look(bytes, wanted)) else { continue };
        // A report has each import once, and nobody is told that a component without interface is a plugin.
        assert_eq!(imports::report(&look.imports).len(), look.imports.len());
        assert_eq!(look.kind.is_none() && wanted.is_some(), look.kind.is_none() && !look.problems.is_empty());
    }
}

/// The same by the way that a host goes: whatever becomes of the child, the host has an answer.
pub fn interfaces_by_the_child(bytes: &[u8]) {
    match plugins().loader().inspect("fuzzed", bytes) {
        Ok(report) => assert_eq!(report.digest, weir_trace::json::sha256(bytes)),
        Err(fault) => {
            assert_eq!(fault.phase, Phase::Load, "{fault}");
            assert!(!fault.cause.is_infrastructure(), "{fault}");
            printable(&fault.cause);
        }
    }
}

/// A guest's bytes write to no terminal.
fn printable(cause: &Cause) {
    let text = cause.to_string();
    assert!(!text.chars().any(char::is_control), "{text:?}");
}
