//! Attacks on the boundary itself: what a guest hands over, when it does not keep to the canonical ABI. See [`crate::forge`].

use crate::common::{Host, NAME, closed, episode, expect, nothing, proposal};
use crate::forge::Forge;
use std::sync::Arc;
use weir_runtime::wit::memory::{Item, Kind, Speaker, Turn};
use weir_runtime::world::Defence;
use weir_runtime::world::policy::Delta;
use weir_runtime::{Cause, Fault, Phase};

/// Fuel of one hook.
const FUEL: u64 = 100_000_000;

/// Never ends.
const LOOP: &str = "(loop $again (br $again)) unreachable";

/// An answer that lies at 1024.
const ANSWER: &str = "(i32.const 1024)";

fn trap(message: &str) -> Cause {
    Cause::Trap { message: message.into() }
}

/// The fault of a hook of this forged policy.
fn fault_of(host: &Host, bytes: &[u8], hook: &str) -> Fault {
    if hook == "constructor" {
        return host.failed_start(bytes, "a goal");
    }
    let texts: [Arc<str>; 1] = [Arc::from("a text")];
    let mut session = host.session(bytes, "a goal");
    let item = Item { id: "a".into(), text: "b".into(), kind: Kind::Fact, authority: None, evidence: vec![0] };
    let turn = Turn { index: 0, speaker: Speaker::User, text: "b".into(), calls: Vec::new(), call_id: None };
    *match hook {
        "guidance" => session.guidance().unwrap_err(),
        "recover" => session.recover(nothing()).unwrap_err(),
        "endorse" => session.endorse(&[item], &[turn]).unwrap_err(),
        _ => session.authorize(Delta { events: &[], texts: &texts }, &proposal(0)).unwrap_err(),
    }
}

/// The policy fails in this hook for this reason, a rollout under it is closed, and the host goes on.
#[track_caller]
fn fails(forge: Forge, hook: &str, cause: &Cause) {
    let host = Host::new();
    let bytes = forge.make();
    let fault = fault_of(&host, &bytes, hook);
    let export = if hook == "constructor" { "session constructor".into() } else { format!("session.{hook}") };
    expect(&fault, &bytes, Phase::Call, Some(&export), cause);
    if matches!(hook, "constructor" | "authorize" | "guidance") {
        closed(&host, &bytes);
    }
    host.goes_on();
}

/// It fails before any call.
#[track_caller]
fn fails_at_start(forge: Forge, cause: &Cause) {
    let host = Host::new();
    let bytes = forge.make();
    let fault = host.failed_start(&bytes, "");
    expect(&fault, &bytes, Phase::Instantiate, Some("instantiation"), cause);
    closed(&host, &bytes);
    host.goes_on();
}

#[test]
fn a_policy_that_is_forged_and_does_nothing_is_one() {
    // Otherwise the attacks would prove nothing.
    let host = Host::new();
    let bytes = Forge::default().make();
    let mut session = host.session(&bytes, "a goal");
    assert_eq!(session.guidance().unwrap(), None);
    assert!(session.authorize(nothing(), &proposal(0)).is_ok());
    assert!(session.recover(nothing()).unwrap().value.is_empty());
    assert_eq!(host.policy(&bytes).component().name(), NAME);
    assert!(host.policy(&bytes).session(&episode("again"), &Arc::from([])).is_ok());
}

pub fn loop_in_the_constructor() {
    fails(Forge::default().hook("constructor", LOOP), "constructor", &Cause::OutOfFuel { fuel: FUEL });
}

pub fn loop_in_realloc() {
    fails(Forge::default().realloc(LOOP), "constructor", &Cause::OutOfFuel { fuel: FUEL });
}

pub fn loop_after_the_answer() {
    fails(Forge::default().after("guidance", LOOP), "guidance", &Cause::OutOfFuel { fuel: FUEL });
}

pub fn trap_after_the_answer() {
    let cause = trap("wasm trap: wasm `unreachable` instruction executed");
    fails(Forge::default().after("authorize", "unreachable"), "authorize", &cause);
}

pub fn loop_in_a_destructor() {
    let forge = Forge::default()
        .hook("authorize", &format!("(call $drop (call $new (i32.const 1))) {ANSWER}"))
        .destructor("(loop $again (br $again))");
    fails(forge, "authorize", &Cause::OutOfFuel { fuel: FUEL });
}

pub fn loop_at_the_start() {
    let forge = Forge::default().with("(func $begin (loop $again (br $again))) (start $begin)");
    fails_at_start(forge, &Cause::OutOfFuel { fuel: FUEL });
}

pub fn trap_at_the_start() {
    let forge = Forge::default().with("(func $begin unreachable) (start $begin)");
    fails_at_start(forge, &trap("wasm trap: wasm `unreachable` instruction executed"));
}

pub fn recursion_at_the_start() {
    let forge = Forge::default().with("(func $begin (call $begin) (call $begin)) (start $begin)");
    fails_at_start(forge, &Cause::StackOverflow);
}

pub fn memory_in_one_bite() {
    let forge = Forge::default().with("(func $begin (drop (memory.grow (i32.const 65000)))) (start $begin)");
    fails_at_start(forge, &Cause::Memory { asked: (65_000 + 4) << 16, limit: 64 << 20 });
}

pub fn memory_page_by_page() {
    let forge = Forge::default()
        .with("(func $begin (loop $again (drop (memory.grow (i32.const 1))) (br $again))) (start $begin)");
    fails_at_start(forge, &Cause::Memory { asked: (64 << 20) + (1 << 16), limit: 64 << 20 });
}

pub fn a_handle_out_of_the_air() {
    fails(
        Forge::default().hook("constructor", "(i32.const 12345)"),
        "constructor",
        &trap("unknown handle index 12345"),
    );
}

pub fn a_handle_that_was_given_away() {
    let forge = Forge::default()
        .with("(global $mine (mut i32) (i32.const 0))")
        .hook("constructor", "(global.set $mine (call $new (i32.const 7))) (global.get $mine)")
        .hook("authorize", &format!("(call $drop (global.get $mine)) {ANSWER}"));
    fails(forge, "authorize", &trap("unknown handle index 1"));
}

pub fn a_handle_dropped_twice() {
    let twice = "(local $h i32) (local.set $h (call $new (i32.const 1)))
        (call $drop (local.get $h)) (call $drop (local.get $h))";
    fails(
        Forge::default().hook("authorize", &format!("{twice} {ANSWER}")),
        "authorize",
        &trap("unknown handle index 1"),
    );
}

pub fn a_look_behind_a_foreign_handle() {
    let forge = Forge::default().hook("authorize", &format!("(drop (call $rep (i32.const 4242))) {ANSWER}"));
    fails(forge, "authorize", &trap("unknown handle index 4242"));
}

pub fn handles_without_end() {
    let forge = Forge::default()
        .hook("authorize", &format!("(loop $more (drop (call $new (i32.const 1))) (br $more)) {ANSWER}"));
    fails(forge, "authorize", &trap("cannot allocate another handle: store handle limit exceeded"));
}

pub fn an_answer_beyond_memory() {
    fails(Forge::default().hook("authorize", "(i32.const -16)"), "authorize", &trap("pointer out of bounds of memory"));
}

pub fn an_answer_that_is_not_aligned() {
    fails(Forge::default().hook("authorize", "(i32.const 1025)"), "authorize", &trap("return pointer not aligned"));
}

/// A guidance whose text stands at this place.
fn guidance(pointer: i32, length: i32) -> Forge {
    Forge::default().hook(
        "guidance",
        &format!(
            "(i32.store8 (i32.const 1024) (i32.const 1)) (i32.store (i32.const 1028) (i32.const {pointer}))
             (i32.store (i32.const 1032) (i32.const {length})) {ANSWER}"
        ),
    )
}

pub fn a_text_longer_than_memory() {
    fails(guidance(2048, -1), "guidance", &trap("string pointer/length out of bounds of memory"));
}

pub fn a_text_that_begins_at_the_end_of_memory() {
    fails(guidance(4 << 16, 1), "guidance", &trap("string pointer/length out of bounds of memory"));
}

pub fn a_text_that_is_no_utf8() {
    for bytes in ["\\ff\\fe", "\\c0\\80", "\\ed\\a0\\80", "\\f4\\90\\80\\80", "abc\\e2\\82"] {
        let length = i32::try_from(wat_length(bytes)).unwrap();
        let forge = guidance(2048, length).with(&format!("(data (i32.const 2048) \"{bytes}\")"));
        let host = Host::new();
        let bytes = forge.make();
        let fault = fault_of(&host, &bytes, "guidance");
        let Cause::Trap { message } = &fault.cause else { panic!("{fault}") };
        assert!(message.contains("utf-8"), "{message}");
        expect(&fault, &bytes, Phase::Call, Some("session.guidance"), &trap(message));
        closed(&host, &bytes);
        host.goes_on();
    }
}

/// Bytes of a WebAssembly string.
fn wat_length(text: &str) -> usize {
    text.len() - 2 * text.matches('\\').count()
}

/// A list of so many of what the hook answers with.
fn list(hook: &'static str, length: i32) -> Forge {
    Forge::default().hook(
        hook,
        &format!(
            "(i32.store (i32.const 1028) (i32.const 2048)) (i32.store (i32.const 1032) (i32.const {length})) {ANSWER}"
        ),
    )
}

pub fn a_list_longer_than_memory() {
    fails(list("recover", 1_000_000), "recover", &trap("list pointer/length out of bounds of memory"));
}

pub fn a_list_whose_size_overflows() {
    fails(list("endorse", -1), "endorse", &trap("list pointer/length out of bounds of memory"));
}

pub fn more_answers_than_were_asked() {
    let message = "3 endorsements of 1 memories".into();
    fails(list("endorse", 3), "endorse", &Cause::Answer { message });
}

pub fn a_turn_that_is_not_there_as_support() {
    // One endorsement: no authority, and turn 99 as its support.
    let forge = list("endorse", 1).with("(data (i32.const 2052) \"\\01\\00\\00\\00\\63\\00\\00\\00\")");
    fails(forge, "endorse", &Cause::Answer { message: "support names turn 99, which is not there".into() });
}

/// An answer at 1024 of which these bytes are known.
fn answering(hook: &'static str, bytes: &str) -> Forge {
    Forge::default().hook(hook, ANSWER).with(&format!("(data (i32.const 1024) \"{bytes}\")"))
}

pub fn a_result_that_is_neither() {
    fails(answering("authorize", "\\02"), "authorize", &trap("invalid expected discriminant"));
}

pub fn a_decision_of_no_kind() {
    fails(answering("authorize", "\\00\\00\\00\\00\\09"), "authorize", &trap("unexpected discriminant: 9"));
}

pub fn a_reason_that_is_there_and_not_there() {
    fails(
        answering("authorize", "\\00\\00\\00\\00\\00\\00\\00\\00\\05"),
        "authorize",
        &trap("invalid option discriminant"),
    );
}

pub fn an_authority_of_no_kind() {
    let forge = list("endorse", 1).with("(data (i32.const 2048) \"\\01\\07\")");
    fails(forge, "endorse", &trap("unexpected discriminant: 7"));
}

pub fn a_repair_of_no_kind() {
    let forge = list("recover", 1).with("(data (i32.const 2048) \"\\63\")");
    fails(forge, "recover", &trap("unexpected discriminant: 99"));
}

pub fn memory_for_the_host_beyond_memory() {
    let message = "realloc return: beyond end of memory";
    fails(Forge::default().realloc("(i32.const -4096)"), "constructor", &trap(message));
}

pub fn memory_for_the_host_that_is_not_aligned() {
    let forge = Forge::default().realloc("(i32.const 4097)").hook("authorize", ANSWER);
    let host = Host::new();
    let bytes = forge.make();
    // Texts may lie anywhere, lists may not.
    let mut episode = episode("a goal");
    episode.agents = vec!["agent".into()];
    let Err(fault) = host.policy(&bytes).session(&episode, &Arc::from([])) else { panic!("it started") };
    expect(&fault, &bytes, Phase::Call, Some("session constructor"), &trap("realloc return: result not aligned"));
    closed(&host, &bytes);
    host.goes_on();
}

/// What a guest does while the host is about to hand something over.
const CALLS_BACK: &str = "(call $log (i32.const 0) (i32.const 0) (i32.const 0)) (i32.const 65536)";

pub fn a_call_of_the_host_while_it_hands_something_over() {
    fails(Forge::default().realloc(CALLS_BACK), "constructor", &trap("wasm trap: cannot leave component instance"));
}

pub fn a_call_of_the_host_after_the_answer() {
    let forge = Forge::default().after("guidance", "(call $log (i32.const 0) (i32.const 0) (i32.const 0))");
    fails(forge, "guidance", &trap("wasm trap: cannot leave component instance"));
}

pub fn a_stack_of_calls_into_the_host_and_back() {
    // Asked for a text, the host takes memory from the guest, which asks for a text, and so on; it starts when it decides.
    let forge = Forge::default()
        .with("(global $deciding (mut i32) (i32.const 0))")
        .realloc(
            "(if (global.get $deciding) (then (call $text (i32.const 0) (i32.const 1024))))
             (global.get $heap) (global.set $heap (i32.add (global.get $heap) (i32.and (i32.add (local.get 3) (i32.const 7)) (i32.const -8))))",
        )
        .hook(
            "authorize",
            &format!("(global.set $deciding (i32.const 1)) (call $text (i32.const 0) (i32.const 1024)) {ANSWER}"),
        );
    fails(forge, "authorize", &trap("wasm trap: cannot leave component instance"));
}

pub fn a_log_line_that_is_no_text() {
    let forge = Forge::default()
        .with("(data (i32.const 2048) \"\\ff\\ff\")")
        .hook("authorize", &format!("(call $log (i32.const 0) (i32.const 2048) (i32.const 2)) {ANSWER}"));
    let host = Host::new();
    let bytes = forge.make();
    let fault = fault_of(&host, &bytes, "authorize");
    let Cause::Trap { message } = &fault.cause else { panic!("{fault}") };
    assert!(message.contains("utf-8"), "{message}");
    expect(&fault, &bytes, Phase::Call, Some("session.authorize"), &trap(message));
    closed(&host, &bytes);
    host.goes_on();
}

pub fn a_log_line_beyond_memory() {
    let forge = Forge::default()
        .hook("authorize", &format!("(call $log (i32.const 0) (i32.const -8) (i32.const 64)) {ANSWER}"));
    fails(forge, "authorize", &trap("string pointer/length out of bounds of memory"));
}

pub fn a_log_level_of_no_kind() {
    let forge =
        Forge::default().hook("authorize", &format!("(call $log (i32.const 77) (i32.const 0) (i32.const 0)) {ANSWER}"));
    fails(forge, "authorize", &trap("unexpected discriminant: 77"));
}
