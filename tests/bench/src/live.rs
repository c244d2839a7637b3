//! The default suite: the whole command as a process of its own, and its rollouts in Wasm and natively side by side.

use crate::clock::{median, timed};
use crate::line;
use crate::native::{NativeDomain, NativeFactory, NativeReducer};
use std::marker::PhantomData;
use std::path::Path;
use std::process::{Command, Stdio};
use weir_rollout::live::{Confirmation, ledger_of};
use weir_rollout::reduce::Reducers;
use weir_runtime::Kind;
use weir_runtime::wit::domains::Request;
use weir_runtime::world::policy::DefenceFactory;
use weir_runtime::world::{Measure, SceneFactory};
use weir_suite::cases::{Case, Variant, cases};
use weir_suite::suite_file::{DEFAULT, Suite};
use weir_suite::{Error, Plugins, models};
use weir_trace::PluginRef;
use weir_trace::codec::{Toolsets, encode};

/// Times that both sides are measured, in turn.
const ROUNDS: usize = 3;

/// Rollouts of the default suite for each seed.
const PER_SEED: u32 = 504 * 7;

/// Prints what the whole command costs, and returns its rollouts per CPU second.
pub fn command() -> Result<f64, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
    // The first run compiles; its cost is not the suite's.
    run(folder.path(), "warm", 1)?;
    let mut costs = Vec::new();
    for seeds in [5, 10, 20, 50] {
        costs.push((seeds, run(folder.path(), &seeds.to_string(), seeds)?));
    }
    let Some((_, five)) = costs.first().copied() else { return Ok(0.0) };
    println!("the default suite, `weir run` as a whole: rollouts, traces written, reducers, statistics, report");
    line("CPU time for 17,640 rollouts", &format!("{:.1} s", five.seconds), "at most 15 s, aim 8 s");
    line("peak memory", &format!("{:.0} MB", five.megabytes), "below 500 MB");
    for (seeds, cost) in costs.iter().skip(1) {
        let times = f64::from(*seeds) / 5.0;
        line(
            &format!("  {times:.0}x the seeds: CPU time over {times:.0}x the above"),
            &format!("{:.2}x", cost.seconds / five.seconds / times),
            "about 1x",
        );
        line("    peak memory over the above", &format!("{:.2}x", cost.megabytes / five.megabytes), "about 1x");
    }
    Ok(f64::from(PER_SEED) * 5.0 / five.seconds)
}

#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    megabytes: f64,
}

/// Runs this program as `weir run` under a process of its own that reports what it used.
fn run(folder: &Path, out: &str, seeds: u32) -> Result<Cost, Error> {
    let program = std::env::current_exe().map_err(|e| Error::io("this program", e))?;
    let output = Command::new(&program)
        .args(["cost-of", "run", "--seeds", &seeds.to_string(), "--out"])
        .arg(folder.join(out))
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| Error::io(&program, e))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match (output.status.success(), numbers.as_slice()) {
        (true, [seconds, megabytes]) => Ok(Cost { seconds: *seconds, megabytes: *megabytes }),
        _ => Err(Error::Input(format!("the program failed: {} {text}", output.status))),
    }
}

/// `cost-of ARGUMENT...`: runs this program with these arguments and prints CPU seconds and peak megabytes.
pub fn cost_of(arguments: &[String]) -> Result<(), Error> {
    let program = std::env::current_exe().map_err(|e| Error::io("this program", e))?;
    let status =
        Command::new(&program).args(arguments).stdout(Stdio::null()).status().map_err(|e| Error::io(&program, e))?;
    if !status.success() {
        return Err(Error::Input(format!("the program failed: {status}")));
    }
    let (seconds, kilobytes) = crate::clock::children();
    println!("{seconds} {}", kilobytes / 1e3);
    Ok(())
}

/// Prints the cost of Wasm over that of the same plugins linked natively.
pub fn sides(plugins: &Plugins) -> Result<(), Error> {
    let suite = Suite::find(DEFAULT)?;
    let policies: Vec<(&str, Box<dyn DefenceFactory>)> = vec![
        ("none", Box::new(NativeFactory::<weir_policy_none::NoDefence>(PhantomData))),
        ("prompt-only", Box::new(NativeFactory::<weir_policy_prompt_only::PromptOnly>(PhantomData))),
        ("structured-guard", Box::new(NativeFactory::<weir_policy_structured_guard::StructuredGuard>(PhantomData))),
        ("tool-boundary", Box::new(NativeFactory::<weir_policy_tool_boundary::ToolBoundary>(PhantomData))),
        ("taint-only", Box::new(NativeFactory::<weir_policy_taint_only::TaintOnly>(PhantomData))),
        ("intent-ledger", Box::new(NativeFactory::<weir_policy_intent_ledger::IntentLedger>(PhantomData))),
        ("rollback", Box::new(NativeFactory::<weir_policy_rollback::Rollback>(PhantomData))),
    ];
    let native_domains: [(&str, Box<dyn SceneFactory>); 3] = [
        ("email", Box::new(NativeDomain::<weir_domain_email::Email>(PhantomData))),
        ("documents", Box::new(NativeDomain::<weir_domain_documents::Documents>(PhantomData))),
        ("crm", Box::new(NativeDomain::<weir_domain_crm::Crm>(PhantomData))),
    ];
    let native_reducers =
        Reducers::new(vec![
            Box::new(NativeReducer::<weir_reducer_containment::Containment>("containment", PhantomData))
                as Box<dyn Measure>,
        ])?;
    let mut wasm_policies: Vec<Box<dyn DefenceFactory>> = Vec::new();
    for (name, _) in &policies {
        wasm_policies.push(Box::new(plugins.policy(name)?.0));
    }
    let mut measures: Vec<Box<dyn Measure>> = Vec::new();
    for name in Plugins::names(Kind::Reducer) {
        measures.push(Box::new(plugins.reducer(name)?.0));
    }
    let wasm_reducers = Reducers::new(measures)?;
    let model = models::find("sim:qwen2.5-7b")?;
    let mut units = Vec::new();
    let mut wasm_domains = Vec::new();
    for (name, native) in &native_domains {
        let (domain, _) = plugins.domain(name)?;
        let info = domain.describe()?;
        let mut all = Vec::new();
        for wanted in suite.scenarios.iter().filter(|wanted| wanted.domain == *name) {
            let request = Request {
                stage: wanted.stage.clone(),
                count: wanted.count,
                seed: wanted.seed,
                parameters: "{}".into(),
            };
            all.extend(cases(&domain, &info, &request, &mut Toolsets::default())?);
        }
        wasm_domains.push(domain);
        units.push((native, all));
    }
    // Which of domain, policy and reducers run in Wasm; the last is the native baseline.
    let mixes =
        [(true, true, true), (true, false, false), (false, true, false), (false, false, true), (false, false, false)];
    let mut costs: [Vec<f64>; 5] = Default::default();
    for _ in 0..ROUNDS {
        let mut seconds = [0.0; 5];
        for ((name, native), wasm) in policies.iter().zip(&wasm_policies) {
            let mut first: Option<Vec<String>> = None;
            for ((in_domain, in_policy, in_reducers), spent) in mixes.iter().zip(&mut seconds) {
                let policy = if *in_policy { wasm } else { native };
                let reducers = if *in_reducers { &wasm_reducers } else { &native_reducers };
                let (measured, cost) = timed(|| {
                    let mut measured = Vec::new();
                    for ((native, all), wasm) in units.iter().zip(&wasm_domains) {
                        for case in all {
                            let domain: &dyn SceneFactory = if *in_domain { wasm } else { native.as_ref() };
                            measured.push(one(case, domain, policy.as_ref(), &model, reducers)?);
                        }
                    }
                    Ok::<_, Error>(measured)
                });
                *spent += cost;
                let measured = measured?;
                if *first.get_or_insert_with(|| measured.clone()) != measured {
                    return Err(Error::Input(format!(
                        "under `{name}` a rollout measures otherwise natively than in Wasm"
                    )));
                }
            }
        }
        for (kept, spent) in costs.iter_mut().zip(seconds) {
            kept.push(spent);
        }
    }
    let [all, domains, defences, reducers, native] = costs.map(median);
    line("the same rollouts, Wasm over native plugins, CPU time", &format!("{:.2}x", all / native), "at most 1.5x");
    line("  with the domains alone in Wasm", &format!("{:.2}x", domains / native), "");
    line("  with the policies alone", &format!("{:.2}x", defences / native), "");
    line("  with the reducers alone", &format!("{:.2}x", reducers / native), "");
    let rollouts = f64::from(PER_SEED);
    line("  native, a rollout", &format!("{:.0} us", native / rollouts * 1e6), "");
    Ok(())
}

/// One rollout, measured and encoded; gives its measurements, which both sides must agree on.
fn one(
    case: &Case,
    domain: &dyn SceneFactory,
    policy: &dyn DefenceFactory,
    model: &models::Known,
    reducers: &Reducers,
) -> Result<String, Error> {
    let plugin = || PluginRef { name: "bench".into(), digest: String::new() };
    let trace = case.run(Variant {
        domain,
        domain_reference: plugin(),
        policy,
        policy_reference: plugin(),
        model,
        ledger: ledger_of(&case.scenario, "oracle")?,
        confirmation: Confirmation::Absent,
        seed: 1,
        unit: String::new(),
    })?;
    let measured = reducers.measure(&trace)?;
    encode(&trace.header, &trace.events).map_err(|e| Error::Input(e.to_string()))?;
    serde_json::to_string(&measured).map_err(|e| Error::Input(e.to_string()))
}
