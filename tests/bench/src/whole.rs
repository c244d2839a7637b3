//! Whole replays, Wasm and native side by side, and the start of the program.

use crate::clock::{median, timed};
use crate::line;
use crate::native::NativeFactory;
use std::marker::PhantomData;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use weir_rollout::models::Source;
use weir_rollout::reduce::Reducers;
use weir_rollout::replay::{Replay, replay};
use weir_runtime::Kind;
use weir_runtime::world::Measure;
use weir_runtime::world::policy::DefenceFactory;
use weir_suite::store::read_traces;
use weir_suite::{Error, Plugins};
use weir_trace::codec::encode;
use weir_trace::{PluginRef, Trace};

/// Times that each side is measured, in turn.
const ROUNDS: usize = 5;

/// Units that each measurement has at least: a small sample is repeated.
const UNITS: usize = 1_500;

/// Prints the whole-replay lines and returns recorded runs per CPU second.
pub fn bench(plugins: &Plugins, file: &Path) -> Result<f64, Error> {
    let (_, sample) = read_traces(file)?;
    if sample.is_empty() {
        return Err(Error::Input(format!("{} has no recorded runs", file.display())));
    }
    let recorded: Vec<&Trace> = sample.iter().cycle().take(UNITS.max(sample.len())).collect();
    let reducers = reducers(plugins)?;
    let native: [(&str, Box<dyn DefenceFactory>); 4] = [
        ("none", Box::new(NativeFactory::<weir_policy_none::NoDefence>(PhantomData))),
        ("tool-boundary", Box::new(NativeFactory::<weir_policy_tool_boundary::ToolBoundary>(PhantomData))),
        ("taint-only", Box::new(NativeFactory::<weir_policy_taint_only::TaintOnly>(PhantomData))),
        ("intent-ledger", Box::new(NativeFactory::<weir_policy_intent_ledger::IntentLedger>(PhantomData))),
    ];
    let mut wasm = Vec::new();
    for (name, _) in &native {
        wasm.push(plugins.policy(name)?.0);
    }
    let (mut ratios, mut rates, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let (mut inside, mut outside) = (0.0, 0.0);
        for (policy, (name, linked)) in wasm.iter().zip(&native) {
            let (sandboxed, seconds) = timed(|| all(&recorded, policy, Some(&reducers), true));
            inside += seconds;
            let (direct, seconds) = timed(|| all(&recorded, linked.as_ref(), Some(&reducers), true));
            outside += seconds;
            if sandboxed? != direct? {
                return Err(Error::Input(format!("`{name}` blocks otherwise natively than in Wasm")));
            }
        }
        ratios.push(inside / outside);
        let Some(last) = wasm.last() else { continue };
        let (done, seconds) = timed(|| all(&recorded, last, Some(&reducers), false));
        done?;
        rates.push(count(recorded.len()) / seconds);
        let (done, seconds) = timed(|| all(&recorded, last, None, false));
        done?;
        bare.push(count(recorded.len()) / seconds);
    }
    let rate = median(rates);
    println!("{} recorded runs, four policies, all metrics, one thread, median of {ROUNDS} rounds", recorded.len());
    line("Wasm policies over native ones, whole replay, CPU time", &format!("{:.2}x", median(ratios)), "at most 1.5x");
    line("recorded runs through one policy and all reducers, per CPU second", &format!("{rate:.0}"), "at least 5,000");
    line("  the same without reducers", &format!("{:.0}", median(bare)), "");
    Ok(rate)
}

/// Blocked decisions of all replays: the work must have a result, and both sides the same one.
fn all(
    recorded: &[&Trace],
    policy: &dyn DefenceFactory,
    reducers: Option<&Reducers>,
    written: bool,
) -> Result<usize, Error> {
    let mut blocked = 0;
    for trace in recorded {
        let with = Replay {
            models: Source::NONE,
            policy,
            reference: PluginRef { name: "bench".into(), digest: String::new(), version: None },
            ledger: "oracle",
            unit: String::new(),
            gate_egress: false,
        };
        let replayed = replay(trace, &trace.tools, &trace.header.toolset, &with)?;
        blocked += replayed.events.iter().filter(|event| event.is(weir_trace::fact::BLOCKED)).count();
        if let Some(reducers) = reducers {
            reducers.measure(&replayed)?;
        }
        if written {
            encode(&replayed.header, &replayed.events).map_err(|e| Error::Input(e.to_string()))?;
        }
    }
    Ok(blocked)
}

fn reducers(plugins: &Plugins) -> Result<Reducers, Error> {
    let mut reducers: Vec<Box<dyn Measure>> = Vec::new();
    for name in Plugins::names(Kind::Reducer) {
        reducers.push(Box::new(plugins.reducer(name)?.0));
    }
    Ok(Reducers::new(reducers)?)
}

/// Prints how long the program takes from its start to the end of a run of one rollout, everything compiled before; and of two,
/// one under this policy in Python.
pub fn start(python: Option<&Path>) -> Result<(), Error> {
    let what = "warm start of weir to the end of its first rollout, wall time";
    line(what, &format!("{:.0} ms", started(&[])? * 1e3), "at most 150 ms");
    let what = "warm start with a Python policy";
    match python.and_then(Path::to_str) {
        Some(policy) => line(what, &format!("{:.0} ms", started(&["--policy", policy])? * 1e3), "at most 300 ms"),
        None => println!("{what}: not measured, since no such policy was named"),
    }
    Ok(())
}

/// Seconds from the start of the program to its end, with more arguments for a run of one rollout.
fn started(more: &[&str]) -> Result<f64, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
    let suite = folder.path().join("one.toml");
    let text = r#"
name = "one"
title = "One rollout"
policies = ["intent-ledger"]
models = ["sim:smoke"]
seeds = [1]
ledger = "oracle"
confirmation = "oracle"
[[scenarios]]
domain = "email"
stage = "clean"
count = 1
seed = 1
"#;
    std::fs::write(&suite, text).map_err(|e| Error::io(&suite, e))?;
    let program = std::env::current_exe().map_err(|e| Error::io("this program", e))?;
    let mut walls = Vec::new();
    for round in 0..12 {
        let begin = Instant::now();
        let status = Command::new(&program)
            .arg("run")
            .arg(&suite)
            .arg("--out")
            .arg(folder.path().join(round.to_string()))
            .args(more)
            .stdout(Stdio::null())
            .status()
            .map_err(|e| Error::io(&program, e))?;
        if !status.success() {
            return Err(Error::Input(format!("the program failed: {status}")));
        }
        walls.push(begin.elapsed().as_secs_f64());
    }
    Ok(median(walls))
}

fn count(n: usize) -> f64 {
    u32::try_from(n).map_or(f64::NAN, f64::from)
}
