//! Twelve mistakes that authors make, each made on purpose in a real component, and what they are told: one message that says
//! what is wrong and what to do.

use crate::contract::{contract, implement};
use crate::support::program::{Ran, scratch, weir};
use crate::support::recorded::with_cache;
use std::fs;
use std::path::{Path, PathBuf};
use weir_metadata::{Capability, Surface};
use weir_runtime::contract::CURRENT;
use wit_parser::Resolve;

/// Guests of the hostile corpus; the hostile tests visit all of them.
#[allow(dead_code, unused_macros)]
mod guests {
    include!(concat!(env!("OUT_DIR"), "/guests.rs"));
}

/// A folder of its own with the component `mine.wasm`.
fn folder(name: &str, component: &[u8]) -> PathBuf {
    let folder = scratch(&format!("mistakes-{name}"));
    fs::write(folder.join("mine.wasm"), component).unwrap();
    folder
}

/// The component with metadata as `weir build` would write them.
fn built(component: &[u8]) -> Vec<u8> {
    let metadata = Surface::read(component).unwrap().metadata("mine", "0.1.0").unwrap();
    weir_metadata::write(component, &metadata).unwrap()
}

fn check(name: &str, component: &[u8]) -> Ran {
    weir(&folder(name, component), &with_cache(&["check", "mine.wasm"]))
}

/// The check fails, and this is the whole of its first failing demand. Digests are left out: they change with the compiler.
#[track_caller]
fn fails(ran: &Ran, message: &str) {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(100), ""), "{}", ran.stdout);
    let mut found = String::new();
    for line in ran.stdout.lines().skip_while(|line| !line.starts_with("FAIL")) {
        if !found.is_empty() && !line.starts_with(' ') {
            break;
        }
        found += &without_digest(line);
        found.push('\n');
    }
    assert_eq!(found, message, "{}", ran.stdout);
    assert!(ran.stdout.ends_with("mine may not run\n"), "{}", ran.stdout);
}

fn without_digest(line: &str) -> String {
    match line.split_once(" (sha256 ") {
        Some((before, after)) => format!("{before}{}", after.split_once(')').map_or("", |(_, rest)| rest)),
        None => line.to_owned(),
    }
}

/// The contract, and this package beside it.
fn beside(package: &str) -> Resolve {
    let mut resolve = contract(|text| text);
    resolve.push_str(Path::new("extra.wit"), package).unwrap();
    resolve
}

/// The contract's version, as these sources have it.
fn version() -> &'static str {
    CURRENT.number
}

#[test]
fn a_wrong_world() {
    let world = "package mine:firewall@1.0.0; interface guard { allow: func(call: string) -> bool; } world firewall { export guard; }";
    let mine = implement(&beside(world), "firewall");
    let contract = CURRENT.package();
    let message = format!(
        "FAIL  kind and contract version: plugin `mine` failed at load\n  \
           does not implement world `policy-plugin` of {contract}\n  \
           missing export  weir:plugin/policy@{}\n  \
           it exports mine:firewall/guard@1.0.0\n",
        version()
    );
    fails(&check("world", &mine), &message);
}

#[test]
fn an_old_contract() {
    let old = implement(&contract(|text| text.replace(&format!("@{}", version()), "@0.0.9")), "policy-plugin");
    let contract = CURRENT.package();
    let message = format!(
        "FAIL  kind and contract version: plugin `mine` 0.1.0 failed at load\n  \
           does not implement world `policy-plugin` of {contract}\n  \
           missing export  weir:plugin/policy@{}\n  \
           it was built against weir:plugin@0.0.9: rebuild it against {contract}\n",
        version()
    );
    fails(&check("contract", &built(&old)), &message);
}

#[test]
fn a_wasi_import() {
    let clocks = format!(
        "package mine:clock; world both {{ include weir:plugin/policy-plugin@{}; import wasi:clocks/wall-clock@0.2.6; }}
         package wasi:clocks@0.2.6 {{ interface wall-clock {{ now: func() -> u64; }} }}",
        version()
    );
    let mine = implement(&beside(&clocks), "both");
    let message = "FAIL  imports and grants: plugin `mine` 0.1.0 failed at link\n  \
         the component imports wasi:clocks/wall-clock@0.2.6: the strict profile allows only weir:plugin; build it without \
         WASI, or run it in the compat profile\n";
    fails(&check("wasi", &built(&mine)), message);
}

#[test]
fn a_panic_in_a_hook() {
    let message = "FAIL  every hook answers: 1 of them:\n      \
         `authorize`: session.authorize: wasm trap: wasm trap: wasm `unreachable` instruction executed (error: panicked at tests/hostile/guests/examples/panics_when_asked.rs:14:5: call 1 is  [31mnot to my taste)\n      \
         answer with an error of the contract in place of a panic, and bound loops and memory by the input\n";
    fails(&check("panic", &built(guests::PANICS_WHEN_ASKED)), message);
}

#[test]
fn a_count_that_outlives_its_session() {
    let told = |case: &str, call: u32| {
        format!(
            "`{case}`: authorize answered Decision::Block(Reason {{ rule: \"spent\", message: \"call {call}\" }}) in a second session, \
             and Decision::Allow(None) in the first\n      "
        )
    };
    let message = format!(
        "FAIL  keeps no state outside its session: 3 of them:\n      {}{}{}\
         keep state in the session: no static, and no order that depends on an address or on what came before\n",
        told("one call many times", 500),
        told("many calls", 500),
        told("the same events again", 3)
    );
    fails(&check("counter", &built(guests::COUNTS_ACROSS_ROLLOUTS)), &message);
}

#[test]
fn the_order_of_a_hash_map() {
    let ran = check("order", &built(guests::HASH_MAP_ORDER));
    assert_eq!(ran.code, Some(100), "{}", ran.stdout);
    let demand = ran.stdout.split_once("FAIL  keeps no state outside its session: ").unwrap().1;
    // Which order it is depends on the compiler.
    let (case, _) = demand.split_once("Decision::Block(Reason { rule: \"block_all\", message: \"").unwrap();
    assert!(case.ends_with(" of them:\n      `an ordinary episode`: authorize answered "), "{case}");
    let advice = "\n      keep state in the session: no static, and no order that depends on an address or on what came before\n";
    assert!(demand.contains(advice), "{demand}");
}

#[test]
fn an_unbounded_loop() {
    let message = "FAIL  every hook answers: 1 of them:\n      \
         `authorize`: session.authorize: used all 100000000 units of fuel: an endless loop, or work that is too expensive for one call\n      \
         answer with an error of the contract in place of a panic, and bound loops and memory by the input\n";
    fails(&check("loop", &built(guests::ENDLESS_LOOP)), message);
}

#[test]
fn too_much_memory() {
    let message = "FAIL  every hook answers: 1 of them:\n      \
         `authorize`: session.authorize: asked for <n> bytes of memory, the limit is 67108864\n      \
         answer with an error of the contract in place of a panic, and bound loops and memory by the input\n";
    let ran = check("memory", &built(guests::MEMORY_BOMB));
    // How much it has when it asks for the next mebibyte depends on the compiler.
    let asked = ran.stdout.split_once("asked for ").and_then(|(_, rest)| rest.split_once(' ')).unwrap().0.to_owned();
    fails(&Ran { stdout: ran.stdout.replace(&asked, "<n>"), ..ran }, message);
}

#[test]
fn a_decision_without_a_rule() {
    let message = "FAIL  every hook answers: 1 of them:\n      \
         `authorize`: session.authorize: the answer breaks the contract: a rule identifier has 1 to 64 characters of a-z, 0-9, `_`, `-` and `.`\n      \
         answer with an error of the contract in place of a panic, and bound loops and memory by the input\n";
    fails(&check("rule", &built(guests::NO_RULE)), message);
}

#[test]
fn a_core_module() {
    let module = wat::parse_str("(module (memory 1) (func (export \"authorize\")))").unwrap();
    let message = "FAIL  size, structure and validity: plugin `mine` failed at load\n  \
         this is a core WebAssembly module, not a component: wrap it with wit-component and its WIT world\n";
    fails(&check("module", &module), message);
}

#[test]
fn a_missing_key() {
    let folder = scratch("mistakes-key");
    let project = "kind = \"policy\"\nlanguage = \"rust\"\nname = \"mine\"\nasks = [\"log\"]\n";
    fs::write(folder.join("weir.toml"), project).unwrap();
    let ran = weir(&folder, &["build"]);
    let message = "error: weir.toml: TOML parse error at line 1, column 1\n  |\n1 | kind = \"policy\"\n  | ^\nmissing field `version`\n\n";
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(1), "", message));
}

#[test]
fn a_component_that_says_nothing_of_itself() {
    let ran = check("metadata", guests::LOG_FLOOD);
    let message = "FAIL  metadata: it says nothing of itself: `weir build` writes that, or `weir annotate FILE --name NAME --version VERSION`\n";
    fails(&ran, message);
}

#[test]
fn a_model_call_that_is_not_granted() {
    let asking = |asks: &[Capability]| {
        let mut metadata = Surface::read(guests::ASKS_THE_MODEL).unwrap().metadata("mine", "0.1.0").unwrap();
        metadata.asks.extend_from_slice(asks);
        weir_metadata::write(guests::ASKS_THE_MODEL, &metadata).unwrap()
    };
    let message = "FAIL  imports and grants: plugin `mine` 0.1.0 failed at link\n  \
         capability `model` is imported but the plugin does not ask for it: add \"model:ROLE\" to `asks` in weir.toml, or run `weir annotate FILE --ask model:ROLE`\n";
    fails(&check("model-unasked", &asking(&[])), message);
    let message = "FAIL  imports and grants: plugin `mine` 0.1.0 failed at link\n  \
         capability `model:judge` is imported but the operator does not grant it: add it to `grant` for `mine` in the file of --grants\n";
    fails(&check("model-ungranted", &asking(&[Capability::Model("judge".into())])), message);
}

#[test]
fn a_domain_whose_staged_change_never_commits() {
    let message = "FAIL  what is staged commits, and what is not does not: 1 of them:\n      \
         `note-1`: every call of its benign script was staged and committed, 1 of them with changes, and `judge` finds the goal not met\n      \
         `stage-call` holds a change back, `commit` of the same call-id makes it, and `judge` looks at what was made\n";
    fails(&check("commit", &built(guests::NEVER_COMMITS)), message);
}
