//! `weir view`: what is served of a run is its site, file by file.

use crate::folder::contents;
use crate::home;
use crate::support::program::command;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A server that ends with the test.
struct Served {
    program: Child,
    host: String,
}

impl Served {
    fn of(paths: &[&str]) -> Self {
        let arguments = [&["view", "--port", "0", "--no-open"], paths].concat();
        let mut program = command(home(), &arguments).stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let url = line.split_whitespace().next().unwrap_or_else(|| panic!("no address: {line:?}"));
        let host = url.strip_prefix("http://").unwrap().trim_end_matches('/').to_owned();
        Served { program, host }
    }

    /// A file's body; none where the server has none.
    fn get(&self, path: &str) -> Option<Vec<u8>> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        answer.starts_with(b"HTTP/1.1 200 ").then(|| answer[end + 4..].to_vec())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// The files that a browser asks for.
fn pages() -> impl Iterator<Item = (String, Vec<u8>)> {
    let asked = |name: &String| !name.starts_with('.') && name != "weir-site.json";
    contents(&home().join("site")).into_iter().filter(move |(name, _)| asked(name))
}

#[test]
fn what_is_served_of_runs_is_their_site_to_the_byte_and_so_is_a_sites_folder() {
    for paths in [&["run", "authority"][..], &["site"]] {
        let served = Served::of(paths);
        for (count, (name, bytes)) in pages().enumerate() {
            // Of traces some: each is a connection.
            if name.starts_with("traces/") && count % 7 > 0 {
                continue;
            }
            assert!(served.get(&name).as_ref() == Some(&bytes), "{name} of {paths:?}");
        }
        assert_eq!(served.get(""), served.get("index.html"));
        for other in ["manifest.json", "traces.jsonl.zst", "../run/results.jsonl", "data/none.js", ".nojekyll"] {
            assert_eq!(served.get(other), None, "{other}");
        }
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_well() {
    let mut served = Served::of(&["site"]);
    assert!(served.get("data/site.js").is_some());
    let id = served.program.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(served.program.wait().unwrap().code(), Some(0));
}
