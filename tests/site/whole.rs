//! A site as a whole: the same bytes whoever builds it, and nothing else is lost for it.

use crate::folder::{assert_equal, copy};
use crate::support::program::{command, scratch, weir};
use crate::{data, home, list, text};
use std::fs;

#[test]
fn the_same_runs_give_the_same_bytes_with_any_number_of_threads() {
    for threads in ["1", "3"] {
        let out = format!("site-{threads}");
        let mut build = command(home(), &["leaderboard", "build", "run", "authority", "--out", &out]);
        assert!(build.env("RAYON_NUM_THREADS", threads).status().unwrap().success());
        assert_equal(&format!("{threads} threads"), &home().join("site"), &home().join(&out));
        fs::remove_dir_all(home().join(&out)).unwrap();
    }
}

#[test]
fn a_site_is_built_again_in_its_place_and_a_run_that_is_not_complete_leaves_the_old_one() {
    let home = scratch("again");
    copy(&crate::home().join("run"), &home.join("run"));
    let build = || weir(&home, &["leaderboard", "build", "run", "--out", "site"]);
    build().good();
    fs::write(home.join("site/CNAME"), "example.org").unwrap();
    copy(&home.join("site"), &home.join("before"));
    build().good();
    assert_equal("built again", &home.join("before"), &home.join("site"));
    // One row less: what the others say is not shown without it.
    let rows = fs::read_to_string(home.join("run/results.jsonl")).unwrap();
    let (kept, _) = rows.trim_end().rsplit_once('\n').unwrap();
    fs::write(home.join("run/results.jsonl"), format!("{kept}\n")).unwrap();
    let ran = build();
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("nothing is aggregated over a part"), "{}", ran.stderr);
    assert_equal("after an error", &home.join("before"), &home.join("site"));
    let names: Vec<_> = fs::read_dir(&home).unwrap().map(|found| found.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
}

#[test]
fn rows_that_do_not_fit_their_frames_are_refused() {
    let home = scratch("misplaced");
    copy(&crate::home().join("run"), &home.join("run"));
    let rows = fs::read_to_string(home.join("run/results.jsonl")).unwrap();
    let mut lines: Vec<&str> = rows.lines().collect();
    lines.swap(3, 4);
    fs::write(home.join("run/results.jsonl"), lines.join("\n") + "\n").unwrap();
    let ran = weir(&home, &["leaderboard", "build", "run", "--out", "site"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("rows and traces do not fit together"), "{}", ran.stderr);
    assert!(!home.join("site").exists());
}

#[test]
fn every_condition_of_a_run_is_a_track() {
    let home = scratch("conditions");
    let suite = include_str!("small.toml").replace("count = 8", "count = 1").replace("count = 6", "count = 1");
    let wrong = "\n[[errors]]\nkind = \"omitted\"\nrates = [0.5]\n";
    fs::write(home.join("wrong.toml"), suite + wrong).unwrap();
    weir(&home, &crate::with_cache(&["run", "wrong.toml", "--out", "run"])).good();
    weir(&home, &["leaderboard", "build", "run", "--out", "site"]).good();
    let site = data(&home.join("site"), "data/site");
    let ids: Vec<&str> = list(&site["tracks"]).iter().map(|track| text(&track["id"])).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    for id in ids {
        let board = data(&home.join("site"), &format!("data/{id}/board"));
        assert_eq!(list(&board["entries"]).len(), 5);
    }
}
