//! Signed tree heads: each signs a shard's state at a position and names the previous head.
//!
//! A head is a proof only if a copy is kept where the database's writers cannot change it.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use ledger_domain::BusinessId;
use ledger_domain::calendar::Instant;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::companies;
use crate::layout::{Layout, LayoutError};
use crate::position::Shard;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeHead {
    pub shard: Shard,
    /// The number among the shard's heads, from 1, without gaps.
    pub number: i64,
    /// The position of the last event that it covers.
    pub position: i64,
    pub businesses: i64,
    pub root: [u8; 32],
    /// The hash of the shard's previous head; zeros for the first.
    pub previous: [u8; 32],
    pub made_at: Instant,
    pub key_id: [u8; 8],
    pub signature: [u8; 64],
}

#[derive(Debug, Error)]
pub enum SignError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error("shard {0} has no row")]
    NoShard(Shard),
    #[error("the last chain hash of {0} is not 32 bytes long")]
    ChainLength(BusinessId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum InvalidTreeHead {
    #[error("signed with an unknown key")]
    UnknownKey,
    #[error("the signature does not match this head")]
    Signature,
}

/// The first 8 bytes of the SHA-256 of the public key.
pub fn key_id(key: &VerifyingKey) -> [u8; 8] {
    let mut id = [0; 8];
    id.copy_from_slice(&Sha256::digest(key.as_bytes())[..8]);
    id
}

impl TreeHead {
    /// The signed bytes. The layout starts with its name, so that no signature of this key over other data is valid for
    /// a tree head.
    fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = b"razao tree head v2\0".to_vec();
        bytes.push(self.shard.number());
        bytes.extend(self.number.to_be_bytes());
        bytes.extend(self.position.to_be_bytes());
        bytes.extend(self.businesses.to_be_bytes());
        bytes.extend(self.root);
        bytes.extend(self.previous);
        bytes.extend(self.made_at.timestamp_micros().to_be_bytes());
        bytes.extend(self.key_id);
        bytes
    }

    /// The `previous` of the next head.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::new()
            .chain_update(self.signed_bytes())
            .chain_update(self.signature)
            .finalize()
            .into()
    }

    /// Checks that one of the keys signed this head.
    pub fn verify(&self, keys: &[VerifyingKey]) -> Result<(), InvalidTreeHead> {
        let key = keys
            .iter()
            .find(|key| key_id(key) == self.key_id)
            .ok_or(InvalidTreeHead::UnknownKey)?;
        key.verify(&self.signed_bytes(), &Signature::from_bytes(&self.signature))
            .map_err(|_| InvalidTreeHead::Signature)
    }
}

/// Creates and stores the shard's next head; `None` if nothing was recorded since the last one.
///
/// One statement reads the position and the business heads, so that both are from one snapshot. In layout `schemas` it
/// names the tables of the shard: an engine reads a view over several nodes in several snapshots. The last tree head is
/// read before it: a state that was read first could be older than that head. If two processes create the same head at
/// once, the primary key lets only one succeed.
pub async fn make(
    client: &impl GenericClient,
    shard: Shard,
    secret_key: &[u8; 32],
    made_at: Instant,
) -> Result<Option<TreeHead>, SignError> {
    let key = SigningKey::from_bytes(secret_key);
    let previous = latest(client, shard).await?;
    let layout = Layout::of(client).await?;
    let sql = format!(
        "SELECT log.position, head.business_id, head.version, head.chain \
           FROM {log_shard} log LEFT JOIN {business_head} head ON head.shard = log.shard \
          WHERE log.shard = $1 ORDER BY head.business_id",
        log_shard = layout.table(shard, "log_shard"),
        business_head = layout.table(shard, "business_head"),
    );
    let rows = client.query_typed(&sql, &[(&shard.sql(), Type::INT2)]).await?;
    let position = rows.first().ok_or(SignError::NoShard(shard))?.get(0);
    if position <= previous.as_ref().map_or(0, |head| head.position) {
        return Ok(None);
    }
    let leaves: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let business_id = BusinessId::from_uuid(row.get::<_, Option<uuid::Uuid>>(1)?);
            let chain = row.get::<_, &[u8]>(3).try_into();
            let leaf = chain.map(|chain| companies::leaf(business_id, row.get(2), chain));
            Some(leaf.map_err(|_| SignError::ChainLength(business_id)))
        })
        .collect::<Result<_, _>>()?;
    let mut head = TreeHead {
        shard,
        number: previous.as_ref().map_or(0, |head| head.number) + 1,
        position,
        businesses: i64::try_from(leaves.len()).unwrap_or(i64::MAX),
        root: companies::root(leaves),
        previous: previous.map_or([0; 32], |head| head.hash()),
        // The table stores microseconds, and the stored head must match its signature.
        made_at: Instant::from_timestamp_micros(made_at.timestamp_micros()).unwrap_or(made_at),
        key_id: key_id(&key.verifying_key()),
        signature: [0; 64],
    };
    head.signature = key.sign(&head.signed_bytes()).to_bytes();
    store(client, &head).await?;
    Ok(Some(head))
}

async fn store(client: &impl GenericClient, head: &TreeHead) -> Result<(), SignError> {
    let table = Layout::of(client).await?.table(head.shard, "tree_head");
    client
        .execute_typed(
            &format!(
                "INSERT INTO {table} (shard, number, position, businesses, root, previous, made_at, key_id, signature) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            ),
            &[
                (&head.shard.sql(), Type::INT2),
                (&head.number, Type::INT8),
                (&head.position, Type::INT8),
                (&head.businesses, Type::INT8),
                (&head.root.as_slice(), Type::BYTEA),
                (&head.previous.as_slice(), Type::BYTEA),
                (&head.made_at, Type::TIMESTAMPTZ),
                (&head.key_id.as_slice(), Type::BYTEA),
                (&head.signature.as_slice(), Type::BYTEA),
            ],
        )
        .await?;
    Ok(())
}

pub async fn latest(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<Option<TreeHead>, tokio_postgres::Error> {
    Ok(select(client, shard, "ORDER BY number DESC LIMIT 1").await?.pop())
}

/// All tree heads of the shard, oldest first. The gateway's daily job makes at most one a day.
pub async fn all(client: &impl GenericClient, shard: Shard) -> Result<Vec<TreeHead>, tokio_postgres::Error> {
    select(client, shard, "ORDER BY number").await
}

/// When a key first and last signed a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SigningTimes {
    pub key_id: [u8; 8],
    pub first: Instant,
    pub last: Instant,
}

/// Of each key that signed heads.
pub async fn signing_times(client: &impl GenericClient) -> Result<Vec<SigningTimes>, tokio_postgres::Error> {
    let sql = "SELECT key_id, min(made_at), max(made_at) FROM tree_head GROUP BY key_id";
    let rows = client.query_typed(sql, &[]).await?;
    let times = rows.iter().map(|row| SigningTimes {
        key_id: bytes(row, 0),
        first: row.get(1),
        last: row.get(2),
    });
    Ok(times.collect())
}

async fn select(
    client: &impl GenericClient,
    shard: Shard,
    order: &str,
) -> Result<Vec<TreeHead>, tokio_postgres::Error> {
    let sql = format!(
        "SELECT shard, number, position, businesses, root, previous, made_at, key_id, signature \
           FROM tree_head \
          WHERE shard = $1 {order}"
    );
    let rows = client.query_typed(&sql, &[(&shard.sql(), Type::INT2)]).await?;
    Ok(rows.iter().map(tree_head).collect())
}

fn tree_head(row: &Row) -> TreeHead {
    TreeHead {
        shard: Shard::from_sql(row.get(0)),
        number: row.get(1),
        position: row.get(2),
        businesses: row.get(3),
        root: bytes(row, 4),
        previous: bytes(row, 5),
        made_at: row.get(6),
        key_id: bytes(row, 7),
        signature: bytes(row, 8),
    }
}

/// CHECK constraints fix the lengths in `tree_head`.
fn bytes<const N: usize>(row: &Row, column: usize) -> [u8; N] {
    row.get::<_, &[u8]>(column)
        .try_into()
        .expect("the table checks the column's length")
}
