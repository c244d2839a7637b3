//! Every built-in plugin meets every demand that an author's has to meet.

use crate::support::program::{scratch, weir};
use crate::support::recorded::with_cache;
use std::fs;

#[test]
fn every_built_in_plugin_passes_every_demand() {
    let folder = scratch("built-in");
    weir(&folder, &["list", "--save", "saved"]).good();
    let mut failing = String::new();
    for one in weir_components::ALL {
        let path = folder.join("saved").join(format!("{}-{}.wasm", one.kind, one.name));
        assert_eq!(fs::read(&path).unwrap(), one.bytes);
        let ran = weir(&folder, &with_cache(&["check", &path.display().to_string()]));
        if ran.code != Some(0) {
            failing += &format!("{} {}: {:?}\n{}{}", one.kind, one.name, ran.code, ran.stdout, ran.stderr);
        }
    }
    assert!(failing.is_empty(), "{failing}");
}
