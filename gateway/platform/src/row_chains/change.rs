//! A recorded change of a chained row.

use sha2::{Digest, Sha256};
use tokio_postgres::Row;
use uuid::Uuid;

use gateway_environment::config::ChangeKey;

/// The columns of `row_change` that [`Change::read`] takes, in its order.
pub(super) const COLUMNS: &str = "id, chain, table_name, row_key, kind, digest,
    (extract(epoch FROM changed_at) * 1000000)::bigint, proof, coalesce(reason, ''), position, link";

pub(super) struct Change {
    pub id: i64,
    pub chain: Uuid,
    pub table: String,
    pub key: String,
    pub kind: String,
    /// `None`: the row was deleted.
    pub digest: Option<Vec<u8>>,
    changed_at_micros: i64,
    pub proof: Option<Vec<u8>>,
    reason: String,
    /// `None`: not sealed yet.
    pub position: Option<i64>,
    pub link: Option<Vec<u8>>,
}

impl Change {
    pub fn read(row: &Row) -> Self {
        Self {
            id: row.get(0),
            chain: row.get(1),
            table: row.get(2),
            key: row.get(3),
            kind: row.get(4),
            digest: row.get(5),
            changed_at_micros: row.get(6),
            proof: row.get(7),
            reason: row.get(8),
            position: row.get(9),
            link: row.get(10),
        }
    }

    /// What the proof and the link cover, as `record_row_change` writes it. The names of tables, and keys without
    /// control characters, cannot contain the separator.
    fn content(&self) -> Vec<u8> {
        let Self {
            id,
            chain,
            table,
            key,
            kind,
            reason,
            changed_at_micros,
            ..
        } = self;
        let digest = hex::encode(self.digest.as_deref().unwrap_or_default());
        [
            &id.to_string(),
            &chain.to_string(),
            table,
            key,
            kind,
            &changed_at_micros.to_string(),
            &digest,
            reason,
        ]
        .map(String::as_str)
        .join("\u{1f}")
        .into_bytes()
    }

    pub fn is_proven(&self, key: &ChangeKey) -> bool {
        self.proof.as_deref() == Some(&key.proof(&self.content()))
    }

    /// The link after `previous`, which is zeros for the first change of a chain.
    pub fn link_after(&self, previous: &[u8; 32]) -> [u8; 32] {
        Sha256::new()
            .chain_update(previous)
            .chain_update(Sha256::digest(self.content()))
            .chain_update(self.proof.as_deref().unwrap_or_default())
            .finalize()
            .into()
    }
}
