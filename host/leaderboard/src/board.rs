//! A leaderboard: a folder in git.
//!
//! | file | what |
//! |---|---|
//! | `leaderboard.toml` | title, tracks, and the keys that the board trusts, by name |
//! | `tracks/TRACK/plan.jsonl` | the published plan: what every entry has run, without the entry's own component |
//! | `tracks/TRACK/ENTRY/` | an entry, see [`crate::entry`] |
//!
//! ```toml
//! format = "weir-leaderboard/1"
//! title = "Containment of prompt injection"
//!
//! [keys.ann]
//! public-key = "MCowBQYDK2VwAyEA..."   # the line of base64 in her `.pub` file
//! role = "maintainer"                  # or "submitter"
//!
//! [[track]]
//! id = "leaderboard"                   # the folder's name
//! title = "Four office domains"
//! suite = "leaderboard"
//! plan = "..."                         # SHA-256 of tracks/leaderboard/plan.jsonl
//! rerun-percent = 10                   # rollouts that are run again in full when an entry is added
//! ```
//!
//! Unknown keys are errors.

use crate::entry::{Entry, text};
use crate::key::PublicKey;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use weir_metadata::{is_name, name_rule};
use weir_suite::Error;
use weir_suite::published::Published;

/// The format's name.
pub const FORMAT: &str = "weir-leaderboard/1";

/// The board's own file.
pub const FILE: &str = "leaderboard.toml";

/// The folder of the tracks.
const TRACKS: &str = "tracks";

/// A track's published plan.
const PLAN: &str = "plan.jsonl";

/// What a key is trusted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// To say that an entry was verified.
    Maintainer,
    /// To say that an entry is its own.
    Submitter,
}

/// A key that a board trusts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrustedKey {
    /// The key.
    pub public_key: PublicKey,
    /// What it is trusted for.
    pub role: Role,
}

/// Keys by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(pub BTreeMap<String, TrustedKey>);

impl Keys {
    /// The keys that are trusted for something.
    pub fn of(&self, role: Role) -> impl Iterator<Item = (&str, &TrustedKey)> {
        self.0.iter().filter(move |(_, key)| key.role == role).map(|(name, key)| (name.as_str(), key))
    }

    /// The name of a key; none where the board does not know it.
    #[must_use]
    pub fn name(&self, key: &PublicKey) -> Option<&str> {
        self.0.iter().find(|(_, known)| known.public_key == *key).map(|(name, _)| name.as_str())
    }
}

/// `leaderboard.toml`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// [`FORMAT`].
    pub format: String,
    /// One line for a reader.
    pub title: String,
    /// Keys that the board trusts.
    #[serde(default)]
    pub keys: Keys,
    /// Tracks, in the order in which they are shown.
    #[serde(rename = "track", default)]
    pub tracks: Vec<TrackConfig>,
}

/// A track, as `leaderboard.toml` has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TrackConfig {
    /// Its folder's name.
    pub id: String,
    /// One line for a reader.
    pub title: String,
    /// The suite's name.
    pub suite: String,
    /// SHA-256 of the published plan.
    pub plan: String,
    /// Rollouts that are run again in full when an entry is added, in per cent.
    pub rerun_percent: f64,
}

/// A track with its entries.
#[derive(Clone, Debug)]
pub struct Track {
    /// What `leaderboard.toml` says of it.
    pub config: TrackConfig,
    /// Its folder.
    pub path: PathBuf,
    /// Its entries, by name.
    pub entries: Vec<Entry>,
}

/// A leaderboard.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its folder.
    pub path: PathBuf,
    /// What `leaderboard.toml` says.
    pub config: Config,
    /// Tracks with their entries, in order.
    pub tracks: Vec<Track>,
}

impl Board {
    /// Opens a board with all its entries. The files of each are held against their digests and signatures.
    ///
    /// # Errors
    /// What cannot be read, or the first entry with which something is wrong.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let config = Config::read(path)?;
        let mut tracks = Vec::with_capacity(config.tracks.len());
        for track in &config.tracks {
            // What it publishes is what it says.
            track.published(path)?;
            let folder = folder_of(path, &track.id);
            let entries = entries(&folder, track, &config.keys)?;
            tracks.push(Track { config: track.clone(), path: folder, entries });
        }
        Ok(Board { path: path.into(), config, tracks })
    }
}

impl Config {
    /// Reads the `leaderboard.toml` of a folder.
    ///
    /// # Errors
    /// Where there is none, or it is wrong, with the line or the key.
    pub fn read(board: &Path) -> Result<Self, Error> {
        let file = board.join(FILE);
        let text = text(&file).map_err(|e| match e {
            Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => Error::Input(format!(
                "{}: no leaderboard: it has no {FILE}\n  `weir leaderboard init DIR --run RUN` makes one",
                board.display()
            )),
            other => other,
        })?;
        Self::parse(&file.display().to_string(), &text)
    }

    /// Reads the file's text.
    ///
    /// # Errors
    /// What is wrong with it, with the line or the key.
    pub fn parse(path: &str, text: &str) -> Result<Self, Error> {
        let config: Config = toml::from_str(text).map_err(|e| Error::Input(format!("{path}: {e}")))?;
        config.check().map_err(|what| Error::Input(format!("{path}: {what}")))?;
        Ok(config)
    }

    /// Whether every value is one that is allowed.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("`format` is `{}`, this Weir reads `{FORMAT}`", self.format));
        }
        for (at, track) in self.tracks.iter().enumerate() {
            if !is_name(&track.id) {
                return Err(format!("`track.id`: {}", name_rule(&track.id)));
            }
            if self.tracks.iter().take(at).any(|other| other.id == track.id) {
                return Err(format!("track `{}` is there twice", track.id));
            }
            // A submission would belong to both.
            if let Some(other) = self.tracks.iter().take(at).find(|other| other.plan == track.plan) {
                return Err(format!("tracks `{}` and `{}` have one plan", other.id, track.id));
            }
            if !(0.0..=100.0).contains(&track.rerun_percent) {
                return Err(format!(
                    "`rerun-percent` of track `{}` is {}: expected 0 to 100",
                    track.id, track.rerun_percent
                ));
            }
        }
        for (at, (name, key)) in self.keys.0.iter().enumerate() {
            if let Some((other, _)) = self.keys.0.iter().take(at).find(|(_, other)| other.public_key == key.public_key)
            {
                return Err(format!("keys `{other}` and `{name}` are one key"));
            }
        }
        Ok(())
    }

    /// The track with a plan.
    #[must_use]
    pub fn track_of(&self, plan: &str) -> Option<&TrackConfig> {
        self.tracks.iter().find(|track| track.plan == plan)
    }
}

impl TrackConfig {
    /// The track's published plan.
    ///
    /// # Errors
    /// Where it cannot be read, or is not the one that `leaderboard.toml` names.
    pub fn published(&self, board: &Path) -> Result<Published, Error> {
        let file = folder_of(board, &self.id).join(PLAN);
        let published =
            Published::parse(&text(&file)?).map_err(|what| Error::Input(format!("{}: {what}", file.display())))?;
        let digest = published.digest();
        if digest != self.plan {
            return Err(Error::Input(format!(
                "{} was altered: its SHA-256 is {digest}, {FILE} says {}",
                file.display(),
                self.plan
            )));
        }
        Ok(published)
    }
}

/// A track's folder.
pub(crate) fn folder_of(board: &Path, track: &str) -> PathBuf {
    board.join(TRACKS).join(track)
}

/// Where a track's published plan stands.
pub(crate) fn plan_of(board: &Path, track: &str) -> PathBuf {
    folder_of(board, track).join(PLAN)
}

/// A track's entries, in the order of their names. A name that begins with a dot is one that is being copied.
fn entries(folder: &Path, track: &TrackConfig, keys: &Keys) -> Result<Vec<Entry>, Error> {
    let mut paths = Vec::new();
    for found in std::fs::read_dir(folder).map_err(|e| Error::io(folder, e))? {
        let found = found.map_err(|e| Error::io(folder, e))?;
        let is_entry = found.file_type().is_ok_and(|kind| kind.is_dir());
        if is_entry && !found.file_name().to_string_lossy().starts_with('.') {
            paths.push(found.path());
        }
    }
    paths.sort();
    let one = |path: PathBuf| {
        let entry = Entry::open(&path, keys)?;
        if entry.submission.run.plan != track.plan {
            return Err(Error::Input(format!(
                "{}: its plan is {}, track `{}` has {}",
                path.display(),
                entry.submission.run.plan,
                track.id,
                track.plan
            )));
        }
        Ok(entry)
    };
    paths.into_iter().map(one).collect()
}
