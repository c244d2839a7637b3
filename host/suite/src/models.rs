//! Models by name: built-in simulated ones, or a profile file of one's own.

use crate::error::{Error, nearest};
use crate::input;
use std::path::Path;
use std::sync::Arc;
use weir_agent::{ActingProfile, Profile};
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

/// A simulated acting model's profile, with the digest of its file.
pub struct KnownActor {
    /// The profile.
    pub profile: Arc<ActingProfile>,
    /// SHA-256 of the profile's text.
    pub digest: String,
}

/// Names of the built-in acting models.
pub fn actors() -> impl Iterator<Item = &'static str> {
    ActingProfile::names()
}

/// Finds an acting model.
///
/// # Errors
/// Where there is none of this name, or its file is no acting profile.
pub fn find_actor(wanted: &str) -> Result<KnownActor, Error> {
    let text = text(wanted, "acting model", ActingProfile::built_in(wanted), &actors().collect::<Vec<_>>())?;
    let profile = ActingProfile::parse(&text).map_err(|e| Error::Input(format!("{wanted}: {e}")))?;
    Ok(KnownActor { profile: Arc::new(profile), digest: sha256(text.as_bytes()) })
}

/// Finds a model.
///
/// # Errors
/// Where there is none of this name, or its file is no profile.
pub fn find(wanted: &str) -> Result<Known, Error> {
    let text = text(wanted, "model", Profile::built_in(wanted), &names().collect::<Vec<_>>())?;
    let profile = Profile::parse(&text).map_err(|e| Error::Input(format!("{wanted}: {e}")))?;
    Ok(Known { profile: Arc::new(profile), digest: sha256(text.as_bytes()) })
}

/// The text of a built-in profile, or of a profile's file.
fn text(wanted: &str, what: &str, built_in: Option<&str>, names: &[&str]) -> Result<String, Error> {
    match built_in {
        Some(text) => Ok(text.to_owned()),
        None if wanted.ends_with(".toml") => {
            let bytes = input::read(Path::new(wanted))?;
            String::from_utf8(bytes).map_err(|e| Error::Input(format!("{wanted}: not UTF-8: {e}")))
        }
        None => {
            let hint =
                nearest(wanted, names.iter().copied()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
            Err(Error::Input(format!(
                "there is no {what} `{wanted}`{hint}\n  built in: {}\n  a simulated {what} of your own is given by its profile, such as ./mine.toml",
                names.join(", ")
            )))
        }
    }
}
