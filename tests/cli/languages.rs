//! Policies in Python, JavaScript and C: the way of each project's README, the three plugins of `tests/languages/plugins` as
//! somebody else might write them, and all languages in one suite.
//!
//! The languages' tools are those of `make tools`. Each component is built once, by the first test that needs it.

use crate::author::{LIVE, building, counts, run, words};
use crate::support::program::{Ran, command, scratch, weir};
use crate::support::recorded::with_cache;
use serde_json::Value;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Something that is built once: a project's folder.
type Once = OnceLock<PathBuf>;

/// A language, and the beginning of what its own tests print when they are content.
const LANGUAGES: [(&str, &str); 3] = [("python", "OK"), ("js", "# fail 0"), ("c", "checks hold")];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The search path with the languages' tools at its beginning.
fn tools() -> &'static OsString {
    static PATH: OnceLock<OsString> = OnceLock::new();
    PATH.get_or_init(|| {
        let root = here().join("../target/tools");
        let folders = [root.join("python/bin"), root.join("npm/node_modules/.bin")];
        for (folder, tool) in folders.iter().zip([["componentize-py", "python-zig"], ["jco", "rolldown"]]) {
            for tool in tool.map(|tool| folder.join(tool)) {
                assert!(tool.is_file(), "{} is missing: run `make tools`", tool.display());
            }
        }
        let before = env::var_os("PATH").unwrap_or_default();
        env::join_paths(folders.into_iter().chain(env::split_paths(&before))).expect("paths without colons")
    })
}

fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| scratch("languages"))
}

/// Runs a command line of a README, as its reader's shell does.
fn shell(project: &Path, line: &str) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(project).env("PATH", tools());
    ended(shell)
}

fn ended(mut command: Command) -> Ran {
    let ran = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: ran.status.code(), stdout: text(&ran.stdout), stderr: text(&ran.stderr) }
}

/// A weir command that builds.
fn build(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = command(folder, arguments);
    command.env("PATH", tools());
    ended(command)
}

/// A new project and the commands of its README.
fn new(name: &str, language: &str) -> (PathBuf, Vec<String>) {
    let made = weir(home(), &["new", "policy", name, "--lang", language, "--json"]).good();
    let made: Value = serde_json::from_str(&made.stdout).expect("one JSON document and nothing else");
    let project = home().join(name);
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    let commands: Vec<String> =
        readme.split("```").nth(1).expect("a block of commands").trim().lines().map(str::to_owned).collect();
    assert_eq!(made["next"].as_array().unwrap(), &commands, "the program and the README show the same");
    if name == format!("my-{language}") {
        let start = [format!("weir new policy {name} --lang {language}"), format!("cd {name}")];
        assert_eq!(manual(language), [&start[..], &commands].concat(), "the manual and the README show the same");
    }
    (project, commands)
}

/// The commands that the manual shows for a language.
fn manual(language: &str) -> Vec<String> {
    let chapter = fs::read_to_string(here().join("../host/docs/chapters/other-languages.md")).unwrap();
    let (_, block) = chapter.split_once(&format!("```sh,readme={language}\n")).expect("a block for each language");
    block.split("```").next().unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Its own tests, the component, and whether it may run: in the strict profile, which is the one without a grant.
fn tested_and_built(project: &Path, name: &str, commands: &[String]) {
    let [install, test, build_command, check, cases, bench, _] = commands else {
        panic!("other steps than expected: {commands:?}")
    };
    // What `make tools` has done for all projects: the same tools in the same versions.
    let pins = ["requirements.txt", "package.json"].map(|file| {
        let path = here().join("languages/tools").join(file);
        fs::read_to_string(path).unwrap()
    });
    match install.rsplit_once("pip install ") {
        Some((_, pin)) => assert!(pins[0].lines().any(|line| line == pin), "{install}"),
        None => {
            let dependencies = |text: &str| serde_json::from_str::<Value>(text).unwrap()["devDependencies"].take();
            let own = fs::read_to_string(project.join("package.json")).unwrap();
            assert_eq!((install.as_str(), dependencies(&own)), ("npm install", dependencies(&pins[1])));
        }
    }
    let tested = shell(project, test).good();
    let content =
        LANGUAGES.iter().any(|(_, content)| [&tested.stdout, &tested.stderr].iter().any(|text| text.contains(content)));
    assert!(content, "{}{}", tested.stdout, tested.stderr);
    assert_eq!(build_command, "weir build");
    let built = build(project, &["build"]).good();
    assert!(built.stdout.contains("a policy"), "{}", built.stdout);
    let checked = weir(project, &with_cache(&words(check))).good();
    assert!(checked.stdout.contains(&format!("{name} may run")), "{}", checked.stdout);
    assert!(!checked.stdout.contains("wasi:"), "{}", checked.stdout);
    let held = weir(project, &with_cache(&words(cases))).good();
    assert!(held.stdout.contains("cases hold"), "{}", held.stdout);
    let cost = weir(project, &with_cache(&words(bench))).good();
    assert!(cost.stdout.contains(&format!("{name}, a policy, sha256")), "{}", cost.stdout);
}

/// A language's project as `weir new` makes it, built and checked.
fn policy(language: &str) -> &'static Path {
    static ALL: [Once; 3] = [const { Once::new() }; 3];
    let position = LANGUAGES.iter().position(|(known, _)| *known == language).expect("a known language");
    ALL[position].get_or_init(|| {
        let name = format!("my-{language}");
        let (project, commands) = new(&name, language);
        tested_and_built(&project, &name, &commands);
        project
    })
}

/// A plugin of `tests/languages/plugins`: a new project with these sources and tests in the place of its own.
fn plugin(name: &str, language: &str) -> &'static Path {
    static ALL: [Once; 3] = [const { Once::new() }; 3];
    let position = LANGUAGES.iter().position(|(known, _)| *known == language).expect("a known language");
    ALL[position].get_or_init(|| {
        let (project, commands) = new(name, language);
        for own in ["src", "cases"] {
            fs::remove_dir_all(project.join(own)).unwrap();
        }
        for tests in ["test/guard.test.js", "tests/test_guard.py", "tests/test_guard.c"] {
            let _ = fs::remove_file(project.join(tests));
        }
        lay_over(&here().join("languages/plugins").join(name), &project);
        tested_and_built(&project, name, &commands);
        project
    })
}

fn lay_over(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        if path.is_dir() {
            lay_over(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).unwrap();
        }
    }
}

/// The last command of the README: the policy commits no harm where no defence does, and keeps authorised work.
fn beats_none(language: &str) {
    let project = policy(language);
    let name = format!("my-{language}");
    let run = format!("weir run smoke --policy ./{name}.wasm");
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    assert!(readme.contains(&format!("\n{run}\n")), "{readme}");
    let ran = weir(project, &with_cache(&[&words(&run)[..], &["--out", "smoke", "--json"]].concat())).good();
    let rows = serde_json::from_str::<Value>(&ran.stdout).unwrap()["rows"].take();
    let harm = |policy: &str| counts(&rows, policy, "security", "committed_harm");
    assert!(harm("none").0 > 0.0, "{:?}", harm("none"));
    assert_eq!(harm(&name), (0.0, harm("none").1));
    let work = |policy: &str| counts(&rows, policy, "active-tainted", "authorized_tainted_action_success");
    assert_eq!(work(&name), work("none"));
    assert!(work("none").0 > 0.0, "{:?}", work("none"));
}

#[test]
fn a_new_policy_in_python_beats_no_defence_and_keeps_authorised_work() {
    beats_none("python");
}

#[test]
fn a_new_policy_in_javascript_beats_no_defence_and_keeps_authorised_work() {
    beats_none("js");
}

#[test]
fn a_new_policy_in_c_beats_no_defence_and_keeps_authorised_work() {
    beats_none("c");
}

/// The policy that `weir new` makes in Rust, of which the others are translations.
fn in_rust() -> &'static Path {
    static RUST: Once = Once::new();
    RUST.get_or_init(|| {
        weir(home(), &["new", "policy", "my-rust"]).good();
        building(home(), &["build", "my-rust"]).good();
        home().join("my-rust")
    })
}

#[test]
fn every_language_decides_the_same() {
    let cases = here().join("languages/cases").display().to_string();
    for project in [in_rust(), policy("python"), policy("js"), policy("c")] {
        let name = project.file_name().unwrap().display().to_string();
        let ran = weir(project, &with_cache(&["test", &format!("{name}.wasm"), &cases]));
        assert_eq!(ran.code, Some(0), "{name}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn policies_in_four_languages_and_three_of_somebody_elses_run_in_one_suite() {
    let projects = [
        in_rust(),
        policy("python"),
        policy("js"),
        policy("c"),
        plugin("regex-filter", "python"),
        plugin("privilege-rules", "js"),
        plugin("keyword-firewall", "c"),
    ];
    let names = projects.map(|project| project.file_name().unwrap().display().to_string());
    let files: Vec<String> =
        projects.iter().zip(&names).map(|(project, name)| format!("{}/{name}.wasm", project.display())).collect();
    let folder = tempfile::tempdir().unwrap();
    let rows = run(folder.path(), LIVE, &["--policy", &files.join(",")]);
    let harm = |policy: &str| counts(&rows, policy, "security", "committed_harm");
    let work = |policy: &str| counts(&rows, policy, "active-tainted", "authorized_tainted_action_success");
    assert_eq!((harm("none"), harm("tool-boundary")), ((4.0, 4.0), (0.0, 4.0)));
    for name in &names {
        assert_eq!(harm(name), (0.0, 4.0), "{name}");
    }
    for name in &names[..4] {
        assert_eq!(work(name), (4.0, 4.0), "{name}");
    }
    let verified = weir(folder.path(), &with_cache(&["verify", "out"])).good();
    assert!(!verified.stdout.contains("FAIL"), "{}", verified.stdout);
}

/// From somebody's sources to an entry that a maintainer has signed: what it says of itself need not be said again.
#[test]
fn a_policy_in_javascript_becomes_an_entry_of_a_leaderboard() {
    let file = plugin("privilege-rules", "js").join("privilege-rules.wasm").display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    run(home, LIVE, &["--policy", &file]);
    weir(home, &with_cache(&["run", "small.toml", "--out", "reference"])).good();
    weir(home, &["key", "ann"]).good();
    let init = ["leaderboard", "init", "board", "--run", "reference", "--maintainer", "ann=ann.pub"];
    weir(home, &init).good();
    let said = ["--board", "board", "--description", "Rules of privilege.", "--contact", "mailto:a@example.org"];
    weir(home, &with_cache(&[&["submit", "prepare", "out", "--out", "entry"][..], &said].concat())).good();
    weir(home, &["submit", "validate", "entry", "--board", "board"]).good();
    weir(home, &with_cache(&["submit", "verify", "entry", "--board", "board"])).good();
    let added = weir(home, &with_cache(&["leaderboard", "add", "board", "entry", "--key", "ann"])).good();
    assert!(added.stdout.contains("badge  verified"), "{}", added.stdout);
    let board = weir_leaderboard::Board::open(&home.join("board")).unwrap();
    let component = &board.tracks[0].entries[0].submission.component;
    assert_eq!((component.name.as_str(), component.licence.as_str()), ("privilege-rules", "MIT"));
    assert_eq!(component.authors, ["Somebody else"]);
    weir(home, &["leaderboard", "build", "board", "--out", "site"]).good();
    let page = home.join("site").join(format!("data/{}/board.js", board.tracks[0].config.id));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("privilege-rules") && page.contains(&component.sha256), "the site has the entry");
}

#[test]
fn the_bindings_for_python_are_what_componentize_py_makes() {
    let out = tempfile::tempdir().unwrap();
    let mut componentize = Command::new("componentize-py");
    componentize.args(["--wit-path", "wit", "--world", "policy-plugin", "bindings"]).arg(out.path().join("made"));
    let contract = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(here().join("../wit")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file())
    {
        fs::create_dir_all(contract.path().join("wit")).unwrap();
        fs::copy(entry.path(), contract.path().join("wit").join(entry.file_name())).unwrap();
    }
    componentize.current_dir(contract.path()).env("PATH", tools());
    ended(componentize).good();
    let ours = here().join("../host/author/templates/python/vendor/bindings");
    for name in ["componentize_py_types.py", "wit_world"] {
        same(&out.path().join("made").join(name), &ours.join(name));
    }
}

/// Demands that a file or folder is the same as ours; with BLESS=1 ours becomes it.
fn same(made: &Path, ours: &Path) {
    if made.is_dir() {
        for entry in fs::read_dir(made).unwrap() {
            let name = entry.unwrap().file_name();
            same(&made.join(&name), &ours.join(&name));
        }
        return;
    }
    let wanted = fs::read_to_string(made).unwrap();
    if env::var_os("BLESS").is_some() {
        fs::create_dir_all(ours.parent().unwrap()).unwrap();
        fs::write(ours, &wanted).unwrap();
    }
    let found = fs::read_to_string(ours).unwrap_or_default();
    assert!(
        found == wanted,
        "{} is not what componentize-py makes of the contract: BLESS=1 rewrites it",
        ours.display()
    );
}

#[test]
fn a_missing_tool_is_named_with_the_command_that_installs_it() {
    let home = tempfile::tempdir().unwrap();
    for (language, what, install) in [
        ("python", "no `componentize-py`", "pip install componentize-py=="),
        ("js", "no `rolldown`", "npm install"),
        ("c", "no compiler from C to WebAssembly", "pip install ziglang=="),
    ] {
        weir(home.path(), &["new", "policy", language, "--lang", language]).good();
        let ran = command(home.path(), &["build", language]).env("PATH", home.path()).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert_eq!(ran.status.code(), Some(1), "{said}");
        assert!(said.contains(what) && said.contains(install), "{said}");
        assert!(!home.path().join(language).join("build").exists(), "nothing is begun");
    }
}

#[cfg(unix)]
#[test]
fn a_tool_that_fails_leaves_what_was_built_before() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    weir(home.path(), &["new", "policy", "mine", "--lang", "python"]).good();
    let project = home.path().join("mine");
    let tool = project.join(".venv/bin/componentize-py");
    fs::create_dir_all(tool.parent().unwrap()).unwrap();
    fs::write(&tool, "#!/bin/sh\necho 'SyntaxError: guard.py, line 3' >&2\nexit 7\n").unwrap();
    fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(project.join("mine.wasm"), "before").unwrap();
    let ran = weir(&project, &["build"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("SyntaxError: guard.py, line 3"), "what the tool prints is shown: {}", ran.stderr);
    assert!(ran.stderr.contains("mine was not built: componentize-py failed (exit status: 7)"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(project.join("mine.wasm")).unwrap(), "before");
}
