//! Old events: partitions of the log that were written to files and detached (`razao archive`).
//!
//! A row of `event_archive` says which positions a file has, and `event_archive_business` where the events of each
//! business stand in it. The functions of [`crate::log`] read files where the table has no events any more, so that
//! followers, pages and the writer find every event. What stays in the database decides: heads, the states of sales and
//! transfers, claims, and idempotency keys.

mod by_business;
mod export;
mod line;
mod positions;
mod seekable;

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use ledger_domain::BusinessId;
use thiserror::Error;
use tokio::task::spawn_blocking;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

pub use by_business::ByBusiness;
pub use export::{Archived, Exported, RefusedExport, archive_shard, hold_log, move_files, release_log};

use crate::event::StoredEvent;
use crate::position::Shard;
use seekable::Reader;

/// The events of a frame, which is what one look-up decompresses.
const EVENTS_PER_FRAME: usize = 1_024;

#[derive(Debug, Error)]
pub enum ArchiveError {
    #[error(transparent)]
    Database(#[from] tokio_postgres::Error),
    #[error("the archive {} cannot be read: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("the archive {} at position {position}: {reason}", path.display())]
    Line {
        path: PathBuf,
        position: i64,
        reason: String,
    },
    #[error("the reading of an archive ended early")]
    Ended(#[from] tokio::task::JoinError),
}

/// The prefix of the tables that the session sees: those of its shard, or the views over all.
pub(crate) const VISIBLE: &str = "";

/// A file with the events of some positions of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    pub shard: Shard,
    pub first: i64,
    pub last: i64,
    pub file: PathBuf,
}

/// The archives of a shard, oldest first. They have every position up to the last one's end.
pub async fn archives(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<Vec<Archive>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            "SELECT first_position, last_position, file FROM event_archive WHERE shard = $1 \
              ORDER BY first_position",
            &[(&shard.sql(), Type::INT2)],
        )
        .await?;
    let archive = |row: &tokio_postgres::Row| Archive {
        shard,
        first: row.get(0),
        last: row.get(1),
        file: PathBuf::from(row.get::<_, String>(2)),
    };
    Ok(rows.iter().map(archive).collect())
}

/// The businesses that have archived events, and the sequence of the last one of each.
pub async fn archived_businesses(
    client: &impl GenericClient,
    shard: Shard,
) -> Result<BTreeMap<BusinessId, i64>, tokio_postgres::Error> {
    let rows = client
        .query_typed(
            "SELECT business_id, max(last_sequence) FROM event_archive_business WHERE shard = $1 GROUP BY business_id",
            &[(&shard.sql(), Type::INT2)],
        )
        .await?;
    let last = |row: &tokio_postgres::Row| (BusinessId::from_uuid(row.get(0)), row.get(1));
    Ok(rows.iter().map(last).collect())
}

/// At most `limit` events of the shard after position `after`, if that position's successor is archived.
pub(crate) async fn window(
    client: &impl GenericClient,
    shard: Shard,
    after: i64,
    limit: i64,
) -> Result<Option<Vec<StoredEvent>>, ArchiveError> {
    let row = client
        .query_typed_opt(
            "SELECT first_position, last_position, file FROM event_archive \
              WHERE shard = $1 AND first_position <= $2 AND last_position >= $2",
            &[(&shard.sql(), Type::INT2), (&(after + 1), Type::INT8)],
        )
        .await?;
    let Some(row) = row else { return Ok(None) };
    let archive = Archive {
        shard,
        first: row.get(0),
        last: row.get(1),
        file: PathBuf::from(row.get::<_, String>(2)),
    };
    let until = archive.last.min(after.saturating_add(limit));
    let positions = (after + 1..=until).collect();
    archive.events_at(positions).await.map(Some)
}

/// The archived ones of these events of the business. The sequences ascend. `prefix` stands before the tables' names:
/// [`VISIBLE`], or a schema's name and a dot.
pub(crate) async fn events(
    client: &impl GenericClient,
    prefix: &str,
    business_id: BusinessId,
    sequences: &[i64],
) -> Result<Vec<StoredEvent>, ArchiveError> {
    let shard = Shard::of(business_id);
    let sql = format!(
        "SELECT part.last_sequence, part.positions, file.first_position, file.last_position, file.file
           FROM {prefix}event_archive_business part
           JOIN {prefix}event_archive file ON file.shard = part.shard AND file.first_position = part.first_position
          WHERE part.shard = $1 AND part.business_id = $2 AND part.last_sequence >= $3
          ORDER BY part.last_sequence LIMIT 1"
    );
    let (mut events, mut left) = (vec![], sequences);
    while let Some(next) = left.first() {
        let row = client
            .query_typed_opt(
                &sql,
                &[
                    (&shard.sql(), Type::INT2),
                    (&business_id.uuid(), Type::UUID),
                    (next, Type::INT8),
                ],
            )
            .await?;
        let Some(row) = row else { break };
        let (last, first_position): (i64, i64) = (row.get(0), row.get(2));
        let archive = Archive {
            shard,
            first: first_position,
            last: row.get(3),
            file: PathBuf::from(row.get::<_, String>(4)),
        };
        let (here, later) = left.split_at(left.partition_point(|sequence| *sequence <= last));
        left = later;
        let positions = positions::unpack(first_position, row.get(1));
        // The last one is that of `last`.
        let position = |sequence: &i64| {
            let from_end = usize::try_from(last - sequence).ok()?;
            positions.len().checked_sub(from_end + 1).map(|at| positions[at])
        };
        let asked: Vec<i64> = here.iter().filter_map(position).collect();
        for event in archive.events_at(asked).await? {
            if event.business_id != business_id || here.binary_search(&event.sequence).is_err() {
                let reason = format!("not the event of {business_id} that the database names");
                return Err(archive.invalid(event.position, reason));
            }
            events.push(event);
        }
    }
    Ok(events)
}

/// The sequence of the last archived event of the business; 0 without any.
pub(crate) async fn last_sequence(
    client: &impl GenericClient,
    business_id: BusinessId,
) -> Result<i64, tokio_postgres::Error> {
    let row = client
        .query_typed_one(
            "SELECT coalesce(max(last_sequence), 0) FROM event_archive_business WHERE shard = $1 AND business_id = $2",
            &[
                (&Shard::of(business_id).sql(), Type::INT2),
                (&business_id.uuid(), Type::UUID),
            ],
        )
        .await?;
    Ok(row.get(0))
}

impl Archive {
    /// The events at these positions, which ascend.
    async fn events_at(&self, positions: Vec<i64>) -> Result<Vec<StoredEvent>, ArchiveError> {
        if positions.is_empty() {
            return Ok(vec![]);
        }
        let archive = self.clone();
        spawn_blocking(move || {
            let mut reader = archive.open()?;
            let mut events = vec![];
            for positions in positions.chunk_by(|one, next| archive.frame_of(*one) == archive.frame_of(*next))
            {
                let lines = reader.lines(archive.frame_of(positions[0]))?;
                for position in positions {
                    let line = lines.get(archive.place_of(*position) % EVENTS_PER_FRAME);
                    events.push(archive.event(*position, line.map_or("", String::as_str))?);
                }
            }
            Ok(events)
        })
        .await?
    }

    /// The number of the line in the file, from 0.
    fn place_of(&self, position: i64) -> usize {
        usize::try_from(position - self.first).unwrap_or_default()
    }

    fn frame_of(&self, position: i64) -> usize {
        self.place_of(position) / EVENTS_PER_FRAME
    }

    /// Opens the file for a reader of all its events, frame by frame.
    pub fn open(&self) -> Result<ArchiveReader, ArchiveError> {
        let reader = Reader::open(&self.file).map_err(|source| self.unreadable(source))?;
        Ok(ArchiveReader {
            archive: self.clone(),
            reader,
            next_frame: 0,
            next_position: self.first,
        })
    }

    fn event(&self, position: i64, line: &str) -> Result<StoredEvent, ArchiveError> {
        let event = line::read(line).map_err(|reason| self.invalid(position, reason))?;
        if event.position != position || event.shard != self.shard {
            let reason = format!("has position {} of shard {}", event.position, event.shard);
            return Err(self.invalid(position, reason));
        }
        Ok(event)
    }

    fn unreadable(&self, source: io::Error) -> ArchiveError {
        let path = self.file.clone();
        ArchiveError::File { path, source }
    }

    fn invalid(&self, position: i64, reason: String) -> ArchiveError {
        ArchiveError::Line {
            path: self.file.clone(),
            position,
            reason,
        }
    }
}

/// Reads the events of an archive in their order.
pub struct ArchiveReader {
    archive: Archive,
    reader: Reader,
    next_frame: usize,
    next_position: i64,
}

impl ArchiveReader {
    fn lines(&mut self, frame: usize) -> Result<Vec<String>, ArchiveError> {
        let lines = self.reader.lines(frame);
        lines.map_err(|source| self.archive.unreadable(source))
    }

    /// The next events; none at the end. A file that ends before the archive's last position is an error.
    pub fn next_events(&mut self) -> Result<Vec<StoredEvent>, ArchiveError> {
        let mut events = vec![];
        for line in self.next_lines()? {
            events.push(self.archive.event(self.next_position, &line)?);
            self.next_position += 1;
        }
        Ok(events)
    }

    fn next_lines(&mut self) -> Result<Vec<String>, ArchiveError> {
        if self.next_frame == self.reader.frames() {
            let read = i64::try_from(self.next_frame * EVENTS_PER_FRAME).unwrap_or(i64::MAX);
            if self.archive.first.saturating_add(read) <= self.archive.last {
                return Err(self
                    .archive
                    .invalid(self.archive.last, "the file ends before it".to_owned()));
            }
            return Ok(vec![]);
        }
        self.next_frame += 1;
        self.lines(self.next_frame - 1)
    }
}
