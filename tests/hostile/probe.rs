//! Guests that try all they can, and say what they got: nothing of the machine on which they run, and the same every time.

use crate::common::{Host, expect_in_authorize, nothing, proposal};
use std::path::Path;
use std::process::Command;
use weir_runtime::wit::policies::Decision;
use weir_runtime::world::Defence;
use weir_runtime::{Cause, Limits};

/// What a probing policy says in one rollout.
fn report(host: &Host, bytes: &[u8]) -> String {
    let mut session = host.session(bytes, "a goal");
    match session.authorize(nothing(), &proposal(0)).unwrap().value {
        Decision::Block(reason) => reason.message,
        other => panic!("{other:?}"),
    }
}

pub fn probes_the_sandbox() {
    let host = Host::new();
    let first = report(&host, crate::PROBES_THE_SANDBOX);
    let own = ["hash ", "stack ", "heap ", "memory "];
    let others: Vec<&str> = first.lines().filter(|line| !own.iter().any(|word| line.starts_with(word))).collect();
    assert_eq!(others.join("\n"), SANDBOX);
    // Neither another rollout nor another host, with its own engines and its own compilation, is to be told apart.
    assert_eq!(report(&host, crate::PROBES_THE_SANDBOX), first);
    assert_eq!(report(&Host::new(), crate::PROBES_THE_SANDBOX), first);
    host.goes_on();
}

/// What it says, without the places of things in its own memory, which are a matter of its build.
const SANDBOX: &str = "\
call 0\n\
arguments []\n\
environment [None, None, None, None]\n\
folder unsupported\n\
input 0\n\
file unsupported\n\
written unsupported\n\
tcp unsupported\n\
listener unsupported\n\
udp unsupported\n\
name unsupported\n\
thread unsupported\n\
process unsupported\n\
not numbers 7ff8000000000000 7ff8000000000000 7fc00000 7ff0000000000001\n\
events []";

pub fn probes_the_system() {
    let host = Host::compat(Limits::default());
    let first = report(&host, crate::PROBES_THE_SYSTEM);
    assert_eq!(first, SYSTEM);
    assert_eq!(report(&host, crate::PROBES_THE_SYSTEM), first);
    assert_eq!(report(&Host::compat(Limits::default()), crate::PROBES_THE_SYSTEM), first);
    host.goes_on();
}

/// What it says: the clock stands at the first of January 2020, and nothing else is there.
const SYSTEM: &str = "\
arguments []\n\
environment []\n\
home None\n\
folder \"/\"\n\
program unsupported\n\
input 0\n\
time 1577836800.000000000\n\
an hour of sleep 3600\n\
hash e2cd700fda20873d\n\
room 64512\n\
thread unsupported\n\
process unsupported\n\
tcp permission denied\n\
tcp 6 permission denied\n\
listener permission denied\n\
udp permission denied\n\
name uncategorized error\n\
read /etc/passwd entity not found\n\
list /etc/passwd entity not found\n\
look at /etc/passwd entity not found\n\
read /proc/self/environ entity not found\n\
list /proc/self/environ entity not found\n\
look at /proc/self/environ entity not found\n\
read /proc/self/exe entity not found\n\
list /proc/self/exe entity not found\n\
look at /proc/self/exe entity not found\n\
read ../../../../etc/passwd entity not found\n\
list ../../../../etc/passwd entity not found\n\
look at ../../../../etc/passwd entity not found\n\
read Cargo.toml entity not found\n\
list Cargo.toml entity not found\n\
look at Cargo.toml entity not found\n\
read . entity not found\n\
list . entity not found\n\
look at . entity not found\n\
read / entity not found\n\
list / entity not found\n\
look at / entity not found\n\
read /dev/urandom entity not found\n\
list /dev/urandom entity not found\n\
look at /dev/urandom entity not found\n\
write entity not found\n\
link entity not found\n\
remove entity not found";

/// The probing policy's report, in processes with these environments, arguments, folders and input of their own.
#[test]
fn nothing_of_a_process_is_seen_by_a_guest_with_wasi() {
    let folder = tempfile::tempdir().unwrap();
    let here = |name: &str| folder.path().join(name);
    std::fs::write(here("probe.wasm"), crate::PROBES_THE_SYSTEM).unwrap();
    std::fs::write(here("grants.toml"), "[plugin.probe]\ngrant = [\"log\", \"transcript\"]\nprofile = \"compat\"\n")
        .unwrap();
    let case = format!(
        "about = \"It probes.\"\ngoal = \"a goal\"\ntools = [{{ name = \"send\", description = \"\", effect = \"read\", parameters = [] }}]\n\
         [[steps]]\nask = \"authorize\"\ntool = \"send\"\narguments = {{}}\n\
         expect = {{ decision = \"block\", rule = \"probed\", message = {} }}\n",
        serde_json::to_string(SYSTEM).unwrap()
    );
    std::fs::write(here("case.toml"), case).unwrap();
    let elsewhere = here("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let in_one = probed(folder.path(), folder.path(), &[]);
    let secret =
        [("WEIR_PROBE_SECRET", "s3cret"), ("HOME", "/root/elsewhere"), ("TZ", "Asia/Tokyo"), ("LANG", "ja_JP")];
    let in_another = probed(&elsewhere, folder.path(), &secret);
    assert_eq!(in_one, in_another);
    assert!(in_one.contains("\"holds\": true"), "{in_one}");
}

fn probed(folder: &Path, files: &Path, environment: &[(&str, &str)]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_weir-under-test"))
        .arg("test")
        .args([files.join("probe.wasm"), files.join("case.toml")])
        .args(["--json", "--grants"])
        .arg(files.join("grants.toml"))
        .arg("--cache")
        .arg(folder.join("cache"))
        .current_dir(folder)
        .envs(environment.iter().copied())
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub fn sleeps_for_years() {
    let host = Host::compat(Limits::default());
    assert_eq!(report(&host, crate::SLEEPS_FOR_YEARS), "36500 days");
    host.goes_on();
}

pub fn spins_on_the_clock() {
    let host = Host::compat(Limits::default());
    let fault = host.failed_authorize(crate::SPINS_ON_THE_CLOCK, "");
    let cause = Cause::Budget { import: "wasi:clocks".into(), limit: 100_000, unit: "calls".into() };
    expect_in_authorize(&fault, crate::SPINS_ON_THE_CLOCK, &cause);
    host.goes_on();
}

pub fn takes_random_without_end() {
    // It costs a guest nearly no fuel, and the host much time.
    let host = Host::compat(Limits::default());
    let fault = host.failed_authorize(crate::TAKES_RANDOM_WITHOUT_END, "");
    let cause = Cause::Budget { import: "wasi:random".into(), limit: 100_000, unit: "calls".into() };
    expect_in_authorize(&fault, crate::TAKES_RANDOM_WITHOUT_END, &cause);
    host.goes_on();
}

pub fn floods_output() {
    let host = Host::compat(Limits::default());
    let fault = host.failed_authorize(crate::FLOODS_OUTPUT, "");
    expect_in_authorize(&fault, crate::FLOODS_OUTPUT, &fault.cause);
    assert!(matches!(fault.cause, Cause::Trap { .. }), "{fault}");
    assert!(fault.to_string().len() < 64 << 10, "{} bytes", fault.to_string().len());
    host.goes_on();
}

pub fn exits_with_success() {
    let host = Host::compat(Limits::default());
    let fault = host.failed_authorize(crate::EXITS_WITH_SUCCESS, "");
    expect_in_authorize(&fault, crate::EXITS_WITH_SUCCESS, &fault.cause);
    assert!(matches!(fault.cause, Cause::Trap { .. }), "{fault}");
    host.goes_on();
}
