//! WebAssembly that is not part of what plugins may use: proposals that are off, each in one module that uses it.

use crate::common::{Host, expect, with_rider};
use weir_runtime::{Cause, Phase};

/// Names, and modules that use what the name says.
const OFF: [(&str, &str); 24] = [
    ("shared memory", "(core module (memory 1 1 shared))"),
    ("atomic instructions", "(core module (memory 1 1 shared) (func (drop (i32.atomic.load (i32.const 0)))))"),
    ("memory of 64 bits", "(core module (memory i64 1))"),
    ("tables of 64 bits", "(core module (table i64 1 funcref))"),
    ("tail calls", "(core module (func $f (return_call $f)))"),
    ("exceptions", "(core module (tag $t) (func (throw $t)))"),
    (
        "exceptions that are caught",
        "(core module (func (block $h (result exnref) (try_table (catch_all_ref $h)) unreachable) drop))",
    ),
    ("structures under garbage collection", "(core module (type (struct (field i32))))"),
    ("arrays under garbage collection", "(core module (type (array i8)))"),
    ("references to values of the host", "(core module (table 1 externref))"),
    ("small integers as references", "(core module (func (drop (ref.i31 (i32.const 0)))))"),
    (
        "instructions whose result the machine chooses",
        "(core module (func (param v128) (result v128) (i32x4.relaxed_trunc_f32x4_s (local.get 0))))",
    ),
    (
        "arithmetic of 128 bits",
        "(core module (func (param i64 i64) (result i64 i64) (i64.mul_wide_u (local.get 0) (local.get 1))))",
    ),
    (
        "references to functions of a known type",
        "(core module (type $t (func)) (func (param (ref $t)) (call_ref $t (local.get 0))))",
    ),
    ("stacks that are switched", "(core module (type $f (func)) (type $c (cont $f)))"),
    ("pages of other sizes", "(core module (memory 1 (pagesize 1)))"),
    ("functions shared between threads", "(core module (type (shared (func))))"),
    ("asynchronous functions", "(type (func async))"),
    ("streams", "(type (stream u8))"),
    ("futures", "(type (future u8))"),
    ("error contexts", "(type error-context)"),
    ("values", "(import \"v\" (value string))"),
    ("lists of a fixed length", "(type (list u8 4))"),
    ("maps", "(type (map string u8))"),
];

pub fn proposals_that_are_off() {
    let host = Host::new();
    for (name, text) in OFF {
        let bytes = with_rider(&format!("(component {text})"));
        let fault = host.refusal(&bytes);
        assert!(matches!(fault.cause, Cause::Malformed { .. }), "{name}: {fault}");
        expect(&fault, &bytes, Phase::Load, None, &fault.cause);
    }
    host.goes_on();
}
