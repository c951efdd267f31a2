//! The tree over all events of a shard, which only grows: a leaf is an event's digest, its place the position.
//!
//! The roots of complete subtrees of 2^8, 2^16, … leaves are stored, so that a root or a path reads a few rows and at
//! most 255 events at its end.
//!
//! The session must see the tables of the shard (`layout::enter`).

use razao_verify::merkle::{self, Growing, Hash};
use thiserror::Error;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use crate::archive::{self, ArchiveError};
use crate::position::Shard;

/// The step between the heights of stored subtrees.
pub(super) const STEP: u32 = 8;
/// The height of the largest ones.
pub(super) const TALLEST: u32 = 56;

/// Leaves in a page.
const PAGE: u64 = 1 << 12;

#[derive(Debug, Error)]
pub enum TreeError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("shard {shard} has no event at position {position}, or one without a digest")]
    NoDigest { shard: Shard, position: u64 },
    #[error("shard {shard} lacks stored subtrees of height {height}: make a checkpoint")]
    NoSubtree { shard: Shard, height: u32 },
}

/// Stores the roots of the complete subtrees of the first `size` events that are not stored yet.
pub(super) async fn extend(client: &impl GenericClient, shard: Shard, size: u64) -> Result<(), TreeError> {
    let mut height = STEP;
    while height <= TALLEST && size >> height > 0 {
        let complete = size >> height;
        let mut next = stored_count(client, shard, height).await?;
        while next < complete {
            let page = complete.min(next + (PAGE >> STEP));
            let hashes = roots_below(client, shard, height, next, page).await?;
            store(client, shard, height, next, &hashes).await?;
            next = page;
        }
        height += STEP;
    }
    Ok(())
}

/// The roots of the subtrees with these indices, from what is one step below them.
async fn roots_below(
    client: &impl GenericClient,
    shard: Shard,
    height: u32,
    first: u64,
    end: u64,
) -> Result<Vec<Hash>, TreeError> {
    let (below, first, end) = (height - STEP, first << STEP, end << STEP);
    let parts = if below == 0 {
        leaves(client, shard, first, end).await?
    } else {
        stored(client, shard, below, first, end).await?
    };
    let root = |parts: &[Hash]| parts.iter().copied().collect::<Growing>().root();
    Ok(parts.chunks(1 << STEP).map(root).collect())
}

/// The root over a range of leaves, which begins where a complete subtree of at least its size does.
pub(super) async fn root_of(
    client: &impl GenericClient,
    shard: Shard,
    (first, end): (u64, u64),
) -> Result<Hash, TreeError> {
    let mut tree = Growing::default();
    let mut at = first;
    let mut height = TALLEST;
    while height > 0 {
        // A range that begins inside of a subtree of that height has none: it is shorter.
        let (from, to) = (at.div_ceil(1 << height), end >> height);
        if from < to {
            for hash in stored(client, shard, height, from, to).await? {
                tree.push_subtree(height, hash);
            }
            at = to << height;
        }
        height -= STEP;
    }
    for leaf in leaves(client, shard, at, end).await? {
        tree.push(leaf);
    }
    Ok(tree.root())
}

/// The roots over ranges that the functions of `razao_verify::merkle` name.
pub(super) async fn path(
    client: &impl GenericClient,
    shard: Shard,
    ranges: Vec<(u64, u64)>,
) -> Result<Vec<Hash>, TreeError> {
    let mut path = Vec::with_capacity(ranges.len());
    for range in ranges {
        path.push(root_of(client, shard, range).await?);
    }
    Ok(path)
}

/// The leaves of the events at the positions after `first`, up to `end`.
async fn leaves(
    client: &impl GenericClient,
    shard: Shard,
    first: u64,
    end: u64,
) -> Result<Vec<Hash>, TreeError> {
    let mut leaves = Vec::with_capacity(usize::try_from(end - first).unwrap_or_default());
    let mut at = first;
    while at < end {
        let page = digests(client, shard, at, end.min(at + PAGE)).await?;
        if page.is_empty() {
            return Err(TreeError::NoDigest {
                shard,
                position: at + 1,
            });
        }
        at += page.len() as u64;
        leaves.extend(page.iter().map(|digest| merkle::leaf(digest)));
    }
    Ok(leaves)
}

/// The digests of the events after position `after`, at most up to `until`, without a gap before or in them.
async fn digests(
    client: &impl GenericClient,
    shard: Shard,
    after: u64,
    until: u64,
) -> Result<Vec<Hash>, TreeError> {
    let rows = client
        .query_typed(
            "SELECT position, digest FROM event WHERE shard = $1 AND position > $2 AND position <= $3 \
              ORDER BY shard, position",
            &[
                (&shard.sql(), Type::INT2),
                (&sql(after), Type::INT8),
                (&sql(until), Type::INT8),
            ],
        )
        .await?;
    if rows
        .first()
        .is_some_and(|row| row.get::<_, i64>(0) == sql(after) + 1)
    {
        let consecutive = rows
            .iter()
            .zip(after + 1..)
            .take_while(|(row, position)| row.get::<_, i64>(0) == sql(*position));
        return consecutive
            .map(|(row, position)| {
                let digest = row.get::<_, &[u8]>(1).try_into();
                digest.map_err(|_| TreeError::NoDigest { shard, position })
            })
            .collect();
    }
    let archived = archive::window(client, shard, sql(after), sql(until - after)).await?;
    Ok(archived.into_iter().flatten().map(|event| event.digest).collect())
}

/// The stored roots with these indices.
pub(super) async fn stored(
    client: &impl GenericClient,
    shard: Shard,
    height: u32,
    first: u64,
    end: u64,
) -> Result<Vec<Hash>, TreeError> {
    let rows = client
        .query_typed(
            "SELECT hash FROM public.log_subtree \
              WHERE shard = $1 AND height = $2 AND index >= $3 AND index < $4 ORDER BY index",
            &[
                (&shard.sql(), Type::INT2),
                (&height_sql(height), Type::INT2),
                (&sql(first), Type::INT8),
                (&sql(end), Type::INT8),
            ],
        )
        .await?;
    if rows.len() as u64 != end - first {
        return Err(TreeError::NoSubtree { shard, height });
    }
    let hashes = rows.iter().map(|row| row.get::<_, &[u8]>(0).try_into());
    hashes
        .collect::<Result<_, _>>()
        .map_err(|_| TreeError::NoSubtree { shard, height })
}

/// How many subtrees of that height are stored. They have no gaps, because each page is one statement.
async fn stored_count(client: &impl GenericClient, shard: Shard, height: u32) -> Result<u64, TreeError> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(max(index) + 1, 0) FROM public.log_subtree WHERE shard = $1 AND height = $2",
            &[(&shard.sql(), Type::INT2), (&height_sql(height), Type::INT2)],
        )
        .await?;
    Ok(row.get::<_, i64>(0).cast_unsigned())
}

/// Another process may store the same ones at the same time.
async fn store(
    client: &impl GenericClient,
    shard: Shard,
    height: u32,
    first: u64,
    hashes: &[Hash],
) -> Result<(), TreeError> {
    let hashes: Vec<&[u8]> = hashes.iter().map(<[u8; 32]>::as_slice).collect();
    client
        .execute_typed(
            "INSERT INTO public.log_subtree (shard, height, index, hash) \
             SELECT $1, $2, $3 + number - 1, hash FROM unnest($4) WITH ORDINALITY AS computed (hash, number) \
             ON CONFLICT DO NOTHING",
            &[
                (&shard.sql(), Type::INT2),
                (&height_sql(height), Type::INT2),
                (&sql(first), Type::INT8),
                (&hashes, Type::BYTEA_ARRAY),
            ],
        )
        .await?;
    Ok(())
}

/// Sizes and indices come from positions, which are not negative.
pub(super) const fn sql(number: u64) -> i64 {
    number.cast_signed()
}

fn height_sql(height: u32) -> i16 {
    i16::try_from(height).unwrap_or(i16::MAX)
}
