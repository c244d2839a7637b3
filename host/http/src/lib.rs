//! A plain HTTP client for commands that talk to one server: one request after the other on the caller's thread, no
//! redirects, no retries, and each answer read whole under a limit.
//!
//! What is sent in the clear is seen by everybody on the way, so `http:` is for this machine alone unless an operator says
//! otherwise.

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;
use thiserror::Error as Thrown;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

pub use reqwest::{Method, Url as Address};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a server may send nothing.
const STALL: Duration = Duration::from_secs(60);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Thrown)]
pub enum HttpError {
    /// The address is none.
    #[error("{address}: {what}")]
    Address {
        /// As it was given.
        address: String,
        /// What is wrong.
        what: String,
    },
    /// The server cannot be reached, or broke off.
    #[error("{server}: {what}")]
    Broken {
        /// Host and port.
        server: String,
        /// What happened.
        what: String,
    },
    /// The answer has more bytes than it may have.
    #[error("{server}: the answer has more than the {most} bytes that it may have")]
    TooLarge {
        /// Host and port.
        server: String,
        /// The limit.
        most: u64,
    },
}

/// One answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

impl Answer {
    /// Whether the request was done.
    #[must_use]
    pub fn is_good(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// A header's value, where it is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

/// One request.
#[derive(Debug)]
pub struct Request<'a> {
    /// Its method.
    pub method: Method,
    /// Where it goes.
    pub address: Address,
    /// Its headers.
    pub headers: &'a [(&'a str, &'a str)],
    /// Its body.
    pub body: Vec<u8>,
    /// Most bytes of an answer's body.
    pub most: u64,
}

/// A client.
#[derive(Debug)]
pub struct Http {
    client: reqwest::Client,
    runtime: Runtime,
}

impl Http {
    /// A client for a server.
    ///
    /// # Errors
    /// Where this machine gives no thread, socket or certificates.
    pub fn new(server: &Address) -> Result<Self, HttpError> {
        let failed = |what: &dyn std::fmt::Display| HttpError::Broken { server: place(server), what: what.to_string() };
        // The library is built without a provider of its own. An error says that there is one already, which will do.
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut builder = reqwest::Client::builder()
            .user_agent(concat!("weir/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .retry(reqwest::retry::never())
            // A redirect may lead to a host that nobody named.
            .redirect(reqwest::redirect::Policy::none());
        if server.scheme() == "http" {
            // No certificate is looked at; a machine may have none.
            builder = builder.tls_certs_only([]);
        }
        if is_loopback(server) {
            // A proxy cannot reach this machine's own servers.
            builder = builder.no_proxy();
        }
        let client = builder.build().map_err(|error| failed(&error))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| failed(&error))?;
        Ok(Http { client, runtime })
    }

    /// Sends a request and reads its answer.
    ///
    /// # Errors
    /// Where there is none, or it is too large. An answer that says no is an answer.
    pub fn send(&self, request: Request<'_>) -> Result<Answer, HttpError> {
        let Request { method, address, headers, body, most } = request;
        let server = place(&address);
        let broken = |what: String| HttpError::Broken { server: server.clone(), what };
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| broken(error.to_string()))?;
            let mut value = HeaderValue::from_str(value).map_err(|error| broken(error.to_string()))?;
            value.set_sensitive(true);
            all.insert(name, value);
        }
        let request = self.client.request(method, address).headers(all).body(body);
        let stalled = || broken(format!("it sent nothing for {} s", STALL.as_secs()));
        self.runtime.block_on(async {
            let mut response =
                timeout(STALL, request.send()).await.map_err(|_| stalled())?.map_err(|error| broken(reason(error)))?;
            let (status, headers) = (response.status().as_u16(), response.headers().clone());
            let mut body = Vec::new();
            loop {
                let chunk = timeout(STALL, response.chunk()).await.map_err(|_| stalled())?;
                let Some(chunk) = chunk.map_err(|error| broken(reason(error)))? else { break };
                let length = body.len().saturating_add(chunk.len());
                if u64::try_from(length).unwrap_or(u64::MAX) > most {
                    return Err(HttpError::TooLarge { server: server.clone(), most });
                }
                body.extend_from_slice(&chunk);
            }
            Ok(Answer { status, headers, body })
        })
    }
}

/// An address on the web.
///
/// # Errors
/// Where the text is none, or speaks in the clear to another machine and `insecure` does not allow that.
pub fn address(text: &str, insecure: bool) -> Result<Address, HttpError> {
    let failed = |what: &str| HttpError::Address { address: text.into(), what: what.into() };
    let address = Url::parse(text).map_err(|error| failed(&error.to_string()))?;
    match address.scheme() {
        "https" => Ok(address),
        "http" if insecure || is_loopback(&address) => Ok(address),
        "http" => Err(failed("it speaks in the clear to another machine\n  use https, or say --insecure")),
        _ => Err(failed("it begins with neither http:// nor https://")),
    }
}

/// Whether an address is on this machine.
#[must_use]
pub fn is_loopback(address: &Address) -> bool {
    let Some(host) = address.host_str() else { return false };
    let number = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host == "localhost" || number.is_ok_and(|number| number.is_loopback())
}

/// Host and port of an address.
fn place(address: &Address) -> String {
    let host = address.host_str().unwrap_or_default();
    address.port_or_known_default().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The HTTP library's error from its outside to its cause, without the address, which is known.
#[must_use]
pub fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let said = inner.to_string();
        if !text.contains(&said) {
            text = format!("{text}: {said}");
        }
        source = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_clear_goes_to_this_machine_alone() {
        for good in ["https://a.example", "http://localhost:1", "http://127.0.0.1:4318/x", "http://[::1]:9"] {
            assert!(address(good, false).is_ok(), "{good}");
        }
        for bad in ["http://a.example", "http://127.0.0.1.example", "http://10.0.0.1", "ftp://localhost", "nothing"] {
            assert!(address(bad, false).is_err(), "{bad}");
        }
        assert!(address("http://a.example", true).is_ok());
    }

    #[test]
    fn nobody_there_is_said_with_the_place() {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = address(&format!("http://127.0.0.1:{port}/secret?x"), false).unwrap();
        let http = Http::new(&address).unwrap();
        let request = Request { method: Method::GET, address, headers: &[], body: Vec::new(), most: 9 };
        let error = http.send(request).unwrap_err().to_string();
        assert!(error.starts_with(&format!("127.0.0.1:{port}: ")) && !error.contains("secret"), "{error}");
    }
}
