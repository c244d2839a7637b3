//! A small live suite.

use crate::support::program::{Ran, command, weir};
use crate::support::recorded::with_cache;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes a suite of the live mail environment: two policies, one model and one seed.
pub fn write_suite(folder: &Path, scenarios: u32) {
    let text = format!(
        "name = \"small\"\ntitle = \"A small suite\"\npolicies = [\"none\", \"intent-ledger\"]\n\
         models = [\"sim:compromised-oracle\"]\nseeds = [1]\nledger = \"oracle\"\nconfirmation = \"oracle\"\n\n\
         [[scenarios]]\ndomain = \"email\"\nstage = \"security\"\ncount = {scenarios}\nseed = 1\n"
    );
    fs::write(folder.join("small.toml"), text).unwrap();
}

/// A run of the suite that [`write_suite`] wrote.
pub fn run(folder: &Path, out: &str, more: &[&str]) {
    try_run(folder, out, more).good();
}

/// The same, whether it goes well or not.
pub fn try_run(folder: &Path, out: &str, more: &[&str]) -> Ran {
    weir(folder, &run_arguments(out, more))
}

/// The same, not yet started.
pub fn run_command(folder: &Path, out: &str, more: &[&str]) -> Command {
    command(folder, &run_arguments(out, more))
}

fn run_arguments(out: &str, more: &[&str]) -> Vec<String> {
    with_cache(&[&["run", "small.toml", "--out", out], more].concat())
}
