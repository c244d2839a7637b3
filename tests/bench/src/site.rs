//! The site of whole runs: what it costs to build, and what a reader waits for.

use crate::clock::process;
use crate::line;
use std::path::{Path, PathBuf};
use std::process::Command;
use weir_site::given::{Given, open};
use weir_site::serve::{Server, Source};
use weir_site::{Folder, build};
use weir_suite::authority::{self, AuthoritySuite};
use weir_suite::executor::Quiet;
use weir_suite::models::NoRealModels;
use weir_suite::store::Store;
use weir_suite::suite_file::Suite;
use weir_suite::{Error, Plugins, Settings, live};

/// Every defence side by side, in four domains.
const CONTAINMENT: &str = "leaderboard";
/// AuthMem-Bench.
const AUTHORITY: &str = "authmem";

/// Prints what the site of both suites' runs costs, and what it is to its reader.
pub fn bench(plugins: &Plugins) -> Result<(), Error> {
    let home = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
    let runs = [CONTAINMENT, AUTHORITY].map(|suite| home.path().join(suite));
    let rollouts = run(plugins, &runs)?;
    let Given::Site(site) = open(&runs)? else {
        return Err(Error::Input("runs were taken for a site".into()));
    };
    let out = home.path().join("site");
    let before = process();
    let folder = Folder::begin(&out)?;
    build(&site, &folder, &Quiet)?;
    let written = folder.finish()?;
    let cost = process() - before;
    println!("the site of the suites {CONTAINMENT} and {AUTHORITY}: {rollouts} rollouts");
    line("CPU time to build it", &format!("{cost:.1} s"), "at most 30 s");
    line("files, and megabytes", &format!("{}, {}", written.files, written.bytes / 1_000_000), "");
    if let Err(why) = measure(&out) {
        println!("first view and traces: not measured, since {why}");
    }
    Ok(())
}

/// Makes the runs; how many rollouts they have.
fn run(plugins: &Plugins, [containment, authority]: &[PathBuf; 2]) -> Result<usize, Error> {
    let settings = Settings { jobs: std::thread::available_parallelism().map_or(1, usize::from) };
    let prepared = live::prepare(&Suite::find(CONTAINMENT)?, &[], plugins, &NoRealModels)?;
    prepared.execute(&Store::create(containment)?, settings, &Quiet)?;
    let suite = AuthoritySuite::built_in(AUTHORITY)?
        .ok_or_else(|| Error::Input(format!("there is no authority suite `{AUTHORITY}`")))?;
    let grid = authority::prepare(&suite, None, plugins, &NoRealModels)?;
    grid.execute(&Store::create(authority)?, settings, &Quiet)?;
    Ok(prepared.manifest.units + grid.manifest.units)
}

/// What a reader waits for, in a browser. Wall time: a person waits.
fn measure(site: &Path) -> Result<(), Error> {
    let server = Server::bind(Source::folder(site)?, Some(0))?;
    let address = server.url();
    std::thread::spawn(move || server.run());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site/measure.mjs");
    let ran = Command::new("node").arg(script).arg(address).output().map_err(|e| Error::io("node", e))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        return Err(Error::Input(
            said.lines().find(|line| line.contains("Error")).unwrap_or("node failed").trim().into(),
        ));
    }
    print!("{}", String::from_utf8_lossy(&ran.stdout));
    println!("  (aims: 1,000 ms and 1.5 MB; 300 ms a trace)");
    Ok(())
}
