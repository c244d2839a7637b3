//! Which server, which model, under which key: read from a model's name and the environment, once.

use super::dialect::Dialect;
use super::key::{EMPTY, Key};
use crate::model::ModelError;
use thiserror::Error;

/// How the name of such a model begins.
const PREFIX: &str = "openai-api/";
/// The route that makes completions; accepted at the end of a base URL, since some tools want it there.
const ROUTE: &str = "/chat/completions";

/// A server and a model on it. Its `Debug` does not show the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    name: String,
    provider: String,
    model: String,
    base: String,
    key: Key,
    dialect: Dialect,
}

/// Why a model's name and the environment name no server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServerError {
    /// The name has another form.
    #[error("`{0}` names no model on a server: write openai-api/PROVIDER/MODEL, as in openai-api/vllm/qwen2.5-7b")]
    Name(String),
    /// A provider's name becomes the name of variables, so not every character can stand in it.
    #[error(
        "`{0}` is no name of a provider: it makes the names of variables, so use letters, digits and hyphens, a letter first"
    )]
    Provider(String),
    /// Nobody says where the server is.
    #[error("where is provider `{provider}`? set {variable}, for example {variable}=http://localhost:8000/v1")]
    NoUrl {
        /// The provider.
        provider: String,
        /// The variable to set.
        variable: String,
    },
    /// The address is none. It is not shown where it may hold a password.
    #[error("{variable} is no base URL: {problem}; write it like http://localhost:8000/v1")]
    Url {
        /// The variable that holds it.
        variable: String,
        /// What is wrong.
        problem: String,
    },
    /// There is no key.
    #[error("provider `{provider}` needs a key: set {variable} ({EMPTY} for a server that wants none)")]
    NoKey {
        /// The provider.
        provider: String,
        /// The variable to set.
        variable: String,
    },
    /// The key cannot be sent. It is not shown.
    #[error(
        "the key in {variable} cannot stand in a header: it has spaces, line breaks or other than ASCII characters"
    )]
    Key {
        /// The variable that holds it.
        variable: String,
    },
}

impl Server {
    /// Reads `openai-api/PROVIDER/MODEL`. `variable` gives the value of an environment variable; of interest are
    /// `PROVIDER_API_KEY` and `PROVIDER_BASE_URL`, in upper case and with underscores for hyphens. An empty variable counts as
    /// absent.
    ///
    /// # Errors
    /// [`ServerError`] says which variable to set, and how.
    pub fn resolve(name: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Server, ServerError> {
        let bad_name = || ServerError::Name(name.to_owned());
        let (provider, model) = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/')).ok_or_else(bad_name)?;
        if model.is_empty() || model.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(bad_name());
        }
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if !provider.starts_with(|c: char| c.is_ascii_alphabetic()) || !provider.chars().all(fits) {
            return Err(ServerError::Provider(provider.to_owned()));
        }
        let dialect = Dialect::of(provider);
        let stem = provider.to_ascii_uppercase().replace('-', "_");
        let (url_variable, key_variable) = (format!("{stem}_BASE_URL"), format!("{stem}_API_KEY"));
        let value = |name: &str| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let base = match value(&url_variable) {
            Some(url) => normalise(&url).map_err(|problem| ServerError::Url { variable: url_variable, problem })?,
            None => dialect
                .default_url
                .map(str::to_owned)
                .ok_or_else(|| ServerError::NoUrl { provider: provider.to_owned(), variable: url_variable })?,
        };
        let key = match value(&key_variable) {
            Some(text) => Key::new(&text),
            None if dialect.keyless => Key::new(EMPTY),
            None => return Err(ServerError::NoKey { provider: provider.to_owned(), variable: key_variable }),
        };
        if !key.is_sendable() {
            return Err(ServerError::Key { variable: key_variable });
        }
        let (name, provider, model) = (name.to_owned(), provider.to_owned(), model.to_owned());
        Ok(Server { name, provider, model, base, key, dialect })
    }

    /// The whole name, under which results are reported.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The provider.
    #[must_use]
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The model, as the server knows it.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The base URL that is used, without a slash at its end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base
    }

    /// What the server supports.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    pub(crate) fn chat_url(&self) -> String {
        format!("{}{ROUTE}", self.base)
    }

    pub(crate) fn models_url(&self) -> String {
        format!("{}/models", self.base)
    }

    /// Whether it is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        reqwest::Url::parse(&self.base).is_ok_and(|url| weir_http::is_loopback(&url))
    }

    pub(crate) fn rejected(&self, detail: impl Into<String>) -> ModelError {
        ModelError::Rejected { model: self.name.clone(), detail: self.key.hidden_in(&detail.into()) }
    }

    pub(crate) fn unavailable(&self, detail: impl Into<String>) -> ModelError {
        ModelError::Unavailable { model: self.name.clone(), detail: self.key.hidden_in(&detail.into()) }
    }

    pub(crate) fn protocol(&self, detail: impl Into<String>) -> ModelError {
        ModelError::Protocol { model: self.name.clone(), detail: self.key.hidden_in(&detail.into()) }
    }
}

/// A base URL without a slash or the completions' route at its end.
fn normalise(text: &str) -> Result<String, String> {
    let trimmed = text.trim_end_matches('/');
    let base = trimmed.strip_suffix(ROUTE).unwrap_or(trimmed).trim_end_matches('/');
    let url = reqwest::Url::parse(base).map_err(|error| error.to_string())?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("it begins with `{}:` instead of http: or https:", url.scheme()));
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("it names no host".into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("it has a user's name in it: it is written to manifests, so put the secret into the key".into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("it has a `?` or `#` in it, behind which no route can be added".into());
    }
    Ok(base.to_owned())
}
