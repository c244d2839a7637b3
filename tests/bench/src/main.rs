//! `make bench`: ratios, measured side by side in one run. CPU time decides; wall time only where a person waits.
//!
//! Usage: `weir-bench RECORDED [PEER]`. RECORDED is a file that `weir import` wrote; PEER is what
//! `agentdojo_peer.py` printed, rollouts per CPU second and per second.

mod authority;
mod clock;
mod hooks;
mod live;
mod model;
mod native;
mod site;
mod whole;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use weir_runtime::compile::{CHILD_ARGUMENT, Compiler};
use weir_runtime::{Engines, Grants, Loader};
use weir_suite::{Error, Plugins};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // The program under measurement, for its start: this same binary as `weir`.
    if arguments.first().is_some_and(|first| [CHILD_ARGUMENT, "run"].contains(&first.as_str())) {
        return weir::main();
    }
    let outcome = match arguments.split_first() {
        Some((first, rest)) if first == "cost-of" => live::cost_of(rest),
        Some((first, _)) if first == model::SERVER_ARGUMENT => model::serve(),
        // This part alone.
        Some((first, _)) if first == "model" => model::bench(),
        _ => bench(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: &[String]) -> Result<(), Error> {
    let recorded = arguments
        .first()
        .map(PathBuf::from)
        .ok_or_else(|| Error::Input("name a file of recorded runs, as `weir import` writes it".into()))?;
    let peer = arguments.get(1).map(String::as_str).unwrap_or_default();
    let peer: Vec<f64> = peer.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    let engines = Engines::new(1).map_err(|e| Error::Input(format!("cannot start wasmtime: {e:#}")))?;
    let compiler = Compiler::this_program().map_err(|e| Error::io("this program", e))?;
    let plugins = Plugins::new(Loader::new(engines, Grants::default(), compiler, None));
    println!("{:<64} {:>12}  aim", "what", "measured");
    let rates = live::command()?;
    live::sides(&plugins)?;
    authority::bench(&plugins)?;
    site::bench(&plugins)?;
    model::bench()?;
    let runs_per_second = whole::bench(&plugins, &recorded)?;
    hooks::bench(&plugins)?;
    whole::start(arguments.get(2).map(Path::new))?;
    match peer.as_slice() {
        &[cpu, wall] => {
            let over = |ours: f64, theirs: f64| format!("{:.0}x", ours / theirs);
            line("AgentDojo's own pipeline without a model", &format!("{cpu:.1}/s"), "");
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            line(
                &format!("  live rollouts over AgentDojo's 1 process, per second, {cores} cores"),
                &over(rates.wall, wall),
                "at least 300x",
            );
            line("  live rollouts over AgentDojo's, per CPU second", &over(rates.cpu, cpu), "");
            line("  recorded runs above over AgentDojo rollouts, per CPU second", &over(runs_per_second, cpu), "");
            println!(
                "  (not the same work: AgentDojo executes tools and checks state; so do Weir's live rollouts, under a policy and with traces, in domains of its own; a replay judges recorded calls)"
            );
        }
        _ => println!("AgentDojo's own pipeline: not measured, since Python could not install it here"),
    }
    Ok(())
}

/// One line of the table.
fn line(what: &str, measured: &str, aim: &str) {
    println!("{what:<64} {measured:>12}  {aim}");
}
