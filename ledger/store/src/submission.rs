//! The requests to the writer and its answers.

use std::sync::Arc;

use ledger_domain::business::{BusinessCommand, BusinessEvent, Refusal};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, EventId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::event::Metadata;
use crate::position::{LedgerPosition, Shard};

/// One command for one business.
#[derive(Debug, Clone)]
pub struct Submission {
    /// New for every command. The ids of its events are derived from it.
    pub command_id: Uuid,
    pub business_id: BusinessId,
    /// If it decides on a sale, the writer fills in the reference data (`SaleContext`).
    pub command: BusinessCommand,
    pub metadata: Metadata,
    /// If set, a repeat of a recorded command with the same key and body gets its receipt.
    pub idempotency: Option<Idempotency>,
}

/// A caller's key within its namespace, and a fingerprint of the request's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Idempotency {
    pub key: [u8; 16],
    pub fingerprint: [u8; 16],
}

impl Idempotency {
    /// `namespace` separates callers and operations.
    pub fn new(namespace: &str, caller_key: &str, body: &[u8]) -> Self {
        let key = Sha256::new()
            .chain_update(namespace)
            .chain_update([0])
            .chain_update(caller_key)
            .finalize();
        Self {
            key: first_16(&key),
            fingerprint: first_16(&Sha256::digest(body)),
        }
    }

    /// For commands without a caller's key: the writer uses it to find its own result after a lost connection.
    pub(crate) fn of_command(command_id: Uuid) -> Self {
        Self {
            key: command_id.into_bytes(),
            fingerprint: command_id.into_bytes(),
        }
    }
}

fn first_16(hash: &[u8]) -> [u8; 16] {
    let mut first = [0; 16];
    first.copy_from_slice(&hash[..16]);
    first
}

/// An outcome is sent only after the events and the state that it depends on are durable.
#[derive(Debug, Clone)]
pub enum Outcome {
    Recorded(Receipt),
    /// The requested state was already reached. No event was added.
    Duplicate {
        /// The shard's position. A read model that has reached it has the requested state.
        position: LedgerPosition,
    },
    Refused(Refusal),
    /// The sale or transfer belongs to this other business.
    BelongsToOther(BusinessId),
    /// The idempotency key was used for another body.
    KeyReused,
    /// Nothing was recorded, for a cause that may pass. This process does not own the shard, is stopping, has no usable
    /// database, or found too many conflicts with the log. The caller tries again (503).
    NotOwner,
    /// The writer failed or stopped before it could answer. The command may be recorded or not; a repeat with the same
    /// idempotency key returns the result (503).
    Unknown,
    /// The command's decision panics, or the database rejects its rows. Nothing was recorded (500).
    Rejected,
}

#[derive(Debug, Clone)]
pub struct Receipt {
    /// At least one, in the order of their sequence.
    pub events: Vec<RecordedEvent>,
    /// True if this repeats an earlier answer to the same key.
    pub replayed: bool,
}

#[derive(Debug, Clone)]
pub struct RecordedEvent {
    pub event_id: EventId,
    pub sequence: i64,
    pub shard: Shard,
    pub position: i64,
    pub recorded_at: Instant,
    pub event: Arc<BusinessEvent>,
}

impl RecordedEvent {
    pub fn event_type(&self) -> &'static str {
        self.event.type_name()
    }
}

impl Receipt {
    pub(crate) fn begins_with(&self, event: EventId) -> bool {
        self.events.first().is_some_and(|first| first.event_id == event)
    }

    /// The position that a reader must have reached to see these events.
    pub fn position(&self) -> LedgerPosition {
        let mut position = LedgerPosition::default();
        for event in &self.events {
            position.advance(event.shard, event.position);
        }
        position
    }
}

/// Stable: a command that is decided again gets the same ids.
pub fn event_id(command_id: Uuid, ordinal: u32) -> EventId {
    EventId::from_uuid(Uuid::new_v5(&command_id, &ordinal.to_be_bytes()))
}
