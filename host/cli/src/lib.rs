//! The `weir` command: see `weir --help`, or the README. One file a command.
//!
//! A library, so that tests run the whole program as a process of their own.

mod command;
mod common;
mod models;
mod progress;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Everything went well.
const EXIT_OK: u8 = 0;
/// The command could not do its work; the message says why and what to do.
const EXIT_ERROR: u8 = 1;
/// The command did its work, and what it checked does not hold.
const EXIT_MISSED: u8 = 100;

/// How far does an injection's influence flow before it is stopped, and who can still do authorised work meanwhile?
#[derive(Parser)]
#[command(
    name = "weir",
    version,
    after_help = "Exit codes: 0 done; 1 error, nothing half-written; 2 wrong arguments; 100 done, but a check or a verification does not hold."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a suite: agents in live environments, under each policy
    Run(Box<command::run::Run>),
    /// Look whether a model can be used to compare policies: the prerequisites, and one verdict
    Qualify(Box<command::qualify::Qualify>),
    /// Replay recorded runs through policies
    Replay(command::replay::Replay),
    /// Write a run's report: tables, figures, the published numbers beside ours
    Report(command::report::Report),
    /// Turn another harness's recorded runs into traces
    Import(command::import::Import),
    /// List the built-in plugins, suites and models
    List(command::list::List),
    /// Show what a component is, without running it
    Inspect(command::inspect::Inspect),
    /// Check a component: the whole load path, then determinism
    Check(command::check::Check),
    /// Measure what a plugin costs: fuel, time and memory, beside built-in policies and an earlier version
    Bench(command::bench::Bench),
    /// Test a policy on cases: files with events, questions and the answers that must come
    Test(command::test::Test),
    /// Make a project for a plugin of your own
    New(command::new::New),
    /// Build the plugin of a project
    Build(command::build::Build),
    /// Build a project and run its cases and a small suite, again at each change
    Watch(command::watch::Watch),
    /// Write what a component says of itself into it: name, version, authors, what it asks for
    Annotate(Box<command::annotate::Annotate>),
    /// Push a component to an OCI registry, or to an image layout on disk
    Push(command::push::Push),
    /// Pull a component from an OCI registry, or from an image layout on disk
    Pull(command::pull::Pull),
    /// Write a run's data for other programs: as tables, or as Inspect AI, OpenTelemetry or Every Eval Ever have it
    Export(command::export::Export),
    /// Show one rollout, readable
    Trace(command::trace::Trace),
    /// Take every decision of a run again and compare
    Verify(command::verify::Verify),
    /// Look at a run, a leaderboard or a site in the browser
    View(command::view::View),
    /// Make a submission to a leaderboard of a run, and check one
    Submit(command::submit::Submit),
    /// Keep a leaderboard: a folder of entries
    Leaderboard(command::leaderboard::Leaderboard),
    /// Make a pair of keys to sign submissions with
    Key(command::key::Key),
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let mut given = std::env::args().skip(1);
    if given.next().as_deref() == Some(weir_runtime::compile::CHILD_ARGUMENT) {
        return weir_runtime::compile::child_main(&given.collect::<Vec<_>>());
    }
    let outcome = match Arguments::parse().command {
        Command::Run(run) => run.run(),
        Command::Qualify(qualify) => qualify.run(),
        Command::Replay(replay) => replay.run(),
        Command::Report(report) => report.run(),
        Command::Import(import) => import.run(),
        Command::List(list) => list.run(),
        Command::Inspect(inspect) => inspect.run(),
        Command::Check(check) => check.run(),
        Command::Bench(bench) => bench.run(),
        Command::Test(test) => test.run(),
        Command::New(new) => new.run(),
        Command::Build(build) => build.run(),
        Command::Watch(watch) => watch.run(),
        Command::Annotate(annotate) => annotate.run(),
        Command::Push(push) => push.run(),
        Command::Pull(pull) => pull.run(),
        Command::Export(export) => export.run(),
        Command::Trace(trace) => trace.run(),
        Command::Verify(verify) => verify.run(),
        Command::View(view) => view.run(),
        Command::Submit(submit) => submit.run(),
        Command::Leaderboard(leaderboard) => leaderboard.run(),
        Command::Key(key) => key.run(),
    };
    match outcome {
        Ok(true) => ExitCode::from(EXIT_OK),
        Ok(false) => ExitCode::from(EXIT_MISSED),
        // A reader that has seen enough closes the pipe; that is no error.
        Err(common::Failure::ClosedPipe) => ExitCode::from(EXIT_OK),
        Err(common::Failure::Error(error)) => {
            let text = common::shown(&format!("error: {error}\n"));
            let _ = std::io::Write::write_all(&mut anstream::stderr(), text.as_bytes());
            ExitCode::from(EXIT_ERROR)
        }
    }
}
