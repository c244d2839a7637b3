//! Models by name: built-in simulated ones, a profile file of one's own, or a real one.

pub mod real;

use crate::error::{Error, nearest};
use crate::grid::ModelEntry;
use crate::input;
use std::path::Path;
use std::sync::Arc;
use weir_agent::{ActingProfile, Profile};
use weir_trace::json::sha256;

pub use real::{NoRealModels, Real, RealModels};

/// A model of a run.
pub enum Chosen<P> {
    /// A simulated one.
    Simulated {
        /// Its profile.
        profile: Arc<P>,
        /// SHA-256 of the profile's text.
        digest: String,
    },
    /// A real one.
    Real(Real),
}

/// A model of a live run.
pub type Known = Chosen<Profile>;
/// An acting model of an authority run.
pub type KnownActor = Chosen<ActingProfile>;

/// A profile's own name.
pub trait Named {
    /// The name.
    fn name(&self) -> &str;
}

impl Named for Profile {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Named for ActingProfile {
    fn name(&self) -> &str {
        &self.name
    }
}

impl<P: Named> Chosen<P> {
    /// The name under which results are reported.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Chosen::Simulated { profile, .. } => profile.name(),
            Chosen::Real(real) => real.name(),
        }
    }

    /// In a manifest's settings.
    pub(crate) fn entry(&self) -> ModelEntry {
        match self {
            Chosen::Simulated { profile, digest } => {
                ModelEntry { name: profile.name().to_owned(), digest: digest.clone(), real: None }
            }
            Chosen::Real(real) => real.model_entry(),
        }
    }
}

/// Names of the built-in models.
pub fn names() -> impl Iterator<Item = &'static str> {
    Profile::names()
}

/// Names of the built-in acting models.
pub fn actors() -> impl Iterator<Item = &'static str> {
    ActingProfile::names()
}

/// Finds an acting model.
///
/// # Errors
/// Where there is none of this name, or its file is no acting profile.
pub fn find_actor(wanted: &str, real: &dyn RealModels) -> Result<KnownActor, Error> {
    if real::is_real(wanted) {
        return real.find(wanted).map(Chosen::Real);
    }
    let text = text(wanted, "acting model", ActingProfile::built_in(wanted), &actors().collect::<Vec<_>>())?;
    let profile = ActingProfile::parse(&text).map_err(|e| Error::Input(format!("{wanted}: {e}")))?;
    Ok(Chosen::Simulated { profile: Arc::new(profile), digest: sha256(text.as_bytes()) })
}

/// Finds a model.
///
/// # Errors
/// Where there is none of this name, or its file is no profile.
pub fn find(wanted: &str, real: &dyn RealModels) -> Result<Known, Error> {
    if real::is_real(wanted) {
        return real.find(wanted).map(Chosen::Real);
    }
    let text = text(wanted, "model", Profile::built_in(wanted), &names().collect::<Vec<_>>())?;
    let profile = Profile::parse(&text).map_err(|e| Error::Input(format!("{wanted}: {e}")))?;
    Ok(Chosen::Simulated { profile: Arc::new(profile), digest: sha256(text.as_bytes()) })
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
                "there is no {what} `{wanted}`{hint}\n  built in: {}\n  a simulated {what} of your own is given by its profile, such as ./mine.toml\n  a real one by its server or weights, such as openai-api/ollama/qwen2.5:7b or gguf:./model.gguf",
                names.join(", ")
            )))
        }
    }
}
