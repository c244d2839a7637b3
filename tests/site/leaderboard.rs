//! A leaderboard's site: its entries beside each other, as if one run had made them, with who says what of each.

use crate::support::program::{Ran, scratch, weir};
use crate::support::recorded::with_cache;
use crate::{data, list, text};
use std::fs;
use std::path::Path;

const TITLE: &str = "A board of <b>two</b>";

fn run(home: &Path, arguments: &[&str]) -> Ran {
    weir(home, &with_cache(arguments))
}

#[test]
fn entries_of_one_plan_are_compared_as_in_one_run_and_signatures_are_named() {
    let home = scratch("board");
    let policies = "policies = [\"none\", \"tool-boundary\"]";
    let suite = include_str!("small.toml").replace("count = 8", "count = 2").replace("count = 6", "count = 2");
    let line = suite.lines().find(|line| line.starts_with("policies")).unwrap().to_owned();
    fs::write(home.join("small.toml"), suite.replace(&line, policies)).unwrap();
    run(&home, &["run", "small.toml", "--out", "run"]).good();
    for name in ["maintainer", "bob"] {
        weir(&home, &["key", name]).good();
    }
    let keys = ["--maintainer", "ann=maintainer.pub", "--rerun-percent", "10"];
    weir(&home, &[&["leaderboard", "init", "board", "--run", "run", "--title", TITLE], &keys[..]].concat()).good();
    let empty = weir(&home, &["leaderboard", "build", "board", "--out", "site"]);
    assert_eq!(empty.code, Some(1));
    assert!(empty.stderr.contains("no entry is on this leaderboard"), "{}", empty.stderr);
    for (policy, more) in [("none", &["--trust", "bob"][..]), ("tool-boundary", &[])] {
        let said = ["--description", "What it does.", "--author", "Bob <bob@example.org>", "--licence", "MIT"];
        let about = ["--contact", "mailto:bob@example.org", "--board", "board", "--key", "bob", "--policy", policy];
        run(&home, &[&["submit", "prepare", "run", "--out", policy], &said[..], &about].concat()).good();
        let add = ["leaderboard", "add", "board", policy, "--key", "maintainer", "--seed", "1"];
        run(&home, &[&add[..], more].concat()).good();
    }
    weir(&home, &["leaderboard", "build", "board", "--out", "site"]).good();
    weir(&home, &["leaderboard", "build", "run", "--out", "alone"]).good();

    let (site, alone) = (home.join("site"), home.join("alone"));
    let whole = data(&site, "data/site");
    assert_eq!((text(&whole["title"]), text(&whole["kind"])), (TITLE, "leaderboard"));
    let track = text(&whole["tracks"][0]["id"]);
    let (board, of_run) = (data(&site, &format!("data/{track}/board")), data(&alone, "data/small/board"));
    assert_eq!(board["plan"], of_run["plan"], "the published plan is the run's own");
    assert_eq!(board["cells"], of_run["cells"], "estimates and ranks are those of the run that both come from");
    assert_eq!(data(&site, &format!("data/{track}/pairs"))["pairs"], data(&alone, "data/small/pairs")["pairs"]);
    for (entry, run) in list(&board["entries"]).iter().zip(list(&of_run["entries"])) {
        assert_eq!((&entry["name"], &entry["fuel"], &entry["counts"]), (&run["name"], &run["fuel"], &run["counts"]));
        assert_eq!((text(&entry["badge"]), text(&run["badge"])), ("verified", "self-reported"));
        assert_eq!(text(&entry["authors"][0]), "Bob <bob@example.org>");
        let page = data(&site, &format!("data/{track}/{}/entry", text(&entry["id"])));
        let signers: Vec<&str> = list(&page["attestations"]).iter().map(|one| text(&one["signer"])).collect();
        assert!(signers.contains(&"ann") && signers.contains(&"bob"), "{signers:?}");
        for command in list(&page["verify"]) {
            let words: Vec<&str> = text(command).split(' ').skip(1).collect();
            run_in(&home, &words);
        }
    }
}

/// The command that a page offers, as it stands there.
fn run_in(home: &Path, words: &[&str]) {
    let ran = if words.contains(&"verify") { run(home, words) } else { weir(home, words) };
    ran.good();
}
