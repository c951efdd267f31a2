//! The answers about checks of the ledger.

use chrono::{DateTime, Utc};
use gateway_platform::proofs;
use ledger_store::audit::checkpoint::LastCosigned;
use razao_verify::note::Note;
use serde::Serialize;
use utoipa::ToSchema;

/// What was checked of a company's history.
#[derive(Debug, Serialize, ToSchema)]
pub struct VerifiedHistory {
    /// The last checkpoint that covers the company's events. Null until the first one is made.
    #[schema(required = true)]
    pub checkpoint: Option<HistoryCheckpoint>,
    /// The number of events that the company has now.
    #[schema(example = 1_253)]
    pub events: i64,
    #[serde(flatten)]
    pub checks: LedgerChecks,
    pub keys: Vec<LedgerKey>,
}

/// The last checks of the whole ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerChecks {
    /// Every event's digest, every chain, and every balance by the events. Null if it never ran.
    #[schema(required = true)]
    pub verified: Option<LedgerCheck>,
    /// Everything that the panels show, computed again from the events. Null if it never ran.
    #[schema(required = true)]
    pub replayed: Option<LedgerCheck>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerCheck {
    pub ended_at: DateTime<Utc>,
    #[schema(example = 0)]
    pub findings: i64,
}

/// A signed statement about all events of a shard of the ledger (docs/proof-format.md).
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryCheckpoint {
    #[schema(example = "razao.example.com/shard/3")]
    pub origin: String,
    /// The number of events that it covers, of all companies of the shard.
    #[schema(example = 5_345)]
    pub size: u64,
    pub made_at: DateTime<Utc>,
    /// The signed note.
    pub note: String,
    pub witnesses: Vec<CheckpointWitness>,
}

/// A witness that cosigned it.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckpointWitness {
    #[schema(example = "witness.example.org")]
    pub name: String,
    pub cosigned_at: DateTime<Utc>,
}

/// A public key that signs, or signed, checkpoints.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerKey {
    /// Ed25519, 64 hexadecimal characters.
    pub public_key: String,
    /// When it first signed. Null if it has not.
    #[schema(required = true)]
    pub from: Option<DateTime<Utc>>,
    /// When it last signed. Null if it is the present key.
    #[schema(required = true)]
    pub to: Option<DateTime<Utc>>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerKeys {
    pub data: Vec<LedgerKey>,
}

/// The checkpoints of all shards, and who saw them.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerHistory {
    pub shards: Vec<ShardHistory>,
    pub witnesses: Vec<LedgerWitness>,
    #[serde(flatten)]
    pub checks: LedgerChecks,
    pub keys: Vec<LedgerKey>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct ShardHistory {
    #[schema(example = 3)]
    pub shard: u8,
    /// The number of events that are recorded now.
    #[schema(example = 5_402)]
    pub recorded: i64,
    #[schema(required = true)]
    pub checkpoint: Option<HistoryCheckpoint>,
}

/// A witness of the configuration.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerWitness {
    #[schema(example = "witness.example.org")]
    pub name: String,
    #[schema(example = "https://witness.example.org")]
    pub url: String,
    /// When it last cosigned a checkpoint. Null if it never did.
    #[schema(required = true)]
    pub last_at: Option<DateTime<Utc>>,
    /// How many last checkpoints of shards it has not cosigned.
    #[schema(example = 0)]
    pub missing: usize,
}

impl HistoryCheckpoint {
    pub fn of(note: &Note, cosigned: &[LastCosigned]) -> Self {
        let checkpoint = &note.checkpoint;
        let seen = cosigned.iter().filter(|last| last.covers(note));
        Self {
            origin: checkpoint.origin.clone(),
            size: checkpoint.events.size,
            made_at: checkpoint.made_at,
            note: note.to_string(),
            witnesses: seen
                .map(|last| CheckpointWitness {
                    name: last.witness.clone(),
                    cosigned_at: last.cosigned_at,
                })
                .collect(),
        }
    }
}

impl From<proofs::Checks> for LedgerChecks {
    fn from(checks: proofs::Checks) -> Self {
        let check = |check: proofs::Check| LedgerCheck {
            ended_at: check.ended_at,
            findings: check.findings,
        };
        Self {
            verified: checks.verified.map(check),
            replayed: checks.replayed.map(check),
        }
    }
}

impl From<proofs::KeyInUse> for LedgerKey {
    fn from(key: proofs::KeyInUse) -> Self {
        Self {
            public_key: key.public_key,
            from: key.from,
            to: key.to,
        }
    }
}
