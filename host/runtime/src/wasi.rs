//! The compat profile: a virtual WASI 0.2 for language runtimes that insist on one. Fixed clock, seeded random, empty
//! environment, no files, no sockets; waiting advances the clock instead of the machine's time.

use crate::fault::Cause;
use crate::state::State;
use sha2::{Digest, Sha256};
use std::time::Duration;
use wasmtime::component::{HasSelf, Linker, Resource, ResourceTable};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi::p2::bindings::random::{insecure, random};
use wasmtime_wasi::p2::pipe::MemoryOutputPipe;
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};
use wasmtime_wasi::{Deterministic, HostWallClock, WasiCtx, WasiCtxView, WasiView, async_trait};

/// Bytes of standard output and of standard error that are kept; past them the guest's write fails.
const OUTPUT: usize = 64 << 10;

/// Seconds since 1970 on the virtual wall clock: 2020-01-01, so that certificates and calendars make sense.
const EPOCH: u64 = 1_577_836_800;

/// Random bytes that cost as much as a call.
const WEIGHT: u64 = 1 << 10;

/// Nanoseconds that each look at a clock takes. A clock that stood still would hang a guest that waits in a loop.
const STEP: u64 = 1_000;

/// The virtual system of one store.
pub(crate) struct VirtualWasi {
    ctx: WasiCtx,
    table: ResourceTable,
    stdout: MemoryOutputPipe,
    stderr: MemoryOutputPipe,
    now: u64,
    calls: u32,
}

struct FixedClock;

impl HostWallClock for FixedClock {
    fn resolution(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn now(&self) -> Duration {
        Duration::from_secs(EPOCH)
    }
}

impl VirtualWasi {
    pub(crate) fn new(handles: usize) -> Box<Self> {
        let (stdout, stderr) = (MemoryOutputPipe::new(OUTPUT), MemoryOutputPipe::new(OUTPUT));
        let ctx = WasiCtx::builder()
            .stdout(stdout.clone())
            .stderr(stderr.clone())
            .wall_clock(FixedClock)
            .secure_random(seeded(1))
            .insecure_random(seeded(2))
            .insecure_random_seed(3)
            .max_random_size(64 << 10)
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .build();
        let mut table = ResourceTable::new();
        table.set_max_capacity(handles);
        Box::new(VirtualWasi { ctx, table, stdout, stderr, now: 0, calls: 0 })
    }

    /// What the guest wrote to standard output and error.
    pub(crate) fn output(&self) -> String {
        let both = [self.stdout.contents(), self.stderr.contents()];
        both.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect()
    }
}

/// Random bytes of a stream: the same in every store.
fn seeded(stream: u8) -> Deterministic {
    let mut bytes = Vec::new();
    for block in 0..128_u8 {
        bytes.extend(Sha256::digest([stream, block]));
    }
    Deterministic::new(bytes)
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let wasi = self.virtual_wasi();
        WasiCtxView { ctx: &mut wasi.ctx, table: &mut wasi.table }
    }
}

impl State {
    fn virtual_wasi(&mut self) -> &mut VirtualWasi {
        let handles = self.limits.handles;
        self.wasi.get_or_insert_with(|| VirtualWasi::new(handles))
    }

    /// Counts a call of an import that has the host work and costs the guest next to no fuel.
    fn count_wasi_call(&mut self, import: &str, weight: u32) -> wasmtime::Result<()> {
        let limit = self.limits.wasi_calls;
        let wasi = self.virtual_wasi();
        wasi.calls = wasi.calls.saturating_add(weight);
        if wasi.calls > limit {
            let cause = Cause::Budget { import: import.into(), limit: u64::from(limit), unit: "calls".into() };
            return self.stop(cause);
        }
        Ok(())
    }

    /// The same for random bytes, of which every [`WEIGHT`] count as a call.
    fn count_random(&mut self, bytes: u64) -> wasmtime::Result<()> {
        let weight = u32::try_from(bytes / WEIGHT).unwrap_or(u32::MAX);
        self.count_wasi_call("wasi:random", weight.saturating_add(1))
    }

    /// Moves the virtual clock to `when` and returns something that is ready at once.
    fn wait_until(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.count_wasi_call("wasi:clocks", 1)?;
        let wasi = self.virtual_wasi();
        wasi.now = wasi.now.max(when);
        let ready = wasi.table.push(Ready)?;
        subscribe(&mut wasi.table, ready)
    }
}

/// Something that is always ready.
struct Ready;

#[async_trait]
impl Pollable for Ready {
    async fn ready(&mut self) {}
}

impl monotonic_clock::Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.count_wasi_call("wasi:clocks", 1)?;
        let wasi = self.virtual_wasi();
        wasi.now = wasi.now.saturating_add(STEP);
        Ok(wasi.now)
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        Ok(STEP)
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        self.wait_until(when)
    }

    fn subscribe_duration(&mut self, duration: u64) -> wasmtime::Result<Resource<DynPollable>> {
        let when = self.virtual_wasi().now.saturating_add(duration);
        self.wait_until(when)
    }
}

impl random::Host for State {
    fn get_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.count_random(len)?;
        self.virtual_wasi().ctx.random().get_random_bytes(len)
    }

    fn get_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.count_random(0)?;
        self.virtual_wasi().ctx.random().get_random_u64()
    }
}

impl insecure::Host for State {
    fn get_insecure_random_bytes(&mut self, len: u64) -> wasmtime::Result<Vec<u8>> {
        self.count_random(len)?;
        self.virtual_wasi().ctx.random().get_insecure_random_bytes(len)
    }

    fn get_insecure_random_u64(&mut self) -> wasmtime::Result<u64> {
        self.count_random(0)?;
        self.virtual_wasi().ctx.random().get_insecure_random_u64()
    }
}

/// Links the virtual system. wasmtime's own monotonic clock would really sleep, and its random numbers are not counted, so
/// ours replace them.
///
/// # Errors
/// Where wasmtime refuses a definition.
pub(crate) fn link(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_sync(linker)?;
    linker.allow_shadowing(true);
    monotonic_clock::add_to_linker::<State, HasSelf<State>>(linker, |state| state)?;
    random::add_to_linker::<State, HasSelf<State>>(linker, |state| state)?;
    insecure::add_to_linker::<State, HasSelf<State>>(linker, |state| state)?;
    linker.allow_shadowing(false);
    Ok(())
}
