//! Attacks through what domains, writers and reducers answer. A policy's are in [`crate::answers`].

use crate::common::{Host, built_in, expect, none, note};
use crate::rollout::run;
use weir_rollout::Infra;
use weir_rollout::reduce::Reducers;
use weir_runtime::wit::domains::Request;
use weir_runtime::wit::memory::{Speaker, Turn};
use weir_runtime::wit::reducers::Header;
use weir_runtime::wit::trace::Columns;
use weir_runtime::wit::writers::{Method, Task, View};
use weir_runtime::world::{DomainPlugin, ReducerPlugin, WriterPlugin};
use weir_runtime::{Cause, Fault, Kind, Limits, Phase};
use weir_suite::Error;
use weir_suite::cases::{Case, cases};
use weir_trace::codec::{Toolsets, decode, encode, read_frame};

/// Bytes that cross the boundary in one call.
const OUTPUT: u64 = 1 << 20;
/// A call's fuel in these tests: a loop need not take as long as a domain may.
const FUEL: u64 = 200_000_000;

fn host() -> Host {
    Host::limited(Limits { call_fuel: FUEL, ..Limits::default() })
}

fn domain(host: &Host) -> DomainPlugin {
    DomainPlugin::new(host.load(Kind::Domain, crate::LYING_DOMAIN).unwrap()).unwrap()
}

/// The lying domain's scenarios.
fn scenarios(domain: &DomainPlugin, lie: &str) -> Result<(Vec<Case>, Toolsets), Error> {
    let request = Request { stage: "clean".into(), count: 1, seed: 1, parameters: format!("{lie:?}") };
    let mut toolsets = Toolsets::default();
    Ok((cases(domain, &domain.describe().unwrap(), &request, &mut toolsets)?, toolsets))
}

pub fn lying_domain() {
    let host = host();
    let domain = domain(&host);
    let answer = |message: &str| Cause::Answer { message: message.into() };
    let hidden = |name: &str| answer(&format!("the name `{name}` has characters that nobody sees"));
    let long = format!("the name `{}` is too long", "x".repeat(512));
    for (lie, cause) in [
        ("too many", &Cause::Output { limit: OUTPUT }),
        ("never", &Cause::OutOfFuel { fuel: FUEL }),
        ("one identifier twice", &answer("two scenarios are called `lie-1`")),
        ("painted identifier", &hidden("lie [2J ")),
        ("painted family", &hidden("lies [2J ")),
        ("painted agent", &hidden(" [2J ")),
        ("endless identifier", &answer(&long)),
        ("no agent", &answer("scenario lie-0 has no agent or no ledger")),
        ("no ledger", &answer("scenario lie-0 has no agent or no ledger")),
    ] {
        let Err(Error::Plugin(fault)) = scenarios(&domain, lie) else { panic!("{lie}: no fault") };
        expect(&fault, crate::LYING_DOMAIN, Phase::Call, Some("scenarios"), cause);
    }
    // With all the fuel that a domain has, memory ends first.
    let wide = Host::new();
    let Err(Error::Plugin(fault)) = scenarios(&self::domain(&wide), "millions") else { panic!("no fault") };
    assert!(matches!(fault.cause, Cause::Memory { limit, .. } if limit == 64 << 20), "{fault}");
    expect(&fault, crate::LYING_DOMAIN, Phase::Call, Some("scenarios"), &fault.cause);
    host.goes_on();
}

pub fn scenarios_that_do_not_fit_their_domain() {
    let host = host();
    let domain = domain(&host);
    for (lie, said) in [
        ("no toolset", "scenario lie-0 names toolset 4294967295, which does not exist"),
        ("no schema", "the schema of parameter `to` is not JSON: recursion limit exceeded"),
        ("another stage", "gives scenario lie-0 of stage `security` where `clean` was asked for"),
        ("deep script", "the script of scenario `lie-0` is not in the contract's form"),
    ] {
        let Err(error) = scenarios(&domain, lie) else { panic!("{lie}: no error") };
        assert!(matches!(error, Error::Input(_) | Error::Infra(Infra::Input(_))), "{lie}: {error}");
        assert!(error.to_string().contains(said), "{lie}: {error}");
        note("refused");
    }
    host.goes_on();
}

/// A rollout in the lying domain's environment. Nothing of one that fails is scored: there is no trace to score.
fn rollout(host: &Host, state: &str) -> Result<(), Infra> {
    let domain = domain(host);
    let (cases, toolsets) = scenarios(&domain, state).unwrap();
    let trace = run(&domain, &host.policy(none()), &cases[0])?;
    // What it said is in the trace to the letter, and the trace reads as itself.
    let frame = encode(&trace.header, &trace.events).unwrap();
    let text = read_frame(&mut frame.bytes.as_slice()).unwrap().unwrap();
    assert_eq!(decode(&text, &toolsets).unwrap().0, trace);
    Ok(())
}

pub fn an_environment_that_fails() {
    let host = host();
    let trap = Cause::Trap { message: "wasm trap: wasm `unreachable` instruction executed".into() };
    let refused = Cause::Refused { message: "other: no  [2J ".into() };
    let empty = Cause::OutOfFuel { fuel: FUEL };
    for (state, export, cause) in [
        ("traps start", "environment constructor", &trap),
        ("loops start", "environment constructor", &empty),
        ("refuses start", "environment.assess", &refused),
        ("traps assess", "environment.assess", &trap),
        ("loops stage", "environment.stage-call", &empty),
        ("refuses stage", "environment.stage-call", &refused),
        ("traps commit", "environment.commit", &trap),
        ("refuses commit", "environment.commit", &refused),
        ("loops judge", "environment.judge", &empty),
        ("floods segments", "environment.stage-call", &Cause::Output { limit: OUTPUT }),
        ("floods text", "environment.stage-call", &Cause::Output { limit: OUTPUT }),
    ] {
        let Err(Infra::Domain(fault)) = rollout(&host, state) else { panic!("{state}: not the domain's failure") };
        expect(&fault, crate::LYING_DOMAIN, Phase::Call, Some(export), cause);
    }
    host.goes_on();
}

pub fn an_environment_that_answers_with_bombs() {
    // No reader of JSON sees them, so that they are only texts.
    let host = host();
    rollout(&host, "json bomb").unwrap();
    rollout(&host, "painted").unwrap();
    host.goes_on();
}

/// What a lying writer's answer ends in.
fn consolidation(host: &Host, lie: &str) -> Fault {
    let writer = WriterPlugin::new(host.load(Kind::Writer, crate::LYING_WRITER).unwrap()).unwrap();
    let turn = Turn { index: 0, speaker: Speaker::User, text: lie.into(), calls: Vec::new(), call_id: None };
    let task = Task {
        history: vec![turn],
        marks: Vec::new(),
        existing: Vec::new(),
        limit: 16,
        view: View::Full,
        method: Method::Rules,
    };
    *writer.consolidate(&task).unwrap_err()
}

pub fn lying_writer() {
    let host = host();
    let answer = |message: &str| Cause::Answer { message: message.into() };
    for (lie, cause) in [
        ("too many", answer("17 memories, the limit is 16")),
        ("foreign evidence", answer("evidence names turn 4000000000, which is not there")),
        ("one identifier twice", answer("two memories have the identifier `a`")),
        ("painted identifier", answer("the identifier `a [2J` has characters that nobody sees")),
        ("long text", Cause::Output { limit: 64 << 10 }),
    ] {
        let fault = consolidation(&host, lie);
        expect(&fault, crate::LYING_WRITER, Phase::Call, Some("consolidate"), &cause);
    }
    let fault = consolidation(&host, "millions");
    assert!(matches!(fault.cause, Cause::Memory { .. } | Cause::Output { .. } | Cause::OutOfFuel { .. }), "{fault}");
    expect(&fault, crate::LYING_WRITER, Phase::Call, Some("consolidate"), &fault.cause);
    host.goes_on();
}

fn header(stage: &str) -> Header {
    Header {
        stage: stage.into(),
        topology: "single".into(),
        memory_mode: "session".into(),
        taint_vocabulary: 1,
        goal_met: None,
        tainted_dependency: None,
        recovered: None,
        reinfected: None,
    }
}

/// One event.
fn batch() -> Columns {
    Columns {
        first: 0,
        kinds: vec![0],
        labels: vec![0],
        agents: vec![0],
        tools: vec![u32::MAX],
        calls: vec![u32::MAX],
        edge_offsets: vec![0, 0],
        edge_parents: Vec::new(),
        edge_kinds: Vec::new(),
        facts: vec![0],
        strings: vec!["agent".into()],
    }
}

pub fn lying_reducer() {
    let host = host();
    let reducer = ReducerPlugin::new(host.load(Kind::Reducer, crate::LYING_REDUCER).unwrap()).unwrap();
    let infinite = Cause::Answer { message: "metric 0 is not a finite number".into() };
    let trap = Cause::Trap { message: "wasm trap: wasm `unreachable` instruction executed".into() };
    for (lie, export, cause) in [
        ("infinite", "fold.finish", &infinite),
        ("infinite numerator", "fold.finish", &infinite),
        ("no denominator", "fold.finish", &infinite),
        ("traps", "fold.push", &trap),
        ("loops", "fold.push", &Cause::OutOfFuel { fuel: FUEL }),
    ] {
        let fault = reducer.fold(&header(lie), &[batch()]).unwrap_err();
        expect(&fault, crate::LYING_REDUCER, Phase::Call, Some(export), cause);
    }
    // One measurement more than metrics: the fold cannot know, who asked for the metrics can.
    assert_eq!(reducer.fold(&header("more than described"), &[batch()]).unwrap().len(), 2);
    host.goes_on();
}

/// What is said of a trace's measurement by this reducer.
fn measured(host: &Host, bytes: &[u8]) -> Infra {
    let email = DomainPlugin::new(host.load(Kind::Domain, built_in("domain", "email")).unwrap()).unwrap();
    let request = Request { stage: "clean".into(), count: 1, seed: 1, parameters: "{}".into() };
    let cases = cases(&email, &email.describe().unwrap(), &request, &mut Toolsets::default()).unwrap();
    let mut trace = run(&email, &host.policy(none()), &cases[0]).unwrap();
    trace.header.stage = "more than described".into();
    let reducer = ReducerPlugin::new(host.load(Kind::Reducer, bytes).unwrap()).unwrap();
    Reducers::new(vec![Box::new(reducer)]).unwrap().measure(&trace).unwrap_err()
}

pub fn measures_twice() {
    // The wider fuel of a whole domain.
    let host = Host::new();
    let said = measured(&host, crate::MEASURES_TWICE).to_string();
    assert_eq!(said, "reducer `hostile` measured `harm` twice");
    let said = measured(&host, crate::LYING_REDUCER).to_string();
    assert_eq!(said, "reducer `hostile` measured metric 1, which it lacks");
    note("refused");
    host.goes_on();
}

pub fn painted_metrics() {
    let host = host();
    let reducer = ReducerPlugin::new(host.load(Kind::Reducer, crate::PAINTED_METRICS).unwrap()).unwrap();
    let fault = reducer.metrics().unwrap_err();
    let message = "the name `harm [2J` has characters that nobody sees".into();
    expect(&fault, crate::PAINTED_METRICS, Phase::Call, Some("metrics"), &Cause::Answer { message });
    host.goes_on();
}
