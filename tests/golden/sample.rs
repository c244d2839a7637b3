//! The sample's decisions, against `samples/agentdojo/expected.toml`.

use crate::decided::Decided;
use crate::expected::{differences, read};
use crate::support::program::samples;
use crate::support::recorded::{import, replay};
use weir_trace::RecordedRun;

#[test]
fn every_policy_decides_on_the_sample_as_it_was_worked_out_by_hand() {
    let home = tempfile::tempdir().unwrap();
    import(home.path());
    replay(home.path(), "plain", &[]);
    replay(home.path(), "gated", &["--gate-egress"]);
    let plain = Decided::read(&home.path().join("plain"), place);
    let gated = Decided::read(&home.path().join("gated"), place);
    let runs = read(&samples().join("agentdojo/expected.toml"));
    assert_eq!(runs.len(), 16, "every run of the sample is in the file");
    let mut found = Vec::new();
    for run in &runs {
        found.extend(differences(&run.id, &run.id, &run.call, &plain));
        if !run.gated.is_empty() {
            found.extend(differences(&format!("{} (egress gated)", run.id), &run.id, &run.gated, &gated));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// As the file of expected decisions names runs.
fn place(run: &RecordedRun) -> Option<String> {
    Some(match run.line {
        Some(line) => format!("{} line {line}", run.file),
        None => run.file.clone(),
    })
}
