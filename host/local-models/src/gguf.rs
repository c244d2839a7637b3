//! The weights' file: its digest, its metadata, and why it cannot be used.

use candle_core::quantized::gguf_file::{Content, Value};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why weights cannot be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read the weights {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is no GGUF file, or lacks something that its architecture needs.
    #[error("{} is not a GGUF file that can be used: {detail}", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// The file is sound, but nothing here knows how to run it.
    #[error("{} holds a model that is not supported: {detail}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What it has and what would be supported.
        detail: String,
    },
    /// The model's thread cannot be started.
    #[error("cannot start a thread for the model in {}: {detail}", path.display())]
    Thread {
        /// The file.
        path: PathBuf,
        /// What the system says.
        detail: String,
    },
}

/// Why a file cannot be used, before its name is added.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// See [`LoadError::Broken`].
    Broken(String),
    /// See [`LoadError::Unsupported`].
    Unsupported(String),
}

impl Unfit {
    /// The error for this file.
    pub(crate) fn of(self, path: &Path) -> LoadError {
        let path = path.to_owned();
        match self {
            Unfit::Broken(detail) => LoadError::Broken { path, detail },
            Unfit::Unsupported(detail) => LoadError::Unsupported { path, detail },
        }
    }
}

impl From<candle_core::Error> for Unfit {
    fn from(error: candle_core::Error) -> Self {
        Unfit::Broken(error.to_string())
    }
}

/// An open file whose header has been read.
pub(crate) struct Weights {
    /// The whole file's SHA-256, lower-case hex.
    pub(crate) digest: String,
    /// Metadata and the places of the tensors.
    pub(crate) content: Content,
    /// Where tensors are read from: the handle that was digested.
    pub(crate) reader: BufReader<File>,
}

impl Weights {
    /// Opens a file, digests it and reads its header.
    pub(crate) fn open(path: &Path) -> Result<Self, LoadError> {
        let read = |source| LoadError::Read { path: path.to_owned(), source };
        let mut reader = BufReader::new(File::open(path).map_err(read)?);
        let digest = digest(&mut reader).map_err(read)?;
        reader.seek(SeekFrom::Start(0)).map_err(read)?;
        let content = Content::read(&mut reader).map_err(|error| Unfit::from(error).of(path))?;
        Ok(Weights { digest, content, reader })
    }

    /// The number under `key`.
    pub(crate) fn number(&self, key: &str) -> Result<usize, Unfit> {
        whole(self.get(key)?).ok_or_else(|| Unfit::Broken(format!("`{key}` is not a whole number")))
    }

    /// The number under `key`, if it is there.
    pub(crate) fn optional_number(&self, key: &str) -> Option<usize> {
        self.content.metadata.get(key).and_then(whole)
    }

    /// The fraction under `key`.
    pub(crate) fn fraction(&self, key: &str) -> Result<f32, Unfit> {
        Ok(self.get(key)?.to_f32()?)
    }

    /// The text under `key`.
    pub(crate) fn text(&self, key: &str) -> Result<&str, Unfit> {
        Ok(self.get(key)?.to_string()?)
    }

    /// The list under `key`, each element read by `read`.
    pub(crate) fn list<'a, T>(
        &'a self,
        key: &str,
        read: impl Fn(&'a Value) -> candle_core::Result<T>,
    ) -> Result<Vec<T>, Unfit> {
        Ok(self.get(key)?.to_vec()?.iter().map(read).collect::<candle_core::Result<_>>()?)
    }

    fn get(&self, key: &str) -> Result<&Value, Unfit> {
        self.content.metadata.get(key).ok_or_else(|| Unfit::Broken(format!("it has no `{key}`")))
    }
}

/// Whole numbers come in all widths.
pub(crate) fn whole(value: &Value) -> Option<usize> {
    match value {
        Value::I8(n) => usize::try_from(*n).ok(),
        Value::I16(n) => usize::try_from(*n).ok(),
        Value::I32(n) => usize::try_from(*n).ok(),
        Value::I64(n) => usize::try_from(*n).ok(),
        Value::U8(_) | Value::U16(_) | Value::U32(_) | Value::U64(_) => usize::try_from(value.to_u64().ok()?).ok(),
        _ => None,
    }
}

fn digest(reader: &mut impl Read) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = reader.read(&mut buffer)?;
        match buffer.get(..count) {
            Some(read) if count > 0 => hasher.update(read),
            _ => break,
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
