//! A policy that tries whatever a guest without WASI can try, and says what it got in its decision: what Rust's own library
//! offers, what the contract's imports give for numbers that nobody showed it, and what might differ between two machines.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::hint::black_box;
use std::io::Read;
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::sync::atomic::{AtomicU32, Ordering};
use weir_plugin::export_policy;
use weir_plugin::host::text;
use weir_plugin::policy::{Decision, Episode, Error, Policy, Proposal};

/// Variables that most processes have, and one that a test gives to the host's. The whole environment cannot be asked for: without
/// one, Rust's library ends the guest.
const NAMES: [&str; 4] = ["HOME", "PATH", "USER", "WEIR_PROBE_SECRET"];

static CALLS: AtomicU32 = AtomicU32::new(0);

/// The attacker.
pub struct Hostile;

fn said<T: std::fmt::Debug>(result: std::io::Result<T>) -> String {
    result.map_or_else(|e| e.kind().to_string(), |value| format!("{value:?}"))
}

/// Bits of numbers that are none: which of them a machine makes is its own affair, unless the host decides.
fn not_numbers() -> String {
    let zero = black_box(0.0_f64);
    let single = black_box(f32::from_bits(0xffc1_2345));
    let signalling = black_box(f64::from_bits(0x7ff0_0000_0000_0001));
    format!(
        "{:x} {:x} {:x} {:x}",
        (zero / black_box(0.0)).to_bits(),
        (black_box(f64::INFINITY) - black_box(f64::INFINITY)).to_bits(),
        (single + 1.0).to_bits(),
        (signalling * 1.0).to_bits(),
    )
}

fn memory() -> String {
    #[cfg(target_arch = "wasm32")]
    let pages = {
        let before = core::arch::wasm32::memory_size(0);
        let grown = core::arch::wasm32::memory_grow(0, 1);
        format!("{before} pages, then {grown} grew to {}", core::arch::wasm32::memory_size(0))
    };
    #[cfg(not(target_arch = "wasm32"))]
    let pages = String::new();
    pages
}

fn report() -> String {
    let local = 0_u8;
    let shown: Vec<u32> = (0..64).chain(u32::MAX - 64..=u32::MAX).filter(|&event| text(event).is_some()).collect();
    let lines = [
        format!("call {}", CALLS.fetch_add(1, Ordering::Relaxed)),
        format!("arguments {:?}", std::env::args().collect::<Vec<_>>()),
        format!("environment {:?}", NAMES.map(|name| std::env::var(name).ok())),
        format!("folder {}", said(std::env::current_dir())),
        format!("input {}", said(std::io::stdin().read_to_end(&mut Vec::new()))),
        format!("file {}", said(std::fs::read("/etc/passwd"))),
        format!("written {}", said(std::fs::write("/tmp/weir-probe", "x"))),
        format!("tcp {}", said(TcpStream::connect("127.0.0.1:22").map(|_| ()))),
        format!("listener {}", said(TcpListener::bind("127.0.0.1:0").map(|_| ()))),
        format!("udp {}", said(UdpSocket::bind("127.0.0.1:0").map(|_| ()))),
        format!("name {}", said("localhost:80".to_socket_addrs().map(|_| ()))),
        format!("thread {}", said(std::thread::Builder::new().spawn(|| ()).map(|_| ()))),
        format!("process {}", said(std::process::Command::new("/bin/sh").spawn().map(|_| ()))),
        format!("hash {:x}", RandomState::new().build_hasher().finish()),
        format!("stack {:p}", &raw const local),
        format!("heap {:p}", Box::into_raw(Box::new(0_u64))),
        format!("memory {}", memory()),
        format!("not numbers {}", not_numbers()),
        format!("events {shown:?}"),
    ];
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

export_policy!(Hostile);
