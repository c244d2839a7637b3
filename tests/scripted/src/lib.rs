//! A model server that plays a script, for tests and the bench: real sockets on the loopback, no model. It speaks as much of
//! the OpenAI-compatible interface as a client can tell apart, and every way in which it fails a client:
//!
//! ```
//! use weir_scripted::{Answer, Server};
//!
//! // The first chat request is refused for now, the second answered: streamed if the request asks for that.
//! let server = Server::script([Answer::error(429, "slow down").header("retry-after", "0"), Answer::text("hello")])?;
//! let base = server.base_url(); // http://127.0.0.1:PORT/v1
//! // ... a client asks ...
//! assert!(server.chats().is_empty(), "each request is recorded: headers, body, how many were under way");
//! # let _ = base;
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! [`Server::script`] plays answers in the order of the chat requests; [`Server::start`] takes a closure instead, which may
//! block (on a barrier, say) to hold requests open. Nothing here is fit for a network: it trusts its client.

mod answer;
mod chat;
mod connection;
mod server;

pub use answer::Answer;
pub use chat::Chat;
pub use server::{Request, Server};

#[cfg(test)]
mod tests;
