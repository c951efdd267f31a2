//! What is asked of the writer, and what it answers.

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
    /// New for every command; its events' ids follow from it.
    pub command_id: Uuid,
    pub business_id: BusinessId,
    /// Its sale context is filled in by the writer.
    pub command: BusinessCommand,
    pub metadata: Metadata,
    /// Where given, the same key and body get the first answer again.
    pub idempotency: Option<Idempotency>,
}

/// A caller's key within its namespace, and what the key was first used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Idempotency {
    pub key: [u8; 16],
    pub fingerprint: [u8; 16],
}

impl Idempotency {
    /// `namespace` keeps callers apart: an operation and an audience, or a provider.
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

    /// For commands that nobody repeats by key: lets the writer find its own answer again after a lost connection.
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

/// Every one is durable when it is given: a refusal too is answered only when what it rests on is recorded.
#[derive(Debug, Clone)]
pub enum Outcome {
    Recorded(Receipt),
    /// The state asked for was reached before; nothing was added.
    Already {
        /// Where the business's shard stands, so that a reader can wait for the state that this rests on.
        position: LedgerPosition,
    },
    Refused(Refusal),
    /// The sale or the transfer is this other business's.
    Elsewhere(BusinessId),
    /// The idempotency key was used before, for another body.
    KeyReused,
    /// Nothing was recorded: this process doesn't own the shard, is stopping, or can't reach the database. To be tried
    /// again (503).
    NotOwner,
    /// The writer failed before it could answer. The command may be recorded or not: asking again with the same
    /// idempotency key tells (503).
    Unknown,
    /// The database refuses what this command alone would write. Nothing was recorded, and staff are alarmed (500).
    Poisoned,
}

#[derive(Debug, Clone)]
pub struct Receipt {
    /// In the order of their sequence; at least one.
    pub events: Vec<RecordedEvent>,
    /// An earlier answer to the same key.
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
    /// What a reader has to have seen to see this.
    pub fn position(&self) -> LedgerPosition {
        let mut position = LedgerPosition::default();
        for event in &self.events {
            position.advance(event.shard, event.position);
        }
        position
    }
}

/// Stable: the same command leads to the same ids, however often it is decided.
pub fn event_id(command_id: Uuid, ordinal: u32) -> EventId {
    EventId::from_uuid(Uuid::new_v5(&command_id, &ordinal.to_be_bytes()))
}
