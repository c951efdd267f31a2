//! The findings of the log verification, each printed as one line that names the place.

use std::fmt;

use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, SaleId};
use razao_verify::note::NoteError;

use super::tree_head::InvalidTreeHead;
use crate::position::Shard;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub shard: Shard,
    pub business_id: Option<BusinessId>,
    pub sequence: Option<i64>,
    pub position: Option<i64>,
    pub what: Difference,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    SequenceGap {
        expected: i64,
    },
    /// The stored digest does not match the stored bytes.
    Digest,
    /// The stored chain value does not match the previous one and the digest.
    Chain,
    Payload(String),
    Metadata(String),
    OccurredAt {
        column: Instant,
        payload: Instant,
    },
    /// Recorded in a shard that is not the business's.
    WrongShard,
    NoHead,
    HeadVersion {
        head: i64,
        log: i64,
    },
    HeadChain,
    /// The head's balance of an account differs from the sum of the postings.
    HeadBalance {
        account: Account,
        head: i64,
        log: i128,
    },
    HeadWithoutEvents,
    PositionGap {
        expected: i64,
    },
    RecordedBackwards {
        before: Instant,
    },
    /// The shard row's position differs from its last event's.
    ShardPosition {
        row: i64,
        log: i64,
    },
    /// The event claims a sale of which it cannot be the first event.
    Claim {
        claimed: SaleId,
        /// The sale of which it can be the first, if any.
        may_open: Option<SaleId>,
    },
    /// The event may be the first of this sale, but its business does not own the sale.
    NoClaim {
        sale_id: SaleId,
        /// The business of the sale's claim.
        owner: Option<BusinessId>,
    },
    /// The event may be the first of this sale, but a later one of its business claims the sale.
    LateClaim {
        sale_id: SaleId,
        claimed_by: i64,
    },
    /// The sale is claimed for an event that does not exist.
    ClaimWithoutEvent {
        sale_id: SaleId,
    },
    /// The event's idempotency key is not in `command_key`, or with other values.
    NoKey,
    /// `command_key` has a key that this event does not have.
    KeyWithoutEvent,
    /// The claims of archived events, and the archived events that have their claim, are not as many.
    ArchivedClaims {
        rows: u64,
        events: u64,
    },
    /// The same of `command_key`.
    ArchivedKeys {
        rows: u64,
        events: u64,
    },
    /// The idempotency key in the row is not the one in the metadata.
    IdempotencyKey,
    TreeHeadInvalid(InvalidTreeHead),
    TreeHeadRoot,
    TreeHeadLink,
    TreeHeadAhead {
        log: i64,
    },
    /// Tree heads are numbered without gaps.
    TreeHeadGap {
        expected: i64,
        found: i64,
    },
    /// A tree head with an external copy is missing in the database.
    ExportedHeadMissing {
        number: i64,
    },
    /// The tree head in the database differs from its external copy.
    ExportedHeadDiffers {
        number: i64,
    },
    CheckpointInvalid(NoteError),
    /// The events up to the checkpoint give another root.
    CheckpointRoot,
    /// The companies at the checkpoint give another root.
    CheckpointCompanies,
    CheckpointAhead {
        log: i64,
    },
    /// A checkpoint with an external copy is missing in the database.
    OutsideCheckpointMissing,
    OutsideCheckpointDiffers,
    /// A stored part of the tree differs from the events, is missing, or has no events.
    Subtree {
        height: u32,
        index: u64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SequenceGap { expected } => write!(f, "expected sequence {expected}"),
            Self::Digest => write!(f, "the digest does not match the stored bytes"),
            Self::Chain => write!(f, "the chain is broken"),
            Self::Payload(error) => write!(f, "the payload is unreadable: {error}"),
            Self::Metadata(error) => write!(f, "the metadata is not an object of strings: {error}"),
            Self::OccurredAt { column, payload } => {
                write!(
                    f,
                    "occurred_at is {column} in the row and {payload} in the payload"
                )
            }
            Self::IdempotencyKey => write!(f, "the row and the metadata have different idempotency keys"),
            Self::Claim {
                claimed,
                may_open: Some(sale),
            } => write!(f, "the event claims {claimed} and is of {sale}"),
            Self::Claim {
                claimed,
                may_open: None,
            } => {
                write!(f, "the event claims {claimed} and cannot be the first of a sale")
            }
            Self::NoClaim {
                sale_id,
                owner: Some(owner),
            } => write!(f, "{sale_id} is claimed by {owner}"),
            Self::NoClaim { sale_id, owner: None } => write!(f, "{sale_id} is not claimed"),
            Self::LateClaim { sale_id, claimed_by } => {
                write!(f, "{sale_id} is claimed by the later event {claimed_by}")
            }
            Self::ClaimWithoutEvent { sale_id } => {
                write!(f, "{sale_id} is claimed for an event that does not exist")
            }
            Self::NoKey => write!(f, "the idempotency key is not in command_key as the event has it"),
            Self::KeyWithoutEvent => write!(f, "command_key has a key that the event does not have"),
            Self::ArchivedClaims { rows, events } => {
                write!(
                    f,
                    "{rows} claims name archived events, of which {events} have such a claim"
                )
            }
            Self::ArchivedKeys { rows, events } => {
                write!(
                    f,
                    "{rows} keys name archived events, of which {events} have such a key"
                )
            }
            Self::WrongShard => write!(f, "the business belongs to another shard"),
            Self::NoHead => write!(f, "the business has events but no head"),
            Self::HeadVersion { head, log } => {
                write!(f, "the head's sequence is {head}, and the last event's is {log}")
            }
            Self::HeadChain => write!(f, "the head's chain differs from the log's"),
            Self::HeadBalance { account, head, log } => {
                write!(
                    f,
                    "the head's {account} is {head}, the sum of the postings is {log}"
                )
            }
            Self::HeadWithoutEvents => write!(f, "the business has a head but no events"),
            Self::PositionGap { expected } => write!(f, "expected position {expected}"),
            Self::RecordedBackwards { before } => {
                write!(f, "recorded_at is earlier than the previous event's, {before}")
            }
            Self::ShardPosition { row, log } => {
                write!(f, "the shard's position is {row}, its last event's is {log}")
            }
            Self::TreeHeadInvalid(reason) => write!(f, "tree head: {reason}"),
            Self::TreeHeadRoot => write!(f, "tree head: the root differs from the log's"),
            Self::TreeHeadLink => write!(f, "tree head: does not name the previous head"),
            Self::TreeHeadAhead { log } => write!(f, "tree head: the log ends before its position, at {log}"),
            Self::TreeHeadGap { expected, found } => {
                write!(f, "tree head: number {expected} is missing before {found}")
            }
            Self::ExportedHeadMissing { number } => {
                write!(
                    f,
                    "tree head: number {number} has an external copy, but is not in the database"
                )
            }
            Self::ExportedHeadDiffers { number } => {
                write!(f, "tree head: number {number} differs from its external copy")
            }
            Self::CheckpointInvalid(reason) => write!(f, "checkpoint: {reason}"),
            Self::CheckpointRoot => write!(
                f,
                "checkpoint: the events up to it are not those that were signed"
            ),
            Self::CheckpointCompanies => {
                write!(
                    f,
                    "checkpoint: the companies at it are not those that were signed"
                )
            }
            Self::CheckpointAhead { log } => {
                write!(
                    f,
                    "checkpoint: it covers more events than the log, which ends at {log}"
                )
            }
            Self::OutsideCheckpointMissing => {
                write!(
                    f,
                    "checkpoint: it has an external copy, but is not in the database"
                )
            }
            Self::OutsideCheckpointDiffers => write!(f, "checkpoint: it differs from its external copy"),
            Self::Subtree { height, index } => write!(
                f,
                "the stored subtree {index} of height {height} is missing, or its events give another root"
            ),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "shard {}", self.shard)?;
        if let Some(position) = self.position {
            write!(f, " position {position}")?;
        }
        if let Some(business_id) = self.business_id {
            write!(f, " {business_id}")?;
        }
        if let Some(sequence) = self.sequence {
            write!(f, " sequence {sequence}")?;
        }
        write!(f, ": {}", self.what)
    }
}
