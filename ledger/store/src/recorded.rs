//! The latest events that the writer of this process has recorded, in memory by shard, and the shards that it owns.
//!
//! Followers read committed events from here instead of from the database. The events of a shard have no gap. New
//! events that do not follow those in memory replace them. That happens after another process wrote in between, or
//! after an answer of the database was lost. The oldest are dropped beyond a limit in bytes. A follower that needs
//! events which are not here reads the log.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::event::LogEvent;
use crate::follower::{Range, WindowRequest};
use crate::lane::{AcquiredShard, Append, EventRow};
use crate::position::{LedgerPosition, SHARDS, Shard};
use crate::trace::Place;

/// About ten thousand captures.
const LIMIT_BYTES: usize = 16 << 20;

/// An estimate of an event's size besides its texts.
const EVENT_BYTES: usize = 256;

/// Of a shard. A follower that is further behind begins traces of its own.
const TRACES_MAX: usize = 256;

/// Clones share the events.
#[derive(Debug, Clone)]
pub struct Recorded {
    feed: Arc<Mutex<FeedState>>,
    /// Counts the batches.
    batches: watch::Sender<u64>,
}

#[derive(Debug)]
struct FeedState {
    shards: [ShardFeed; SHARDS as usize],
    /// For each batch and shard, in the order of their commits: how many events it added, and their size.
    added: VecDeque<(Shard, usize, usize)>,
    bytes: usize,
    limit_bytes: usize,
}

#[derive(Debug, Default)]
struct ShardFeed {
    /// The writer of this process owns the shard, as far as it knows.
    is_owned: bool,
    /// The last position that this process recorded, or at which it took the shard; 0 before both.
    end: i64,
    /// The events up to `end`, without a gap.
    events: VecDeque<Arc<LogEvent>>,
    /// The traces of the latest batches, by their last positions.
    traces: VecDeque<(i64, Place)>,
}

impl Default for Recorded {
    fn default() -> Self {
        Self::with_limit(LIMIT_BYTES)
    }
}

impl Recorded {
    /// Holds events of about this many bytes.
    pub fn with_limit(limit_bytes: usize) -> Self {
        let feed = FeedState {
            shards: Default::default(),
            added: VecDeque::new(),
            bytes: 0,
            limit_bytes,
        };
        Self {
            feed: Arc::new(Mutex::new(feed)),
            batches: watch::Sender::new(0),
        }
    }

    /// A channel that changes with each batch.
    pub fn batches(&self) -> watch::Receiver<u64> {
        self.batches.subscribe()
    }

    /// The last position of each shard that this process recorded, or at which it took the shard. Other processes may
    /// have recorded later events.
    pub fn position(&self) -> LedgerPosition {
        let feed = self.feed();
        let mut position = LedgerPosition::default();
        for shard in Shard::all() {
            match feed.shards[shard.index()].end {
                0 => {}
                end => position.advance(shard, end),
            }
        }
        position
    }

    /// The last position of the shard, if the writer of this process owns it, as far as it knows.
    pub fn end(&self, shard: Shard) -> Option<i64> {
        let feed = self.feed();
        let shard = &feed.shards[shard.index()];
        shard.is_owned.then_some(shard.end)
    }

    /// The requested events, if the first of them is in memory.
    pub fn window(&self, request: &WindowRequest) -> Option<(Range, Vec<Arc<LogEvent>>)> {
        let feed = self.feed();
        let ShardFeed { end, events, .. } = &feed.shards[request.shard.index()];
        let first = end - i64::try_from(events.len()).ok()?;
        let skipped = usize::try_from(request.after.checked_sub(first)?).ok()?;
        if skipped >= events.len() {
            return None;
        }
        let limit = usize::try_from(request.limit).unwrap_or(usize::MAX);
        let taken = (events.len() - skipped).min(limit);
        let range = Range {
            shard: request.shard,
            after: request.after,
            until: request.after + i64::try_from(taken).ok()?,
        };
        let wanted = |event: &&Arc<LogEvent>| {
            request
                .event_types
                .is_none_or(|types| event.event_type().is_none_or(|name| types.contains(&name)))
        };
        let events = events.range(skipped..skipped + taken).filter(wanted);
        Some((range, events.cloned().collect()))
    }

    /// Adds the events of a committed batch. `bases` are the last positions of its shards before it; `None` for a shard
    /// of which nothing was recorded.
    pub fn publish(&self, append: &Append, bases: &[Option<i64>]) {
        let mut feed = self.feed();
        for ((at, advance), base) in append.shards.iter().enumerate().zip(bases) {
            let Some(base) = base else { continue };
            let rows = append.events.iter().filter(|row| row.shard_index == at);
            feed.add(advance.shard, *base, advance.events, rows);
        }
        feed.drop_oldest();
        drop(feed);
        self.batches.send_modify(|batches| *batches += 1);
    }

    /// Notes the trace of a batch before it is published.
    pub fn note_trace(&self, append: &Append, bases: &[Option<i64>], place: &Place) {
        if place.is_empty() {
            return;
        }
        let mut feed = self.feed();
        for (advance, base) in append.shards.iter().zip(bases) {
            let Some(base) = base else { continue };
            let traces = &mut feed.shards[advance.shard.index()].traces;
            traces.push_back((base + advance.events, place.clone()));
            if traces.len() > TRACES_MAX {
                traces.pop_front();
            }
        }
    }

    /// The traces of the batches that end in the range.
    pub fn traces(&self, range: &Range) -> Vec<Place> {
        let feed = self.feed();
        let traces = feed.shards[range.shard.index()].traces.iter();
        let of_range = traces.filter(|(end, _)| range.after < *end && *end <= range.until);
        of_range.map(|(_, place)| place.clone()).collect()
    }

    /// The writer owns these shards from now on. Another process may have recorded events since it last did.
    pub fn own(&self, acquired: &[AcquiredShard]) {
        let mut feed = self.feed();
        for AcquiredShard { shard, position, .. } in acquired {
            feed.continue_from(*shard, *position);
            feed.shards[shard.index()].is_owned = true;
        }
    }

    /// The writer no longer owns these shards.
    pub fn lose(&self, shards: impl IntoIterator<Item = Shard>) {
        let mut feed = self.feed();
        for shard in shards {
            feed.shards[shard.index()].is_owned = false;
        }
    }

    fn feed(&self) -> MutexGuard<'_, FeedState> {
        // No code that holds the lock leaves the events in an inconsistent state.
        self.feed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FeedState {
    fn add<'a>(&mut self, shard: Shard, base: i64, events: i64, rows: impl Iterator<Item = &'a EventRow>) {
        self.continue_from(shard, base);
        let feed = &mut self.shards[shard.index()];
        let (mut count, mut bytes) = (0, 0);
        for row in rows {
            feed.events
                .push_back(Arc::new(LogEvent::recorded(shard, base, row)));
            count += 1;
            bytes += EVENT_BYTES + row.payload.len() + row.metadata.len();
        }
        feed.end = base + events;
        self.added.push_back((shard, count, bytes));
        self.bytes += bytes;
    }

    /// Drops the shard's events if others were recorded after them.
    fn continue_from(&mut self, shard: Shard, position: i64) {
        let feed = &mut self.shards[shard.index()];
        if feed.end == position {
            return;
        }
        feed.events.clear();
        feed.end = position;
        let (of_shard, others) = self.added.drain(..).partition(|(of, ..)| *of == shard);
        let of_shard: VecDeque<(Shard, usize, usize)> = of_shard;
        self.added = others;
        self.bytes -= of_shard.iter().map(|(.., bytes)| bytes).sum::<usize>();
    }

    fn drop_oldest(&mut self) {
        while self.bytes > self.limit_bytes
            && let Some((shard, count, bytes)) = self.added.pop_front()
        {
            self.shards[shard.index()].events.drain(..count);
            self.bytes -= bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use ledger_domain::BusinessId;
    use uuid::Uuid;

    use super::*;
    use crate::lane::ShardAdvance;
    use crate::lane::tests::held_row;

    /// The bytes of the payload and metadata of an event of `batch`.
    const EVENT_TEXTS: usize = 2;

    fn shard() -> Shard {
        Shard::of(business())
    }

    fn business() -> BusinessId {
        BusinessId::from_uuid(Uuid::from_u128(1))
    }

    /// A batch with events of the shard from `first` on.
    fn batch(first: i64, events: i64) -> Append {
        let row = |ordinal| EventRow {
            payload: "{".to_owned(),
            metadata: "}".into(),
            ordinal,
            ..held_row(business(), first + ordinal - 1)
        };
        Append {
            shards: vec![ShardAdvance {
                shard: shard(),
                epoch: 1,
                base: first - 1,
                events,
                recorded_at: Default::default(),
            }],
            events: (1..=events).map(row).collect(),
            ..Append::default()
        }
    }

    fn window(recorded: &Recorded, after: i64, limit: i64) -> Option<Vec<i64>> {
        let request = WindowRequest {
            shard: shard(),
            after,
            limit,
            event_types: None,
        };
        let (range, events) = recorded.window(&request)?;
        let positions: Vec<_> = events.iter().map(|event| event.position).collect();
        assert_eq!(range.until, *positions.last().expect("never empty"));
        Some(positions)
    }

    #[test]
    fn committed_events_are_read_in_windows_without_a_gap() {
        let recorded = Recorded::default();
        recorded.publish(&batch(1, 2), &[Some(0)]);
        recorded.publish(&batch(3, 1), &[Some(2)]);
        assert_eq!(window(&recorded, 0, 10), Some(vec![1, 2, 3]));
        assert_eq!(window(&recorded, 1, 1), Some(vec![2]));
        assert_eq!(window(&recorded, 3, 10), None, "nothing follows it");
        assert_eq!(window(&recorded, 4, 10), None, "a position ahead of this process");
    }

    #[test]
    fn events_after_a_gap_replace_those_before_it() {
        let recorded = Recorded::default();
        recorded.publish(&batch(1, 2), &[Some(0)]);
        recorded.publish(&batch(6, 2), &[Some(5)]);
        assert_eq!(window(&recorded, 0, 10), None);
        assert_eq!(window(&recorded, 2, 10), None, "3 to 5 are in the log only");
        assert_eq!(window(&recorded, 5, 10), Some(vec![6, 7]));
    }

    #[test]
    fn a_batch_of_a_lost_shard_adds_nothing() {
        let recorded = Recorded::default();
        recorded.publish(&batch(1, 2), &[None]);
        assert_eq!(window(&recorded, 0, 10), None);
        assert_eq!(recorded.position(), LedgerPosition::default());
    }

    #[test]
    fn a_shard_that_was_taken_again_continues_at_its_position() {
        let recorded = Recorded::default();
        let acquired = |position| {
            [AcquiredShard {
                shard: shard(),
                epoch: 1,
                position,
                recorded_at: None,
            }]
        };
        recorded.own(&acquired(0));
        recorded.publish(&batch(1, 2), &[Some(0)]);
        recorded.lose([shard()]);
        assert_eq!(recorded.end(shard()), None);
        recorded.own(&acquired(2));
        assert_eq!(recorded.end(shard()), Some(2));
        assert_eq!(
            window(&recorded, 0, 10),
            Some(vec![1, 2]),
            "no other process recorded any"
        );
        recorded.own(&acquired(4));
        assert_eq!(recorded.end(shard()), Some(4));
        assert_eq!(window(&recorded, 0, 10), None);
    }

    #[test]
    fn the_oldest_events_are_dropped_beyond_the_limit() {
        let recorded = Recorded::with_limit(3 * (EVENT_BYTES + EVENT_TEXTS));
        recorded.publish(&batch(1, 2), &[Some(0)]);
        recorded.publish(&batch(3, 1), &[Some(2)]);
        assert_eq!(window(&recorded, 0, 10), Some(vec![1, 2, 3]));
        recorded.publish(&batch(4, 1), &[Some(3)]);
        assert_eq!(window(&recorded, 0, 10), None);
        assert_eq!(window(&recorded, 2, 10), Some(vec![3, 4]));
        // The events that are dropped at a gap no longer count for the limit.
        recorded.publish(&batch(9, 1), &[Some(8)]);
        recorded.publish(&batch(10, 2), &[Some(9)]);
        assert_eq!(window(&recorded, 8, 10), Some(vec![9, 10, 11]));
        assert_eq!(recorded.feed().bytes, 3 * (EVENT_BYTES + EVENT_TEXTS));
    }

    #[test]
    fn only_the_wanted_types_are_handed_out() {
        let recorded = Recorded::default();
        recorded.publish(&batch(1, 2), &[Some(0)]);
        let request = |types| WindowRequest {
            shard: shard(),
            after: 0,
            limit: 10,
            event_types: Some(types),
        };
        let (range, events) = recorded.window(&request(&["SaleCaptured"])).expect("a window");
        assert_eq!((range.until, events.len()), (2, 0));
        let (range, events) = recorded.window(&request(&["AmountHeld"])).expect("a window");
        assert_eq!((range.until, events.len()), (2, 2));
    }
}
