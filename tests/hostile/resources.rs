//! Attacks on what a plugin may use up.

use crate::common::{Host, asking, episode, expect, expect_in_authorize, none, nothing, proposal, with_rider};
use std::sync::Arc;
use weir_metadata::{Limit, Surface};
use weir_rollout::Infra;
use weir_rollout::gate::Gate;
use weir_runtime::grants::{Grants, PluginGrants};
use weir_runtime::world::policy::Delta;
use weir_runtime::world::{Defence, PolicyPlugin, ReducerPlugin};
use weir_runtime::{Capability, Cause, Fault, Kind, Limits, Phase};

/// Fuel of one hook.
const FUEL: u64 = 100_000_000;
/// Memory of a component.
const MEMORY: u64 = 64 << 20;
/// Bytes that cross the boundary in one call.
const OUTPUT: u64 = 1 << 20;

pub fn endless_loop() {
    let host = Host::new();
    let fault = host.failed_authorize(crate::ENDLESS_LOOP, "");
    expect_in_authorize(&fault, crate::ENDLESS_LOOP, &Cause::OutOfFuel { fuel: FUEL });
    assert_eq!(fault.fuel_used, Some(FUEL));
    host.goes_on();
}

#[test]
fn an_endless_loop_with_fuel_left_ends_at_the_deadline_and_is_never_a_score() {
    // An operator may grant fuel without end; the wall clock then says nothing about the plugin, only about the machine.
    let host = Host::limited(Limits { hook_fuel: u64::MAX, call_seconds: 1, ..Limits::default() });
    let fault = host.failed_authorize(crate::ENDLESS_LOOP, "");
    expect_in_authorize(&fault, crate::ENDLESS_LOOP, &Cause::Deadline { seconds: 1 });
    assert!(fault.cause.is_infrastructure());
    let policy = host.policy(crate::ENDLESS_LOOP);
    let mut gate = Gate::start(&policy, &episode(""), &[], None).unwrap();
    assert!(matches!(gate.authorize(&[], &proposal(0)), Err(Infra::Host(_))));
    host.goes_on();
}

pub fn fuel_hungry_recursion() {
    let host = Host::new();
    let fault = host.failed_authorize(crate::FUEL_HUNGRY_RECURSION, "");
    expect_in_authorize(&fault, crate::FUEL_HUNGRY_RECURSION, &Cause::OutOfFuel { fuel: FUEL });
    host.goes_on();
}

pub fn stack_overflow() {
    let host = Host::new();
    let fault = host.failed_authorize(crate::STACK_OVERFLOW, "");
    expect_in_authorize(&fault, crate::STACK_OVERFLOW, &Cause::StackOverflow);
    assert_eq!(fault.backtrace.len(), 16, "a backtrace is cut, however deep the stack");
    host.goes_on();
}

pub fn stack_of_big_frames() {
    // The stack lies at the bottom of linear memory, so that it runs out of it and not into the heap.
    let host = Host::new();
    let fault = host.failed_authorize(crate::STACK_OF_BIG_FRAMES, "");
    let message = "wasm trap: out of bounds memory access".into();
    expect_in_authorize(&fault, crate::STACK_OF_BIG_FRAMES, &Cause::Trap { message });
    host.goes_on();
}

/// Memory that was asked for, where that is why the plugin was stopped.
fn asked_memory(fault: &Fault) -> u64 {
    match fault.cause {
        Cause::Memory { asked, limit: MEMORY } => asked,
        _ => panic!("{fault}"),
    }
}

pub fn memory_bomb() {
    let host = Host::new();
    let fault = host.failed_authorize(crate::MEMORY_BOMB, "");
    let asked = asked_memory(&fault);
    expect_in_authorize(&fault, crate::MEMORY_BOMB, &Cause::Memory { asked, limit: MEMORY });
    assert!(asked > MEMORY && asked <= MEMORY + (2 << 20), "{asked}");
    assert!(fault.peak_memory.is_some_and(|peak| peak <= MEMORY && peak > MEMORY - (2 << 20)), "{fault}");
    host.goes_on();
}

#[test]
pub fn declared_memory_bomb() {
    let host = Host::new();
    let fault = host.fault_before_any_call(crate::DECLARED_MEMORY_BOMB);
    assert!(asked_memory(&fault) > 80 << 20);
    host.goes_on();
}

pub fn two_memories_below_the_limit_are_summed() {
    let host = Host::new();
    let bytes = with_rider("(component (core module $m (memory 1023)) (core instance (instantiate $m)))");
    let fault = host.failed_start(&bytes, "");
    let asked = asked_memory(&fault);
    let cause = Cause::Memory { asked, limit: MEMORY };
    expect(&fault, &bytes, Phase::Instantiate, Some("instantiation"), &cause);
    assert!(asked > 1023 * 65536);
    host.goes_on();
}

pub fn a_table_bomb() {
    let host = Host::new();
    let bytes = with_rider(
        "(component (core module $m
           (table $t 1 funcref)
           (func $grow (drop (table.grow $t (ref.null func) (i32.const 1000000))))
           (start $grow))
         (core instance (instantiate $m)))",
    );
    let fault = host.failed_start(&bytes, "");
    let Cause::Table { asked, limit: 100_000 } = fault.cause else { panic!("{fault}") };
    let cause = Cause::Table { asked, limit: 100_000 };
    expect(&fault, &bytes, Phase::Instantiate, Some("instantiation"), &cause);
    // What the policy itself has in tables is a few elements.
    assert!((1_000_001..1_010_000).contains(&asked), "{asked}");
    host.goes_on();
}

#[test]
fn a_declared_table_bomb() {
    let host = Host::new();
    let bytes = with_rider("(component (core module $m (table 1000000 funcref)) (core instance (instantiate $m)))");
    let fault = host.fault_before_any_call(&bytes);
    let Cause::Table { asked, limit: 100_000 } = fault.cause else { panic!("{fault}") };
    assert!(asked >= 1_000_000);
    host.goes_on();
}

pub fn a_flood_of_core_instances() {
    let host = Host::new();
    let text = format!("(component (core module $m) {})", "(core instance (instantiate $m))".repeat(65));
    let bytes = with_rider(&text);
    let fault = host.failed_start(&bytes, "");
    let message = "resource limit exceeded: instance count too high at 65".into();
    expect(&fault, &bytes, Phase::Instantiate, Some("instantiation"), &Cause::Trap { message });
    host.goes_on();
}

#[test]
fn a_module_with_more_memories_or_tables_than_a_slot_has_is_allocated_by_itself() {
    let host = Host::new();
    for declared in ["(memory 1) (memory 1)", &"(table 1 funcref)".repeat(5)] {
        let text = format!("(component (core module $m {declared}) (core instance (instantiate $m)))");
        let started = host.policy(&with_rider(&text)).session(&episode(""), &Arc::from([]));
        assert!(started.is_ok(), "{:?}", started.err());
    }
    host.goes_on();
}

#[test]
fn a_policy_that_holds_all_it_may_of_the_pool_starves_nobody() {
    let host = Host::new();
    // As many core instances as one component may have, while its session goes on.
    let text = format!("(component (core module $m) {})", "(core instance (instantiate $m))".repeat(55));
    let hog = host.policy(&with_rider(&text));
    let held: Vec<_> = (0..2).map(|_| hog.session(&episode(""), &Arc::from([]))).collect();
    assert!(held.iter().all(Result::is_ok), "{:?}", held.iter().find_map(|s| s.as_ref().err()));
    host.goes_on();
}

pub fn a_handle_leak() {
    let host = Host::new();
    let bytes = with_rider(
        r#"(component
             (type $r (resource (rep i32)))
             (core func $new (canon resource.new $r))
             (core module $m
               (import "host" "new" (func $new (param i32) (result i32)))
               (func $leak (loop $again (drop (call $new (i32.const 1))) (br $again)))
               (start $leak))
             (core instance $host (export "new" (func $new)))
             (core instance (instantiate $m (with "host" (instance $host)))))"#,
    );
    let fault = host.failed_start(&bytes, "");
    let message = "cannot allocate another handle: store handle limit exceeded".into();
    expect(&fault, &bytes, Phase::Instantiate, Some("instantiation"), &Cause::Trap { message });
    host.goes_on();
}

pub fn log_flood() {
    let host = Host::new();
    let budget = |limit, unit: &str| Cause::Budget { import: "log.write".into(), limit, unit: unit.into() };
    for (goal, cause) in [
        ("0", budget(1_000, "lines")),
        ("1024", budget(256 << 10, "bytes")),
        ("300000", budget(256 << 10, "bytes")),
        // One line of more than may cross the boundary does not get as far as the log.
        ("2000000", Cause::Output { limit: OUTPUT }),
    ] {
        let fault = host.failed_authorize(crate::LOG_FLOOD, goal);
        expect_in_authorize(&fault, crate::LOG_FLOOD, &cause);
        assert!(fault.stderr_tail.len() <= 8);
    }
    host.goes_on();
}

pub fn transcript_flood() {
    // The built-in guests free nothing, so one would run out of memory before it has pulled the default limit's bytes.
    let host = Host::limited(Limits { transcript_bytes: 1 << 20, ..Limits::default() });
    let budget = |limit, unit: &str| Cause::Budget { import: "transcript.text".into(), limit, unit: unit.into() };
    let texts: [Arc<str>; 1] = [Arc::from("x".repeat(60_000))];
    for (texts, cause) in [(&texts[..], budget(1 << 20, "bytes")), (&[], budget(100_000, "calls"))] {
        let mut session = host.session(crate::TRANSCRIPT_FLOOD, "");
        let fault = session.authorize(Delta { events: &[], texts }, &proposal(0)).unwrap_err();
        expect_in_authorize(&fault, crate::TRANSCRIPT_FLOOD, &cause);
    }
    host.goes_on();
}

pub fn searches_without_end() {
    let host = Host::new();
    let budget = |limit, unit: &str| Cause::Budget { import: "transcript.find".into(), limit, unit: unit.into() };
    let texts: [Arc<str>; 1] = [Arc::from("x".repeat(1 << 20))];
    for (texts, cause) in [(&texts[..], budget(64 << 20, "bytes")), (&[], budget(100_000, "calls"))] {
        let mut session = host.session(crate::SEARCHES_WITHOUT_END, "");
        let fault = session.authorize(Delta { events: &[], texts }, &proposal(0)).unwrap_err();
        expect_in_authorize(&fault, crate::SEARCHES_WITHOUT_END, &cause);
    }
    host.goes_on();
}

pub fn asks_the_model() {
    let host = Host::new();
    let fault = host.refusal(crate::ASKS_THE_MODEL);
    let refused_by = "the plugin does not ask for it: add \"model:ROLE\" to `asks` in weir.toml, or run `weir annotate FILE --ask model:ROLE`";
    let cause = Cause::NotGranted { capability: "model".into(), refused_by: refused_by.into() };
    expect(&fault, crate::ASKS_THE_MODEL, Phase::Link, None, &cause);
    host.goes_on();

    // Granted by both sides, it still has a budget.
    let judge = || vec![Capability::Log, Capability::Model("judge".into())];
    let asking = asking(crate::ASKS_THE_MODEL, &judge());
    let own = PluginGrants { grant: judge(), ..PluginGrants::default() };
    let host = Host::with(Grants { plugin: [("hostile".into(), own)].into(), ..Grants::default() });
    let component = host.load(Kind::Policy, &asking).unwrap();
    let mut session = PolicyPlugin::new(component).unwrap().session(&episode(""), &Arc::from([])).unwrap();
    let fault = session.authorize(nothing(), &proposal(0)).unwrap_err();
    let cause = Cause::Budget { import: "model.complete".into(), limit: 32, unit: "calls".into() };
    expect_in_authorize(&fault, &asking, &cause);
    host.goes_on();
}

pub fn metric_flood() {
    let host = Host::new();
    let reducer = ReducerPlugin::new(host.load(Kind::Reducer, crate::METRIC_FLOOD).unwrap()).unwrap();
    let fault = reducer.metrics().unwrap_err();
    expect(&fault, crate::METRIC_FLOOD, Phase::Call, Some("metrics"), &Cause::Output { limit: OUTPUT });
    host.goes_on();
}

#[test]
fn a_file_larger_than_any_plugin_is_not_even_hashed() {
    let host = Host::new();
    let fault = host.refusal(&[none(), &vec![0; 32 << 20]].concat());
    let bytes = u64::try_from(none().len()).unwrap() + (32 << 20);
    assert_eq!(fault.cause, Cause::TooLarge { bytes, limit: 32 << 20 });
    assert_eq!((fault.phase, fault.digest.as_str()), (Phase::Load, ""));
    host.goes_on();
}

#[test]
fn a_plugin_gets_less_fuel_if_it_wants_less_and_is_not_loaded_if_it_wants_more_than_is_allowed() {
    let wanting = |fuel: u64| {
        let mut metadata = Surface::read(crate::ENDLESS_LOOP).unwrap().metadata("endless-loop", "1.0.0").unwrap();
        metadata.limits = [(Limit::HookFuel, fuel)].into();
        weir_metadata::write(crate::ENDLESS_LOOP, &metadata).unwrap()
    };
    let host = Host::new();
    let modest = wanting(1_000_000);
    expect_in_authorize(&host.failed_authorize(&modest, ""), &modest, &Cause::OutOfFuel { fuel: 1_000_000 });
    let greedy = wanting(200_000_000);
    let cause = Cause::LimitWanted { limit: "hook-fuel".into(), wanted: 200_000_000, allowed: FUEL };
    expect(&host.refusal(&greedy), &greedy, Phase::Link, None, &cause);
    host.goes_on();
    // What an operator allows is allowed.
    let host = Host::limited(Limits { hook_fuel: 300_000_000, ..Limits::default() });
    expect_in_authorize(&host.failed_authorize(&greedy, ""), &greedy, &Cause::OutOfFuel { fuel: 200_000_000 });
}
