//! The archived events of a shard by business, for readers that fold one business after the other.
//!
//! Files have events in the order of their positions, and those of one business stand in most frames. So the files are
//! read once, and each event goes to one of some temporary files by its business. One of those fits into memory.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use ledger_domain::BusinessId;
use serde::Deserialize;
use tempfile::TempDir;
use uuid::Uuid;

use super::seekable::{Reader, Writer};
use super::{Archive, ArchiveError, line};
use crate::event::StoredEvent;

/// The events of a group, on average.
const EVENTS_PER_GROUP: i64 = 100_000;
/// Each group is an open file while they are written.
const GROUPS_MAX: i64 = 256;
const LINES_PER_FRAME: usize = 128;
/// Fast, because the files are read once.
const LEVEL: i32 = 1;

pub struct ByBusiness {
    folder: TempDir,
    groups: usize,
    /// The group in memory, and its events by business, in order.
    loaded: Option<(usize, HashMap<BusinessId, Vec<StoredEvent>>)>,
}

#[derive(Deserialize)]
struct Owner {
    business_id: Uuid,
}

impl ByBusiness {
    /// Reads the archives of a shard, which are in order. They are not empty.
    pub fn read(archives: &[Archive]) -> Result<Self, ArchiveError> {
        let events: i64 = archives
            .iter()
            .map(|archive| archive.last - archive.first + 1)
            .sum();
        let groups = (events / EVENTS_PER_GROUP + 1).min(GROUPS_MAX);
        let groups = usize::try_from(groups).unwrap_or(1);
        let folder = tempfile::tempdir().map_err(temporary)?;
        let file = |group: usize| File::create(folder.path().join(group.to_string()));
        let mut writers: Vec<_> = (0..groups)
            .map(|group| {
                Ok(Writer::new(
                    io::BufWriter::new(file(group)?),
                    LINES_PER_FRAME,
                    LEVEL,
                ))
            })
            .collect::<Result<_, _>>()
            .map_err(temporary)?;
        for archive in archives {
            let mut reader = archive.open()?;
            let mut position = archive.first;
            loop {
                let lines = reader.next_lines()?;
                if lines.is_empty() {
                    break;
                }
                for line in lines {
                    let owner: Owner = serde_json::from_str(&line)
                        .map_err(|error| archive.invalid(position, error.to_string()))?;
                    let group = group_of(BusinessId::from_uuid(owner.business_id), groups);
                    writers[group].push(line.as_bytes()).map_err(temporary)?;
                    position += 1;
                }
            }
        }
        for writer in writers {
            let written = writer
                .finish()
                .and_then(|out| out.into_inner().map_err(io::Error::from));
            written.map_err(temporary)?;
        }
        Ok(Self {
            folder,
            groups,
            loaded: None,
        })
    }

    pub const fn groups(&self) -> usize {
        self.groups
    }

    /// Businesses are asked for group by group, because a change of groups reads a file.
    pub fn group_of(&self, business_id: BusinessId) -> usize {
        group_of(business_id, self.groups)
    }

    /// The archived events of the business in their order. A second call for it returns none.
    pub fn take(&mut self, business_id: BusinessId) -> Result<Vec<StoredEvent>, ArchiveError> {
        let group = self.group_of(business_id);
        if self.loaded.as_ref().is_none_or(|(loaded, _)| *loaded != group) {
            self.loaded = Some((group, self.load(group)?));
        }
        let events = self
            .loaded
            .as_mut()
            .and_then(|(_, events)| events.remove(&business_id));
        Ok(events.unwrap_or_default())
    }

    fn load(&self, group: usize) -> Result<HashMap<BusinessId, Vec<StoredEvent>>, ArchiveError> {
        let path = self.folder.path().join(group.to_string());
        let mut reader = Reader::open(&path).map_err(temporary)?;
        let mut events: HashMap<_, Vec<_>> = HashMap::new();
        for frame in 0..reader.frames() {
            for text in reader.lines(frame).map_err(temporary)? {
                let event = line::read(&text).map_err(|reason| ArchiveError::Line {
                    path: path.clone(),
                    position: 0,
                    reason,
                })?;
                events.entry(event.business_id).or_default().push(event);
            }
        }
        Ok(events)
    }
}

fn group_of(business_id: BusinessId, groups: usize) -> usize {
    // The last bytes of ids of version 7 are random.
    let [.., high, low] = business_id.uuid().into_bytes();
    usize::from(u16::from_be_bytes([high, low])) % groups
}

fn temporary(source: io::Error) -> ArchiveError {
    ArchiveError::File {
        path: std::env::temp_dir(),
        source,
    }
}
