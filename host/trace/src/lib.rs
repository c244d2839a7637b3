//! Events, the trace graph, taint closure, columns, canonical hash and the JSONL codec.
