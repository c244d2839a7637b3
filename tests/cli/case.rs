//! One case: a TOML file, and what its command must print in files beside it. `cases/readme.toml` explains the format.

use crate::difference;
use crate::folder::contents;
use crate::normal::Normal;
use crate::support::program::{Ran, cache, samples, weir};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    /// What the case shows.
    #[serde(rename = "what")]
    _what: String,
    /// The command.
    run: Vec<String>,
    /// Its exit code.
    #[serde(default)]
    exit: i32,
    /// Commands that make what it needs; each must end with 0 or 100.
    #[serde(default)]
    before: Vec<Vec<String>>,
    /// Files that it finds, with their text.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// The same, each as one zstd frame.
    #[serde(default)]
    frames: BTreeMap<String, String>,
    /// What must not exist afterwards.
    #[serde(default)]
    absent: Vec<String>,
    /// What must be afterwards what it was before.
    #[serde(default)]
    unchanged: Vec<String>,
}

/// A case.
pub struct Case {
    path: PathBuf,
    raw: Raw,
}

impl Case {
    /// Reads a case's file.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
        Ok(Case { path: path.into(), raw: toml::from_str(&text).map_err(|e| e.to_string())? })
    }

    /// Runs it, and compares or, with `bless`, writes what it prints. The error says what differs.
    pub fn check(&self, bless: bool) -> Result<(), String> {
        let home = tempfile::tempdir().map_err(|e| e.to_string())?;
        // Paths in messages are compared, so the folder's own name must be the real one.
        let tmp = home.path().canonicalize().map_err(|e| e.to_string())?;
        for (name, text) in &self.raw.files {
            write(&tmp.join(name), self.filled(text, &tmp).as_bytes());
        }
        for (name, text) in &self.raw.frames {
            write(&tmp.join(name), &zstd::encode_all(text.as_bytes(), 3).unwrap());
        }
        for command in &self.raw.before {
            let ran = self.weir(command, &tmp);
            if !matches!(ran.code, Some(0 | 100)) {
                return Err(format!("`before` failed: {}\n{}{}", command.join(" "), ran.stdout, ran.stderr));
            }
        }
        let before: Vec<_> = self.raw.unchanged.iter().map(|name| contents(&tmp.join(name))).collect();
        let ran = self.weir(&self.raw.run, &tmp);
        let mut problems = Vec::new();
        if ran.code != Some(self.raw.exit) {
            problems.push(format!("exit code {:?} instead of {}", ran.code, self.raw.exit));
        }
        let normal = Normal::new(&tmp, &samples(), cache());
        for (extension, printed) in [("stdout", ran.stdout), ("stderr", ran.stderr)] {
            problems.extend(self.compare(extension, &normal.text(&printed), bless));
        }
        for (name, before) in self.raw.unchanged.iter().zip(before) {
            if contents(&tmp.join(name)) != before {
                problems.push(format!("`{name}` changed"));
            }
        }
        let left = self.raw.absent.iter().filter(|name| tmp.join(name).exists());
        problems.extend(left.map(|name| format!("`{name}` exists: something was half-written")));
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }

    fn weir(&self, arguments: &[String], tmp: &Path) -> Ran {
        let filled: Vec<String> = arguments.iter().map(|argument| self.filled(argument, tmp)).collect();
        weir(tmp, &filled)
    }

    fn filled(&self, text: &str, tmp: &Path) -> String {
        let places = [("{tmp}", tmp.to_owned()), ("{samples}", samples()), ("{cache}", cache().to_owned())];
        places.into_iter().fold(text.to_owned(), |text, (name, path)| text.replace(name, &path.display().to_string()))
    }

    /// An output without its file is expected to be empty.
    fn compare(&self, extension: &str, printed: &str, bless: bool) -> Option<String> {
        let file = self.path.with_extension(extension);
        if bless {
            let _ = fs::remove_file(&file);
            if !printed.is_empty() {
                write(&file, printed.as_bytes());
            }
            return None;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        (expected != printed)
            .then(|| format!("{extension} (- expected, + printed):\n{}", difference::lines(&expected, printed)))
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
