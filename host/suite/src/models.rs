//! Models by name: built-in simulated ones, or a profile file of one's own.

use crate::error::{Error, nearest};
use crate::input;
use std::path::Path;
use std::sync::Arc;
use weir_agent::Profile;
use weir_trace::json::sha256;

/// A simulated model's profile, with the digest of its file.
pub struct Known {
    /// The profile.
    pub profile: Arc<Profile>,
    /// SHA-256 of the profile's text.
    pub digest: String,
}

/// Names of the built-in models.
pub fn names() -> impl Iterator<Item = &'static str> {
    Profile::names()
}

/// Finds a model.
///
/// # Errors
/// Where there is none of this name, or its file is no profile.
pub fn find(wanted: &str) -> Result<Known, Error> {
    let text = match Profile::built_in(wanted) {
        Some(text) => text.to_owned(),
        None if wanted.ends_with(".toml") => {
            let bytes = input::read(Path::new(wanted))?;
            String::from_utf8(bytes).map_err(|e| Error::Input(format!("{wanted}: not UTF-8: {e}")))?
        }
        None => {
            let names: Vec<&str> = Profile::names().collect();
            let hint =
                nearest(wanted, names.iter().copied()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            return Err(Error::Input(format!(
                "there is no model `{wanted}`{hint}\n  built in: {}\n  a simulated model of your own is given by its profile, such as ./mine.toml",
                names.join(", ")
            )));
        }
    };
    let profile = Profile::parse(&text).map_err(|e| Error::Input(format!("{wanted}: {e}")))?;
    Ok(Known { profile: Arc::new(profile), digest: sha256(text.as_bytes()) })
}
