//! What a witness has seen: the last checkpoint of each shard, one file each, and what it refused.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use razao_verify::note::Note;
use sha2::{Digest, Sha256};
use thiserror::Error;

#[derive(Debug, Error)]
#[error("{}: {source}", path.display())]
pub struct MemoryError {
    path: PathBuf,
    source: io::Error,
}

/// A folder. One process uses it at a time.
#[derive(Debug)]
pub struct Memory {
    folder: PathBuf,
    refused: PathBuf,
    /// Held while this process runs.
    _lock: File,
}

impl Memory {
    pub fn open(folder: &Path) -> Result<Self, MemoryError> {
        let refused = folder.join("refused");
        fs::create_dir_all(&refused).map_err(at(&refused))?;
        let path = folder.join("lock");
        let lock = File::create(&path).map_err(at(&path))?;
        lock.try_lock().map_err(|error| at(&path)(error.into()))?;
        Ok(Self {
            folder: folder.to_owned(),
            refused,
            _lock: lock,
        })
    }

    /// The last checkpoint of that origin. A file that is not a checkpoint is an error: nothing is cosigned without it.
    pub fn last(&self, origin: &str) -> Result<Option<Note>, MemoryError> {
        let path = self.path(origin);
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(at(&path))?,
        };
        let note: Note = text
            .parse()
            .map_err(|error| at(&path)(io::Error::new(io::ErrorKind::InvalidData, error)))?;
        Ok(Some(note))
    }

    /// On the disk before it returns.
    pub fn replace(&self, note: &Note) -> Result<(), MemoryError> {
        write(&self.folder, &self.path(&note.checkpoint.origin), note)
    }

    pub fn keep_refused(&self, note: &Note) -> Result<(), MemoryError> {
        let name = format!(
            "{}-{}-{}.note",
            file_name(&note.checkpoint.origin),
            note.checkpoint.events.size,
            hex::encode(&note.checkpoint.events.root[..8])
        );
        write(&self.refused, &self.refused.join(name), note)
    }

    fn path(&self, origin: &str) -> PathBuf {
        self.folder.join(file_name(origin) + ".note")
    }
}

/// Origins may have any letters.
fn file_name(origin: &str) -> String {
    hex::encode(&Sha256::digest(origin)[..16])
}

fn write(folder: &Path, path: &Path, note: &Note) -> Result<(), MemoryError> {
    let written = || {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(note.to_string().as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        File::open(folder)?.sync_all()
    };
    written().map_err(at(path))
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> MemoryError {
    let path = path.to_owned();
    |source| MemoryError { path, source }
}
