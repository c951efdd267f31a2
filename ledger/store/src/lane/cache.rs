//! The lane's cache of heads, sales and transfers. It includes decisions that are not durable yet.
//!
//! Each entry has the number of the batch that changed it last. Until that batch is durable, the entry is not evicted
//! and no answer based on it is sent. If the batch is rolled back, its entries are removed and looked up again.

use std::collections::BTreeMap;
use std::hash::Hash;

use ledger_domain::business::{Hold, OpenReceivable, RecentWithdrawal, Sale, Transfer};
use ledger_domain::{BusinessId, PayoutId, SaleId, TransferId};

use super::lru::Lru;
use super::messages::{FoundState, Head};
use crate::position::Shard;

#[derive(Debug, Clone)]
pub(super) struct HeadEntry {
    pub head: Head,
    /// The number of the batch that changed it last.
    pub batch: u64,
}

/// A sale or a transfer.
#[derive(Debug, Clone)]
pub(super) struct CacheEntry<S> {
    pub found: FoundState<S>,
    /// The number of the batch that changed it last.
    pub batch: u64,
}

/// A cached state other than a head.
pub(super) trait CachedState: Clone {
    /// Whether it has a row from its first event on.
    const STORED_AT_ONCE: bool;
    /// The size of its heap memory, or an estimate.
    fn heap_bytes(&self) -> usize;
}

/// The cached states of one kind.
#[derive(Debug)]
pub(super) struct CachedStates<Id: Eq + Hash, S>(Lru<Id, CacheEntry<S>>);

/// The cached states of some ids. `batch` is the last batch that changed one of them; an answer based on them depends
/// on it.
pub(super) enum CacheLookUp<Id, S> {
    Own {
        states: BTreeMap<Id, S>,
        batch: u64,
    },
    /// One of the ids belongs to another business.
    Other {
        owner: BusinessId,
        batch: u64,
    },
}

#[derive(Debug)]
pub(super) struct LaneCache {
    pub heads: Lru<BusinessId, HeadEntry>,
    pub sales: CachedStates<SaleId, Sale>,
    pub transfers: CachedStates<TransferId, Transfer>,
    limit_bytes: usize,
}

/// An estimate of an entry's overhead: its key, its place in the queue of uses, and spare capacity.
const ENTRY_BYTES: usize = 96;

impl CachedState for Sale {
    const STORED_AT_ONCE: bool = false;

    fn heap_bytes(&self) -> usize {
        self.external_id.capacity() + self.open.capacity() * size_of::<OpenReceivable>()
    }
}

/// An estimate of a destination's heap strings: bank, branch, account, or PIX key.
const DESTINATION_BYTES: usize = 64;

/// An estimate of the texts of a court order.
const ORDER_BYTES: usize = 64;

impl CachedState for Transfer {
    const STORED_AT_ONCE: bool = true;

    fn heap_bytes(&self) -> usize {
        DESTINATION_BYTES + self.failed_payouts.capacity() * size_of::<PayoutId>()
    }
}

impl<Id: Copy + Eq + Hash + Ord, S: CachedState> CachedStates<Id, S> {
    fn new() -> Self {
        Self(Lru::new())
    }

    pub fn get(&self, id: &Id) -> Option<&CacheEntry<S>> {
        self.0.get(id)
    }

    pub fn touch(&mut self, id: &Id) -> Option<&mut CacheEntry<S>> {
        self.0.touch(id)
    }

    pub fn remove(&mut self, id: &Id) {
        self.0.remove(id);
    }

    pub fn insert(&mut self, id: Id, found: FoundState<S>, batch: u64) {
        let bytes = size_of::<CacheEntry<S>>() + found.state.heap_bytes() + ENTRY_BYTES;
        self.0.insert(id, CacheEntry { found, batch }, bytes);
    }

    /// The cached states of these ids, if all of them belong to this business.
    pub fn for_business(&self, business_id: BusinessId, ids: Vec<Id>) -> CacheLookUp<Id, S> {
        let (mut states, mut batch_of_states) = (BTreeMap::new(), 0);
        for id in ids {
            let Some(CacheEntry { found, batch }) = self.get(&id) else {
                continue;
            };
            if found.business_id != business_id {
                return CacheLookUp::Other {
                    owner: found.business_id,
                    batch: *batch,
                };
            }
            batch_of_states = batch_of_states.max(*batch);
            states.insert(id, found.state.clone());
        }
        CacheLookUp::Own {
            states,
            batch: batch_of_states,
        }
    }

    fn evict_to_limit(&mut self, limit_bytes: usize, durable: u64) {
        self.0.evict_to_limit(limit_bytes, |entry| entry.batch > durable);
    }

    fn remove_shards(&mut self, shards: &[Shard]) {
        self.0
            .retain(|_, entry| !shards.contains(&Shard::of(entry.found.business_id)));
    }
}

impl LaneCache {
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            heads: Lru::new(),
            sales: CachedStates::new(),
            transfers: CachedStates::new(),
            limit_bytes,
        }
    }

    pub fn insert_head(&mut self, business_id: BusinessId, head: Head, batch: u64) {
        let recent = head.recent_withdrawals.len() * (size_of::<RecentWithdrawal>() + DESTINATION_BYTES);
        let holds = head.holds.len() * (size_of::<Hold>() + ORDER_BYTES);
        let bytes = size_of::<HeadEntry>() + recent + holds + ENTRY_BYTES;
        self.heads.insert(business_id, HeadEntry { head, batch }, bytes);
    }

    /// The heads and the transfers get an eighth each, because there are far fewer of them than sales.
    pub fn evict_to_limit(&mut self, durable: u64) {
        let eighth = self.limit_bytes / 8;
        self.heads.evict_to_limit(eighth, |entry| entry.batch > durable);
        self.transfers.evict_to_limit(eighth, durable);
        self.sales.evict_to_limit(self.limit_bytes - 2 * eighth, durable);
    }

    pub fn remove_shards(&mut self, shards: &[Shard]) {
        self.heads
            .retain(|business_id, _| !shards.contains(&Shard::of(*business_id)));
        self.sales.remove_shards(shards);
        self.transfers.remove_shards(shards);
    }

    pub fn clear(&mut self) {
        self.heads.clear();
        self.sales.0.clear();
        self.transfers.0.clear();
    }

    pub fn bytes(&self) -> usize {
        self.heads.bytes() + self.sales.0.bytes() + self.transfers.0.bytes()
    }
}
