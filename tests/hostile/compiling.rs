//! Components that are dear to compile. Those that the pre-scan can tell never reach the compiler; the others end the
//! compiling process, not the host.

use crate::common::{Host, expect, with_rider};
use std::fmt::Write;
use weir_runtime::{Cause, Limits, Phase};

fn too_many(what: &str, found: u64, limit: u64) -> Cause {
    Cause::Structure { what: what.into(), found, limit }
}

/// A module of functions with as many locals as may be, all of them alive across calls: legal, and as hard on the register
/// allocator as that.
fn dear(functions: usize, locals: usize) -> Vec<u8> {
    let mut text = String::from("(component (core module (func $use (param i64))\n");
    for _ in 0..functions {
        let _ = write!(text, "(func (local {})", "i64 ".repeat(locals));
        for local in 0..locals {
            let _ =
                write!(text, "(local.set {local} (i64.add (local.get {}) (i64.const {local})))", locals - 1 - local);
        }
        for local in 0..locals {
            let _ = write!(text, "(call $use (local.get {local}))");
        }
        text.push_str(")\n");
    }
    with_rider(&(text + "))"))
}

pub fn a_function_with_fifty_thousand_locals_never_reaches_the_compiler() {
    let host = Host::new();
    let text = format!("(component (core module (func (local {}))))", "i64 ".repeat(50_000));
    let bytes = with_rider(&text);
    let cause = too_many("locals in one function", 50_000, 4_000);
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

/// A component with this core module inside, byte by byte.
fn with_module(module: &wasm_encoder::Module) -> Vec<u8> {
    let mut component = wasm_encoder::Component::new();
    component.section(&wasm_encoder::ModuleSection(module));
    component.finish()
}

pub fn a_function_with_locals_beyond_counting_is_malformed() {
    // Eleven bytes of groups, each of as many locals as a number holds; nobody may try to make room for them.
    let host = Host::new();
    let mut module = wasm_encoder::Module::new();
    let mut types = wasm_encoder::TypeSection::new();
    types.ty().function([], []);
    let mut functions = wasm_encoder::FunctionSection::new();
    functions.function(0);
    let mut code = wasm_encoder::CodeSection::new();
    let groups = [(u32::MAX, wasm_encoder::ValType::I64), (u32::MAX, wasm_encoder::ValType::I32)];
    code.function(wasm_encoder::Function::new(groups).instruction(&wasm_encoder::Instruction::End));
    module.section(&types).section(&functions).section(&code);
    let bytes = with_module(&module);
    assert!(bytes.len() < 100);
    let cause = Cause::Malformed { message: "too many locals".into(), offset: 44 };
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

pub fn a_jump_table_of_megabytes_never_reaches_the_compiler() {
    let host = Host::new();
    let bytes =
        with_rider(&format!("(component (core module (func (br_table {} (i32.const 0)))))", "0 ".repeat(1 << 20)));
    let Cause::Structure { found, .. } = host.refusal(&bytes).cause else { panic!("loaded") };
    assert!(found > 1 << 20);
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &too_many("bytes in one function body", found, 1 << 20));
    host.goes_on();
}

pub fn types_nested_without_end_are_malformed() {
    let host = Host::new();
    let mut text = String::from("(component (type $t0 string)");
    for depth in 1..2_000 {
        let _ = write!(text, "(type $t{depth} (list $t{}))", depth - 1);
    }
    let bytes = with_rider(&(text + ")"));
    let fault = host.refusal(&bytes);
    assert!(matches!(fault.cause, Cause::Malformed { .. }), "{fault}");
    expect(&fault, &bytes, Phase::Load, None, &fault.cause);
    host.goes_on();
}

pub fn a_type_that_doubles_forty_times_is_malformed() {
    let host = Host::new();
    let mut text = String::from("(component (type $t0 string)");
    for depth in 1..40 {
        let _ = write!(text, "(type $t{depth} (tuple $t{0} $t{0}))", depth - 1);
    }
    let bytes = with_rider(&(text + ")"));
    let fault = host.refusal(&bytes);
    assert!(matches!(fault.cause, Cause::Malformed { .. }), "{fault}");
    expect(&fault, &bytes, Phase::Load, None, &fault.cause);
    host.goes_on();
}

pub fn a_name_section_of_megabytes_is_no_way_around_the_size_limits() {
    let host = Host::new();
    let mut names = wasm_encoder::NameSection::new();
    names.module(&"n".repeat(17 << 20));
    let mut module = wasm_encoder::Module::new();
    module.section(&names);
    let bytes = with_module(&module);
    let Cause::Structure { found, .. } = host.refusal(&bytes).cause else { panic!("loaded") };
    assert!(found > 17 << 20);
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &too_many("bytes of custom sections", found, 16 << 20));
    host.goes_on();
}

pub fn a_function_of_megabytes_never_reaches_the_compiler() {
    let host = Host::new();
    let bytes = with_rider(&format!("(component (core module (func {})))", "nop ".repeat(1 << 20)));
    // The nops, a count of locals and an end.
    let cause = too_many("bytes in one function body", (1 << 20) + 2, 1 << 20);
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

pub fn a_component_of_a_hundred_modules_never_reaches_the_compiler() {
    let host = Host::new();
    let bytes = with_rider(&format!("(component {})", "(core module)".repeat(100)));
    let cause = too_many("core modules", 65, 64);
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

pub fn a_flood_of_functions_never_reaches_the_compiler() {
    let host = Host::new();
    let bytes = with_rider(&format!("(component (core module {}))", "(func)".repeat(100_001)));
    let Cause::Structure { found, .. } = host.refusal(&bytes).cause else { panic!("loaded") };
    assert!(found > 100_000);
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &too_many("functions", found, 100_000));
    host.goes_on();
}

pub fn a_flood_of_types_never_reaches_the_compiler() {
    let host = Host::new();
    let bytes = with_rider(&format!("(component {})", "(type string)".repeat(100_001)));
    let Cause::Structure { found, .. } = host.refusal(&bytes).cause else { panic!("loaded") };
    let what = "declared types, imports, exports and instances";
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &too_many(what, found, 100_000));
    host.goes_on();
}

pub fn custom_sections_are_no_way_around_the_size_limits() {
    let host = Host::new();
    let bytes = with_rider(&format!("(component (@custom \"junk\" \"{}\"))", "x".repeat(17 << 20)));
    let fault = host.refusal(&bytes);
    let Cause::Structure { found, .. } = fault.cause else { panic!("{fault}") };
    assert!(found >= 17 << 20);
    expect(&fault, &bytes, Phase::Load, None, &too_many("bytes of custom sections", found, 16 << 20));
    host.goes_on();
}

pub fn a_compile_bomb_that_passes_the_scan_ends_at_its_cpu_limit() {
    let host = Host::limited(Limits { compile_seconds: 1, ..Limits::default() });
    let bytes = dear(64, 3_900);
    let cause = Cause::CompileLimit { limit: "1 s".into() };
    expect(&host.refusal(&bytes), &bytes, Phase::Compile, None, &cause);
    // On a busy machine an honest policy may take that second too.
    Host::new().goes_on();
}

pub fn a_compile_bomb_that_passes_the_scan_ends_at_its_memory_limit() {
    let host = Host::limited(Limits { compile_bytes: 256 << 20, ..Limits::default() });
    let bytes = dear(320, 3_900);
    let cause = Cause::CompileLimit { limit: "256 MiB of memory".into() };
    expect(&host.refusal(&bytes), &bytes, Phase::Compile, None, &cause);
    host.goes_on();
}
