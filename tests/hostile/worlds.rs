//! Imports and exports that the contract does not have. The components are made from worlds alone: each function of
//! theirs is one `unreachable`.

use crate::common::{Host, built_in, expect};
use crate::contract::{contract, implement};
use std::path::Path;
use weir_runtime::contract::CURRENT;
use weir_runtime::{Cause, Fault, Kind, Limits, Phase};

const STRANGE: &str = "
    package evil:net@1.0.0;
    interface socket { connect: func(host: string) -> result<u32>; }
    world extra { import socket; }";

const CLOCKS: &str = "
    package wasi:clocks@0.2.6;
    interface wall-clock {
        record datetime { seconds: u64, nanoseconds: u32 }
        now: func() -> datetime;
    }
    world extra { import wall-clock; }";

/// With the contract's version, as these sources have it, where NOW stands.
fn now(text: &str) -> String {
    text.replace("NOW", CURRENT.number)
}

/// A policy that also imports what the world `extra` of another package imports.
fn importing(package: &str) -> Vec<u8> {
    let mut resolve = contract(|text| text);
    resolve.push_str(Path::new("extra.wit"), package).unwrap();
    let id = resolve.packages.iter().find(|(_, p)| p.worlds.contains_key("extra")).unwrap().0;
    let version = &resolve.packages[id].name;
    let contract = weir_runtime::contract::CURRENT.package().replace('@', "/policy-plugin@");
    let extra = format!("{}:{}/extra@{}", version.namespace, version.name, version.version.as_ref().unwrap());
    let file = format!("package a:b; world both {{ include {contract}; include {extra}; }}");
    resolve.push_str(Path::new("both.wit"), &file).unwrap();
    implement(&resolve, "both")
}

fn problems(fault: &Fault) -> &[String] {
    match &fault.cause {
        Cause::WrongWorld { problems } => problems,
        other => panic!("{other}"),
    }
}

#[test]
fn a_policy_made_from_the_world_alone_is_loaded() {
    // Otherwise the refusals below would prove nothing.
    let host = Host::new();
    assert!(host.load(Kind::Policy, &implement(&contract(|text| text), "policy-plugin")).is_ok());
}

pub fn an_unknown_import_is_refused_by_name() {
    let host = Host::new();
    let bytes = importing(STRANGE);
    let cause = Cause::UnknownImport { imports: vec!["evil:net/socket@1.0.0".into()] };
    expect(&host.refusal(&bytes), &bytes, Phase::Link, None, &cause);
    host.goes_on();
}

pub fn imports_that_look_like_the_contracts_are_refused() {
    let real = weir_runtime::contract::CURRENT.package();
    let (package, version) = real.split_once('@').unwrap();
    let evil = "interface log { write: func(text: string); } world extra { import log; }";
    for (package, version, name) in [
        (package, &*format!("{version}-evil"), "log"),
        (package, "9.9.9", "log"),
        (&*format!("{package}s"), version, "log"),
        ("we1r:plugin", version, "log"),
        ("weir:plug-in", version, "log"),
        ("wasi:http", "0.2.6", "outgoing-handler"),
        ("wasi:clocks", "0.3.0", "wall-clock"),
        ("wasi:keyvalue", "0.2.0-draft2", "store"),
        ("wasix:sockets", "0.2.6", "tcp"),
    ] {
        let text = format!("package {package}@{version}; {}", evil.replace("log", name));
        let bytes = importing(&text);
        let cause = Cause::UnknownImport { imports: vec![format!("{package}/{name}@{version}")] };
        for host in [Host::new(), Host::compat(Limits::default())] {
            expect(&host.refusal(&bytes), &bytes, Phase::Link, None, &cause);
            host.goes_on();
        }
    }
}

/// Interfaces whose names are the contract's or WASI's, with a function that neither has.
#[test]
fn a_strange_function_in_a_known_interface_is_refused_under_either_profile() {
    for package in [
        "package weir:plugin@9.9.9; interface types { steal: func() -> string; } world extra { import types; }",
        "package wasi:cli@0.2.6; interface environment { steal: func() -> string; } world extra { import environment; }",
        "package wasi:cli@0.2.6-evil; interface environment { get-arguments: func() -> list<string>; } world extra { import environment; }",
        "package wasi:cli@0.2.6; interface shell { run: func(line: string); } world extra { import shell; }",
    ] {
        let bytes = importing(package);
        for host in [Host::new(), Host::compat(Limits::default())] {
            let fault = host.fault_before_any_call(&bytes);
            assert!(matches!(fault.phase, Phase::Load | Phase::Link), "{package}: {fault}");
            host.goes_on();
        }
    }
}

pub fn a_wasi_import_is_refused_under_strict_and_offered_under_compat() {
    let host = Host::new();
    let bytes = importing(CLOCKS);
    let cause = Cause::WasiImport { imports: vec!["wasi:clocks/wall-clock@0.2.6".into()] };
    expect(&host.refusal(&bytes), &bytes, Phase::Link, None, &cause);
    host.goes_on();

    let host = Host::compat(Limits::default());
    let fault = host.failed_start(&bytes, "");
    let cause = Cause::Trap { message: "wasm trap: wasm `unreachable` instruction executed".into() };
    expect(&fault, &bytes, Phase::Call, Some("session constructor"), &cause);
    host.goes_on();
}

pub fn a_component_of_another_world_is_refused_by_both_names() {
    let host = Host::new();
    let bytes = built_in("reducer", "containment");
    let expected = [
        "does not implement world `policy-plugin` of weir:plugin@NOW",
        "missing export  weir:plugin/policy@NOW",
        "this component is a reducer, not a policy",
    ];
    let cause = Cause::WrongWorld { problems: expected.map(now).into() };
    expect(&host.refusal(bytes), bytes, Phase::Load, None, &cause);
    host.goes_on();
}

pub fn a_component_that_exports_nothing_is_refused() {
    let host = Host::new();
    let bytes = wat::parse_str("(component)").unwrap();
    let expected = [
        "does not implement world `policy-plugin` of weir:plugin@NOW",
        "missing export  weir:plugin/policy@NOW",
        "it exports nothing",
    ];
    let cause = Cause::WrongWorld { problems: expected.map(now).into() };
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

#[test]
fn a_component_built_against_another_version_is_told_which() {
    let host = Host::new();
    let bytes = implement(&contract(|text| text.replace(&now("@NOW"), "@0.0.9")), "policy-plugin");
    let expected = [
        "does not implement world `policy-plugin` of weir:plugin@NOW",
        "missing export  weir:plugin/policy@NOW",
        "it was built against weir:plugin@0.0.9: rebuild it against weir:plugin@NOW",
    ];
    let cause = Cause::WrongWorld { problems: expected.map(now).into() };
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

#[test]
fn a_function_of_another_signature_is_shown_beside_the_contract() {
    let host = Host::new();
    let edit = |text: String| text.replace("guidance: func() -> option<string>", "guidance: func() -> string");
    let bytes = implement(&contract(edit), "policy-plugin");
    let expected = [
        "does not implement world `policy-plugin` of weir:plugin@NOW",
        "mismatching export  weir:plugin/policy@NOW [method]session.guidance",
        "  contract   (self: handle session) -> option<string>",
        "  component  (self: handle session) -> string",
        "rebuild it against weir:plugin@NOW",
    ];
    let cause = Cause::WrongWorld { problems: expected.map(now).into() };
    expect(&host.refusal(&bytes), &bytes, Phase::Load, None, &cause);
    host.goes_on();
}

#[test]
fn a_record_with_one_field_more_is_another_signature() {
    let host = Host::new();
    let edit = |text: String| {
        text.replace("    goal: string,\n    /// The trusted", "    goal: string,\n    seed: u64,\n    /// The trusted")
    };
    let bytes = implement(&contract(edit), "policy-plugin");
    let fault = host.refusal(&bytes);
    assert_eq!(problems(&fault)[1], now("mismatching export  weir:plugin/policy@NOW [constructor]session"));
    assert!(problems(&fault)[3].contains("episode {goal: string, seed: u64, ledger: "), "{fault}");
    host.goes_on();
}

#[test]
fn a_missing_hook_is_named() {
    let host = Host::new();
    let edit = |text: String| match text.split_once("    /// Called after authorisation") {
        Some((before, after)) => format!("{before}{}", after.split_once('\n').unwrap().1.split_once('\n').unwrap().1),
        None => text,
    };
    let bytes = implement(&contract(edit), "policy-plugin");
    let fault = host.refusal(&bytes);
    assert_eq!(problems(&fault)[1], now("missing export  weir:plugin/policy@NOW [method]session.precommit"));
    host.goes_on();
}
