//! The engines: one configuration of wasmtime for everything that runs, and the ticker behind the wall-clock net.

use crate::limits::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

/// Milliseconds between epochs.
pub const TICK_MS: u64 = 10;

/// Two engines with one compiled form: pooled slots for strict plugins, whose start is on the hot path, and plain
/// allocation for compat plugins, whose interpreters outgrow a slot.
#[derive(Clone)]
pub struct Engines {
    /// For strict plugins.
    pub strict: Engine,
    /// For compat plugins.
    pub compat: Engine,
    _ticker: Arc<Ticker>,
}

impl Engines {
    /// Engines for this many worker threads.
    ///
    /// # Errors
    /// Where wasmtime refuses the configuration on this machine.
    pub fn new(workers: usize) -> wasmtime::Result<Self> {
        let compat = Engine::new(&config())?;
        // A container or a small address space may refuse the pool's reservation; plain allocation is only slower.
        let strict = pooled(workers).unwrap_or_else(|_| compat.clone());
        let ticker = Ticker::start([strict.clone(), compat.clone()]);
        Ok(Engines { strict, compat, _ticker: Arc::new(ticker) })
    }
}

/// The configuration that decides what compiled code looks like. Every setting here is part of the compiled cache's key.
#[must_use]
pub fn config() -> Config {
    let mut config = Config::new();
    // Deterministic budget: decides scored runs.
    config.consume_fuel(true);
    // Wall-clock net behind it.
    config.epoch_interruption(true);
    // Bit-reproducible floats, and no instruction whose result the machine chooses.
    config.cranelift_nan_canonicalization(true);
    config.wasm_relaxed_simd(false);
    // Off: what no plugin needs is not attack surface. Multi-memory stays on, since wasmtime's own adapters use it.
    config.wasm_memory64(false);
    config.wasm_tail_call(false);
    // Worth 340 ns on each call.
    config.concurrency_support(false);
    config.max_wasm_stack(512 << 10);
    config.wasm_backtrace_max_frames(std::num::NonZeroUsize::new(16));
    config
}

fn pooled(workers: usize) -> wasmtime::Result<Engine> {
    // A worker holds a policy and a domain and folds one reducer at a time; the rest is slack for checks and tests.
    let slots = u32::try_from(workers.clamp(1, 256)).unwrap_or(256) * 8;
    // One component may hold all that its limits allow without taking a slot from another: results never depend on who
    // else is running.
    let limits = Limits::default();
    let each = |limit: usize| slots.saturating_mul(u32::try_from(limit).unwrap_or(u32::MAX));
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(slots)
        .total_core_instances(each(limits.instances))
        .total_memories(each(limits.memories))
        .total_tables(each(limits.tables))
        .max_memories_per_module(1)
        .max_tables_per_module(4)
        .table_elements(100_000)
        .max_memory_size(64 << 20)
        // Resetting half a megabyte by hand beats unmapping it and faulting it in again: 0 page faults a rollout.
        .linear_memory_keep_resident(512 << 10)
        .table_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto);
    let mut config = config();
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Engine::new(&config)
}

/// Advances the epoch of its engines until dropped.
struct Ticker {
    stop: Arc<AtomicBool>,
}

impl Ticker {
    fn start(engines: [Engine; 2]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&stop);
        let weak = engines.map(|engine| engine.weak());
        std::thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(TICK_MS));
                for engine in weak.iter().filter_map(wasmtime::EngineWeak::upgrade) {
                    engine.increment_epoch();
                }
            }
        });
        Ticker { stop }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
