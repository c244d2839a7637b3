//! Submissions of an authority suite: a policy, and a writer.

use super::*;

/// A suite of memories: two base histories, a writer, a condition and an arm.
const MEMORIES: &str = r#"
kind = "authority"
name = "memories"
title = "Two bases"
seeds = [1]
limit = 16
method = "rules"

[[bases]]
domain = "airline"
stage = "authority"
count = 1
seed = 1

[[writers]]
name = "minimal"

[[writers]]
name = "langmem"

[[conditions]]
key = "W/N"
memory = "washed"
policy = "memory-plain"

[[arms]]
key = "Gate"
policy = "authority-gate"

[[writing]]
writers = ["minimal", "langmem"]
view = "full"

[[acting]]
conditions = ["W/N"]
models = ["sim:value-follower"]

[[pipeline]]
writers = ["minimal", "langmem"]
view = "full"
arms = ["Gate"]
models = ["sim:value-follower"]
"#;

#[test]
fn a_policy_and_a_writer_of_an_authority_suite_go_all_the_way_too() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    fs::write(home.join("memories.toml"), MEMORIES).unwrap();
    weir(home, &["list", "--save", "saved"]).good();
    for (saved, own) in [("policy-authority-gate", "my-gate"), ("writer-minimal", "my-writer")] {
        let file = format!("{own}.wasm");
        fs::copy(home.join(format!("saved/{saved}.wasm")), home.join(&file)).unwrap();
        weir(home, &["annotate", &file, "--name", own, "--homepage", "https://example.org", "--author", "Ann"]).good();
    }
    weir(home, &["key", "ann"]).good();
    run(home, &["run", "memories.toml", "--out", "reference"]).good();
    for (kind, own, more) in [("--policy", "my-gate", &[][..]), ("--writer", "my-writer", &["--writers"][..])] {
        let (file, folder, board) = (format!("./{own}.wasm"), format!("run-{own}"), format!("board-{own}"));
        run(home, &["run", "memories.toml", kind, &file, "--out", &folder]).good();
        let init = ["leaderboard", "init", &board, "--run", "reference", "--maintainer", "ann=ann.pub"];
        weir(home, &[&init[..], more].concat()).good();
        let said = ["--description", "Keeps what it may.", "--board", &board, kind, own];
        run(home, &[&["submit", "prepare", &folder, "--out", own][..], &said].concat()).good();
        let verified = run(home, &["submit", "verify", own, "--board", &board]).good();
        assert!(verified.stdout.contains("covers the plan of track `memories`"), "{}", verified.stdout);
        let added = run(home, &["leaderboard", "add", &board, own, "--key", "ann"]).good();
        assert!(added.stdout.contains("badge  verified"), "{}", added.stdout);
        run(home, &["verify", &format!("{board}/tracks/memories/{own}")]).good();
        weir(home, &["report", own, "--out", &format!("report-{own}")]).good();

        edit(&home.join(own).join(RESULTS), |text| text.replacen("\"faults\":0", "\"faults\":1", 1));
        refused(
            "a row",
            &run(home, &["submit", "verify", own, "--board", &board]),
            100,
            &["results.jsonl was altered"],
        );
    }
    // Neither is an entry of the other's board.
    let told = ["does not cover the plan of track `memories`"];
    refused(
        "another kind",
        &run(home, &["submit", "verify", "my-gate", "--board", "board-my-writer"]),
        100,
        &["altered"],
    );
    let said = ["--description", "Keeps.", "--board", "board-my-writer", "--policy", "my-gate"];
    let ran = run(home, &[&["submit", "prepare", "run-my-gate", "--out", "other"][..], &said].concat());
    refused("another kind", &ran, 1, &told);
}
