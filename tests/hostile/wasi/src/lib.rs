//! Components for the compat profile that attack the host: see `examples/`, one file each, and `tests/hostile/wasi.rs`.
