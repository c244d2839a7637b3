//! The frozen scenarios: generated again, they are those of the committed lists.

use crate::support::program::{scratch, weir};
use crate::support::recorded::with_cache;
use std::fs;
use std::path::Path;

#[test]
fn built_in_scenarios_are_generated_to_the_frozen_digests() {
    let home = scratch("frozen");
    for suite in ["containmentbench", "leaderboard", "stress", "controls", "memory-writers", "authmem"] {
        let path = format!("../host/suite/suites/{suite}.scenarios.json");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let made = weir(&home, &with_cache(&["run", suite, "--list-scenarios"])).good().stdout;
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &made).unwrap();
        }
        assert!(fs::read_to_string(&path).unwrap() == made, "{}: scenarios changed", path.display());
    }
}
