//! Models behind an OpenAI-compatible server: chat completions over HTTP, for any number of threads at once.
//!
//! [`Server`] says which server and model; [`Client::connect`] looks whether it is there and what it can, and the client
//! is a [`crate::Backend`]. Retries are in one place, `exchange.rs`: the HTTP library makes none of its own. Each ask
//! runs on the thread that makes it, waiting included; only sockets are served by the client's own thread, so that sixty-four
//! threads have sixty-four streams on one core.

mod answer;
mod attempt;
mod backoff;
mod body;
mod client;
mod dialect;
mod events;
mod exchange;
mod failure;
mod gate;
mod key;
mod meter;
mod preflight;
mod prices;
mod server;
mod settings;
#[cfg(test)]
mod tests;
mod wire;

pub use client::Client;
pub use dialect::{Dialect, TokenLimit};
pub use preflight::{Preflight, Probe};
pub use prices::{Price, PriceError, Prices};
pub use server::{Server, ServerError};
pub use settings::{ConnectError, Settings};
