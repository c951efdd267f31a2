//! Followers of the log: each reads windows of any size, may crash between folding and storing, and continues from its
//! checkpoint. Two may hold the same window; only the first stores it.

use std::collections::BTreeMap;

use ledger_domain::calendar::Date;
use ledger_model::ModelLog;
use ledger_store::lane::EventRow;
use ledger_store::{Shard, StoredEvent};
use projections::memory::{Due, Rows, Window};

use crate::Checked;
use crate::rng::SimRng;
use crate::watch::ensure;

#[derive(Debug, Default)]
pub struct Readers {
    pub rows: Rows,
    /// Folded but not stored yet.
    windows: Vec<Window>,
    stored: BTreeMap<Shard, Vec<StoredEvent>>,
    read: usize,
}

impl Readers {
    /// One follower takes a step: it folds a window, stores one, or crashes with it.
    pub fn step(&mut self, log: &ModelLog, rng: &mut SimRng) -> Checked {
        self.read(log);
        match rng.below(10) {
            0..6 => self.fold(rng),
            6..9 => self.store(rng),
            _ => {
                self.windows.clear();
                Ok(())
            }
        }
    }

    /// Folds everything that is recorded, in windows of any size.
    pub fn catch_up(&mut self, log: &ModelLog, rng: &mut SimRng) -> Checked {
        self.read(log);
        while Shard::all().any(|shard| self.is_behind(shard)) {
            self.fold(rng)?;
            self.store(rng)?;
        }
        Ok(())
    }

    /// The rows of a single fold over the whole log.
    pub fn folded_at_once(&self) -> Result<Rows, String> {
        let mut rows = Rows::default();
        for (shard, events) in &self.stored {
            let window = rows.fold(*shard, events)?;
            ensure(rows.store(window), || "nobody else stores these rows".to_owned())?;
        }
        Ok(rows)
    }

    /// The installments that the settlement job reads in the rows so far.
    pub fn due(&self, today: Date) -> Vec<Due> {
        self.rows.due(today)
    }

    fn read(&mut self, log: &ModelLog) {
        for (shard, position, row) in log.events().skip(self.read) {
            self.stored
                .entry(shard)
                .or_default()
                .push(stored(shard, position, row));
        }
        self.read = log.events().len();
    }

    fn events_after(&self, shard: Shard) -> &[StoredEvent] {
        let events = self.stored.get(&shard).map_or(&[][..], Vec::as_slice);
        let position = usize::try_from(self.rows.position(shard)).unwrap_or(usize::MAX);
        events.get(position..).unwrap_or_default()
    }

    fn is_behind(&self, shard: Shard) -> bool {
        !self.events_after(shard).is_empty()
    }

    fn fold(&mut self, rng: &mut SimRng) -> Checked {
        let behind: Vec<_> = Shard::all().filter(|shard| self.is_behind(*shard)).collect();
        if behind.is_empty() {
            return Ok(());
        }
        let shard = rng.pick(&behind);
        let events = self.events_after(shard);
        let size = rng.pick(&[1, 2, 3, 7, 50]).min(events.len());
        let window = self.rows.fold(shard, &events[..size])?;
        self.windows.push(window);
        Ok(())
    }

    fn store(&mut self, rng: &mut SimRng) -> Checked {
        if self.windows.is_empty() {
            return Ok(());
        }
        let at = rng.below(self.windows.len());
        self.rows.store(self.windows.swap_remove(at));
        Ok(())
    }
}

fn stored(shard: Shard, position: i64, row: &EventRow) -> StoredEvent {
    StoredEvent {
        shard,
        position,
        business_id: row.business_id,
        sequence: row.sequence,
        event_id: row.event_id,
        event_type: row.event_type.to_owned(),
        event_version: row.event_version.to_owned(),
        payload: row.payload.clone(),
        metadata: row.metadata.to_string(),
        recorded_at: row.recorded_at,
        occurred_at: row.occurred_at,
        digest: row.digest,
        chain: row.chain,
    }
}
