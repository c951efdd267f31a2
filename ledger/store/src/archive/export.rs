//! Archives the closed partitions of a shard: verifies their events, writes them to files, reads these back, and takes
//! the partitions out of the database.
//!
//! Nothing leaves the database before its file is complete and on the disk. The last step is one transaction, so an
//! archiving that was interrupted is done again from the beginning of its partition.

use std::collections::BTreeMap;
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use ledger_domain::BusinessId;
use sha2::{Digest, Sha256};
use thiserror::Error;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, GenericClient};
use uuid::Uuid;

use super::seekable::Writer;
use super::{Archive, ArchiveError, EVENTS_PER_FRAME, archives, line, positions};
use crate::audit::{Difference, Finding, chain, tree_head};
use crate::event::StoredEvent;
use crate::layout::{self, Layout, LayoutError, Partition, partitions};
use crate::log::{self, LogError};
use crate::position::Shard;

/// Slow, because a file is written once.
const LEVEL: i32 = 12;
const PAGE: i64 = 2_000;

/// What was archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    pub archive: Archive,
    pub bytes: u64,
    pub businesses: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Archived {
    pub exported: Vec<Exported>,
    /// Why the shard's next partition stays.
    pub next: Option<&'static str>,
}

#[derive(Debug, Error)]
pub enum RefusedExport {
    #[error("events can be archived in layout `schemas` only: see `razao migrate --layout schemas`")]
    LayoutOne,
    #[error("the events of shard {0} are not in partitions: move them to a database of this version")]
    NotPartitioned(Shard),
    #[error("{} is not the whole path of a folder, in UTF-8", .0.display())]
    Folder(PathBuf),
    #[error("another `razao archive` runs on this database")]
    AlreadyRuns,
    #[error("{} exists and has other events: does another installation use this folder?", .0.display())]
    FileExists(PathBuf),
    #[error("nothing was archived of shard {shard}, because its log is not sound: {0}", shard = .0.shard)]
    Unsound(Box<Finding>),
    #[error(
        "no signed tree head covers position {position} of shard {shard}: make one with `razao audit checkpoint`"
    )]
    NoTreeHead { shard: Shard, position: i64 },
    #[error("{} differs from the events that were written to it", .0.display())]
    FileDiffers(PathBuf),
    #[error("an audit reads the log now; the events were written to {}, and stay in the database too", .0.display())]
    AuditRuns(PathBuf),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
}

/// Archives the partitions of a shard that are full and whose last event was recorded before that time, oldest first.
/// `folder` is a whole path, which every process has under the same name.
pub async fn archive_shard(
    client: &mut Client,
    shard: Shard,
    folder: &Path,
    recorded_before: DateTime<Utc>,
    progress: &mut (impl FnMut(&Exported) + Send),
) -> Result<Archived, RefusedExport> {
    if !is_usable(folder) || !folder.is_dir() {
        return Err(RefusedExport::Folder(folder.to_owned()));
    }
    if Layout::of(client).await? == Layout::One {
        return Err(RefusedExport::LayoutOne);
    }
    let alone = "SELECT pg_try_advisory_lock($1)";
    let alone = client
        .query_typed_one(alone, &[(&ARCHIVE_LOCK, Type::INT8)])
        .await?;
    if !alone.get::<_, bool>(0) {
        return Err(RefusedExport::AlreadyRuns);
    }
    layout::enter(client, shard).await?;
    let archived = archive_partitions(client, shard, folder, recorded_before, progress).await;
    layout::leave(client).await?;
    client
        .query_typed("SELECT pg_advisory_unlock($1)", &[(&ARCHIVE_LOCK, Type::INT8)])
        .await?;
    archived
}

/// The database keeps the path as text, and every process reads it, wherever it was started.
fn is_usable(folder: &Path) -> bool {
    folder.is_absolute() && folder.to_str().is_some()
}

async fn archive_partitions(
    client: &mut Client,
    shard: Shard,
    folder: &Path,
    recorded_before: DateTime<Utc>,
    progress: &mut (impl FnMut(&Exported) + Send),
) -> Result<Archived, RefusedExport> {
    let all = partitions(client, shard).await?;
    if all.is_empty() {
        return Err(RefusedExport::NotPartitioned(shard));
    }
    let mut archived = Archived::default();
    for partition in all {
        if let Some(reason) = stays(client, shard, &partition, recorded_before).await? {
            archived.next = Some(reason);
            break;
        }
        let head = tree_head::latest(client, shard).await?;
        if head.is_none_or(|head| head.position < partition.last) {
            let position = partition.last;
            return Err(RefusedExport::NoTreeHead { shard, position });
        }
        let exported = export(client, shard, folder, &partition).await?;
        progress(&exported);
        archived.exported.push(exported);
    }
    Ok(archived)
}

/// Why a partition cannot be archived yet.
async fn stays(
    client: &impl GenericClient,
    shard: Shard,
    partition: &Partition,
    recorded_before: DateTime<Utc>,
) -> Result<Option<&'static str>, RefusedExport> {
    if log::shard_positions(client).await?.get(shard) < partition.last {
        return Ok(Some("is not full"));
    }
    let last = log::live_window(client, shard, partition.last - 1, 1).await?;
    // If there is no such event, the verification names the gap.
    let is_new = last
        .first()
        .is_some_and(|event| event.recorded_at >= recorded_before);
    Ok(is_new.then_some("has events that are too new"))
}

/// The events of one business in a partition.
struct Part {
    sequence: i64,
    chain: [u8; 32],
    positions: Vec<i64>,
}

async fn export(
    client: &mut Client,
    shard: Shard,
    folder: &Path,
    partition: &Partition,
) -> Result<Exported, RefusedExport> {
    let name = format!(
        "s{:02}-{:012}-{:012}.events.jsonl.zst",
        shard.number(),
        partition.first,
        partition.last
    );
    let archive = Archive {
        shard,
        first: partition.first,
        last: partition.last,
        file: folder.join(name),
    };
    let file = |source| archive.unreadable(source);
    // Other processes may run as other users, who read it. Until it has its name, it goes with this value.
    let unfinished = tempfile::Builder::new()
        .prefix(".")
        .suffix(".unfinished")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(file)?;
    let to_write = Archive {
        file: unfinished.path().to_owned(),
        ..archive.clone()
    };
    let (parts, written) = write(client, &to_write, unfinished.as_file()).await?;
    if read_back(&to_write)? != written {
        return Err(RefusedExport::FileDiffers(to_write.file));
    }
    let (bytes, sha256) = size_and_digest(&to_write.file).map_err(file)?;
    if archive.file.exists() {
        // Of an archiving that was interrupted before its last step. The same events are the same bytes.
        let (_, existing) = size_and_digest(&archive.file).map_err(file)?;
        if existing != sha256 {
            return Err(RefusedExport::FileExists(archive.file));
        }
    } else {
        let persisted = unfinished.persist_noclobber(&archive.file);
        persisted.map_err(|error| file(error.error))?;
    }
    // The name is on the disk once the folder is.
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(file)?;
    detach(client, partition, &archive, bytes, sha256, &parts).await?;
    Ok(Exported {
        archive,
        bytes,
        businesses: parts.len(),
    })
}

/// Writes the events of a partition, and verifies each. Returns where those of each business stand, and a digest of all.
async fn write(
    client: &Client,
    archive: &Archive,
    out: &File,
) -> Result<(BTreeMap<BusinessId, Part>, [u8; 32]), RefusedExport> {
    let file = |source| archive.unreadable(source);
    let mut writer = Writer::new(BufWriter::new(out), EVENTS_PER_FRAME, LEVEL);
    let mut parts = BTreeMap::new();
    let mut content = Sha256::new();
    let mut position = archive.first - 1;
    while position < archive.last {
        let limit = PAGE.min(archive.last - position);
        let page = log::live_window(client, archive.shard, position, limit).await?;
        if page.is_empty() {
            return Err(unsound(
                archive,
                None,
                position + 1,
                Difference::PositionGap {
                    expected: position + 1,
                },
            ));
        }
        let begun = begun_before(client, archive.shard, &page, &parts).await?;
        for event in page {
            if event.position != position + 1 {
                let what = Difference::PositionGap {
                    expected: position + 1,
                };
                return Err(unsound(archive, None, event.position, what));
            }
            position = event.position;
            let known = parts.entry(event.business_id).or_insert_with(|| {
                let (sequence, chain) = begun
                    .get(&event.business_id)
                    .copied()
                    .unwrap_or((0, chain::GENESIS));
                Part {
                    sequence,
                    chain,
                    positions: vec![],
                }
            });
            if let Err(what) = follows(known, &event) {
                return Err(unsound(archive, Some(&event), event.position, what));
            }
            known.sequence = event.sequence;
            known.chain = event.chain;
            known.positions.push(event.position);
            let line = line::write(&event).ok_or_else(|| {
                let reason = "metadata or payload cannot be one line".to_owned();
                unsound(archive, Some(&event), event.position, Difference::Payload(reason))
            })?;
            writer.push(line.as_bytes()).map_err(file)?;
            content.update(digest_of(&event));
        }
    }
    let out = writer.finish().map_err(file)?;
    let out = out.into_inner().map_err(io::Error::from).map_err(file)?;
    out.sync_all().map_err(file)?;
    Ok((parts, content.finalize().into()))
}

fn unsound(archive: &Archive, event: Option<&StoredEvent>, position: i64, what: Difference) -> RefusedExport {
    RefusedExport::Unsound(Box::new(Finding {
        shard: archive.shard,
        business_id: event.map(|event| event.business_id),
        sequence: event.map(|event| event.sequence),
        position: Some(position),
        what,
    }))
}

/// Whether the event follows the business's events before it, and has the bytes that were hashed.
fn follows(before: &Part, event: &StoredEvent) -> Result<(), Difference> {
    let expected = before.sequence + 1;
    if event.sequence != expected {
        return Err(Difference::SequenceGap { expected });
    }
    if event.computed_digest() != event.digest {
        return Err(Difference::Digest);
    }
    if chain::next(&before.chain, &event.digest) != event.chain {
        return Err(Difference::Chain);
    }
    event
        .decode()
        .map(drop)
        .map_err(|error| Difference::Payload(error.to_string()))
}

/// Sequence and chain of the last archived events of the businesses that are new in this partition.
async fn begun_before(
    client: &Client,
    shard: Shard,
    page: &[StoredEvent],
    known: &BTreeMap<BusinessId, Part>,
) -> Result<BTreeMap<BusinessId, (i64, [u8; 32])>, tokio_postgres::Error> {
    let new = page.iter().map(|event| event.business_id);
    let new: Vec<Uuid> = new
        .filter(|id| !known.contains_key(id))
        .map(BusinessId::uuid)
        .collect();
    let rows = client
        .query_typed(
            "SELECT DISTINCT ON (business_id) business_id, last_sequence, chain FROM event_archive_business
              WHERE shard = $1 AND business_id = ANY ($2) ORDER BY business_id, last_sequence DESC",
            &[(&shard.sql(), Type::INT2), (&new, Type::UUID_ARRAY)],
        )
        .await?;
    let begun = rows.iter().map(|row| {
        let chain = row.get::<_, &[u8]>(2).try_into().unwrap_or_default();
        (BusinessId::from_uuid(row.get(0)), (row.get(1), chain))
    });
    Ok(begun.collect())
}

/// The digest over the digests of all events of a file, once the bytes of each match its own.
fn read_back(archive: &Archive) -> Result<[u8; 32], RefusedExport> {
    let mut reader = archive.open()?;
    let mut content = Sha256::new();
    loop {
        let events = reader.next_events()?;
        if events.is_empty() {
            return Ok(content.finalize().into());
        }
        for event in events {
            if event.computed_digest() != event.digest {
                return Err(RefusedExport::FileDiffers(archive.file.clone()));
            }
            content.update(digest_of(&event));
        }
    }
}

/// Of everything that an event's line has and its own digest does not cover.
fn digest_of(event: &StoredEvent) -> [u8; 32] {
    Sha256::new()
        .chain_update([event.shard.number()])
        .chain_update(event.position.to_be_bytes())
        .chain_update(event.digest)
        .chain_update(event.chain)
        .finalize()
        .into()
}

fn size_and_digest(path: &Path) -> io::Result<(u64, [u8; 32])> {
    let mut file = File::open(path)?;
    let (mut digest, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 20]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, digest.finalize().into()));
        }
        digest.update(&buffer[..read]);
        bytes += read as u64;
    }
}

/// `RAZAO` in ASCII and 3: one session archives at a time.
const ARCHIVE_LOCK: i64 = 0x5241_5a41_4f03;
/// `RAZAO` in ASCII and 2: who reads the whole log holds it shared.
const LOG_LOCK: i64 = 0x5241_5a41_4f02;

/// Until the session ends or [`release_log`] is called, no events leave the database.
pub async fn hold_log(client: &impl GenericClient) -> Result<(), tokio_postgres::Error> {
    client
        .query_typed("SELECT pg_advisory_lock_shared($1)", &[(&LOG_LOCK, Type::INT8)])
        .await
        .map(drop)
}

pub async fn release_log(client: &impl GenericClient) -> Result<(), tokio_postgres::Error> {
    client
        .query_typed("SELECT pg_advisory_unlock_shared($1)", &[(&LOG_LOCK, Type::INT8)])
        .await
        .map(drop)
}

/// Notes the file and takes the partition out of the database, in one transaction. The lock that stops appends is taken
/// at its end.
async fn detach(
    client: &mut Client,
    partition: &Partition,
    archive: &Archive,
    bytes: u64,
    sha256: [u8; 32],
    parts: &BTreeMap<BusinessId, Part>,
) -> Result<(), RefusedExport> {
    let Archive {
        shard, first, last, ..
    } = *archive;
    let tx = client.transaction().await?;
    tx.batch_execute("SET LOCAL lock_timeout = '5s'").await?;
    let held = "SELECT pg_try_advisory_xact_lock($1)";
    let held = tx.query_typed_one(held, &[(&LOG_LOCK, Type::INT8)]).await?;
    if !held.get::<_, bool>(0) {
        return Err(RefusedExport::AuditRuns(archive.file.clone()));
    }
    tx.execute_typed(
        "INSERT INTO event_archive (shard, first_position, last_position, file, bytes, sha256, archived_at)
         VALUES ($1, $2, $3, $4, $5, $6, now())",
        &[
            (&shard.sql(), Type::INT2),
            (&first, Type::INT8),
            (&last, Type::INT8),
            (&archive.file.to_string_lossy().as_ref(), Type::TEXT),
            (&i64::try_from(bytes).unwrap_or(i64::MAX), Type::INT8),
            (&sha256.as_slice(), Type::BYTEA),
        ],
    )
    .await?;
    let parts: Vec<_> = parts.iter().collect();
    for page in parts.chunks(500) {
        let column = |of: &dyn Fn(&(&BusinessId, &Part)) -> Vec<u8>| page.iter().map(of).collect::<Vec<_>>();
        let businesses: Vec<Uuid> = page.iter().map(|(id, _)| id.uuid()).collect();
        let sequences: Vec<i64> = page.iter().map(|(_, part)| part.sequence).collect();
        let chains = column(&|(_, part)| part.chain.to_vec());
        let places = column(&|(_, part)| positions::pack(first, &part.positions));
        tx.execute_typed(
            "INSERT INTO event_archive_business (shard, first_position, business_id, last_sequence, chain, positions)
             SELECT $1, $2, part.* FROM unnest($3::uuid[], $4::bigint[], $5::bytea[], $6::bytea[]) AS part",
            &[
                (&shard.sql(), Type::INT2),
                (&first, Type::INT8),
                (&businesses, Type::UUID_ARRAY),
                (&sequences, Type::INT8_ARRAY),
                (&chains, Type::BYTEA_ARRAY),
                (&places, Type::BYTEA_ARRAY),
            ],
        )
        .await?;
    }
    layout::drop_partition(&tx, shard, &partition.table).await?;
    tx.commit().await?;
    Ok(())
}

/// Notes that all archives stand in another folder now. Each file must be there. Returns their number.
pub async fn move_files(client: &mut Client, folder: &Path) -> Result<usize, RefusedExport> {
    if !is_usable(folder) {
        return Err(RefusedExport::Folder(folder.to_owned()));
    }
    let layout = Layout::of(client).await?;
    let tx = client.transaction().await?;
    let mut moved = 0;
    for shard in Shard::all() {
        let table = layout.table(shard, "event_archive");
        for archive in archives(&tx, shard).await? {
            let file = folder.join(archive.file.file_name().unwrap_or_default());
            let archive = Archive { file, ..archive };
            archive.open()?;
            tx.execute_typed(
                &format!("UPDATE {table} SET file = $1 WHERE shard = $2 AND first_position = $3"),
                &[
                    (&archive.file.to_string_lossy().as_ref(), Type::TEXT),
                    (&shard.sql(), Type::INT2),
                    (&archive.first, Type::INT8),
                ],
            )
            .await?;
            moved += 1;
        }
    }
    tx.commit().await?;
    Ok(moved)
}
