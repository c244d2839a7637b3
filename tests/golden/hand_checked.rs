//! Recorded runs that were read by hand, against `hand-checked.toml`.

use crate::data::Data;
use crate::decided::Decided;
use crate::expected::{Run, differences, read};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_policy_decides_on_real_runs_as_it_was_worked_out_by_hand() {
    let Some(data) = Data::find() else { return };
    let runs = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/hand-checked.toml"));
    let digest = |run: &Run| run.sha256.clone().unwrap_or_else(|| panic!("{} has no digest", run.id));
    let wanted: BTreeSet<String> = runs.iter().map(digest).collect();
    assert_eq!(wanted.len(), runs.len(), "a run is in the file twice");
    let only = |run: &weir_trace::RecordedRun| wanted.contains(&run.sha256).then(|| run.sha256.clone());
    let (plain, gated) = (Decided::read(&data.plain, only), Decided::read(&data.gated, only));
    let mut found = Vec::new();
    for run in &runs {
        found.extend(differences(&run.id, &digest(run), &run.call, &plain));
        if !run.gated.is_empty() {
            found.extend(differences(&format!("{} (egress gated)", run.id), &digest(run), &run.gated, &gated));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
