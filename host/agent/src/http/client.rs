//! The client: a [`Backend`] that has looked at its server before the first ask.

use super::exchange::Inner;
use super::failure::Kind;
use super::preflight::{self, Preflight};
use super::server::Server;
use super::settings::{ConnectError, Settings};
use crate::backend::{ActionMode, Ask, Backend, Identity, Reply, Usage};
use crate::model::ModelError;
use std::time::Instant;

/// A model behind a server. Any number of threads may ask at once; each waits for its own answer.
#[derive(Debug)]
pub struct Client {
    inner: Inner,
    identity: Identity,
    preflight: Preflight,
}

impl Client {
    /// Makes a client, and looks whether the server has the model, answers, and how it can be asked for actions: one request
    /// for the list of models, one token, and up to two short probes where no mode is forced.
    ///
    /// # Errors
    /// [`ConnectError`] if the model has no price, is not listed, or does not answer.
    pub fn connect(server: Server, settings: Settings) -> Result<Client, ConnectError> {
        let inner = Inner::new(server, settings)?;
        let preflight = preflight::run(&inner)?;
        let identity = preflight.identity(&inner.server);
        Ok(Client { inner, identity, preflight })
    }

    /// The mode in which to ask for actions.
    #[must_use]
    pub fn mode(&self) -> ActionMode {
        self.preflight.mode
    }

    /// What was found out before the first ask.
    #[must_use]
    pub fn preflight(&self) -> &Preflight {
        &self.preflight
    }

    /// The server.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.inner.server
    }
}

impl Backend for Client {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ask(&self, ask: &Ask) -> Result<Reply, ModelError> {
        let server = &self.inner.server;
        let reply = self.inner.ask(ask, self.inner.settings.max_retries, true)?;
        match reply {
            Err((failure, _)) if failure.kind == Kind::Overflow => Ok(Reply::overflow()),
            other => other.map_err(|(failure, attempts)| failure.error(server, attempts)),
        }
    }

    fn usage(&self) -> Usage {
        let counts = self.inner.meter.counts();
        let (in_flight, limit) = self.inner.gate.places();
        Usage {
            answered: counts.answered,
            retried: counts.retried,
            input_tokens: counts.input_tokens,
            output_tokens: counts.output_tokens,
            cost: self.inner.meter.cost(),
            in_flight,
            limit,
            waiting: self.inner.gate.waiting(Instant::now()),
        }
    }
}
