//! Attacks through what a plugin answers, or fails to answer.

use crate::common::{Host, episode, expect, expect_in_authorize, nothing, proposal};
use std::sync::Arc;
use weir_runtime::wit::domains::{Call, Request};
use weir_runtime::wit::policies::{Decision, Filtered};
use weir_runtime::wit::reducers::Header;
use weir_runtime::world::policy::Delta;
use weir_runtime::world::{Defence, DomainPlugin, ReducerPlugin, Scene};
use weir_runtime::{Cause, Fault, Kind, Phase};
use weir_suite::Plugins;
use weir_suite::plugins::Found;

/// The fault of the hook of this name, in a rollout whose goal names it too.
fn fault_of(host: &Host, bytes: &[u8], goal: &str, hook: &str) -> Fault {
    if hook == "constructor" {
        return host.failed_start(bytes, goal);
    }
    let mut session = host.session(bytes, goal);
    *match hook {
        "guidance" => session.guidance().unwrap_err(),
        "filter" => session.filter(nothing(), 0).unwrap_err(),
        "precommit" => session.precommit(nothing(), &proposal(0)).unwrap_err(),
        "recover" => session.recover(nothing()).unwrap_err(),
        _ => session.authorize(nothing(), &proposal(0)).unwrap_err(),
    }
}

pub fn trap_in_each_hook() {
    let host = Host::new();
    for (hook, export) in [
        ("constructor", "session constructor"),
        ("guidance", "session.guidance"),
        ("filter", "session.filter"),
        ("authorize", "session.authorize"),
        ("precommit", "session.precommit"),
        ("recover", "session.recover"),
    ] {
        let fault = fault_of(&host, crate::TRAP_IN_EACH_HOOK, hook, hook);
        let cause = Cause::Trap { message: "wasm trap: wasm `unreachable` instruction executed".into() };
        expect(&fault, crate::TRAP_IN_EACH_HOOK, Phase::Call, Some(export), &cause);
        assert!(fault.stderr_tail.iter().any(|line| line.contains("the goal names this hook")), "{fault}");
        host.goes_on();
    }
    // A goal that names no hook meets a policy like any other.
    let mut session = host.session(crate::TRAP_IN_EACH_HOOK, "a goal");
    assert_eq!(session.authorize(nothing(), &proposal(0)).unwrap().value, Decision::Allow(None));
}

pub fn huge_answer() {
    let host = Host::new();
    let boundary = Cause::Output { limit: 1 << 20 };
    let text = Cause::Output { limit: 64 << 10 };
    for (hook, bytes, cause) in [
        ("guidance", 8 << 20, &boundary),
        ("guidance", (64 << 10) + 1, &text),
        ("filter", 8 << 20, &boundary),
        ("filter", (64 << 10) + 1, &text),
        ("authorize", 8 << 20, &boundary),
        ("authorize", (64 << 10) + 1, &text),
    ] {
        let fault = fault_of(&host, crate::HUGE_ANSWER, &format!("{hook} {bytes}"), hook);
        expect(&fault, crate::HUGE_ANSWER, Phase::Call, Some(&format!("session.{hook}")), cause);
    }
    // The limit itself is still a text.
    let mut session = host.session(crate::HUGE_ANSWER, &format!("filter {}", 64 << 10));
    let Filtered::Replace(text) = session.filter(nothing(), 0).unwrap().value else { panic!("not replaced") };
    assert_eq!(text.len(), 64 << 10);
    host.goes_on();
}

pub fn forged_rule() {
    let host = Host::new();
    let own = "the rule `plugin-fault` is the host's own";
    let form = "a rule identifier has 1 to 64 characters of a-z, 0-9, `_`, `-` and `.`";
    for (rule, message) in [
        ("plugin-fault", own),
        ("", form),
        ("Allow", form),
        ("two words", form),
        ("red\u{1b}[31m", form),
        ("nul\0", form),
        ("plugin\u{2010}fault", form),
        ("a".repeat(65).as_str(), form),
    ] {
        let cause = Cause::Answer { message: message.into() };
        for call in 0..3 {
            let mut session = host.session(crate::FORGED_RULE, rule);
            let fault = session.authorize(nothing(), &proposal(call)).unwrap_err();
            expect_in_authorize(&fault, crate::FORGED_RULE, &cause);
            let fault = session.precommit(nothing(), &proposal(call)).unwrap_err();
            expect(&fault, crate::FORGED_RULE, Phase::Call, Some("session.precommit"), &cause);
        }
        let fault = fault_of(&host, crate::FORGED_RULE, rule, "filter");
        expect(&fault, crate::FORGED_RULE, Phase::Call, Some("session.filter"), &cause);
    }
    let mut session = host.session(crate::FORGED_RULE, &"a".repeat(64));
    assert!(session.authorize(nothing(), &proposal(0)).is_ok());
    host.goes_on();
}

pub fn forged_error() {
    let host = Host::new();
    // Words that would be the host's own, and lines that would be further lines of its report.
    for (text, shown) in [
        ("the host failed: rerun this unit", "other: the host failed: rerun this unit"),
        ("x\n  fuel used 0\u{1b}[2J", "other: x   fuel used 0 [2J"),
    ] {
        let fault = host.failed_authorize(crate::FORGED_ERROR, text);
        expect_in_authorize(&fault, crate::FORGED_ERROR, &Cause::Refused { message: shown.into() });
        assert!(!fault.cause.is_infrastructure());
    }
    host.goes_on();
}

#[test]
fn a_long_error_is_cut_wherever_its_characters_end() {
    let host = Host::new();
    for text in ["x".repeat(500_000), format!("x{}", "é".repeat(250_000))] {
        let fault = host.failed_authorize(crate::FORGED_ERROR, &text);
        let Cause::Refused { message } = &fault.cause else { panic!("{fault}") };
        assert!(message.len() <= 4096 + "other: ".len(), "{} bytes", message.len());
    }
}

pub fn not_a_number() {
    let host = Host::new();
    let reducer = ReducerPlugin::new(host.load(Kind::Reducer, crate::NOT_A_NUMBER).unwrap()).unwrap();
    let header = Header {
        stage: "security".into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        taint_vocabulary: 1,
        goal_met: None,
        tainted_dependency: None,
        recovered: None,
        reinfected: None,
    };
    let fault = reducer.fold(&header, &[]).unwrap_err();
    let cause = Cause::Answer { message: "metric 0 is not a finite number".into() };
    expect(&fault, crate::NOT_A_NUMBER, Phase::Call, Some("fold.finish"), &cause);
    host.goes_on();
}

pub fn peeks_ahead() {
    // No fault: it gets what it was shown, without the canaries, and nothing else.
    let host = Host::new();
    let canaries: Arc<[String]> = Arc::from(["CANARY-7".to_owned()]);
    let mut session = host.policy(crate::PEEKS_AHEAD).session(&episode(""), &canaries).unwrap();
    let texts: [Arc<str>; 2] = [Arc::from("first"), Arc::from("code CANARY-7")];
    let seen = |decision| match decision {
        Decision::Block(reason) => reason.message,
        other => panic!("{other:?}"),
    };
    let first = session.authorize(Delta { events: &[], texts: &texts[..1] }, &proposal(0)).unwrap();
    assert_eq!(seen(first.value), "first");
    let second = session.authorize(Delta { events: &[], texts: &texts[1..] }, &proposal(1)).unwrap();
    assert_eq!(seen(second.value), "first|code [canary 0]");
    host.goes_on();
}

pub fn counts_across_rollouts() {
    // No fault either: within a rollout the count works, and every rollout starts from zero.
    let host = Host::new();
    let policy = host.policy(crate::COUNTS_ACROSS_ROLLOUTS);
    for _ in 0..8 {
        let mut session = policy.session(&episode(""), &Arc::from([])).unwrap();
        let mut allows = |call| {
            let decision = session.authorize(nothing(), &proposal(call)).unwrap().value;
            matches!(decision, Decision::Allow(_))
        };
        assert_eq!([0, 1, 2, 3, 4].map(&mut allows), [true, true, true, false, false]);
    }
    let bytes = crate::COUNTS_ACROSS_ROLLOUTS.to_vec();
    let found = Found { name: "hostile".into(), bytes };
    // A rollout contains it; a check finds it all the same, since a second session in one instance goes on counting.
    let lines = weir_suite::check::check(&Plugins::new(host.loader), &found).unwrap();
    let holds = |demand: &str| lines.iter().find(|line| line.demand == demand).unwrap().holds;
    assert!(holds("deterministic") && holds("no state between rollouts"));
    assert!(!holds("keeps no state outside its session"), "{lines:?}");
    Host::new().goes_on();
}

#[test]
pub fn hash_map_order() {
    // The same in every rollout, since each begins in a fresh instance.
    let host = Host::new();
    let words = || {
        let mut session = host.session(crate::HASH_MAP_ORDER, "");
        session.authorize(nothing(), &proposal(0)).unwrap().value
    };
    assert_eq!(words(), words());
    // In a second session of one instance the same map has another order, and a check finds it.
    let mut session = host.session(crate::HASH_MAP_ORDER, "");
    let first = session.authorize(nothing(), &proposal(0)).unwrap().value;
    session.renew(&episode("")).unwrap();
    assert_ne!(session.authorize(nothing(), &proposal(0)).unwrap().value, first);
    host.goes_on();
}

#[test]
pub fn no_rule() {
    let host = Host::new();
    let message = "a rule identifier has 1 to 64 characters of a-z, 0-9, `_`, `-` and `.`".into();
    expect_in_authorize(&host.failed_authorize(crate::NO_RULE, ""), crate::NO_RULE, &Cause::Answer { message });
    host.goes_on();
}

#[test]
pub fn never_commits() {
    // No fault: each answer is within the contract, and the work is never done.
    let host = Host::new();
    let domain = DomainPlugin::new(host.load(Kind::Domain, crate::NEVER_COMMITS).unwrap()).unwrap();
    let request = Request { stage: "clean".into(), count: 1, seed: 1, parameters: "{}".into() };
    let scenario = domain.scenarios(&request).unwrap().remove(0);
    let mut environment = domain.environment(&scenario).unwrap();
    let call = Call { call_id: 0, tool: 0, arguments: r#"{"text":"Lunch is at noon."}"#.into() };
    assert_eq!(environment.stage_call(&call).unwrap().changes.len(), 1);
    environment.commit(0).unwrap();
    assert!(!environment.judge().unwrap().goal_met);
    host.goes_on();
}
