//! A repository of a registry, spoken to as the OCI distribution specification says.

use crate::artifact::{Descriptor, MANIFEST};
use crate::reference::is_digest;
use crate::{Error, MANIFEST_BYTES, Store, Version, credentials};
use std::cell::RefCell;
use weir_http::{Address, Answer, Http, Method, Request, address, is_loopback};
use weir_trace::json::sha256;

/// Most bytes of an answer that is no content: an error's words, or a token.
const MOST: u64 = 1 << 18;
/// Characters of a registry's words that are shown.
const SHOWN: usize = 200;
/// Registries keep blobs elsewhere and say where; more hops than this lead nowhere.
const HOPS: usize = 3;

/// A repository.
pub(crate) struct Remote {
    http: Http,
    base: Address,
    host: String,
    name: String,
    writing: bool,
    insecure: bool,
    /// What the registry has accepted as the answer to "who are you".
    authorization: RefCell<Option<String>>,
}

impl Remote {
    pub(crate) fn new(host: &str, name: &str, writing: bool, insecure: bool) -> Result<Self, Error> {
        // In the clear on this machine, where registries for tests have no certificates, or where an operator says so.
        let plain = address(&format!("http://{host}/"), true)?;
        let scheme = if insecure || is_loopback(&plain) { "http" } else { "https" };
        let base = address(&format!("{scheme}://{host}/v2/"), insecure)?;
        let http = Http::new(&base)?;
        Ok(Remote {
            http,
            base,
            host: host.into(),
            name: name.into(),
            writing,
            insecure,
            authorization: RefCell::new(None),
        })
    }

    fn place(&self) -> String {
        format!("{}/{}", self.host, self.name)
    }

    fn at(&self, path: &str) -> Result<Address, Error> {
        let whole = format!("{}{}/{path}", self.base, self.name);
        Ok(address(&whole, self.insecure)?)
    }

    fn refused(&self, answer: &Answer, request: &str) -> Error {
        let said: String = String::from_utf8_lossy(&answer.body).trim().chars().take(SHOWN).collect();
        Error::Refused { place: self.place(), status: answer.status, request: request.into(), said }
    }

    /// Sends a request, and once more with credentials where they are asked for.
    fn send(
        &self,
        method: &Method,
        to: &Address,
        headers: &[(&str, &str)],
        body: &[u8],
        most: u64,
    ) -> Result<Answer, Error> {
        let once = || {
            let known = self.authorization.borrow().clone();
            let mut headers = headers.to_vec();
            if let Some(known) = &known {
                headers.push(("authorization", known));
            }
            self.http.send(Request {
                method: method.clone(),
                address: to.clone(),
                headers: &headers,
                body: body.into(),
                most,
            })
        };
        let answer = once()?;
        if answer.status != 401 {
            return Ok(answer);
        }
        let asked = answer.header("www-authenticate").unwrap_or_default().to_owned();
        *self.authorization.borrow_mut() = Some(self.authorize(&asked)?);
        let answer = once()?;
        if answer.status == 401 {
            return Err(self.credentials("those that are known were refused"));
        }
        Ok(answer)
    }

    fn credentials(&self, what: &str) -> Error {
        let file = credentials::file().display().to_string();
        Error::Credentials { place: self.host.clone(), what: what.into(), file }
    }

    /// The answer to a challenge: a name and password, or a token that an authority gives for them.
    fn authorize(&self, asked: &str) -> Result<String, Error> {
        let basic = credentials::basic(&self.host).map(|auth| format!("Basic {auth}"));
        let (scheme, parameters) = asked.split_once(' ').unwrap_or((asked, ""));
        if scheme.eq_ignore_ascii_case("basic") {
            return basic.ok_or_else(|| self.credentials("there are none for it"));
        }
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(self.credentials("in a way that is not known here"));
        }
        let realm =
            parameter(parameters, "realm").ok_or_else(|| self.credentials("and does not say where to get a token"))?;
        let mut realm = address(&realm, self.insecure)?;
        let actions = if self.writing { "pull,push" } else { "pull" };
        {
            let mut query = realm.query_pairs_mut();
            if let Some(service) = parameter(parameters, "service") {
                query.append_pair("service", &service);
            }
            query.append_pair("scope", &format!("repository:{}:{actions}", self.name));
        }
        let headers: Vec<(&str, &str)> = basic.iter().map(|basic| ("authorization", basic.as_str())).collect();
        let request =
            Request { method: Method::GET, address: realm.clone(), headers: &headers, body: Vec::new(), most: MOST };
        let answer = Http::new(&realm)?.send(request)?;
        let token = serde_json::from_slice::<serde_json::Value>(&answer.body).ok().filter(|_| answer.is_good());
        let token = token.and_then(|token| {
            let named = |name: &str| token.get(name).and_then(serde_json::Value::as_str).map(str::to_owned);
            named("token").or_else(|| named("access_token"))
        });
        token.map(|token| format!("Bearer {token}")).ok_or_else(|| self.credentials("it gave no token"))
    }

    /// Gets content, from wherever the registry keeps it. Whoever it is held to its digest by, this is not it.
    fn get(&self, path: &str, accept: &str, most: u64) -> Result<Answer, Error> {
        let mut answer = self.send(&Method::GET, &self.at(path)?, &[("accept", accept)], &[], most)?;
        let mut from = self.at(path)?;
        for _ in 0..HOPS {
            if !matches!(answer.status, 301 | 302 | 303 | 307 | 308) {
                break;
            }
            let to = answer.header("location").and_then(|to| from.join(to).ok());
            let to = to.ok_or_else(|| self.refused(&answer, "GET"))?;
            from = address(to.as_str(), self.insecure)?;
            // Credentials stay with the registry.
            let request = Request { method: Method::GET, address: from.clone(), headers: &[], body: Vec::new(), most };
            answer = Http::new(&from)?.send(request)?;
        }
        Ok(answer)
    }
}

impl Store for Remote {
    fn manifest(&self, version: &Version) -> Result<Vec<u8>, Error> {
        let (Version::Tag(name) | Version::Digest(name)) = version;
        let answer = self.get(&format!("manifests/{name}"), MANIFEST, MANIFEST_BYTES)?;
        match answer.status {
            404 => Err(Error::Missing { place: self.place(), version: version.to_string() }),
            _ if answer.is_good() => {
                // Of a tag the registry alone knows which manifest it is; what it says and what it sends must be one.
                if let Some(said) = answer.header("docker-content-digest").filter(|said| is_digest(said)) {
                    let actual = format!("sha256:{}", sha256(&answer.body));
                    crate::held_to(&format!("the manifest of {}, {version},", self.place()), said, &actual)?;
                }
                Ok(answer.body)
            }
            _ => Err(self.refused(&answer, "GET manifest")),
        }
    }

    fn blob(&self, digest: &str, most: u64) -> Result<Vec<u8>, Error> {
        let answer = self.get(&format!("blobs/{digest}"), "*/*", most)?;
        match answer.status {
            404 => Err(Error::Missing { place: self.place(), version: format!("blob {digest}") }),
            _ if answer.is_good() => Ok(answer.body),
            _ => Err(self.refused(&answer, "GET blob")),
        }
    }

    fn put_blob(&self, descriptor: &Descriptor, bytes: &[u8]) -> Result<(), Error> {
        let there = self.at(&format!("blobs/{}", descriptor.digest))?;
        if self.send(&Method::HEAD, &there, &[], &[], MOST)?.status == 200 {
            return Ok(());
        }
        let uploads = self.at("blobs/uploads/")?;
        let begun = self.send(&Method::POST, &uploads, &[], &[], MOST)?;
        let to = begun.header("location").filter(|_| begun.status == 202).and_then(|to| uploads.join(to).ok());
        let mut to = to.ok_or_else(|| self.refused(&begun, "POST blob"))?;
        // The place of an upload is the registry's own: it gets the credentials.
        if (to.scheme(), to.host_str(), to.port_or_known_default())
            != (self.base.scheme(), self.base.host_str(), self.base.port_or_known_default())
        {
            return Err(self.refused(&begun, "POST blob, with another host to upload to"));
        }
        to.query_pairs_mut().append_pair("digest", &descriptor.digest);
        let headers = [("content-type", "application/octet-stream")];
        let put = self.send(&Method::PUT, &to, &headers, bytes, MOST)?;
        if put.status == 201 { Ok(()) } else { Err(self.refused(&put, "PUT blob")) }
    }

    fn put_manifest(&self, version: &Version, descriptor: &Descriptor, bytes: &[u8]) -> Result<(), Error> {
        let (Version::Tag(name) | Version::Digest(name)) = version;
        let to = self.at(&format!("manifests/{name}"))?;
        let put = self.send(&Method::PUT, &to, &[("content-type", MANIFEST)], bytes, MOST)?;
        if put.status != 201 {
            return Err(self.refused(&put, "PUT manifest"));
        }
        match put.header("docker-content-digest") {
            // A registry may not say; one that says something else has kept something else.
            Some(kept) => crate::held_to("the manifest that the registry kept", &descriptor.digest, kept),
            None => Ok(()),
        }
    }
}

/// A parameter of a challenge: `name="value"`.
fn parameter(parameters: &str, name: &str) -> Option<String> {
    let mut rest = parameters;
    while let Some((key, after)) = rest.split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => after.split_once(',').unwrap_or((after, "")),
        };
        if key.trim_matches([' ', ',']).eq_ignore_ascii_case(name) {
            return Some(value.to_owned());
        }
        rest = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameters_of_a_challenge_are_read_whatever_is_in_them() {
        let asked = "realm=\"https://a.example/token?x=1,2\",service=\"b.example\", scope=c";
        assert_eq!(parameter(asked, "realm").as_deref(), Some("https://a.example/token?x=1,2"));
        assert_eq!(parameter(asked, "service").as_deref(), Some("b.example"));
        assert_eq!(parameter(asked, "scope").as_deref(), Some("c"));
        assert_eq!(parameter(asked, "error"), None);
        assert_eq!(parameter("realm=\"unended", "realm"), None);
    }
}
