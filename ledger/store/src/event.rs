//! A recorded event as the log holds it: its place, its text, its hashes.
//!
//! The payload stays text, because the audit hashes its bytes; `decode` reads it as the domain's event.

use chrono::{DateTime, Utc};
use ledger_domain::business::{BusinessEvent, DecodeError, decode};
use ledger_domain::{BusinessId, EventId};
use serde::{Deserialize, Serialize};

use crate::position::Shard;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    pub shard: Shard,
    /// Within the shard, from 1, without gaps.
    pub position: i64,
    pub business_id: BusinessId,
    /// Within the business, from 1, without gaps.
    pub sequence: i64,
    pub event_id: EventId,
    pub event_type: String,
    pub event_version: String,
    pub payload: String,
    pub metadata: String,
    pub recorded_at: DateTime<Utc>,
    /// When it happened outside.
    pub occurred_at: DateTime<Utc>,
    pub digest: [u8; 32],
    pub chain: [u8; 32],
}

impl StoredEvent {
    /// Runs the upcasters of older versions; a type or version that isn't known is an error, never skipped.
    pub fn decode(&self) -> Result<BusinessEvent, DecodeError> {
        decode(&self.event_type, &self.event_version, &self.payload)
    }

    pub fn metadata(&self) -> Result<Metadata, serde_json::Error> {
        serde_json::from_str(&self.metadata)
    }
}

/// Who asked, through what, and because of what. Stored as one JSON object of strings; nothing in it names a buyer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Metadata {
    /// A person's id, a provider's name, or the job's.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub actor: Option<String>,
    /// `seller`, `admin`, `provider` or `system`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audience: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub request_id: Option<String>,
    /// What led to it: a notice's id, an event's id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
    /// In hexadecimal; filled in by the writer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub idempotency_key: Option<String>,
}
