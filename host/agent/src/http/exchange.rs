//! One ask with its retries: a place, an attempt on the client's thread, a back-off on the asking one.

use super::attempt;
use super::backoff::jittered;
use super::body::body;
use super::failure::{Failure, Kind};
use super::gate::Gate;
use super::meter::Meter;
use super::prices::{PriceError, Prices};
use super::server::Server;
use super::settings::{ConnectError, Settings};
use crate::backend::{Ask, Reply};
use crate::model::ModelError;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// A client before it knows whom it speaks to.
pub(crate) struct Inner {
    pub(crate) server: Server,
    pub(crate) settings: Settings,
    http: reqwest::Client,
    pub(crate) gate: Gate,
    pub(crate) meter: Meter,
    /// One worker thread, for all sockets. None only while it is dropped.
    runtime: Option<Runtime>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Inner")
            .field("server", &self.server)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// The last failure, and the number of attempts.
pub(crate) type Exchanged<T> = Result<T, (Failure, u32)>;

impl Inner {
    pub(crate) fn new(server: Server, settings: Settings) -> Result<Inner, ConnectError> {
        let price = settings.prices.as_ref().map(|prices| prices.of(&server)).transpose()?;
        if let Some(limit) = settings.cost_limit {
            if limit.is_nan() || limit < 0.0 {
                return Err(PriceError::Limit.into());
            }
            if price.is_none() {
                return Err(PriceError::LimitWithoutPrices(server.name().to_owned()).into());
            }
        }
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            // For the resolution of names alone.
            .max_blocking_threads(2)
            .thread_name("weir-model")
            .enable_all()
            .build()
            .map_err(|error| ConnectError::Setup(error.to_string()))?;
        let http = http(&server, &settings)?;
        let gate = Gate::new(settings.connections, settings.max_connections, settings.window);
        let meter = Meter::new(price, settings.cost_limit);
        Ok(Inner { server, settings, http, gate, meter, runtime: Some(runtime) })
    }

    /// Asks for a completion. The outer error is for asks that are never sent.
    pub(crate) fn ask(&self, ask: &Ask, retries: u32, is_answer: bool) -> Result<Exchanged<Reply>, ModelError> {
        let body = body(ask, self.server.model(), self.server.dialect())
            .map_err(|error| self.server.rejected(format!("it cannot be written as JSON: {error}")))?;
        let (url, stall) = (self.server.chat_url(), self.settings.stall);
        let reply = self.exchange(retries, is_answer, || {
            let request = self.http.post(&url).header(CONTENT_TYPE, "application/json").body(body.clone());
            attempt::chat(request, stall)
        })?;
        if let Ok(reply) = &reply {
            self.meter.add(reply, is_answer);
        }
        Ok(reply)
    }

    /// Asks for the list of models.
    pub(crate) fn models(&self) -> Result<Exchanged<Vec<String>>, ModelError> {
        let (url, stall) = (self.server.models_url(), self.settings.stall);
        self.exchange(self.settings.max_retries, false, || attempt::models(self.http.get(&url), stall))
    }

    /// Makes attempts until one succeeds or there is no use in another. All retries are here.
    fn exchange<T, F>(&self, retries: u32, budgeted: bool, attempt: impl Fn() -> F) -> Result<Exchanged<T>, ModelError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let mut attempts = 0;
        let mut end = None;
        loop {
            let place = self.gate.enter();
            // With the place in hand, so that an ask which queued while others spent the rest is not sent.
            if let (true, 0, Some((limit, cost))) = (budgeted, attempts, self.meter.overspent()) {
                let currency = self.settings.prices.as_ref().map(Prices::currency).unwrap_or_default();
                let detail = format!("{cost:.4} {currency} of {limit} {currency} are spent");
                return Err(ModelError::BudgetExceeded { model: self.server.name().to_owned(), detail });
            }
            let end = *end.get_or_insert_with(|| Instant::now().checked_add(self.settings.deadline));
            let left = |now: Instant| end.map_or(Duration::MAX, |end| end.saturating_duration_since(now));
            attempts += 1;
            let outcome = self.run(attempt(), left(Instant::now()));
            let now = Instant::now();
            self.gate.learn(outcome.as_ref().err().map(|failure| failure.kind), now);
            drop(place);
            let mut failure = match outcome {
                Ok(value) => return Ok(Ok(value)),
                Err(failure) => failure,
            };
            if failure.is_final() || attempts > retries {
                return Ok(Err((failure, attempts)));
            }
            let (base, most) = (self.settings.backoff, self.settings.longest_backoff);
            let wait = failure.after.unwrap_or_else(|| match (attempts, failure.kind) {
                // A server may close a kept connection just as it is used again, which says nothing of its state.
                (1, Kind::Interrupted) => Duration::ZERO,
                _ => jittered(attempts, base, most),
            });
            let left = left(now);
            if wait >= left {
                failure.cause = format!(
                    "{}; the next attempt would be in {:.0} s, and the ask has {:.0} s left",
                    failure.cause,
                    wait.as_secs_f64(),
                    left.as_secs_f64()
                );
                return Ok(Err((failure, attempts)));
            }
            self.gate.back_off(wait, &self.server.key().hidden_in(&failure.cause));
            self.meter.retried();
        }
    }

    /// Runs an attempt on the client's thread and waits for it on this one.
    fn run<T, F>(&self, attempt: F, left: Duration) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>> + Send + 'static,
    {
        let lost = || Failure::new(Kind::Interrupted, "the client's thread gave the request up");
        let runtime = self.runtime.as_ref().ok_or_else(lost)?;
        let (sender, receiver) = mpsc::sync_channel(1);
        let deadline = self.settings.deadline.as_secs_f64();
        runtime.spawn(async move {
            let outcome = tokio::time::timeout(left, attempt).await.unwrap_or_else(|_| {
                Err(Failure::new(Kind::Deadline, format!("the ask's time, {deadline} s in all, is over")))
            });
            // Nobody takes it only if the asking thread is gone.
            drop(sender.send(outcome));
        });
        receiver.recv().unwrap_or_else(|_| Err(lost()))
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // Waiting for its thread is not allowed in asynchronous code, where a user may drop a client.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// The HTTP library's client, with everything off that it would do by itself.
fn http(server: &Server, settings: &Settings) -> Result<reqwest::Client, ConnectError> {
    let setup = |error: &dyn std::fmt::Display| ConnectError::Setup(error.to_string());
    // The library is built without a provider of its own. An error says that there is one already, which will do.
    drop(rustls::crypto::ring::default_provider().install_default());
    let mut key = HeaderValue::from_str(&server.key().bearer()).map_err(|error| setup(&error))?;
    key.set_sensitive(true);
    let mut builder = reqwest::Client::builder()
        .default_headers(HeaderMap::from_iter([(AUTHORIZATION, key)]))
        .user_agent(concat!("weir/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(settings.connect)
        .retry(reqwest::retry::never())
        // A redirected POST may become a GET, or take the conversation to a host that nobody named.
        .redirect(reqwest::redirect::Policy::none());
    if server.base_url().starts_with("http:") {
        // No certificate is looked at; a machine may have none.
        builder = builder.tls_certs_only([]);
    }
    if server.is_local() {
        // A proxy cannot reach this machine's own servers. Elsewhere HTTPS_PROXY and its relatives count.
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| setup(&error))
}
