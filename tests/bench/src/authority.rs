//! The authority suite: all three modules with writers by rules and simulated models, and whether cost is linear in bases.

use crate::clock::process;
use crate::line;
use weir_suite::authority::{AuthoritySuite, prepare};
use weir_suite::executor::Quiet;
use weir_suite::models::NoRealModels;
use weir_suite::store::Store;
use weir_suite::{Error, Plugins, Settings};

/// The suite that is measured.
const SUITE: &str = "authmem";

/// Prints what the suite costs with its own bases, and with twice and four times as many.
pub fn bench(plugins: &Plugins) -> Result<(), Error> {
    let suite = AuthoritySuite::built_in(SUITE)?
        .ok_or_else(|| Error::Input(format!("there is no authority suite `{SUITE}`")))?;
    // The first one compiles; that cost is not the suite's.
    prepare(&suite, None, plugins, &NoRealModels)?;
    let (units, whole) = cost(&suite, 1, plugins)?;
    println!("the authority suite: three modules, writers by rules, simulated models, traces written, one thread");
    line(&format!("CPU time for {units} units, pairs made and checked"), &format!("{whole:.1} s"), "at most 20 s");
    for part in [2, 4] {
        let (fewer, cost) = cost(&suite, part, plugins)?;
        let ratio = whole / units as f64 / (cost / fewer as f64);
        line(&format!("  CPU time a unit, over that with 1/{part} of the bases"), &format!("{ratio:.2}x"), "about 1x");
    }
    Ok(())
}

/// Units, and CPU seconds.
fn cost(suite: &AuthoritySuite, part: u32, plugins: &Plugins) -> Result<(usize, f64), Error> {
    let mut suite = AuthoritySuite { frozen: None, ..suite.clone() };
    for bases in &mut suite.bases {
        bases.count = bases.count.div_ceil(part);
    }
    let folder = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
    let store = Store::create(folder.path())?;
    let before = process();
    let prepared = prepare(&suite, None, plugins, &NoRealModels)?;
    prepared.execute(&store, Settings { jobs: 1 }, &Quiet)?;
    Ok((prepared.manifest.units, process() - before))
}
