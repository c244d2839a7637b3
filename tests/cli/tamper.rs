//! A run's folder that was changed by hand: `weir verify` finds it, says what, and exits with 100, or with 1 where the run
//! cannot be read at all.

use crate::folder::copy;
use crate::live::{run, write_suite};
use crate::support::program::{Ran, weir};
use crate::support::recorded::{import, replay, with_cache};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a run's folder.
pub const TRACES: &str = "traces.jsonl.zst";
pub const RESULTS: &str = "results.jsonl";

/// A replay and a run, each in a folder.
pub struct Honest {
    pub home: tempfile::TempDir,
}

impl Honest {
    pub fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        import(home.path());
        replay(home.path(), "replay", &[]);
        write_suite(home.path(), 3);
        run(home.path(), "run", &[]);
        Honest { home }
    }

    /// Verifies a changed copy of each.
    pub fn changed(&self, change: impl Fn(&Path)) -> Vec<(&'static str, Ran)> {
        ["replay", "run"].map(|kind| (kind, self.changed_one(kind, &change))).into()
    }

    /// Verifies a changed copy of one.
    pub fn changed_one(&self, kind: &str, change: impl FnOnce(&Path)) -> Ran {
        let path = self.home.path().join("changed");
        copy(&self.home.path().join(kind), &path);
        change(&path);
        let ran = verify(self.home.path(), "changed");
        fs::remove_dir_all(path).unwrap();
        ran
    }
}

pub fn verify(home: &Path, run: &str) -> Ran {
    weir(home, &with_cache(&["verify", run]))
}

/// Demands that the change was found and its place was told.
#[track_caller]
pub fn assert_found(what: &str, ran: &Ran, told: &str) {
    assert_eq!(ran.code, Some(100), "{what}: stdout:\n{}\nstderr:\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains(told), "{what}: `{told}` is not in:\n{}", ran.stdout);
    assert!(ran.stdout.contains("NOT verified"), "{what}: {}", ran.stdout);
}

#[test]
fn an_untouched_replay_and_run_verify() {
    let honest = Honest::new();
    for kind in ["replay", "run"] {
        let ran = verify(honest.home.path(), kind).good();
        assert!(ran.stdout.contains("re-executed: all equal"), "{}", ran.stdout);
    }
}

#[test]
fn a_flipped_byte_in_the_traces_is_found_wherever_it_is() {
    let honest = Honest::new();
    let length = fs::metadata(honest.home.path().join("run").join(TRACES)).unwrap().len();
    let length = usize::try_from(length).unwrap();
    for place in [0, 5, 40, length / 4, length / 2, length * 3 / 4, length - 30, length - 1] {
        let ran = honest.changed_one("run", |folder| {
            let mut bytes = fs::read(folder.join(TRACES)).unwrap();
            bytes[place] ^= 0x10;
            fs::write(folder.join(TRACES), bytes).unwrap();
        });
        // Without its prelude, the file cannot be read at all.
        let (code, text) = (ran.code, ran.stdout + &ran.stderr);
        assert!(matches!(code, Some(1 | 100)), "byte {place}: {code:?} {text}");
        assert!(text.contains("unit ") || text.contains(TRACES), "byte {place}: {text}");
    }
}

#[test]
fn a_swapped_component_is_found() {
    let ran = Honest::new().changed(|folder| {
        // The wrong component under the right name.
        let none = weir_components::find("policy", "none").unwrap().bytes;
        fs::write(component(folder, "intent-ledger"), none).unwrap();
    });
    for (kind, ran) in ran {
        assert_found(kind, &ran, "policy `intent-ledger`");
        assert_found(kind, &ran, "the component was swapped");
    }
}

#[test]
fn a_missing_component_is_found() {
    for (kind, ran) in Honest::new().changed(|folder| fs::remove_file(component(folder, "none")).unwrap()) {
        assert_found(kind, &ran, "policy `none`");
    }
}

#[test]
fn an_edited_result_is_found() {
    for (kind, ran) in Honest::new().changed(|folder| edit_last_row(folder, |row| row["faults"] = 7.into())) {
        assert_found(kind, &ran, "its row does not follow from its trace");
    }
}

#[test]
fn an_edited_measurement_is_found() {
    let edit = |row: &mut serde_json::Value| {
        let measurements = row["measurements"].as_object_mut().unwrap();
        measurements.remove(&measurements.keys().next().unwrap().clone()).unwrap();
    };
    for (kind, ran) in Honest::new().changed(|folder| edit_last_row(folder, edit)) {
        assert_found(kind, &ran, "its row does not follow from its trace");
    }
}

#[test]
fn a_result_that_points_at_another_place_of_the_trace_file_is_found() {
    let edit = |row: &mut serde_json::Value| row["trace"]["offset"] = 1.into();
    for (kind, ran) in Honest::new().changed(|folder| edit_last_row(folder, edit)) {
        assert_found(kind, &ran, "unit ");
    }
}

#[test]
fn an_altered_plan_is_found() {
    let honest = Honest::new();
    for (kind, ran) in honest.changed(|folder| edit(folder, "plan.jsonl", |text| text.replacen("none", "nine", 1))) {
        assert_found(kind, &ran, "plan.jsonl was altered");
    }
}

#[test]
fn a_missing_last_result_is_found() {
    let cut = |text: String| text.lines().take(text.lines().count() - 1).map(|line| format!("{line}\n")).collect();
    for (kind, ran) in Honest::new().changed(|folder| edit(folder, RESULTS, cut)) {
        assert_found(kind, &ran, "results.jsonl has");
    }
}

#[test]
fn a_report_that_the_results_do_not_give_is_found() {
    for (kind, ran) in Honest::new().changed(|folder| edit(folder, "report.md", |text| text.replace("0.", "1."))) {
        assert_found(kind, &ran, "report.md");
    }
}

#[test]
fn whichever_form_of_the_report_is_read_a_change_to_it_is_found() {
    let honest = Honest::new();
    for (kind, name) in [
        ("run", "report.html"),
        ("replay", "report.html"),
        ("run", "tables/table-9.csv"),
        ("replay", "tables/replay.csv"),
    ] {
        let changed = |folder: &Path| edit(folder, name, |text| text.replace("0.", "1."));
        assert_found(kind, &honest.changed_one(kind, changed), &format!("{name} does not follow from the results"));
        let removed = |folder: &Path| fs::remove_file(folder.join(name)).unwrap();
        assert_found(kind, &honest.changed_one(kind, removed), &format!("{name} is missing"));
    }
}

fn edit(folder: &Path, name: &str, edit: impl FnOnce(String) -> String) {
    let text = fs::read_to_string(folder.join(name)).unwrap();
    let edited = edit(text.clone());
    assert_ne!(text, edited, "{name} was to be changed");
    fs::write(folder.join(name), edited).unwrap();
}

fn edit_last_row(folder: &Path, change: impl Fn(&mut serde_json::Value)) {
    edit(folder, RESULTS, |text| {
        let mut rows: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        change(rows.last_mut().unwrap());
        rows.iter().map(|row| format!("{row}\n")).collect()
    });
}

/// The copy of a policy in a run's folder.
fn component(folder: &Path, policy: &str) -> PathBuf {
    let bytes = weir_components::find("policy", policy).unwrap().bytes;
    folder.join("components").join(format!("{}.wasm", weir_trace::json::sha256(bytes)))
}
