//! `weir push` and `weir pull`: to an image layout on disk, and to Debian's docker-registry on the loopback, which `make tools`
//! unpacks. What comes back is what went, by digest; what was altered on the way is refused.

use crate::support::program::{Ran, scratch, weir};
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// The registry's process, which ends with the test.
struct Registry {
    process: Child,
    host: String,
    storage: PathBuf,
}

impl Drop for Registry {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A registry with its storage in a folder, and these more lines of configuration.
fn registry(home: &Path, more: &str) -> Registry {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/registry/usr/bin/docker-registry");
    assert!(program.is_file(), "{} is missing: run `make tools`", program.display());
    let storage = home.join("storage");
    // The system gives a port that is free; another program may take it before the registry does, so that is tried again.
    for _ in 0..5 {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let host = format!("127.0.0.1:{port}");
        let text = format!(
            "version: 0.1\nlog:\n  level: error\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: {host}\n{more}",
            storage.display()
        );
        fs::write(home.join("config.yml"), text).unwrap();
        let mut registry = Command::new(&program);
        registry.arg("serve").arg(home.join("config.yml")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut process = registry.spawn().unwrap();
        loop {
            if TcpStream::connect(&host).is_ok() {
                return Registry { process, host, storage };
            }
            if process.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    panic!("docker-registry does not start");
}

/// A folder with two components of ours.
fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| {
        let home = scratch("registry");
        weir(&home, &["list", "--save", "saved"]).good();
        home
    })
}

const GUARD: &str = "saved/policy-tool-boundary.wasm";
const OTHER: &str = "saved/policy-none.wasm";

fn moved(ran: Ran) -> Value {
    serde_json::from_str(&ran.good().stdout).expect("one JSON document and nothing else")
}

fn push(file: &str, reference: &str) -> Value {
    moved(weir(home(), &["push", file, reference, "--json"]))
}

fn try_pull(reference: &str, out: &str) -> Ran {
    weir(home(), &["pull", reference, "--out", out, "--json"])
}

/// Pulls, and demands these bytes.
fn pull_same(reference: &str, out: &str, file: &str) -> Value {
    let pulled = moved(try_pull(reference, out));
    assert!(fs::read(home().join(out)).unwrap() == fs::read(home().join(file)).unwrap(), "{reference}");
    pulled
}

/// Demands that a pull is refused with these words, and that no file appears.
fn refused(reference: &str, out: &str, words: &[&str]) {
    let ran = try_pull(reference, out);
    assert_eq!(ran.code, Some(1), "{reference}: {}", ran.stdout);
    for word in words {
        assert!(ran.stderr.contains(word), "{word}: {}", ran.stderr);
    }
    assert!(!home().join(out).exists());
}

/// Where a blob lies in a registry's storage, or in a layout.
fn in_storage(registry: &Registry, digest: &str) -> PathBuf {
    let hex = digest.trim_start_matches("sha256:");
    registry.storage.join(format!("docker/registry/v2/blobs/sha256/{}/{hex}/data", &hex[..2]))
}

fn in_layout(layout: &str, digest: &str) -> PathBuf {
    home().join(layout).join("blobs/sha256").join(digest.trim_start_matches("sha256:"))
}

/// Turns one bit of a file's middle.
fn alter(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path, bytes).unwrap();
}

fn sha256(path: &Path) -> String {
    weir_trace::json::sha256(&fs::read(path).unwrap())
}

#[test]
fn a_registry_gives_back_what_it_was_given_under_the_same_digest() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path(), "");
    let place = format!("{}/defences/tool-boundary", registry.host);
    let pushed = push(GUARD, &format!("{place}:v1"));
    assert_eq!(pushed["component"], sha256(&home().join(GUARD)));
    let pinned = pushed["pinned"].as_str().unwrap();
    assert_eq!(pinned, format!("{place}@{}", pushed["digest"].as_str().unwrap()));
    for reference in [format!("{place}:v1"), pinned.to_owned()] {
        assert_eq!(pull_same(&reference, &format!("registry-{}.wasm", reference.len()), GUARD), pushed);
    }
    // Again, to another tag, and to a layout: the same digest, since nothing depends on when or where.
    assert_eq!(push(GUARD, &format!("{place}:v2"))["digest"], pushed["digest"]);
    assert_eq!(push(GUARD, "oci:as-in-registry:v1")["digest"], pushed["digest"]);
    // The tag moves; the digest does not.
    let other = push(OTHER, &format!("{place}:v1"));
    assert_ne!(other["digest"], pushed["digest"]);
    pull_same(&format!("{place}:v1"), "moved.wasm", OTHER);
    pull_same(pinned, "pinned.wasm", GUARD);
    refused(&format!("{place}:v3"), "none.wasm", &["has no tag `v3`"]);
}

#[test]
fn a_blob_that_was_altered_in_the_registry_s_storage_is_refused_with_both_digests() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(folder.path(), "");
    let place = format!("{}/guard", registry.host);
    let pushed = push(GUARD, &format!("{place}:v1"));
    let (pinned, component) = (pushed["pinned"].as_str().unwrap(), pushed["component"].as_str().unwrap());
    let data = in_storage(&registry, component);
    let good = fs::read(&data).unwrap();
    alter(&data);
    for reference in [pinned.to_owned(), format!("{place}:v1")] {
        refused(&reference, "altered.wasm", &["the component", "was altered", component, &sha256(&data)]);
    }
    fs::write(&data, good).unwrap();
    pull_same(pinned, "mended.wasm", GUARD);
    // The manifest, by digest and by tag: the registry goes on saying which digest it should have.
    let data = in_storage(&registry, pushed["digest"].as_str().unwrap());
    let text = fs::read_to_string(&data).unwrap();
    fs::write(&data, text.replace("tool-boundary", "tool-boundarz")).unwrap();
    for reference in [pinned.to_owned(), format!("{place}:v1")] {
        let expected = pushed["digest"].as_str().unwrap();
        refused(&reference, "altered.wasm", &["the manifest", "was altered", expected, &sha256(&data)]);
    }
}

#[test]
fn a_layout_gives_back_what_it_was_given_and_refuses_what_was_altered() {
    let pushed = push(GUARD, "oci:layout:v1");
    let pinned = pushed["pinned"].as_str().unwrap();
    pull_same("oci:layout:v1", "from-layout.wasm", GUARD);
    assert_eq!(pull_same(pinned, "from-layout-pinned.wasm", GUARD), pushed);
    // A second one beside it leaves the first alone.
    push(OTHER, "oci:layout:v2");
    pull_same("oci:layout:v1", "from-layout-again.wasm", GUARD);
    pull_same("oci:layout:v2", "from-layout-other.wasm", OTHER);
    let mark: Value = serde_json::from_slice(&fs::read(home().join("layout/oci-layout")).unwrap()).unwrap();
    assert_eq!(mark["imageLayoutVersion"], "1.0.0");
    let component = in_layout("layout", pushed["component"].as_str().unwrap());
    let good = fs::read(&component).unwrap();
    alter(&component);
    refused(pinned, "no.wasm", &["was altered", pushed["component"].as_str().unwrap(), &sha256(&component)]);
    // Longer than its manifest says: nothing beyond that is read.
    fs::write(&component, [good.as_slice(), b"more"].concat()).unwrap();
    refused(pinned, "no.wasm", &["the limit is"]);
    fs::write(&component, good).unwrap();
    let manifest = in_layout("layout", pushed["digest"].as_str().unwrap());
    alter(&manifest);
    for reference in ["oci:layout:v1", pinned] {
        refused(reference, "no.wasm", &["was altered", pushed["digest"].as_str().unwrap(), &sha256(&manifest)]);
    }
}

#[test]
fn the_manifest_is_that_of_the_guidance_and_says_what_the_component_says_of_itself() {
    let pushed = push(GUARD, "oci:form");
    let manifest: Value =
        serde_json::from_slice(&fs::read(in_layout("form", pushed["digest"].as_str().unwrap())).unwrap()).unwrap();
    assert_eq!(manifest["mediaType"], "application/vnd.oci.image.manifest.v1+json");
    assert_eq!(manifest["config"]["mediaType"], "application/vnd.wasm.config.v0+json");
    assert_eq!(manifest["layers"].as_array().unwrap().len(), 1);
    assert_eq!(manifest["layers"][0]["mediaType"], "application/wasm");
    let annotations = &manifest["annotations"];
    assert_eq!(annotations["org.opencontainers.image.title"], "tool-boundary");
    assert_eq!(annotations["org.opencontainers.image.version"], env!("CARGO_PKG_VERSION"));
    let config = manifest["config"]["digest"].as_str().unwrap();
    let config: Value = serde_json::from_slice(&fs::read(in_layout("form", config)).unwrap()).unwrap();
    assert_eq!(config["architecture"], "wasm");
    assert_eq!(config["os"], "wasip2");
    assert_eq!(config["layerDigests"][0], manifest["layers"][0]["digest"]);
    let exports = config["component"]["exports"].as_array().unwrap();
    assert!(exports.iter().any(|export| export.as_str().unwrap().starts_with("weir:plugin/policy@")), "{exports:?}");
    let target = config["component"]["target"].as_str().unwrap();
    assert!(target.starts_with("weir:plugin/policy-plugin@"), "{target}");
}

#[test]
fn a_registry_that_wants_a_password_gets_the_one_of_docker_s_own_file() {
    let folder = tempfile::tempdir().unwrap();
    // guard:secret, as `htpasswd -B` writes it.
    let hash = "guard:$2y$05$abcdefghijklmnopqrstuuOQiyCxlgf/oeuTqixKmWdcYUh4Hjl0a\n";
    fs::write(folder.path().join("htpasswd"), hash).unwrap();
    let auth =
        format!("auth:\n  htpasswd:\n    realm: tests\n    path: {}\n", folder.path().join("htpasswd").display());
    let registry = registry(folder.path(), &auth);
    let reference = format!("{}/guard:v1", registry.host);
    let docker = folder.path().join("docker");
    fs::create_dir(&docker).unwrap();
    let run = || {
        let mut command = crate::support::program::command(home(), &["push", GUARD, &reference]);
        let ran = command.env("DOCKER_CONFIG", &docker).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, said) = run();
    assert!(code == Some(1) && said.contains("wants credentials") && said.contains("docker login"), "{said}");
    // "guard:wrong" and "guard:secret" in base64.
    for (password, right) in [("Z3VhcmQ6d3Jvbmc=", false), ("Z3VhcmQ6c2VjcmV0", true)] {
        let config = format!("{{\"auths\":{{\"{}\":{{\"auth\":\"{password}\"}}}}}}", registry.host);
        fs::write(docker.join("config.json"), config).unwrap();
        let (code, said) = run();
        assert_eq!(code, Some(if right { 0 } else { 1 }), "{said}");
        assert!(!said.contains(password), "a password is never shown: {said}");
    }
}
