//! A complete event of the ledger: payload, metadata, postings and its place in the chain.

use chrono::{DateTime, Utc};
use ledger_domain::business::DecodeError;
use ledger_store::event::StoredEvent;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::shared::cents;

/// An event of the ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerEvent {
    #[schema(example = "evt_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b07")]
    pub id: String,
    #[schema(example = "TransferRequested")]
    pub r#type: String,
    /// The version of the payload's format.
    #[schema(example = "1.0")]
    pub version: String,
    /// The event's number in the company's history, from 1.
    #[schema(example = 42)]
    pub sequence: i64,
    /// The part of the log that has the company's events, 0 to 15.
    #[schema(example = 7)]
    pub shard: i16,
    /// The event's number in the shard, from 1.
    #[schema(example = 1_337)]
    pub position: i64,
    /// UTC instant of the recording.
    pub recorded_at: DateTime<Utc>,
    /// UTC instant of the occurrence outside the ledger.
    pub occurred_at: DateTime<Utc>,
    /// The payload, byte for byte as recorded. The digest covers it.
    #[schema(value_type = Object, example = json!({ "TransferRequested": { "amount": 15_000 } }))]
    pub payload: Box<RawValue>,
    /// The actor, audience, request, cause and idempotency key, each only if there is one.
    #[schema(value_type = Object, example = json!({ "actor": "usr_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b01", "audience": "seller" }))]
    pub metadata: Box<RawValue>,
    /// The net change of each account. The changes sum to zero; empty if the event moves no money.
    pub postings: Vec<LedgerPosting>,
    /// SHA-256 of the event, in hexadecimal.
    #[schema(example = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef")]
    pub digest: String,
    /// SHA-256 of the previous event's chain hash and this event's digest, in hexadecimal.
    #[schema(example = "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b")]
    pub chain: String,
}

/// The sum of an event's postings to and from one account.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerPosting {
    /// receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees or clearing.
    #[schema(example = "available")]
    pub account: &'static str,
    /// Signed, in cents.
    #[schema(example = -15_000)]
    pub amount: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum UnreadableEvent {
    #[error(transparent)]
    Event(#[from] DecodeError),
    #[error("the payload or the metadata of a stored event is not JSON: {0}")]
    Text(#[from] serde_json::Error),
}

impl TryFrom<StoredEvent> for LedgerEvent {
    type Error = UnreadableEvent;

    fn try_from(stored: StoredEvent) -> Result<Self, UnreadableEvent> {
        let postings = stored.decode()?.balance_changes();
        Ok(Self {
            id: stored.event_id.to_string(),
            r#type: stored.event_type,
            version: stored.event_version,
            sequence: stored.sequence,
            shard: stored.shard.sql(),
            position: stored.position,
            recorded_at: stored.recorded_at,
            occurred_at: stored.occurred_at,
            payload: RawValue::from_string(stored.payload)?,
            metadata: RawValue::from_string(stored.metadata)?,
            postings: postings
                .into_iter()
                .map(|(account, amount)| LedgerPosting {
                    account: account.as_str(),
                    amount: cents(amount),
                })
                .collect(),
            digest: hex::encode(stored.digest),
            chain: hex::encode(stored.chain),
        })
    }
}
