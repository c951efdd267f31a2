//! The events of a shard in the order of their positions, page by page: those of the archives' files, then those of the
//! database. Each page is one statement, so that the writer's tables keep no snapshot for long.

use std::vec::IntoIter;

use tokio_postgres::GenericClient;

use crate::archive::{Archive, ArchiveReader, archives};
use crate::event::StoredEvent;
use crate::log::{self, LogError};
use crate::position::Shard;

/// Events in a page of the database.
const PAGE: i64 = 2_000;

pub(super) struct EventPages<'a, C> {
    client: &'a C,
    shard: Shard,
    archives: IntoIter<Archive>,
    open: Option<ArchiveReader>,
    /// The position of the last event that the database gave. Also what stands there at a position of the archives is
    /// read, because it should not be there.
    after: i64,
}

pub(super) struct Page {
    pub events: Vec<StoredEvent>,
    pub archived: bool,
}

impl<'a, C: GenericClient> EventPages<'a, C> {
    pub async fn of(client: &'a C, shard: Shard) -> Result<Self, LogError> {
        Ok(Self {
            client,
            shard,
            archives: archives(client, shard).await?.into_iter(),
            open: None,
            after: i64::MIN,
        })
    }

    /// `None` after the last event that is recorded now.
    pub async fn next(&mut self) -> Result<Option<Page>, LogError> {
        if let Some(events) = self.next_archived()? {
            return Ok(Some(Page {
                events,
                archived: true,
            }));
        }
        let events = log::of_shard(self.client, self.shard, self.after, PAGE).await?;
        let Some(last) = events.last() else {
            return Ok(None);
        };
        self.after = last.position;
        Ok(Some(Page {
            events,
            archived: false,
        }))
    }

    fn next_archived(&mut self) -> Result<Option<Vec<StoredEvent>>, LogError> {
        loop {
            if let Some(reader) = &mut self.open {
                let events = reader.next_events()?;
                if !events.is_empty() {
                    return Ok(Some(events));
                }
            }
            let Some(next) = self.archives.next() else {
                return Ok(None);
            };
            self.open = Some(next.open()?);
        }
    }
}
