//! A run on a real model behind a real server: SmolLM2 in llama.cpp's server on the loopback. Opt-in, since both must be
//! fetched and built (`make test-llama`); elsewhere a line says that it was skipped.
//!
//! The model is far too weak for a score. What is tested is that thousands of real replies, in whatever form a server gives
//! them, end in a complete run that replays without the server.

use crate::folder::assert_equal;
use crate::support::program::{command, tell};
use crate::support::recorded::with_cache;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Kills the server however the test ends.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server and waits until it has read the weights.
fn serve(server: &str, weights: &str, port: u16) -> Served {
    let mut command = Command::new(server);
    command.args(["--model", weights, "--alias", "smollm2-135m", "--host", "127.0.0.1", "--port", &port.to_string()]);
    // One thread: more than there are idle cores are far slower than one. One slot, so that greedy answers are the same
    // whatever else is being asked.
    command.args(["--threads", "1", "--parallel", "1", "--ctx-size", "8192", "--jinja"]);
    let mut served = Served(command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    while !healthy(port) {
        assert!(served.0.try_wait().unwrap().is_none(), "{server} ended before it answered");
        assert!(begun.elapsed() < Duration::from_secs(120), "{server} does not answer");
        std::thread::sleep(Duration::from_millis(200));
    }
    served
}

fn healthy(port: u16) -> bool {
    use std::io::{Read, Write};
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut reply = [0; 15];
    stream.write_all(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").is_ok()
        && stream.read_exact(&mut reply).is_ok()
        && reply.ends_with(b"200 OK")
}

#[test]
fn a_slice_on_a_real_server_is_complete_and_replays_without_it() {
    let (Ok(server), Ok(weights)) = (std::env::var("WEIR_LLAMA_SERVER"), std::env::var("WEIR_LLAMA_WEIGHTS")) else {
        tell("skipped: no llama.cpp server is named here; `make test-llama` builds one and runs this test");
        return;
    };
    assert!(Path::new(&server).exists() && Path::new(&weights).exists(), "{server} or {weights} is not there");
    let home = tempfile::tempdir().unwrap();
    let run = |out: &str, url: Option<&str>, more: &[&str]| {
        let model = "openai-api/llama-cpp/smollm2-135m";
        // One conversation after the other: the server keeps the last prompt, and two that take turns would be read anew each
        // time.
        let asking = ["--mode", "schema", "--max-tokens", "128", "--max-connections", "1", "--jobs", "1"];
        let usual = [&["run", "slice", "--model", model, "--out", out], &asking[..]].concat();
        let mut command = command(home.path(), &with_cache(&[&usual[..], more].concat()));
        command.env_remove("LLAMA_CPP_BASE_URL").env("LLAMA_CPP_API_KEY", "EMPTY");
        if let Some(url) = url {
            command.env("LLAMA_CPP_BASE_URL", url);
        }
        let done = command.output().unwrap();
        let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{out}{err}");
        (out.into_owned(), err.into_owned())
    };
    let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let served = serve(&server, &weights, port);
    let (shown, told) = run("live", Some(&format!("http://127.0.0.1:{port}/v1")), &[]);
    drop(served);
    tell(&format!("{shown}\n{told}"));
    assert!(shown.contains("memory-recovery, openai-api/llama-cpp/smollm2-135m, 6 scenarios"), "four stages of six");
    run("again", None, &["--cassette", "only"]);
    assert_equal("replay", &home.path().join("live"), &home.path().join("again"));
}
