//! `make bench`: ratios, measured side by side in one run. CPU time decides; wall time only where a person waits.
//!
//! Usage: `weir-bench RECORDED [PEER]`. RECORDED is a file that `weir import` wrote; PEER is what
//! `agentdojo_peer.py` printed, rollouts per CPU second.

mod authority;
mod clock;
mod hooks;
mod live;
mod native;
mod whole;

use std::path::PathBuf;
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
    let peer = arguments.get(1).and_then(|text| text.trim().parse::<f64>().ok());
    let engines = Engines::new(1).map_err(|e| Error::Input(format!("cannot start wasmtime: {e:#}")))?;
    let compiler = Compiler::this_program().map_err(|e| Error::io("this program", e))?;
    let plugins = Plugins::new(Loader::new(engines, Grants::default(), compiler, None));
    println!("{:<64} {:>12}  aim", "what", "measured");
    let rollouts_per_second = live::command()?;
    live::sides(&plugins)?;
    authority::bench(&plugins)?;
    let runs_per_second = whole::bench(&plugins, &recorded)?;
    hooks::bench(&plugins)?;
    whole::start()?;
    match peer {
        Some(peer) => {
            line("AgentDojo's own pipeline without a model", &format!("{peer:.1}/s"), "");
            line(
                "  live rollouts of the default suite over AgentDojo's, per CPU second",
                &format!("{:.0}x", rollouts_per_second / peer),
                "at least 300x",
            );
            line(
                "  recorded runs above over AgentDojo rollouts, per CPU second",
                &format!("{:.0}x", runs_per_second / peer),
                "",
            );
            println!(
                "  (not the same work: AgentDojo executes tools and checks state; so do Weir's live rollouts, under a policy and with traces, in domains of its own; a replay judges recorded calls)"
            );
        }
        None => println!("AgentDojo's own pipeline: not measured, since Python could not install it here"),
    }
    Ok(())
}

/// One line of the table.
fn line(what: &str, measured: &str, aim: &str) {
    println!("{what:<64} {measured:>12}  {aim}");
}
