//! Signed tree heads: what a shard's log was, said by a key at a position, each naming the head before it.
//!
//! A head proves something only once it is kept where whoever rewrites the log can't reach: keeping it there is the
//! gateway's matter, as is the key.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::merkle;
use crate::position::Shard;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeHead {
    pub shard: Shard,
    /// Counts the shard's heads from 1, so that a deleted one leaves a gap.
    pub number: i64,
    /// Of what is signed: heads of layout 1 were signed without their number.
    pub layout: i16,
    /// Of the last event that it covers.
    pub position: i64,
    pub businesses: i64,
    pub root: [u8; 32],
    /// The hash of the shard's previous head; zeros for its first.
    pub previous: [u8; 32],
    pub made_at: Instant,
    pub key_id: [u8; 8],
    pub signature: [u8; 64],
}

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error("shard {0} has no row")]
    NoShard(Shard),
}

/// The layout of the heads that are made now.
const LAYOUT: i16 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Untrue {
    #[error("signed by a key that isn't known")]
    UnknownKey,
    #[error("the signature is not of this head")]
    Signature,
}

/// The first 8 bytes of the SHA-256 of the public key.
pub fn key_id(key: &VerifyingKey) -> [u8; 8] {
    let mut id = [0; 8];
    id.copy_from_slice(&Sha256::digest(key.as_bytes())[..8]);
    id
}

impl TreeHead {
    /// What is signed: a fixed layout under a name of its own, so that no other signature of the key can pass for it.
    fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = format!("razao tree head v{}\0", self.layout).into_bytes();
        bytes.push(self.shard.number());
        if self.layout > 1 {
            bytes.extend(self.number.to_be_bytes());
        }
        bytes.extend(self.position.to_be_bytes());
        bytes.extend(self.businesses.to_be_bytes());
        bytes.extend(self.root);
        bytes.extend(self.previous);
        bytes.extend(self.made_at.timestamp_micros().to_be_bytes());
        bytes.extend(self.key_id);
        bytes
    }

    /// What the next head calls `previous`.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.signed_bytes())
            .chain_update(self.signature)
            .finalize()
            .into()
    }

    /// Whether one of the keys signed this very head.
    pub fn verify(&self, keys: &[VerifyingKey]) -> Result<(), Untrue> {
        let key = keys
            .iter()
            .find(|key| key_id(key) == self.key_id)
            .ok_or(Untrue::UnknownKey)?;
        key.verify(&self.signed_bytes(), &Signature::from_bytes(&self.signature))
            .map_err(|_| Untrue::Signature)
    }
}

/// Makes and keeps the shard's next head; `None` where nothing was recorded since the last one.
///
/// Position and heads are read by one statement, so that they are of one moment without holding a snapshot longer. The
/// last tree head is read before: a state that was read first could be older than it, and would be signed as the newer
/// one. Where two processes make the same head at once, the table's key lets one of them through.
pub async fn make(
    client: &impl GenericClient,
    shard: Shard,
    secret_key: &[u8; 32],
    made_at: Instant,
) -> Result<Option<TreeHead>, CheckpointError> {
    let key = SigningKey::from_bytes(secret_key);
    let previous = latest(client, shard).await?;
    let rows = client
        .query_typed(
            "SELECT log.position, head.business_id, head.version, head.chain \
               FROM log_shard log LEFT JOIN business_head head ON head.shard = log.shard \
              WHERE log.shard = $1 ORDER BY head.business_id",
            &[(&shard.sql(), Type::INT2)],
        )
        .await?;
    let position = rows.first().ok_or(CheckpointError::NoShard(shard))?.get(0);
    if position <= previous.as_ref().map_or(0, |head| head.position) {
        return Ok(None);
    }
    let leaves: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let business_id = BusinessId::from_uuid(row.get::<_, Option<uuid::Uuid>>(1)?);
            Some(merkle::leaf(business_id, row.get(2), &bytes(row, 3)))
        })
        .collect();
    let mut head = TreeHead {
        shard,
        number: previous.as_ref().map_or(0, |head| head.number) + 1,
        layout: LAYOUT,
        position,
        businesses: i64::try_from(leaves.len()).unwrap_or(i64::MAX),
        root: merkle::root(leaves),
        previous: previous.map_or([0; 32], |head| head.hash()),
        made_at: Instant::from_timestamp_micros(made_at.timestamp_micros()).unwrap_or(made_at),
        key_id: key_id(&key.verifying_key()),
        signature: [0; 64],
    };
    head.signature = key.sign(&head.signed_bytes()).to_bytes();
    keep(client, &head).await?;
    Ok(Some(head))
}

async fn keep(client: &impl GenericClient, head: &TreeHead) -> Result<(), tokio_postgres::Error> {
    client
        .execute_typed(
            "INSERT INTO checkpoint (shard, number, layout, position, businesses, root, previous, made_at, key_id, \
                                     signature) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            &[
                (&head.shard.sql(), Type::INT2),
                (&head.number, Type::INT8),
                (&head.layout, Type::INT2),
                (&head.position, Type::INT8),
                (&head.businesses, Type::INT8),
                (&head.root.as_slice(), Type::BYTEA),
                (&head.previous.as_slice(), Type::BYTEA),
                (&head.made_at, Type::TIMESTAMPTZ),
                (&head.key_id.as_slice(), Type::BYTEA),
                (&head.signature.as_slice(), Type::BYTEA),
            ],
        )
        .await
        .map(|_| ())
}

pub async fn latest(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<Option<TreeHead>, tokio_postgres::Error> {
    Ok(page(client, shard, "ORDER BY number DESC LIMIT 1").await?.pop())
}

/// All heads of the shard, oldest first: one a day, so a few thousand at most.
pub async fn all(client: &impl GenericClient, shard: Shard) -> Result<Vec<TreeHead>, tokio_postgres::Error> {
    page(client, shard, "ORDER BY number").await
}

async fn page(
    client: &impl GenericClient,
    shard: Shard,
    order: &str,
) -> Result<Vec<TreeHead>, tokio_postgres::Error> {
    let sql = format!(
        "SELECT shard, number, layout, position, businesses, root, previous, made_at, key_id, signature \
           FROM checkpoint \
          WHERE shard = $1 {order}"
    );
    let rows = client.query_typed(&sql, &[(&shard.sql(), Type::INT2)]).await?;
    Ok(rows.iter().map(tree_head).collect())
}

fn tree_head(row: &Row) -> TreeHead {
    TreeHead {
        shard: Shard::from_sql(row.get(0)),
        number: row.get(1),
        layout: row.get(2),
        position: row.get(3),
        businesses: row.get(4),
        root: bytes(row, 5),
        previous: bytes(row, 6),
        made_at: row.get(7),
        key_id: bytes(row, 8),
        signature: bytes(row, 9),
    }
}

/// The table's checks hold each column to its length.
fn bytes<const N: usize>(row: &Row, column: usize) -> [u8; N] {
    row.get::<_, &[u8]>(column)
        .try_into()
        .expect("a column of checked length")
}
