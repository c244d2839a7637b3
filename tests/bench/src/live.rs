//! The default suite: the whole command as a process of its own, and its rollouts in Wasm and natively side by side.

use crate::clock::{median, process};
use crate::line;
use crate::native::{NativeDomain, NativeFactory, NativeReducer};
use std::marker::PhantomData;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use weir_report::{Beside, Report, render};
use weir_rollout::reduce::Reducers;
use weir_runtime::world::SceneFactory;
use weir_runtime::world::policy::DefenceFactory;
use weir_suite::executor::Quiet;
use weir_suite::models::NoRealModels;
use weir_suite::store::Store;
use weir_suite::suite_file::{DEFAULT, Suite};
use weir_suite::{Error, Plugins, Settings, live};

/// Times that both sides are measured, in turn.
const ROUNDS: usize = 3;

/// Rollouts of the default suite for each seed.
const PER_SEED: u32 = 504 * 7;

/// Rollouts for each second.
#[derive(Clone, Copy, Default)]
pub struct Rates {
    /// Of CPU time.
    pub cpu: f64,
    /// On the clock, with all cores.
    pub wall: f64,
}

/// Prints what the whole command costs, and returns its rollouts per second.
pub fn command() -> Result<Rates, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
    // The first run compiles; its cost is not the suite's.
    run(folder.path(), "warm", 1)?;
    let mut costs = Vec::new();
    for seeds in [5, 10, 20, 50] {
        costs.push((seeds, run(folder.path(), &seeds.to_string(), seeds)?));
    }
    let Some((_, five)) = costs.first().copied() else { return Ok(Rates::default()) };
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
    let rollouts = f64::from(PER_SEED) * 5.0;
    Ok(Rates { cpu: rollouts / five.seconds, wall: rollouts / five.wall })
}

#[derive(Clone, Copy)]
struct Cost {
    seconds: f64,
    wall: f64,
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
        (true, &[seconds, wall, megabytes]) => Ok(Cost { seconds, wall, megabytes }),
        _ => Err(Error::Input(format!("the program failed: {} {text}", output.status))),
    }
}

/// `cost-of ARGUMENT...`: runs this program with these arguments and prints CPU seconds, seconds and peak megabytes.
pub fn cost_of(arguments: &[String]) -> Result<(), Error> {
    let program = std::env::current_exe().map_err(|e| Error::io("this program", e))?;
    let start = Instant::now();
    let status =
        Command::new(&program).args(arguments).stdout(Stdio::null()).status().map_err(|e| Error::io(&program, e))?;
    if !status.success() {
        return Err(Error::Input(format!("the program failed: {status}")));
    }
    let wall = start.elapsed().as_secs_f64();
    let (seconds, kilobytes) = crate::clock::children();
    println!("{seconds} {wall} {}", kilobytes / 1e3);
    Ok(())
}

/// Prints the cost of the suite over that of the same suite with its plugins linked natively: rollouts, traces written,
/// reducers, statistics and report, on one thread.
pub fn sides(plugins: &Plugins) -> Result<(), Error> {
    let suite = Suite { seeds: vec![1], ..Suite::find(DEFAULT)? };
    let mut costs: [Vec<f64>; 2] = Default::default();
    for _ in 0..ROUNDS {
        let mut results = Vec::new();
        for (native, kept) in [false, true].into_iter().zip(&mut costs) {
            let mut prepared = live::prepare(&suite, &[], plugins, &NoRealModels)?;
            if native {
                prepared = prepared.linked(policies(), domains(), reducers()?);
            }
            let folder = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
            let before = process();
            let store = Store::create(folder.path())?;
            prepared.execute(&store, Settings { jobs: 1 }, &Quiet)?;
            let report = Report::of(&store.manifest()?, store.rows()?, &Beside::default())
                .map_err(|e| Error::Input(e.to_string()))?;
            let length = render::markdown(&report.page).len();
            kept.push(process() - before);
            let rows = store.rows()?.map(|row| row.map(|row| row.measurements)).collect::<Result<Vec<_>, _>>()?;
            results.push((rows, length));
        }
        if results.first() != results.last() {
            return Err(Error::Input("a rollout measures otherwise natively than in Wasm".into()));
        }
    }
    let [wasm, native] = costs.map(median);
    line("the suite over the same with native plugins, CPU time", &format!("{:.2}x", wasm / native), "at most 1.5x");
    line("  native, all of it, for each rollout", &format!("{:.0} us", native / f64::from(PER_SEED) * 1e6), "");
    Ok(())
}

fn policies() -> Vec<Box<dyn DefenceFactory>> {
    vec![
        Box::new(NativeFactory::<weir_policy_none::NoDefence>(PhantomData)),
        Box::new(NativeFactory::<weir_policy_prompt_only::PromptOnly>(PhantomData)),
        Box::new(NativeFactory::<weir_policy_structured_guard::StructuredGuard>(PhantomData)),
        Box::new(NativeFactory::<weir_policy_tool_boundary::ToolBoundary>(PhantomData)),
        Box::new(NativeFactory::<weir_policy_taint_only::TaintOnly>(PhantomData)),
        Box::new(NativeFactory::<weir_policy_intent_ledger::IntentLedger>(PhantomData)),
        Box::new(NativeFactory::<weir_policy_rollback::Rollback>(PhantomData)),
    ]
}

fn domains() -> Vec<Box<dyn SceneFactory>> {
    vec![
        Box::new(NativeDomain::<weir_domain_email::Email>(PhantomData)),
        Box::new(NativeDomain::<weir_domain_documents::Documents>(PhantomData)),
        Box::new(NativeDomain::<weir_domain_crm::Crm>(PhantomData)),
    ]
}

fn reducers() -> Result<Reducers, Error> {
    let containment = NativeReducer::<weir_reducer_containment::Containment>("containment", PhantomData);
    Ok(Reducers::new(vec![Box::new(containment)])?)
}
