//! A recorded event as a row of the log: position, text and hashes.
//!
//! The payload stays text, because the audit hashes its bytes. `decode` converts it to the domain's event.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use ledger_domain::business::{BusinessEvent, DecodeError, decode};
use ledger_domain::{BusinessId, EventId};
use serde::{Deserialize, Serialize};

use crate::actor::Actor;
use crate::audit::chain;
use crate::lane::{EventKey, EventRow};
use crate::position::Shard;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    pub shard: Shard,
    /// The position in the shard, from 1, without gaps.
    pub position: i64,
    pub business_id: BusinessId,
    /// The number of the event in the business, from 1, without gaps.
    pub sequence: i64,
    pub event_id: EventId,
    pub event_type: String,
    pub event_version: String,
    pub payload: String,
    pub metadata: String,
    pub recorded_at: DateTime<Utc>,
    /// The payload's `occurred_at`.
    pub occurred_at: DateTime<Utc>,
    /// Covers header, metadata and payload (`chain::digest`).
    pub digest: [u8; 32],
    /// The SHA-256 over the previous event's chain hash, followed by the digest.
    pub chain: [u8; 32],
    /// Only on a command's first event.
    pub key: Option<EventKey>,
}

impl StoredEvent {
    /// Runs the upcasters for older versions. An unknown type or version is an error and never skipped.
    pub fn decode(&self) -> Result<BusinessEvent, DecodeError> {
        decode(&self.event_type, &self.event_version, &self.payload)
    }

    pub fn metadata(&self) -> Result<Metadata, serde_json::Error> {
        serde_json::from_str(&self.metadata)
    }

    /// The digest of the stored bytes. It equals `digest` if the bytes are unchanged.
    pub fn computed_digest(&self) -> [u8; 32] {
        chain::digest(&self.header(), self.metadata.as_bytes(), self.payload.as_bytes())
    }

    pub fn header(&self) -> chain::Header<'_> {
        chain::Header {
            business_id: self.business_id,
            sequence: self.sequence,
            event_id: self.event_id,
            event_type: &self.event_type,
            event_version: &self.event_version,
            recorded_at: self.recorded_at,
            occurred_at: self.occurred_at,
            key: self.key,
        }
    }
}

/// A recorded event in the form that followers use: with the domain's event, from memory or decoded.
#[derive(Debug, Clone)]
pub struct LogEvent {
    pub shard: Shard,
    pub position: i64,
    pub business_id: BusinessId,
    pub sequence: i64,
    pub event_id: EventId,
    pub recorded_at: DateTime<Utc>,
    pub occurred_at: DateTime<Utc>,
    /// The event, or the reason why it is unreadable.
    pub event: Result<Arc<BusinessEvent>, String>,
    metadata: Arc<str>,
}

impl LogEvent {
    /// An event of a committed batch. `base` is the last position of its shard before the batch.
    pub fn recorded(shard: Shard, base: i64, row: &EventRow) -> Self {
        Self {
            shard,
            position: base + row.ordinal,
            business_id: row.business_id,
            sequence: row.sequence,
            event_id: row.event_id,
            recorded_at: row.recorded_at,
            occurred_at: row.occurred_at,
            event: Ok(Arc::clone(&row.event)),
            metadata: Arc::clone(&row.metadata),
        }
    }

    pub fn metadata(&self) -> Result<Metadata, serde_json::Error> {
        serde_json::from_str(&self.metadata)
    }

    /// `None` if the event is unreadable.
    pub fn event_type(&self) -> Option<&'static str> {
        self.event.as_ref().ok().map(|event| event.type_name())
    }
}

impl From<StoredEvent> for LogEvent {
    fn from(stored: StoredEvent) -> Self {
        Self {
            shard: stored.shard,
            position: stored.position,
            business_id: stored.business_id,
            sequence: stored.sequence,
            event_id: stored.event_id,
            recorded_at: stored.recorded_at,
            occurred_at: stored.occurred_at,
            event: stored.decode().map(Arc::new).map_err(|error| error.to_string()),
            metadata: stored.metadata.into(),
        }
    }
}

/// Who requested the command, and why. Stored as one JSON object of strings, without data of the buyer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredMetadata", into = "StoredMetadata")]
pub struct Metadata {
    pub actor: Actor,
    pub request_id: Option<String>,
    /// What led to the command: the id of a notice or a payout, or the reference of an order.
    pub cause: Option<String>,
    /// `Idempotency::key` in hexadecimal, of a command that has a caller's key. Set by the writer.
    pub idempotency_key: Option<String>,
}

impl Metadata {
    pub const fn by(actor: Actor) -> Self {
        Self {
            actor,
            request_id: None,
            cause: None,
            idempotency_key: None,
        }
    }
}

/// The stored object. Its fields and their order never change.
#[derive(Serialize, Deserialize)]
struct StoredMetadata {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    actor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    audience: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    request_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    idempotency_key: Option<String>,
}

impl From<StoredMetadata> for Metadata {
    fn from(stored: StoredMetadata) -> Self {
        Self {
            actor: Actor::read(stored.actor, stored.audience),
            request_id: stored.request_id,
            cause: stored.cause,
            idempotency_key: stored.idempotency_key,
        }
    }
}

impl From<Metadata> for StoredMetadata {
    fn from(metadata: Metadata) -> Self {
        Self {
            actor: metadata.actor.name(),
            audience: metadata.actor.audience().map(str::to_owned),
            request_id: metadata.request_id,
            cause: metadata.cause,
            idempotency_key: metadata.idempotency_key,
        }
    }
}
