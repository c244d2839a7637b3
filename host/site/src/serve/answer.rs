//! One request and its answer.

use super::Source;
use super::path::file;
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName,
    HeaderValue, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use std::net::SocketAddr;

/// What a page may load: what lies beside it. The page says the same of itself, for when it is opened from disk; that
/// nobody may frame it can only be said here.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Below this, compressing saves less than it costs.
const WORTH_COMPRESSING: usize = 1024;

/// zstd's own default: a board of 800 kB takes a few milliseconds, and 5 % of its bytes are left.
const LEVEL: i32 = 3;

/// What matters of a request.
pub(super) struct Asked {
    pub(super) method: Method,
    pub(super) path: String,
    /// The server's own names.
    pub(super) ours: [String; 2],
    pub(super) host: Option<String>,
    /// Where the request comes from, as the browser says; no other program says anything.
    pub(super) site: Option<String>,
    pub(super) navigates: bool,
    pub(super) zstd: bool,
}

impl Asked {
    pub(super) fn of(head: &Parts, address: SocketAddr) -> Self {
        let text = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok());
        let coding = |coding: &str| {
            let mut parts = coding.split(';').map(str::trim);
            parts.next() == Some("zstd") && parts.all(|part| !matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        };
        let hosts = head.headers.get_all(HOST).iter().count();
        Asked {
            method: head.method.clone(),
            path: head.uri.path().to_owned(),
            ours: [address.to_string(), format!("localhost:{}", address.port())],
            host: text(HOST).filter(|_| hosts == 1).map(str::to_owned),
            site: text(HeaderName::from_static("sec-fetch-site")).map(str::to_owned),
            navigates: text(HeaderName::from_static("sec-fetch-mode")) == Some("navigate"),
            zstd: text(ACCEPT_ENCODING).is_some_and(|all| all.split(',').any(coding)),
        }
    }

    /// Whether the request comes from a page of another origin, which may go to the site and not take its files.
    fn is_foreign(&self) -> bool {
        let elsewhere = self.site.as_deref().is_some_and(|site| !matches!(site, "same-origin" | "none"));
        elsewhere && !(self.navigates && matches!(self.path.as_str(), "/" | "/index.html"))
    }
}

/// Answers a request.
pub(super) fn answer(source: &Source, asked: &Asked) -> Response<Full<Bytes>> {
    if !asked.host.as_ref().is_some_and(|host| asked.ours.iter().any(|our| our.eq_ignore_ascii_case(host))) {
        return refused(StatusCode::MISDIRECTED_REQUEST, "This server has another name.");
    }
    if asked.method != Method::GET && asked.method != Method::HEAD {
        let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, "Files can be read.");
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    if asked.is_foreign() {
        return refused(StatusCode::FORBIDDEN, "Files are for pages of this server.");
    }
    let Some((path, kind)) = file(&asked.path) else {
        return refused(StatusCode::NOT_FOUND, "There is no such file.");
    };
    match source.read(path) {
        Ok(Some(bytes)) => found(bytes, kind, asked, !path.starts_with("traces/")),
        Ok(None) => refused(StatusCode::NOT_FOUND, "There is no such file."),
        Err(_) => failed(),
    }
}

/// A file. A trace is compressed already.
fn found(bytes: Vec<u8>, kind: &'static str, asked: &Asked, compressible: bool) -> Response<Full<Bytes>> {
    let worth = asked.zstd && compressible && bytes.len() >= WORTH_COMPRESSING;
    let compressed = worth.then(|| zstd::bulk::compress(&bytes, LEVEL).ok()).flatten();
    let coded = compressed.is_some();
    let mut response = with_headers(compressed.unwrap_or(bytes), kind);
    response.headers_mut().insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    if coded {
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("zstd"));
    }
    response
}

/// Why there is no file, in words that nothing of the request is in.
fn refused(status: StatusCode, words: &'static str) -> Response<Full<Bytes>> {
    let mut response = with_headers(format!("{words}\n").into_bytes(), "text/plain; charset=utf-8");
    *response.status_mut() = status;
    response
}

/// The file is there, and could not be read.
pub(super) fn failed() -> Response<Full<Bytes>> {
    refused(StatusCode::INTERNAL_SERVER_ERROR, "The file could not be read.")
}

fn with_headers(body: Vec<u8>, kind: &'static str) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    let same_origin = "same-origin";
    for (name, value) in [
        (CONTENT_TYPE, kind),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), same_origin),
        (HeaderName::from_static("cross-origin-resource-policy"), same_origin),
        // Another run may be served under the same address next.
        (CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
