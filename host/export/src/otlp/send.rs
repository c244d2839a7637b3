//! A collector that takes traces by HTTP.

use std::path::PathBuf;
use weir_http::{Address, Http, Method, Request, address};
use weir_suite::Error;

/// The path that the protocol gives to traces.
const PATH: &str = "/v1/traces";
/// Most bytes of a collector's answer: a message for people.
const MOST: u64 = 1 << 16;
/// Characters of its message that are shown.
const SHOWN: usize = 300;

/// Where a collector listens.
#[derive(Debug)]
pub struct Endpoint {
    http: Http,
    address: Address,
}

impl Endpoint {
    /// The collector at a base address, as `OTEL_EXPORTER_OTLP_ENDPOINT` has it: `/v1/traces` is added unless it is there.
    ///
    /// # Errors
    /// Where it is no address, or one in the clear on another machine and `insecure` does not allow that.
    pub fn new(base: &str, insecure: bool) -> Result<Self, Error> {
        let base = base.trim_end_matches('/');
        let whole = if base.ends_with(PATH) { base.to_owned() } else { format!("{base}{PATH}") };
        let failed = |e: weir_http::HttpError| Error::Input(format!("the collector {e}"));
        let address = address(&whole, insecure).map_err(failed)?;
        let http = Http::new(&address).map_err(failed)?;
        Ok(Endpoint { http, address })
    }

    /// Where it is, for messages.
    pub(super) fn path(&self) -> PathBuf {
        self.address.as_str().into()
    }

    /// Posts one request, after so many that were accepted.
    pub(super) fn post(&self, request: String, accepted: usize) -> Result<(), Error> {
        let failed = |what: String| {
            Error::Input(format!(
                "the collector {}: {what}\n  it has accepted {accepted} rollouts; sending again gives the same traces, not second ones",
                self.address
            ))
        };
        let request = Request {
            method: Method::POST,
            address: self.address.clone(),
            headers: &[("content-type", "application/json")],
            body: request.into_bytes(),
            most: MOST,
        };
        let answer = self.http.send(request).map_err(|e| failed(e.to_string()))?;
        if !answer.is_good() {
            return Err(failed(format!("it answered {}: {}", answer.status, shown(&answer.body))));
        }
        match refused(&answer.body) {
            Some(what) => Err(failed(what)),
            None => Ok(()),
        }
    }
}

/// What a collector says that it did not take. An answer that is no JSON says nothing.
fn refused(body: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(body).ok()?;
    let partial = value.get("partialSuccess")?;
    let count = partial.get("rejectedSpans")?;
    // 64 bits are text in this JSON; a number is seen too.
    let count =
        count.as_str().and_then(|count| count.parse().ok()).or_else(|| count.as_i64()).filter(|count| *count > 0)?;
    let message = partial.get("errorMessage").and_then(serde_json::Value::as_str).unwrap_or_default();
    Some(format!("it rejected {count} spans: {}", shown(message.as_bytes())))
}

fn shown(body: &[u8]) -> String {
    String::from_utf8_lossy(body).chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_address_gets_the_path_of_traces() {
        for base in ["http://localhost:4318", "http://localhost:4318/", "http://localhost:4318/v1/traces"] {
            let endpoint = Endpoint::new(base, false).unwrap();
            assert_eq!(endpoint.path(), PathBuf::from("http://localhost:4318/v1/traces"));
        }
        assert!(Endpoint::new("localhost:4318", false).is_err());
    }

    #[test]
    fn a_partial_success_is_no_success() {
        let body = br#"{"partialSuccess":{"rejectedSpans":"3","errorMessage":"too old"}}"#;
        assert_eq!(refused(body).unwrap(), "it rejected 3 spans: too old");
        assert_eq!(refused(br#"{"partialSuccess":{"rejectedSpans":"0","errorMessage":"a hint"}}"#), None);
        assert_eq!(refused(b"{}"), None);
        assert_eq!(refused(b""), None);
    }
}
