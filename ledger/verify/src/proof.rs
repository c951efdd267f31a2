//! The files (docs/proof-format.md). Reading one checks its form only; `check` checks what it says.

use serde::{Deserialize, Serialize};

use crate::postings::Accounts;
pub use crate::values::Hex;
use crate::values::{exact, nullable};

/// Microseconds since 1970.
pub type Micros = i64;

pub type Path = Vec<Hex<32>>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one proof at a time is in memory")]
pub enum Proof {
    Sale(SaleProof),
    Company(CompanyProof),
    Growth(GrowthProof),
}

impl Proof {
    /// The file's text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("a proof has texts and numbers only") + "\n"
    }
}

/// The name of this version of the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    #[serde(rename = "razao proof 1")]
    Proof1,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaleProof {
    pub format: Format,
    pub public_key: Hex<32>,
    pub checkpoint: String,
    pub business_id: String,
    pub sale_id: String,
    pub events: Vec<Event>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompanyProof {
    pub format: Format,
    pub public_key: Hex<32>,
    pub checkpoint: String,
    pub business_id: String,
    pub member: Member,
    pub accounts: Accounts,
    #[serde(deserialize_with = "nullable")]
    pub period: Option<Period>,
    pub events: Vec<Event>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowthProof {
    pub format: Format,
    pub public_key: Hex<32>,
    pub checkpoint: String,
    pub earlier: String,
    pub path: Path,
}

/// The leaf of a company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    #[serde(deserialize_with = "exact")]
    pub index: u64,
    pub path: Path,
}

/// What happened from `from` until before `to`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    #[serde(deserialize_with = "exact")]
    pub from: Micros,
    #[serde(deserialize_with = "exact")]
    pub to: Micros,
    pub opening: Accounts,
    pub closing: Accounts,
    /// What the platform earned, in cents.
    #[serde(deserialize_with = "exact")]
    pub fees: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    #[serde(deserialize_with = "exact")]
    pub sequence: i64,
    #[serde(deserialize_with = "exact")]
    pub position: u64,
    pub event_id: String,
    pub event_type: String,
    pub event_version: String,
    #[serde(deserialize_with = "exact")]
    pub recorded_at: Micros,
    #[serde(deserialize_with = "exact")]
    pub occurred_at: Micros,
    #[serde(deserialize_with = "nullable")]
    pub key: Option<Key>,
    pub metadata_sha256: Hex<32>,
    pub payload: String,
    /// The inclusion path, in the proof of a sale only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Path>,
}

/// The idempotency key of a command. Its first event has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    pub key: Hex<16>,
    pub fingerprint: Hex<16>,
    /// How many events the command recorded.
    #[serde(deserialize_with = "exact")]
    pub events: i16,
}
