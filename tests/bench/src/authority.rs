//! The authority suite: all three modules with writers by rules and simulated models, and whether cost is linear in bases.

use crate::clock::process;
use crate::line;
use weir_suite::authority::{AuthoritySuite, prepare};
use weir_suite::executor::Quiet;
use weir_suite::store::Store;
use weir_suite::{Error, Plugins, Settings};

/// The suite that is measured.
const SUITE: &str = "authmem";

/// Prints what the suite costs with its own bases, and with twice and four times as many.
pub fn bench(plugins: &Plugins) -> Result<(), Error> {
    let suite = AuthoritySuite::built_in(SUITE)?
        .ok_or_else(|| Error::Input(format!("there is no authority suite `{SUITE}`")))?;
    let (units, once) = cost(&suite, 1, plugins)?;
    println!("the authority suite: three modules, writers by rules, simulated models, traces written, one thread");
    line(&format!("CPU time for {units} units, pairs made and checked"), &format!("{once:.1} s"), "at most 20 s");
    for times in [2, 4] {
        let (_, cost) = cost(&suite, times, plugins)?;
        let ratio = cost / once / f64::from(times);
        line(&format!("  {times}x the bases: CPU time over {times}x the above"), &format!("{ratio:.2}x"), "about 1x");
    }
    Ok(())
}

/// Units, and CPU seconds.
fn cost(suite: &AuthoritySuite, times: u32, plugins: &Plugins) -> Result<(usize, f64), Error> {
    let mut suite = AuthoritySuite { frozen: None, ..suite.clone() };
    for bases in &mut suite.bases {
        bases.count = bases.count.saturating_mul(times);
    }
    let folder = tempfile::tempdir().map_err(|e| Error::io("a temporary folder", e))?;
    let store = Store::create(folder.path())?;
    let before = process();
    let prepared = prepare(&suite, None, plugins)?;
    prepared.execute(&store, Settings { jobs: 1 }, &mut Quiet)?;
    Ok((prepared.manifest.units, process() - before))
}
