//! A run that was killed, and finished by the same command, has the bytes of one that was not.

use crate::folder::{assert_equal, copy, difference};
use crate::live::{run, run_command, try_run, write_suite};
use crate::support::program::tell;
use crate::support::recorded::{import, replay};
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;
use weir_suite::Row;

const TRACES: &str = "traces.jsonl.zst";
const RESULTS: &str = "results.jsonl";

#[test]
fn a_killed_run_is_finished_by_the_same_command() {
    // A machine that finishes all of this before the kill tests nothing here; the cuts below never depend on speed.
    for scenarios in [200, 800, 3200] {
        let home = tempfile::tempdir().unwrap();
        write_suite(home.path(), scenarios);
        if !killed_half_way(home.path()) {
            continue;
        }
        run(home.path(), "killed", &[]);
        run(home.path(), "whole", &[]);
        assert_equal("run", &home.path().join("whole"), &home.path().join("killed"));
        return;
    }
    tell("skipped: every run was finished before it could be killed");
}

/// Kills a run (SIGKILL) once it has written rows; false where it was too fast.
fn killed_half_way(home: &Path) -> bool {
    let mut child = run_command(home, "killed", &["--jobs", "1"]).spawn().unwrap();
    let partial = home.join("killed").join(format!("{RESULTS}.partial"));
    while child.try_wait().unwrap().is_none() {
        if fs::metadata(&partial).is_ok_and(|file| file.len() > 0) {
            child.kill().unwrap();
            break;
        }
        thread::sleep(Duration::from_millis(1));
    }
    child.wait().unwrap();
    partial.exists()
}

/// What a kill can leave behind, without one: the files of a finished run, cut anywhere.
#[test]
fn a_run_cut_at_any_place_is_finished_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    write_suite(home.path(), 6);
    run(home.path(), "whole", &[]);
    let whole = home.path().join("whole");
    let mut failures = Vec::new();
    for cut in cuts(&whole) {
        let again = home.path().join("again");
        copy(&whole, &again);
        cut.make(&again);
        let ran = try_run(home.path(), "again", &[]);
        let problem = if ran.code == Some(0) { difference(&whole, &again) } else { Some(ran.stderr) };
        failures.extend(problem.map(|problem| format!("{}: {problem}", cut.what)));
        fs::remove_dir_all(again).unwrap();
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_replay_cut_in_the_middle_is_finished_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    import(home.path());
    replay(home.path(), "whole", &[]);
    let (whole, again) = (home.path().join("whole"), home.path().join("again"));
    copy(&whole, &again);
    let half = |name: &str| usize::try_from(fs::metadata(whole.join(name)).unwrap().len()).unwrap() / 2;
    Cut { what: "both in the middle".into(), traces: half(TRACES), results: half(RESULTS) }.make(&again);
    replay(home.path(), "again", &[]);
    assert_equal("replay", &whole, &again);
}

#[test]
fn a_run_killed_between_its_two_last_renames_is_finished_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    write_suite(home.path(), 2);
    run(home.path(), "whole", &[]);
    let (whole, again) = (home.path().join("whole"), home.path().join("again"));
    copy(&whole, &again);
    remove_reports(&again);
    fs::rename(again.join(RESULTS), again.join(format!("{RESULTS}.partial"))).unwrap();
    run(home.path(), "again", &[]);
    assert_equal("run", &whole, &again);
}

#[test]
fn a_run_with_a_cut_plan_is_finished_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    write_suite(home.path(), 2);
    run(home.path(), "whole", &[]);
    let (whole, again) = (home.path().join("whole"), home.path().join("again"));
    copy(&whole, &again);
    Cut { what: "nothing was written".into(), traces: 0, results: 0 }.make(&again);
    let plan = fs::read(again.join("plan.jsonl")).unwrap();
    fs::write(again.join("plan.jsonl"), &plan[..plan.len() / 2]).unwrap();
    run(home.path(), "again", &[]);
    assert_equal("run", &whole, &again);
}

/// Bytes that are left of each file.
struct Cut {
    what: String,
    traces: usize,
    results: usize,
}

impl Cut {
    fn make(&self, folder: &Path) {
        remove_reports(folder);
        for (name, length) in [(TRACES, self.traces), (RESULTS, self.results)] {
            let bytes = fs::read(folder.join(name)).unwrap();
            fs::write(folder.join(format!("{name}.partial")), &bytes[..length]).unwrap();
            fs::remove_file(folder.join(name)).unwrap();
        }
    }
}

fn remove_reports(folder: &Path) {
    for name in ["report.json", "report.md"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
}

fn cuts(whole: &Path) -> Vec<Cut> {
    let text = fs::read_to_string(whole.join(RESULTS)).unwrap();
    let rows: Vec<Row> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let at = |offset: u64| usize::try_from(offset).unwrap();
    let frame = |row: usize| at(rows[row].trace.offset);
    let line = |row: usize| text.lines().take(row).map(|line| line.len() + 1).sum::<usize>();
    let last = rows.len() - 1;
    let end = at(rows[last].trace.offset + rows[last].trace.length);
    let cut = |what: &str, traces, results| Cut { what: what.into(), traces, results };
    vec![
        cut("nothing was written", 0, 0),
        cut("in the middle of the prelude", frame(0) / 2, 0),
        cut("after the prelude", frame(0), 0),
        cut("in the middle of the first frame", frame(0) + 10, 0),
        cut("between two units", frame(3), line(3)),
        cut("a frame without its row", frame(4), line(3)),
        cut("a frame and half of its row", frame(4), line(3) + 40),
        cut("all of a row but its newline", frame(4), line(4) - 1),
        cut("half a frame", frame(3) + 10, line(3)),
        cut("rows without their frames, as a lost disk cache leaves them", frame(2), line(5)),
        cut("a row whose frame is cut", frame(3) - 1, line(3)),
        cut("all but the last byte of the frames", end - 1, text.len()),
        cut("all but the last byte of the rows", end, text.len() - 1),
        cut("everything, but not renamed", end, text.len()),
    ]
}
