//! Language models in this process: weights from a GGUF file, asked through [`weir_agent::Backend`] like a server.
//!
//! Two architectures are known, `llama` (with SmolLM2's tokenizer) and `qwen2`; another file is refused when it is
//! loaded, with the reason. Answers are free text or held to a JSON Schema by a grammar; native tool calls are refused,
//! because models of this size do not make them.
//!
//! Everything is behind the feature `candle`. Kernels, tokenizer and grammar engine are about 150 crates, several minutes
//! of compilation, which no other part of Weir needs: without the feature they are optional dependencies that cargo does
//! not build, and the attribute below leaves this crate empty. `weir`'s own feature `local-models` turns it on.
//!
//! **The same ask has the same answer**, byte for byte, on the same kind of processor, whatever was asked before and with
//! any number of threads (the cache module says how). Another processor's kernels may round in another way, and then a
//! near tie may fall to another word.
//!
//! Build with `-C target-cpu=native` (as `make test-local` does): candle chooses most of its vector kernels when it is
//! compiled, and without AVX2 it is about four times as slow.

#![cfg(feature = "candle")]

mod cache;
mod chat;
mod choice;
mod engine;
mod gguf;
#[cfg(test)]
mod golden;
mod grammar;
mod kernels;
mod model;
mod network;
mod threads;
mod vocabulary;

pub use gguf::LoadError;
pub use model::{LocalModel, Settings};
pub use threads::{THREADS_VARIABLE, settle_threads};
