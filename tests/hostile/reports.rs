//! What a fault report says, and that a guest cannot write in it what it likes.

use crate::common::{Host, expect, expect_in_authorize, with_rider};
use weir_runtime::{Cause, Fault, Phase};

const UNREACHABLE: &str = "wasm trap: wasm `unreachable` instruction executed";

/// A component whose start function traps inside a function of this name.
fn trapping_in(function: &str) -> Vec<u8> {
    with_rider(&format!(
        "(component (core module $m (func $f (@name \"{function}\") unreachable) (start $f))
         (core instance (instantiate $m)))"
    ))
}

/// No text of the report can move a cursor or begin a line of its own.
#[track_caller]
fn expect_printable(fault: &Fault) {
    let own_lines = fault.backtrace.len() + fault.stderr_tail.len() + 2;
    let text = fault.to_string();
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text:?}");
    assert!(text.lines().count() <= own_lines + 1, "{text:?}");
}

pub fn panics_when_asked() {
    let host = Host::new();
    let bytes = crate::PANICS_WHEN_ASKED;
    let fault = host.failed_authorize(bytes, "");
    expect_in_authorize(&fault, bytes, &Cause::Trap { message: UNREACHABLE.into() });

    let digest = weir_trace::json::sha256(bytes);
    let text = fault.to_string();
    for part in [
        "plugin `hostile`",
        &format!("(sha256 {})", &digest[..12]),
        "failed at call of session.authorize",
        UNREACHABLE,
        "at panics_when_asked::look_into",
        "call 0 is  [31mnot to my taste",
        "fuel used ",
        "peak memory ",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    expect_printable(&fault);

    let json = serde_json::to_value(&fault).unwrap();
    assert_eq!(json["plugin"], "hostile");
    assert_eq!(json["digest"], digest);
    assert_eq!(json["phase"], "call");
    assert_eq!(json["export"], "session.authorize");
    assert_eq!(json["cause"], "trap");
    assert_eq!(json["message"], UNREACHABLE);
    let frames = json["backtrace"].as_array().unwrap();
    assert!(frames.iter().any(|frame| frame["function"] == "panics_when_asked::look_into"), "{json}");
    let tail = json["stderr_tail"].as_array().unwrap();
    assert!(tail.iter().any(|line| line.as_str().unwrap().contains("not to my taste")), "{json}");
    host.goes_on();
}

#[test]
fn a_function_name_cannot_write_to_the_terminal() {
    let host = Host::new();
    let bytes = trapping_in("f\\1b[2J\\nplugin `none` failed");
    let fault = host.failed_start(&bytes, "");
    let cause = Cause::Trap { message: UNREACHABLE.into() };
    expect(&fault, &bytes, Phase::Instantiate, Some("instantiation"), &cause);
    assert_eq!(fault.backtrace[0].function, "f [2J plugin `none` failed");
    expect_printable(&fault);
}

#[test]
fn a_function_name_of_megabytes_does_not_become_a_report_of_megabytes() {
    let host = Host::new();
    let fault = host.failed_start(&trapping_in(&"f".repeat(50_000)), "");
    assert!(fault.to_string().len() < 16 << 10, "{} bytes", fault.to_string().len());
}

#[test]
fn a_name_in_malformed_bytes_cannot_write_to_the_terminal() {
    let host = Host::new();
    let bytes = with_rider(r#"(component (core module (func (export "a\1b[2J\nb")) (func (export "a\1b[2J\nb"))))"#);
    let fault = host.refusal(&bytes);
    assert!(matches!(fault.cause, Cause::Malformed { .. }), "{fault}");
    expect_printable(&fault);
    host.goes_on();
}
