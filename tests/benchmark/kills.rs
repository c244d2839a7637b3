//! Kills at random moments: whatever is cut off, the same command completes the run to the same bytes.

use crate::folder::assert_equal;
use crate::suite::rows_of;
use crate::support::program::{command, scratch, tell, weir};
use crate::support::recorded::with_cache;
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

/// Kills.
const KILLS: u32 = 10;

#[test]
fn a_run_killed_ten_times_loses_and_doubles_nothing() {
    let home = scratch("kills");
    let arguments = |out: &str| with_cache(&["run", "--seeds", "1", "--jobs", "2", "--out", out]);
    let begin = Instant::now();
    weir(&home, &arguments("whole")).good();
    let whole = begin.elapsed();
    let mut state = 20_260_730_u64;
    let mut in_time = 0;
    for _ in 0..KILLS {
        // The moments are drawn from a third of the time that a whole run takes, so that ten of them meet every phase.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moment = whole.mul_f64((state >> 40) as f64 / f64::from(1 << 24) / 3.0);
        let mut child = command(&home, &arguments("killed")).spawn().unwrap();
        thread::sleep(moment + Duration::from_millis(5));
        in_time += u32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
    }
    tell(&format!("{in_time} of {KILLS} kills met a run that was still going on"));
    weir(&home, &arguments("killed")).good();
    assert_equal("run", &home.join("whole"), &home.join("killed"));
    let rows = rows_of(&home.join("killed"));
    let units: BTreeSet<&str> = rows.iter().map(|row| row.unit.as_str()).collect();
    assert_eq!((rows.len(), units.len()), (3_528, 3_528));
}
