//! What a walk through the log can find wrong, each as one line that names the place.

use std::fmt;

use ledger_domain::BusinessId;
use ledger_domain::business::Account;
use ledger_domain::calendar::Instant;

use super::checkpoint::Untrue;
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
    /// The stored digest is not that of the stored bytes.
    Digest,
    /// The stored chain does not follow from the one before and the digest.
    Chain,
    Payload(String),
    Metadata(String),
    OccurredAt {
        column: Instant,
        payload: Instant,
    },
    /// Recorded in a shard that isn't its business's.
    WrongShard,
    NoHead,
    HeadVersion {
        head: i64,
        log: i64,
    },
    HeadChain,
    /// The head's balance of an account is not the sum of the log's postings.
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
    /// The shard's row says another last position than its events.
    ShardPosition {
        row: i64,
        log: i64,
    },
    TreeHeadUntrue(Untrue),
    TreeHeadRoot,
    TreeHeadLink,
    TreeHeadAhead {
        log: i64,
    },
    /// Tree heads count up by one: those between were deleted.
    TreeHeadGap {
        expected: i64,
        found: i64,
    },
    /// A tree head that was kept outside is not in the database any more.
    KeptHeadGone {
        number: i64,
    },
    /// The database has another tree head of that number than the one that was kept outside.
    KeptHeadDiffers {
        number: i64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SequenceGap { expected } => write!(f, "expected sequence {expected}"),
            Self::Digest => write!(f, "the digest is not of the stored bytes"),
            Self::Chain => write!(f, "the chain is broken"),
            Self::Payload(error) => write!(f, "the payload is unreadable: {error}"),
            Self::Metadata(error) => write!(f, "the metadata is not an object of strings: {error}"),
            Self::OccurredAt { column, payload } => {
                write!(f, "occurred at {column}, by its payload at {payload}")
            }
            Self::WrongShard => write!(f, "the business belongs to another shard"),
            Self::NoHead => write!(f, "events without a head"),
            Self::HeadVersion { head, log } => write!(f, "the head is at version {head}, the log at {log}"),
            Self::HeadChain => write!(f, "the head's chain is not the log's"),
            Self::HeadBalance { account, head, log } => {
                write!(f, "the head's {account} is {head}, by the log's postings {log}")
            }
            Self::HeadWithoutEvents => write!(f, "a head without events"),
            Self::PositionGap { expected } => write!(f, "expected position {expected}"),
            Self::RecordedBackwards { before } => {
                write!(f, "recorded before the event before it, at {before}")
            }
            Self::ShardPosition { row, log } => write!(f, "the shard is at {row}, its last event at {log}"),
            Self::TreeHeadUntrue(untrue) => write!(f, "tree head: {untrue}"),
            Self::TreeHeadRoot => write!(f, "tree head: the root is not the log's"),
            Self::TreeHeadLink => write!(f, "tree head: does not name the head before it"),
            Self::TreeHeadAhead { log } => write!(f, "tree head: the log ends before it, at {log}"),
            Self::TreeHeadGap { expected, found } => {
                write!(f, "tree head: number {expected} is missing before {found}")
            }
            Self::KeptHeadGone { number } => {
                write!(
                    f,
                    "tree head: number {number}, kept outside, is not in the database"
                )
            }
            Self::KeptHeadDiffers { number } => {
                write!(
                    f,
                    "tree head: number {number} is not the one that was kept outside"
                )
            }
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
