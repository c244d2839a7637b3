//! Credentials as `docker login` and its kin write them. Weir keeps none of its own.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The file that `docker login` writes.
#[derive(Default, Deserialize)]
#[serde(default)]
struct DockerConfig {
    auths: BTreeMap<String, Auth>,
}

/// Name and password, in base64 with a colon between, as HTTP's basic scheme has them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Auth {
    auth: Option<String>,
}

/// Where the file is.
pub(crate) fn file() -> PathBuf {
    let folder = std::env::var_os("DOCKER_CONFIG").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".docker"));
    folder.or_else(home).unwrap_or_default().join("config.json")
}

/// What is known for a registry; none where there is no file, or it keeps the password in a helper program.
pub(crate) fn basic(host: &str) -> Option<String> {
    let text = std::fs::read_to_string(file()).ok()?;
    of(&text, host)
}

fn of(text: &str, host: &str) -> Option<String> {
    let config: DockerConfig = serde_json::from_str(text).ok()?;
    let bare = |key: &str| {
        let key = key.trim_start_matches("https://").trim_start_matches("http://");
        key.split('/').next().map(str::to_owned)
    };
    let auth = config.auths.into_iter().find(|(key, _)| bare(key).as_deref() == Some(host))?.1.auth?;
    let plain = auth.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'='));
    (plain && !auth.is_empty()).then_some(auth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registry_s_own_credentials_are_found_and_no_other_s() {
        let text = r#"{"auths":{"https://ghcr.io/v2/":{"auth":"YTpi"},"b.example:5000":{"auth":"Yzpk"},"h.example":{}},"credsStore":"pass"}"#;
        assert_eq!(of(text, "ghcr.io").as_deref(), Some("YTpi"));
        assert_eq!(of(text, "b.example:5000").as_deref(), Some("Yzpk"));
        for host in ["b.example", "h.example", "io", ""] {
            assert_eq!(of(text, host), None, "{host}");
        }
        assert_eq!(of("{\"auths\":{\"x.y\":{\"auth\":\"a\\r\\nb\"}}}", "x.y"), None);
        assert_eq!(of("no json", "x.y"), None);
    }
}
