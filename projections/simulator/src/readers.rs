//! Followers of the log. Each folds windows of any size, may crash between folding and storing, and continues from the
//! checkpoints. Two followers may fold the same window; only the first stores it. A follower is part of a process. It
//! reads events from the process's memory if they are there, and all others from the log.

use std::collections::BTreeMap;
use std::sync::Arc;

use ledger_domain::calendar::Date;
use ledger_model::ModelLog;
use ledger_store::event::LogEvent;
use ledger_store::follower::WindowRequest;
use ledger_store::{Recorded, Shard};
use projections::memory::{Due, Rows, Window};

use crate::Checked;
use crate::rng::SimRng;
use crate::watch::ensure;

#[derive(Debug, Default)]
pub struct Readers {
    pub rows: Rows,
    /// Folded but not stored yet.
    windows: Vec<Window>,
    /// The events of the log that were read so far.
    log: BTreeMap<Shard, Vec<Arc<LogEvent>>>,
    /// The number of these events.
    read: usize,
    /// The number of windows that were read from memory.
    pub from_memory: u64,
    /// The number of windows that were read from the log.
    pub from_log: u64,
}

impl Readers {
    /// A follower folds a window or stores one, or all followers crash. `recorded` is the memory of the follower's
    /// process.
    pub fn step(&mut self, log: &ModelLog, recorded: &Recorded, rng: &mut SimRng) -> Checked {
        self.read(log);
        match rng.below(10) {
            0..6 => self.fold(recorded, rng),
            6..9 => self.store(rng),
            _ => {
                self.windows.clear();
                Ok(())
            }
        }
    }

    /// Folds and stores everything that is recorded, in windows of any size.
    pub fn catch_up(&mut self, log: &ModelLog, recorded: &Recorded, rng: &mut SimRng) -> Checked {
        self.read(log);
        while Shard::all().any(|shard| self.is_behind(shard)) {
            self.fold(recorded, rng)?;
            self.store(rng)?;
        }
        Ok(())
    }

    /// The rows of a single fold over the whole log.
    pub fn folded_at_once(&self) -> Result<Rows, String> {
        let mut rows = Rows::default();
        let all: Vec<_> = self.log.values().flatten().cloned().collect();
        let window = rows.fold(&all)?;
        ensure(rows.store(window), || {
            "the rows of the whole log are not stored, although no other follower exists".to_owned()
        })?;
        Ok(rows)
    }

    /// The installments that the settlement job reads in the rows so far.
    pub fn due(&self, today: Date) -> Vec<Due> {
        self.rows.due(today)
    }

    pub fn reserve_due(&self, today: Date) -> Vec<Due> {
        self.rows.reserve_due(today)
    }

    /// Reads the events that were recorded since the last call.
    fn read(&mut self, log: &ModelLog) {
        for (shard, position, row) in log.events().skip(self.read) {
            let event = LogEvent::recorded(shard, position - row.ordinal, row);
            self.log.entry(shard).or_default().push(Arc::new(event));
        }
        self.read = log.events().len();
    }

    fn events_after(&self, shard: Shard, position: i64) -> &[Arc<LogEvent>] {
        let events = self.log.get(&shard).map_or(&[][..], Vec::as_slice);
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        events.get(position..).unwrap_or_default()
    }

    fn is_behind(&self, shard: Shard) -> bool {
        !self.events_after(shard, self.rows.position(shard)).is_empty()
    }

    /// Folds a window over one or several shards.
    fn fold(&mut self, recorded: &Recorded, rng: &mut SimRng) -> Checked {
        let mut behind: Vec<_> = Shard::all().filter(|shard| self.is_behind(*shard)).collect();
        let mut events = vec![];
        for _ in 0..rng.pick(&[1, 1, 3, 16]).min(behind.len()) {
            let shard = behind.swap_remove(rng.below(behind.len()));
            let limit = rng.pick(&[1, 2, 3, 7, 50]);
            events.extend(self.window(recorded, shard, limit)?);
        }
        if !events.is_empty() {
            let window = self.rows.fold(&events)?;
            self.windows.push(window);
        }
        Ok(())
    }

    /// The shard's next events, from memory if they are there.
    fn window(
        &mut self,
        recorded: &Recorded,
        shard: Shard,
        limit: i64,
    ) -> Result<Vec<Arc<LogEvent>>, String> {
        let after = self.rows.position(shard);
        let request = WindowRequest {
            shard,
            after,
            limit,
            event_types: None,
        };
        let of_log = self.events_after(shard, after);
        let Some((range, events)) = recorded.window(&request) else {
            let size = usize::try_from(limit).unwrap_or(usize::MAX).min(of_log.len());
            let events = of_log[..size].to_vec();
            self.from_log += 1;
            return Ok(events);
        };
        let place = |event: &Arc<LogEvent>| (event.position, event.event_id);
        let as_in_log = events.len() <= of_log.len()
            && events
                .iter()
                .map(place)
                .eq(of_log[..events.len()].iter().map(place));
        ensure(
            as_in_log && range.positions() == i64::try_from(events.len()).unwrap_or(-1),
            || format!("the events of {shard} after {after} in memory are not those of the log: {events:?}"),
        )?;
        self.from_memory += 1;
        Ok(events)
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
