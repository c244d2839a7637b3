//! A domain that anybody could have written: `domains/banking` has no privilege over a project of `weir new domain`.

use crate::author::building;
use crate::support::program::{cache, scratch, weir};
use crate::support::recorded::with_cache;
use serde_json::Value;
use std::fs;
use std::path::Path;
use weir_runtime::compile::Compiler;
use weir_runtime::wit::domains::Request;
use weir_runtime::world::DomainPlugin;
use weir_runtime::{Engines, Grants, Kind, Loader};

/// The scenarios of the four evidence stages, fifteen each, of a domain.
fn suite(domain: &str) -> String {
    let stages = ["security", "memory-recovery", "active-tainted", "clean"];
    let block = |stage| format!("\n[[scenarios]]\ndomain = {domain:?}\nstage = {stage:?}\ncount = 15\nseed = 1\n");
    let head = r#"
name = "banking"
title = "Four stages of one domain"
policies = ["none"]
models = ["sim:qwen2.5-7b"]
seeds = [1]
ledger = "prompt"
confirmation = "absent"
"#;
    format!("{head}{}", stages.map(block).concat())
}

/// What a run of the domain's scenarios would be made of, without the domain's name.
fn scenarios(project: &Path, domain: &str) -> Vec<Value> {
    fs::write(project.join("suite.toml"), suite(domain)).unwrap();
    let listed = weir(project, &with_cache(&["run", "suite.toml", "--list-scenarios"])).good().stdout;
    let mut listed: Vec<Value> = serde_json::from_str(&listed).expect("one JSON document and nothing else");
    for scenario in &mut listed {
        assert!(scenario.as_object_mut().unwrap().remove("domain").is_some());
    }
    listed
}

/// The sources of the built-in domain, laid over those of a new project, make the same domain: everything that it tells the
/// host is equal, and so are the digests of its scenarios and tools. The project has another name, since that of a built-in
/// domain is refused.
///
/// The components are not equal byte for byte: the package of a built-in domain is called `weir-domain-banking`, and the
/// names of functions, which a component keeps for backtraces, begin with the package's.
#[test]
fn the_banking_domain_is_what_its_sources_make_of_a_new_project() {
    let home = scratch("third-party");
    weir(&home, &["new", "domain", "my-banking"]).good();
    let project = home.join("my-banking");
    let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domains/banking");
    for entry in fs::read_dir(&built_in).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(["Cargo.toml", "src"].contains(&name.as_str()), "{name} is not among what a project's author writes");
    }
    fs::remove_dir_all(project.join("src")).unwrap();
    copy(&built_in.join("src"), &project.join("src"));
    building(&project, &["build"]).good();

    let (own, known) = (scenarios(&project, "./my-banking.wasm"), scenarios(&project, "banking"));
    assert_eq!(own.len(), 60);
    assert_eq!(own, known);
    let component = fs::read(project.join("my-banking.wasm")).unwrap();
    assert_eq!(described(&component), described(weir_components::find("domain", "banking").unwrap().bytes));
    let checked = weir(&project, &with_cache(&["check", "my-banking.wasm"])).good();
    assert!(checked.stdout.contains("my-banking may run"), "{}", checked.stdout);
}

/// All that a component says of itself and its scenarios, asked without the program.
fn described(component: &[u8]) -> String {
    let compiler = Compiler { program: env!("CARGO_BIN_EXE_weir-under-test").into() };
    let loader = Loader::new(Engines::new(2).unwrap(), Grants::default(), compiler, Some(cache().into()));
    let loaded = loader.load("my-banking", Kind::Domain, component).unwrap();
    let domain = DomainPlugin::new(loaded).unwrap();
    let info = domain.describe().unwrap();
    let of = |stage: &String| {
        let request = |seed| Request { stage: stage.clone(), count: 60, seed, parameters: "{}".into() };
        [1, 7].map(|seed| format!("{:?}", domain.scenarios(&request(seed)).unwrap()))
    };
    let scenarios: Vec<String> = info.stages.iter().flat_map(of).collect();
    assert_eq!(scenarios.len(), 8);
    format!("{info:?}\n{}", scenarios.join("\n"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to)
        } else {
            let _ = fs::copy(entry.path(), to).unwrap();
        }
    }
}
