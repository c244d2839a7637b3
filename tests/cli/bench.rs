//! `weir bench`: what it says of fuel is what traces say, and the same each time. No test here looks at a time.

use crate::support::program::{Ran, weir};
use crate::support::recorded::with_cache;
use serde_json::Value;
use std::fs;
use std::path::Path;
use weir_suite::store::read_traces;
use weir_trace::{Body, Hook};

fn bench(folder: &Path, arguments: &[&str]) -> Ran {
    weir(folder, &with_cache(&[&["bench"], arguments].concat()))
}

/// What it prints as JSON, without what depends on the machine.
fn measured(folder: &Path, arguments: &[&str]) -> Value {
    let printed = bench(folder, &[arguments, &["--json"]].concat()).good().stdout;
    let mut value: Value = serde_json::from_str(&printed).expect("one JSON document and nothing else");
    forget_times(&mut value);
    value
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.remove("nanoseconds");
            object.remove("rounds");
            object.values_mut().for_each(forget_times);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// Count, median and 95th percentile of an export's fuel.
fn fuel(costs: &Value, name: &str) -> [u64; 3] {
    let cost =
        costs.as_array().unwrap().iter().find(|cost| cost["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    [&cost["count"], &cost["fuel"]["median"], &cost["fuel"]["p95"]].map(|number| number.as_u64().unwrap())
}

#[test]
fn fuel_is_what_traces_record() {
    let home = tempfile::tempdir().unwrap();
    let bench = measured(home.path(), &["none"]);
    // The same scenarios, models and seed as a suite: `none` heeds nothing either, so that its rollouts are the same.
    let mut suite = String::from(
        "name = \"same\"\ntitle = \"As measured\"\npolicies = [\"none\"]\nmodels = [\"sim:smoke\", \
         \"sim:compromised-oracle\"]\nseeds = [1]\nledger = \"oracle\"\nconfirmation = \"oracle\"\n",
    );
    for stage in stages(home.path()) {
        suite += &format!("\n[[scenarios]]\ndomain = \"email\"\nstage = \"{stage}\"\ncount = 4\nseed = 1\n");
    }
    fs::write(home.path().join("same.toml"), suite).unwrap();
    weir(home.path(), &with_cache(&["run", "same.toml", "--out", "out"])).good();
    let (_, traces) = read_traces(&home.path().join("out/traces.jsonl.zst")).unwrap();
    for (hook, export) in [(Hook::Authorize, "session.authorize"), (Hook::Recover, "session.recover")] {
        let mut recorded: Vec<u64> = traces
            .iter()
            .flat_map(|trace| &trace.events)
            .filter_map(|event| match &event.body {
                Body::Decision { hook: asked, fuel, .. } if *asked == hook => Some(*fuel),
                _ => None,
            })
            .collect();
        recorded.sort_unstable();
        let rank = |percent: usize| recorded[(recorded.len() * percent).div_ceil(100) - 1];
        let wanted = [u64::try_from(recorded.len()).unwrap(), rank(50), rank(95)];
        assert_eq!(fuel(&bench["bench"]["exports"], export), wanted, "{export}");
    }
    let rollouts = u64::try_from(traces.len()).unwrap();
    assert_eq!(fuel(&bench["bench"]["whole"], "rollout")[0], rollouts);
}

/// The stages of the mail domain, as its own check names them.
fn stages(folder: &Path) -> Vec<String> {
    let printed = weir(folder, &with_cache(&["check", "email", "--json"])).good().stdout;
    let value: Value = serde_json::from_str(&printed).unwrap();
    let demands = value["demands"].as_array().unwrap().iter().filter_map(|line| line["demand"].as_str());
    demands.filter_map(|demand| Some(demand.strip_prefix("stage `")?.strip_suffix('`')?.to_owned())).collect()
}

#[test]
fn every_policy_is_asked_the_same_and_each_kind_has_its_exports() {
    let home = tempfile::tempdir().unwrap();
    let policy = measured(home.path(), &["taint-only"]);
    assert_eq!(policy, measured(home.path(), &["taint-only"]), "the same fuel each time");
    let counts = |bench: &Value| -> Vec<(String, u64)> {
        let costs = bench["exports"].as_array().unwrap().iter();
        costs.map(|cost| (cost["name"].as_str().unwrap().to_owned(), cost["count"].as_u64().unwrap())).collect()
    };
    let wanted = counts(&policy["bench"]);
    let names: Vec<&str> = wanted.iter().map(|(name, _)| name.as_str()).collect();
    let hooks = ["guidance", "authorize", "filter", "precommit", "recover", "endorse", "render"];
    assert!(hooks.iter().all(|hook| names.contains(&format!("session.{hook}").as_str())), "{names:?}");
    let beside = policy["beside"].as_array().unwrap();
    assert_eq!(
        beside.iter().map(|one| one["name"].as_str().unwrap()).collect::<Vec<_>>(),
        ["none", "tool-boundary", "intent-ledger"]
    );
    assert!(beside.iter().all(|one| counts(one) == wanted));
    for (plugin, export, whole) in [
        ("email", "environment.stage-call", "rollout"),
        ("airline", "environment.judge", "rollout"),
        ("containment", "fold.finish", "trace"),
        ("letta", "consolidate", "history"),
    ] {
        let found = measured(home.path(), &[plugin]);
        assert!(fuel(&found["bench"]["exports"], export)[1] > 0, "{plugin}");
        assert!(fuel(&found["bench"]["whole"], whole)[1] > 0 && found["bench"]["memory"].as_u64().unwrap() > 0);
        assert_eq!(found["beside"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn a_regression_is_told_and_the_exit_code_says_so() {
    let home = tempfile::tempdir().unwrap();
    let against =
        |plugin, baseline, percent| bench(home.path(), &[plugin, "--baseline", baseline, "--fail-above", percent]);
    let worse = against("intent-ledger", "none", "5%");
    assert_eq!(worse.code, Some(100), "{}", worse.stderr);
    assert!(
        worse.stdout.contains("grew by more than 5 %: ") && worse.stdout.contains("session.authorize"),
        "{}",
        worse.stdout
    );
    let better = against("none", "intent-ledger", "0").good();
    assert!(better.stdout.ends_with("no median fuel grew by more than 0 %\n"), "{}", better.stdout);
    // The same component has not changed at all.
    let same = measured(home.path(), &["taint-only", "--baseline", "taint-only", "--fail-above", "0"]);
    let changes = same["changes"].as_array().unwrap();
    assert!(!changes.is_empty() && changes.iter().all(|change| change["percent"] == 0.0), "{changes:?}");
}

#[test]
fn a_project_is_measured_by_what_was_built_there_and_says_why_it_has_no_native_build() {
    let home = tempfile::tempdir().unwrap();
    weir(home.path(), &["list", "--save", "saved"]).good();
    let project = "kind = \"policy\"\nlanguage = \"c\"\nname = \"mine\"\nversion = \"1.0.0\"\nasks = []\n";
    fs::write(home.path().join("weir.toml"), project).unwrap();
    fs::copy(home.path().join("saved/policy-none.wasm"), home.path().join("mine.wasm")).unwrap();
    let told = bench(home.path(), &[]).good().stdout;
    let why = "a native build is compared of policies in rust alone, and `mine` is a policy in c\n";
    assert!(told.starts_with("## mine, a policy, sha256 ") && told.ends_with(why), "{told}");
    let (here, file) = (measured(home.path(), &[]), measured(home.path(), &["mine.wasm"]));
    assert!(here == file && here["native"].is_null(), "the folder stands for its component");
}
