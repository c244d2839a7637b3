//! A policy that tries whatever a guest with WASI can try through Rust's own library, and says what it got in its decision.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{Read, Result as Io, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use weir_plugin::export_policy;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// The attacker.
pub struct Hostile;

/// Places where a host keeps what is its own.
const FILES: [&str; 8] = [
    "/etc/passwd",
    "/proc/self/environ",
    "/proc/self/exe",
    "../../../../etc/passwd",
    "Cargo.toml",
    ".",
    "/",
    "/dev/urandom",
];

fn said<T: std::fmt::Debug>(result: Io<T>) -> String {
    result.map_or_else(|e| e.kind().to_string(), |value| format!("{value:?}"))
}

/// How many bytes standard output takes.
fn room() -> u64 {
    let (mut out, mut taken) = (std::io::stdout().lock(), 0);
    while taken < 1 << 20 && out.write_all(&[b'x'; 1024]).and_then(|()| out.flush()).is_ok() {
        taken += 1024;
    }
    taken
}

fn report() -> String {
    let began = Instant::now();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    std::thread::sleep(Duration::from_secs(3600));
    let slept = began.elapsed().as_secs();
    let mut lines = vec![
        format!("arguments {:?}", std::env::args().collect::<Vec<_>>()),
        format!("environment {:?}", std::env::vars().collect::<Vec<_>>()),
        format!("home {:?}", std::env::var("HOME").ok()),
        format!("folder {}", said(std::env::current_dir())),
        format!("program {}", said(std::env::current_exe())),
        format!("input {}", said(std::io::stdin().read_to_end(&mut Vec::new()))),
        format!("time {}.{:09}", since.as_secs(), since.subsec_nanos()),
        format!("an hour of sleep {slept}"),
        format!("hash {:x}", RandomState::new().build_hasher().finish()),
        format!("room {}", room()),
        format!("thread {}", said(std::thread::Builder::new().spawn(|| ()).map(|_| ()))),
        format!("process {}", said(std::process::Command::new("/bin/sh").spawn().map(|_| ()))),
        format!("tcp {}", said(TcpStream::connect("127.0.0.1:22").map(|_| ()))),
        format!("tcp 6 {}", said(TcpStream::connect("[::1]:22").map(|_| ()))),
        format!("listener {}", said(TcpListener::bind("0.0.0.0:0").map(|_| ()))),
        format!("udp {}", said(UdpSocket::bind("0.0.0.0:0").map(|_| ()))),
        format!("name {}", said("localhost:80".to_socket_addrs().map(|found| found.count()))),
    ];
    for file in FILES {
        lines.push(format!("read {file} {}", said(std::fs::read(file).map(|bytes| bytes.len()))));
        lines.push(format!("list {file} {}", said(std::fs::read_dir(file).map(|entries| entries.count()))));
        lines.push(format!("look at {file} {}", said(std::fs::metadata(file).map(|found| found.len()))));
    }
    lines.push(format!("write {}", said(std::fs::write("/tmp/weir-probe", "x"))));
    lines.push(format!("link {}", said(std::fs::hard_link("/etc/passwd", "passwd"))));
    lines.push(format!("remove {}", said(std::fs::remove_file("/tmp/weir-probe"))));
    lines.join("\n")
}

impl Policy for Hostile {
    fn start(_: Episode) -> Self {
        Hostile
    }

    fn authorize(&mut self, _: &Proposal) -> Result<Decision, Error> {
        Ok(Decision::block("probed", report()))
    }
}

export_policy!(Hostile, allocator = default);
