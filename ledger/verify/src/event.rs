//! The digest of an event and the chain over a company's events, from the text of a proof.

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::merkle::Hash;
use crate::proof::{Event, Key};

/// The chain before a company's first event.
pub const GENESIS: Hash = [0; 32];

/// The first field of a digest: its version.
const VERSION: &[u8] = b"2";

/// The UUID of an id with a prefix, as `evt_…`; `None` if it is no such text.
pub fn uuid_of(id: &str, prefix: &str) -> Option<Uuid> {
    let text = id.strip_prefix(prefix)?.strip_prefix('_')?;
    let uuid = Uuid::try_parse(text).ok()?;
    // One text for each id.
    (uuid.to_string() == text).then_some(uuid)
}

/// The digest of an event of that company; `None` if its id is no id.
pub fn digest(company: Uuid, event: &Event) -> Option<Hash> {
    let event_id = uuid_of(&event.event_id, "evt")?;
    let mut hash = Sha256::new();
    let mut field = |bytes: &[u8]| {
        let length = u32::try_from(bytes.len()).ok()?;
        hash.update(length.to_be_bytes());
        hash.update(bytes);
        Some(())
    };
    field(VERSION)?;
    field(company.as_bytes())?;
    field(&event.sequence.to_be_bytes())?;
    field(event_id.as_bytes())?;
    field(event.event_type.as_bytes())?;
    field(event.event_version.as_bytes())?;
    field(&event.recorded_at.to_be_bytes())?;
    field(&event.occurred_at.to_be_bytes())?;
    match &event.key {
        Some(Key {
            key,
            fingerprint,
            events,
        }) => {
            field(&key.0)?;
            field(&fingerprint.0)?;
            field(&events.to_be_bytes())?;
        }
        None => (0..3).try_for_each(|_| field(&[]))?,
    }
    hash.update(event.metadata_sha256.0);
    hash.update(Sha256::digest(&event.payload));
    Some(hash.finalize().into())
}

pub fn next_chain(previous: &Hash, digest: &Hash) -> Hash {
    Sha256::new()
        .chain_update(previous)
        .chain_update(digest)
        .finalize()
        .into()
}
