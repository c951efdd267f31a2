//! A witness of ledgers: it cosigns a checkpoint if it continues the last one that it saw of that shard, and keeps it.
//!
//! The protocol is C2SP's tlog-witness. A ledger that shows two readers different histories gets a cosignature for one
//! of them only.

mod http;
mod memory;
mod request;

use chrono::{DateTime, Utc};
use ed25519_dalek::{SigningKey, VerifyingKey};
use razao_verify::merkle::{PathError, check_consistency};
use razao_verify::note::{Note, NoteError, Witness as PublicKey};
use thiserror::Error;

pub use http::router;
pub use memory::{Memory, MemoryError};
use request::Request;

/// A ledger that is witnessed. A key that replaced another is a second entry with the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    pub name: String,
    pub key: VerifyingKey,
}

#[derive(Debug, Error)]
pub enum Refusal {
    #[error("not a request to add a checkpoint")]
    Form,
    #[error("the checkpoint: {0}")]
    Note(NoteError),
    #[error("no ledger of that origin is witnessed here")]
    UnknownOrigin,
    #[error("no known key signed the checkpoint")]
    NotSigned,
    #[error("the old size is larger than the checkpoint's")]
    OldSize,
    #[error("the last checkpoint seen has another size")]
    OtherSize { seen: u64 },
    #[error("another checkpoint of that size was seen")]
    Fork,
    #[error("it does not continue the last checkpoint seen: {0}")]
    NotContinued(PathError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

pub struct Witness {
    name: String,
    key: SigningKey,
    ledgers: Vec<Ledger>,
    memory: Memory,
}

impl Witness {
    pub const fn new(name: String, key: SigningKey, ledgers: Vec<Ledger>, memory: Memory) -> Self {
        Self {
            name,
            key,
            ledgers,
            memory,
        }
    }

    pub fn public_key(&self) -> PublicKey {
        PublicKey {
            name: self.name.clone(),
            key: self.key.verifying_key(),
        }
    }

    /// Cosigns a checkpoint, or says why not. The caller lets no two requests in at a time: what was seen last is read,
    /// compared and replaced.
    pub fn add_checkpoint(&self, body: &str, now: DateTime<Utc>) -> Result<String, Refusal> {
        let Request { old, path, note } = body.parse()?;
        let origin = &note.checkpoint.origin;
        let keys = self.keys_of(origin);
        if keys.is_empty() {
            return Err(Refusal::UnknownOrigin);
        }
        note.signed_by(&keys).map_err(|_| Refusal::NotSigned)?;
        let events = note.checkpoint.events;
        if old > events.size {
            return Err(Refusal::OldSize);
        }
        let seen = self.memory.last(origin)?.map(|note| note.checkpoint.events);
        let seen_size = seen.map_or(0, |seen| seen.size);
        if seen_size != old {
            return Err(Refusal::OtherSize { seen: seen_size });
        }
        let continued = match seen {
            Some(seen) if seen.size == events.size && seen.root != events.root => Err(Refusal::Fork),
            Some(seen) => check_consistency(&seen, &events, &path).map_err(Refusal::NotContinued),
            None if path.is_empty() => Ok(()),
            None => Err(Refusal::NotContinued(PathError::Length)),
        };
        if let Err(refusal) = continued {
            // Signed by the ledger, so it is evidence.
            tracing::error!(origin, size = events.size, %refusal, "a signed checkpoint was refused");
            self.memory.keep_refused(&note)?;
            return Err(refusal);
        }
        self.memory.replace(&note)?;
        tracing::info!(origin, size = events.size, "cosigned");
        Ok(note.cosign(&self.name, &self.key, now))
    }

    /// The last checkpoint that was cosigned of a shard, as its ledger signed it.
    pub fn last(&self, origin: &str) -> Result<Option<Note>, MemoryError> {
        if self.keys_of(origin).is_empty() {
            return Ok(None);
        }
        self.memory.last(origin)
    }

    fn keys_of(&self, origin: &str) -> Vec<VerifyingKey> {
        let name = origin.rsplit_once("/shard/").map(|(name, _)| name);
        let ledgers = self.ledgers.iter();
        ledgers
            .filter(|ledger| Some(ledger.name.as_str()) == name)
            .map(|ledger| ledger.key)
            .collect()
    }
}

#[cfg(test)]
mod tests;
