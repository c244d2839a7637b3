//! How a client asks, and what keeps it from being one.

use super::prices::{PriceError, Prices};
use crate::backend::ActionMode;
use crate::model::ModelError;
use std::time::Duration;
use thiserror::Error;

/// How a client asks. [`Settings::default`] says why each number.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The mode of asking for actions; none to find it out by a probe.
    pub mode: Option<ActionMode>,
    /// Sampling temperature of the preflight's calls: the run's own, since some models refuse others.
    pub temperature: f64,
    /// Attempts after the first. 0 means exactly one attempt.
    pub max_retries: u32,
    /// How long a connection may take.
    pub connect: Duration,
    /// How long the server may send nothing: before its first byte, and between any two.
    pub stall: Duration,
    /// How long an ask may take in all, from its first attempt on, with back-off. Waiting for a place before that is not counted.
    pub deadline: Duration,
    /// Bound of the first random back-off; it doubles with each attempt. Only where the server does not say how long.
    pub backoff: Duration,
    /// Bound of any random back-off.
    pub longest_backoff: Duration,
    /// Requests at once to begin with.
    pub connections: u32,
    /// Requests at once at most.
    pub max_connections: u32,
    /// After a 429 has lowered the number of requests at once, how long others do not; and how long a server in trouble keeps
    /// it from growing.
    pub window: Duration,
    /// Prices. A model without one is an error.
    pub prices: Option<Prices>,
    /// Money after which no ask is sent, in the price file's currency. Asks under way finish, so a run can cost a little more.
    pub cost_limit: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            mode: None,
            temperature: 0.0,
            // Half a minute of back-off: enough for a restart of a local server, not for an outage.
            max_retries: 6,
            connect: Duration::from_secs(10),
            // A local server may read a long prompt, behind others, for a minute before its first token.
            stall: Duration::from_secs(120),
            deadline: Duration::from_secs(600),
            backoff: Duration::from_millis(500),
            longest_backoff: Duration::from_secs(30),
            // Servers on one GPU batch about this many well; paid ones let it grow.
            connections: 8,
            max_connections: 64,
            window: Duration::from_secs(2),
            prices: None,
            cost_limit: None,
        }
    }
}

/// Why there is no client.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConnectError {
    /// Prices or the limit.
    #[error(transparent)]
    Price(#[from] PriceError),
    /// The server or its model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// This machine gives no thread, socket or certificates.
    #[error("cannot prepare to ask a model: {0}")]
    Setup(String),
}
