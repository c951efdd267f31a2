//! A batch: open while commands are added to it, then sealed with its rows.

use std::ops::Range;
use std::sync::Arc;

use ledger_domain::{BusinessId, SaleId, TransferId};
use serde::Serialize;

use super::cache::{CacheEntry, LaneCache};
use super::messages::{Append, EventRow, HeadRow, ShardAdvance, StateRow};
use super::work::{Answer, Pending};
use crate::position::{SHARDS, Shard};
use crate::submission::{Receipt, RecordedEvent};

#[derive(Debug)]
pub(super) struct Batch<T> {
    pub number: u64,
    /// Commands with the range of their events.
    pub commands: Vec<(Box<Pending<T>>, Range<usize>)>,
    /// Commands without events whose answer depends on this batch.
    pub waiters: Vec<(Box<Pending<T>>, Answer)>,
    /// The changed heads, with their version before the batch.
    pub heads: Vec<(BusinessId, i64)>,
    /// The changed sales, with whether each had a row of its state before the batch.
    pub sales: Vec<(SaleId, bool)>,
    /// The changed transfers, in the same form.
    pub transfers: Vec<(TransferId, bool)>,
    /// Until the batch is sealed, `shard_index` is the number of the shard.
    pub events: Vec<EventRow>,
    /// The number of events of each shard.
    pub counts: [i64; SHARDS as usize],
    /// The oldest version of the reference data in memory on which an event rests.
    pub reference_version: Option<i64>,
}

/// A sealed batch that is sent and not answered yet.
#[derive(Debug)]
pub(super) struct InFlightBatch<T> {
    pub batch: Batch<T>,
    pub append: Arc<Append>,
}

/// The epoch, the position and the time of a shard, for sealing a batch.
pub(super) struct ShardFence {
    pub epoch: i64,
    pub position: i64,
    pub recorded_at: ledger_domain::calendar::Instant,
}

impl<T> Batch<T> {
    pub fn new(number: u64) -> Self {
        Self {
            number,
            commands: vec![],
            waiters: vec![],
            heads: vec![],
            sales: vec![],
            transfers: vec![],
            events: vec![],
            counts: [0; SHARDS as usize],
            reference_version: None,
        }
    }

    /// Counts an event of the shard, and returns its number within the shard and the batch.
    pub fn count_event(&mut self, shard: Shard) -> i64 {
        let count = &mut self.counts[shard.index()];
        *count += 1;
        *count
    }

    /// Builds the rows: each changed head, sale and transfer once, in its final state. A sale with one event gets
    /// no row.
    pub fn seal(mut self, cache: &LaneCache, fence: impl Fn(Shard) -> ShardFence) -> InFlightBatch<T> {
        let mut append_index = [0; SHARDS as usize];
        let mut shards = vec![];
        for shard in Shard::all().filter(|shard| self.counts[shard.index()] > 0) {
            let ShardFence {
                epoch,
                position,
                recorded_at,
            } = fence(shard);
            append_index[shard.index()] = shards.len();
            shards.push(ShardAdvance {
                shard,
                epoch,
                base: position,
                events: self.counts[shard.index()],
                recorded_at,
            });
        }
        let mut events = std::mem::take(&mut self.events);
        for event in &mut events {
            event.shard_index = append_index[event.shard_index];
        }
        let heads = self
            .heads
            .iter()
            .map(|(id, expected)| head_row(*id, *expected, cache, &append_index));
        let heads = heads.collect();
        self.sales.sort_unstable();
        let sales = self.sales.iter().filter_map(|(id, existed)| {
            let entry = cache.sales.get(id).expect("a changed sale is not evicted");
            let status = entry.found.state.status.as_str();
            entry
                .found
                .is_stored
                .then(|| row(*id, *existed, entry, status, &append_index))
        });
        let sales = sales.collect();
        self.transfers.sort_unstable();
        let transfers = self.transfers.iter().map(|(id, existed)| {
            let entry = cache
                .transfers
                .get(id)
                .expect("a changed transfer is not evicted");
            row(
                *id,
                *existed,
                entry,
                entry.found.state.status.slug(),
                &append_index,
            )
        });
        let transfers = transfers.collect();
        let append = Append {
            shards,
            heads,
            sales,
            transfers,
            events,
            reference_version: self.reference_version,
        };
        InFlightBatch {
            batch: self,
            append: Arc::new(append),
        }
    }
}

fn head_row(
    business_id: BusinessId,
    expected: i64,
    cache: &LaneCache,
    append_index: &[usize; SHARDS as usize],
) -> HeadRow {
    let entry = cache.heads.get(&business_id);
    HeadRow {
        shard_index: append_index[Shard::of(business_id).index()],
        business_id,
        expected,
        head: entry.expect("a changed head is not evicted").head.clone(),
    }
}

fn row<Id, S: Serialize>(
    id: Id,
    existed: bool,
    entry: &CacheEntry<S>,
    status: &'static str,
    append_index: &[usize; SHARDS as usize],
) -> StateRow<Id> {
    let found = &entry.found;
    StateRow {
        shard_index: append_index[Shard::of(found.business_id).index()],
        id,
        existed,
        business_id: found.business_id,
        status,
        created_at: found.created_at,
        sequence: found.sequence,
        state: serde_json::to_string(&found.state).expect("a state serializes"),
    }
}

impl<T> InFlightBatch<T> {
    /// The receipt of the command with these rows; `bases` are the shards' last positions before the batch.
    pub fn receipt(&self, rows: Range<usize>, bases: &[Option<i64>]) -> Option<Receipt> {
        let events = self.append.events[rows].iter().map(|row| {
            Some(RecordedEvent {
                event_id: row.event_id,
                sequence: row.sequence,
                shard: self.append.shards[row.shard_index].shard,
                position: bases[row.shard_index]? + row.ordinal,
                recorded_at: row.recorded_at,
                event: row.event.clone(),
            })
        });
        Some(Receipt {
            events: events.collect::<Option<_>>()?,
            replayed: false,
        })
    }
}
