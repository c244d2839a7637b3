//! The same work gives the same bytes, whatever the number of threads.

use crate::folder::{assert_equal, copy};
use crate::live::{run, write_suite};
use crate::support::recorded::{import, replay};

#[test]
fn a_replay_has_the_same_bytes_on_one_thread_and_on_four() {
    let home = tempfile::tempdir().unwrap();
    import(home.path());
    replay(home.path(), "one", &["--jobs", "1"]);
    replay(home.path(), "four", &["--jobs", "4"]);
    assert_equal("replay", &home.path().join("one"), &home.path().join("four"));
}

#[test]
fn a_run_has_the_same_bytes_on_one_thread_and_on_four() {
    let home = tempfile::tempdir().unwrap();
    // More units than one thread computes before it writes, so that the portions differ too.
    write_suite(home.path(), 50);
    run(home.path(), "one", &["--jobs", "1"]);
    run(home.path(), "four", &["--jobs", "4"]);
    assert_equal("run", &home.path().join("one"), &home.path().join("four"));
}

#[test]
fn an_import_has_the_same_bytes_each_time() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    import(first.path());
    import(second.path());
    assert_equal("import", first.path(), second.path());
}

#[test]
fn the_same_command_on_a_complete_run_changes_nothing() {
    let home = tempfile::tempdir().unwrap();
    write_suite(home.path(), 2);
    run(home.path(), "out", &[]);
    copy(&home.path().join("out"), &home.path().join("before"));
    run(home.path(), "out", &[]);
    assert_equal("run", &home.path().join("before"), &home.path().join("out"));
}
