//! Checkpoints of a shard's log: signed notes over the tree of all events and the tree of companies, which witnesses can
//! cosign and proofs refer to (docs/proof-format.md).
//!
//! Each is made of a tree head, so it covers the same events.

use chrono::{DateTime, Utc};
use ed25519_dalek::SigningKey;
use razao_verify::merkle::{Hash, PathError, Tree, check_consistency, consistency_ranges};
use razao_verify::note::{Checkpoint, Cosignature, Note, NoteError};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};

use super::subtrees::{self, TreeError, extend, root_of};
use super::tree_head::{self, TreeHead};
use crate::layout::{self, LayoutError};
use crate::position::Shard;

#[derive(Debug, Error)]
pub enum CheckpointError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error("the checkpoint of shard {shard} with size {size} is unreadable: {source}")]
    Note {
        shard: Shard,
        size: i64,
        source: NoteError,
    },
    #[error("shard {shard} does not continue its checkpoint of size {size}, so nothing is signed: {source}")]
    Rewritten {
        shard: Shard,
        size: u64,
        source: PathError,
    },
}

/// Makes the checkpoint of the shard's latest tree head; `None` if there is no head, or its checkpoint exists.
///
/// The first checkpoint fixes the installation's name, so that a change of the configuration begins no other log.
/// A log that does not continue its last checkpoint is not signed.
pub async fn make(
    client: &impl GenericClient,
    shard: Shard,
    name: &str,
    secret_key: &[u8; 32],
) -> Result<Option<Note>, CheckpointError> {
    layout::enter(client, shard).await?;
    let made = make_entered(client, shard, name, secret_key).await;
    layout::leave(client).await?;
    made
}

async fn make_entered(
    client: &impl GenericClient,
    shard: Shard,
    name: &str,
    secret_key: &[u8; 32],
) -> Result<Option<Note>, CheckpointError> {
    let Some(head) = tree_head::latest(client, shard).await? else {
        return Ok(None);
    };
    let size = head.position.cast_unsigned();
    let previous = latest(client, shard).await?.map(|note| note.checkpoint);
    if previous
        .as_ref()
        .is_some_and(|previous| previous.events.size >= size)
    {
        return Ok(None);
    }
    extend(client, shard, size).await?;
    let events = Tree {
        size,
        root: root_of(client, shard, (0, size)).await?,
    };
    if let Some(previous) = &previous {
        let path = growth(client, shard, previous.events.size, size).await?;
        check_consistency(&previous.events, &events, &path).map_err(|source| CheckpointError::Rewritten {
            shard,
            size: previous.events.size,
            source,
        })?;
    }
    let origin = match previous {
        Some(previous) => previous.origin,
        None => format!(
            "{}/shard/{shard}",
            ledger_name(client).await?.as_deref().unwrap_or(name)
        ),
    };
    let checkpoint = of_head(&head, origin, events);
    let note = checkpoint.sign(&SigningKey::from_bytes(secret_key));
    client
        .execute_typed(
            "INSERT INTO public.log_checkpoint (shard, size, made_at, note) VALUES ($1, $2, $3, $4)",
            &[
                (&shard.sql(), Type::INT2),
                (&head.position, Type::INT8),
                (&head.made_at, Type::TIMESTAMPTZ),
                (&note.to_string(), Type::TEXT),
            ],
        )
        .await?;
    Ok(Some(note))
}

fn of_head(head: &TreeHead, origin: String, events: Tree) -> Checkpoint {
    Checkpoint {
        origin,
        events,
        companies: Tree {
            size: head.businesses.cast_unsigned(),
            root: head.root,
        },
        made_at: head.made_at,
    }
}

/// The name with which the first checkpoint of any shard was made.
async fn ledger_name(client: &impl GenericClient) -> Result<Option<String>, CheckpointError> {
    let row = client
        .query_typed_opt(
            "SELECT note FROM public.log_checkpoint ORDER BY made_at LIMIT 1",
            &[],
        )
        .await?;
    let origin = row.and_then(|row| row.get::<_, &str>(0).lines().next().map(str::to_owned));
    Ok(origin.and_then(|origin| origin.rsplit_once("/shard/").map(|(name, _)| name.to_owned())))
}

/// The consistency path between two sizes. The session sees the tables of the shard.
pub(super) async fn growth(
    client: &impl GenericClient,
    shard: Shard,
    earlier: u64,
    size: u64,
) -> Result<Vec<Hash>, TreeError> {
    subtrees::path(client, shard, consistency_ranges(earlier, size)).await
}

/// The consistency path between two sizes that have checkpoints.
pub async fn consistency(
    client: &impl GenericClient,
    shard: Shard,
    earlier: u64,
    size: u64,
) -> Result<Vec<Hash>, CheckpointError> {
    layout::enter(client, shard).await?;
    let path = growth(client, shard, earlier, size).await;
    layout::leave(client).await?;
    Ok(path?)
}

const WITH_COSIGNATURES: &str = "SELECT checkpoint.size, \
        checkpoint.note || coalesce((SELECT string_agg(line, '' ORDER BY witness) FROM public.log_cosignature cosigned \
          WHERE cosigned.shard = checkpoint.shard AND cosigned.size = checkpoint.size), '') \
   FROM public.log_checkpoint checkpoint WHERE checkpoint.shard = $1";

/// The shard's last checkpoint, with its cosignatures.
pub async fn latest(client: &impl GenericClient, shard: Shard) -> Result<Option<Note>, CheckpointError> {
    let sql = format!("{WITH_COSIGNATURES} ORDER BY checkpoint.size DESC LIMIT 1");
    let row = client
        .query_typed_opt(&sql, &[(&shard.sql(), Type::INT2)])
        .await?;
    row.map(|row| note(shard, &row)).transpose()
}

/// The checkpoint of that size.
pub async fn of_size(
    client: &impl GenericClient,
    shard: Shard,
    size: u64,
) -> Result<Option<Note>, CheckpointError> {
    let sql = format!("{WITH_COSIGNATURES} AND checkpoint.size = $2");
    let parameters: [(&(dyn postgres_types::ToSql + Sync), Type); 2] =
        [(&shard.sql(), Type::INT2), (&subtrees::sql(size), Type::INT8)];
    let row = client.query_typed_opt(&sql, &parameters).await?;
    row.map(|row| note(shard, &row)).transpose()
}

/// All checkpoints of the shard, the smallest first, as text.
pub async fn all(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<Vec<(i64, String)>, tokio_postgres::Error> {
    let sql = format!("{WITH_COSIGNATURES} ORDER BY checkpoint.size");
    let rows = client.query_typed(&sql, &[(&shard.sql(), Type::INT2)]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn note(shard: Shard, row: &Row) -> Result<Note, CheckpointError> {
    let size = row.get(0);
    let note = row.get::<_, &str>(1).parse();
    note.map_err(|source| CheckpointError::Note { shard, size, source })
}

/// Stores a witness's line. A repeated one changes nothing.
pub async fn add_cosignature(
    client: &impl GenericClient,
    shard: Shard,
    size: u64,
    cosignature: &Cosignature,
    line: &str,
) -> Result<(), tokio_postgres::Error> {
    client
        .execute_typed(
            "INSERT INTO public.log_cosignature (shard, size, witness, cosigned_at, line) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT DO NOTHING",
            &[
                (&shard.sql(), Type::INT2),
                (&subtrees::sql(size), Type::INT8),
                (&cosignature.witness, Type::TEXT),
                (&cosignature.at, Type::TIMESTAMPTZ),
                (&line, Type::TEXT),
            ],
        )
        .await?;
    Ok(())
}

/// The last checkpoint of a shard that a witness cosigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastCosigned {
    pub shard: Shard,
    pub witness: String,
    pub size: i64,
    pub cosigned_at: DateTime<Utc>,
}

impl LastCosigned {
    pub fn covers(&self, note: &Note) -> bool {
        let Checkpoint { origin, events, .. } = &note.checkpoint;
        origin.ends_with(&format!("/shard/{}", self.shard)) && events.size == self.size.cast_unsigned()
    }
}

pub async fn last_cosigned(client: &impl GenericClient) -> Result<Vec<LastCosigned>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            "SELECT DISTINCT ON (shard, witness) shard, witness, size, cosigned_at FROM public.log_cosignature \
              ORDER BY shard, witness, size DESC",
            &[],
        )
        .await?;
    let last = |row: &Row| LastCosigned {
        shard: Shard::from_sql(row.get(0)),
        witness: row.get(1),
        size: row.get(2),
        cosigned_at: row.get(3),
    };
    Ok(rows.iter().map(last).collect())
}
