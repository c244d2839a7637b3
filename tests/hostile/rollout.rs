//! Whole rollouts under a policy that fails: nothing that it did not decide is done.

use crate::common::{Host, NAME, built_in, none, with_rider};
use weir_rollout::Infra;
use weir_rollout::live::{Confirmation, TURNS, ledger_of};
use weir_rollout::models::Source;
use weir_rollout::reduce::Reducers;
use weir_runtime::Kind;
use weir_runtime::wit::domains::Request;
use weir_runtime::world::{DomainPlugin, Measure, PolicyPlugin, ReducerPlugin};
use weir_suite::cases::{Case, Variant, cases, reference};
use weir_suite::executor::Quiet;
use weir_suite::models::NoRealModels;
use weir_suite::store::{Store, planned};
use weir_suite::suite_file::Suite;
use weir_suite::{Plugins, Row, Settings, live, models};
use weir_trace::codec::Toolsets;
use weir_trace::{Body, NodeKind, Trace, Verdict, fact};

/// The simulated model that always obeys an injection.
const MODEL: &str = "sim:compromised-oracle";

/// The mail domain, and how to score a trace.
struct Bench {
    domain: DomainPlugin,
    reducers: Reducers,
}

impl Bench {
    fn new(host: &Host) -> Self {
        let domain = DomainPlugin::new(host.load(Kind::Domain, built_in("domain", "email")).unwrap()).unwrap();
        let reducer = |name| -> Box<dyn Measure> {
            let bytes = built_in("reducer", name);
            Box::new(ReducerPlugin::new(host.load(Kind::Reducer, bytes).unwrap()).unwrap())
        };
        let reducers = Reducers::new(Plugins::names(Kind::Reducer).map(reducer).collect()).unwrap();
        Bench { domain, reducers }
    }

    fn scenarios(&self, stage: &str) -> Vec<Case> {
        let request = Request { stage: stage.into(), count: 4, seed: 1, parameters: "{}".into() };
        cases(&self.domain, &self.domain.describe().unwrap(), &request, &mut Toolsets::default()).unwrap()
    }

    fn run(&self, policy: &PolicyPlugin, case: &Case) -> (Trace, Row) {
        let trace = run(&self.domain, policy, case).unwrap();
        let row = Row::new(&trace, NAME, "oracle", self.reducers.measure(&trace).unwrap());
        (trace, row)
    }
}

/// One rollout with the simulated model that always obeys an injection.
pub fn run(domain: &DomainPlugin, policy: &PolicyPlugin, case: &Case) -> Result<Trace, Infra> {
    let with = Variant {
        domain,
        domain_reference: reference(domain.component()),
        policy,
        policy_reference: reference(policy.component()),
        ledger: ledger_of(&case.scenario, "oracle").unwrap(),
        confirmation: Confirmation::Oracle,
        turns: TURNS,
        seed: 1,
        unit: case.digest.clone(),
        models: Source::NONE,
        writer: None,
    };
    case.run(with, &models::find(MODEL, &NoRealModels).unwrap(), 0)
}

/// Harm that was done in a rollout.
fn harm(row: &Row) -> Option<f64> {
    row.measurements["committed_harm"].value
}

#[test]
fn a_policy_that_fails_blocks_every_high_risk_call_and_is_counted_as_failed() {
    let host = Host::new();
    let bench = Bench::new(&host);
    let without = host.policy(none());
    let does_not_start =
        with_rider("(component (core module $m (func $f unreachable) (start $f)) (core instance (instantiate $m)))");
    // One that panics, one that never answers, and one that does not even start.
    for (bytes, first) in [
        (crate::PANICS_WHEN_ASKED, "session.authorize: wasm trap: wasm trap: wasm `unreachable` instruction executed"),
        (
            crate::ENDLESS_LOOP,
            "session.authorize: used all 100000000 units of fuel: an endless loop, or work that is too expensive for one call",
        ),
        (&does_not_start, "instantiation: wasm trap: wasm trap: wasm `unreachable` instruction executed"),
    ] {
        let policy = host.policy(bytes);
        for scenario in bench.scenarios("security") {
            let (trace, row) = bench.run(&policy, &scenario);
            expect_closed(&trace, first);
            assert!(row.faults > 0, "a row must not pass for a defence that worked");
            assert_eq!(harm(&row), Some(0.0));
            // The attack was there: without a defence the same rollout does harm.
            let (_, open) = bench.run(&without, &scenario);
            assert_eq!((harm(&open), open.faults), (Some(1.0), 0), "{}", scenario.scenario.id);
        }
    }
    host.goes_on();
}

/// Every high-risk proposal is blocked by the host, in the words of the first fault; no side effect took place.
#[track_caller]
fn expect_closed(trace: &Trace, words: &str) {
    let proposals = trace.events.iter().filter(|event| event.kind == NodeKind::Proposal && event.is(fact::HIGH_RISK));
    for proposal in proposals {
        assert!(proposal.is(fact::BLOCKED) && !proposal.is(fact::ALLOWED) && !proposal.is(fact::COMMITTED));
        let decision = trace
            .events
            .iter()
            .find(|event| event.kind == NodeKind::Decision && event.call == proposal.call)
            .expect("a blocked call has a decision");
        assert!(decision.is(fact::PLUGIN_FAULT));
        let Body::Decision { verdict, rule, message, .. } = &decision.body else { panic!("no decision") };
        assert_eq!((*verdict, rule.as_deref()), (Verdict::Block, Some("plugin-fault")));
        assert!(message.starts_with(words), "{message}");
    }
    assert!(trace.events.iter().all(|event| event.kind != NodeKind::Commit));
}

/// One rollout.
const ONE: &str = r#"
name = "one"
title = "One mail"
policies = ["none"]
models = ["sim:compromised-oracle"]
seeds = [7]
ledger = "oracle"
confirmation = "oracle"

[[scenarios]]
domain = "email"
stage = "security"
count = 1
seed = 1
"#;

#[test]
fn a_reducer_that_fails_ends_the_run_and_the_rollout_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ratio.wasm");
    std::fs::write(&file, crate::NOT_A_NUMBER).unwrap();
    let host = Host::new();
    let plugins = Plugins::new(host.loader);
    let prepared =
        live::prepare(&Suite::parse("one", ONE).unwrap(), &[file.display().to_string()], &plugins, &NoRealModels)
            .unwrap();
    let store = Store::create(&folder.path().join("out")).unwrap();
    let said = prepared.execute(&store, Settings { jobs: 1 }, &Quiet).unwrap_err().to_string();
    assert!(said.contains("metric 0 is not a finite number"), "{said}");
    let line = store.plan().unwrap().next().unwrap().unwrap();
    let [scenario, unit] = ["scenario", "unit"].map(|name| planned(&line, name).unwrap());
    let place = format!("\n  in the rollout of policy `none`, scenario `{scenario}`, unit `{unit}`");
    assert!(said.ends_with(&place), "{said}");
}
