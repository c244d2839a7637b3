//! Components that attack the host: see `examples/`, one file each, and the tests in `tests/hostile`.
