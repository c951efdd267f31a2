//! The lane's cache: heads, sales and transfers after everything it has decided, durable or not.
//!
//! Each entry names the batch that changed it last. Until that batch is durable, the entry is not evicted and no answer
//! based on it is sent. If the batch is rolled back, its entries are removed and looked up again.

use std::collections::BTreeMap;
use std::hash::Hash;

use ledger_domain::business::{OpenReceivable, RecentWithdrawal, Sale, Transfer};
use ledger_domain::{BusinessId, PayoutId, SaleId, TransferId};

use super::lru::Lru;
use super::messages::{FoundState, Head};
use crate::position::Shard;

#[derive(Debug, Clone)]
pub(super) struct HeadEntry {
    pub head: Head,
    pub batch: u64,
}

/// A sale or a transfer.
#[derive(Debug, Clone)]
pub(super) struct Entry<S> {
    pub found: FoundState<S>,
    pub batch: u64,
}

/// A cached state other than a head.
pub(super) trait CachedState: Clone {
    /// The bytes that it holds on the heap.
    fn held_bytes(&self) -> usize;
}

/// The cached states of one kind.
#[derive(Debug)]
pub(super) struct States<Id, S>(Lru<Id, Entry<S>>);

#[derive(Debug)]
pub(super) struct State {
    pub heads: Lru<BusinessId, HeadEntry>,
    pub sales: States<SaleId, Sale>,
    pub transfers: States<TransferId, Transfer>,
    limit_bytes: usize,
}

/// The overhead of an entry: keys, uses and spare capacity.
const ENTRY_BYTES: usize = 96;

impl CachedState for Sale {
    fn held_bytes(&self) -> usize {
        self.external_id.capacity() + self.open.capacity() * size_of::<OpenReceivable>()
    }
}

/// The strings of a destination: bank, branch, account or key.
const DESTINATION_BYTES: usize = 64;

impl CachedState for Transfer {
    fn held_bytes(&self) -> usize {
        DESTINATION_BYTES + self.failed_payouts.capacity() * size_of::<PayoutId>()
    }
}

impl<Id: Copy + Eq + Hash + Ord, S: CachedState> States<Id, S> {
    fn new() -> Self {
        Self(Lru::new())
    }

    pub fn get(&self, id: &Id) -> Option<&Entry<S>> {
        self.0.get(id)
    }

    pub fn touch(&mut self, id: &Id) -> Option<&mut Entry<S>> {
        self.0.touch(id)
    }

    pub fn remove(&mut self, id: &Id) {
        self.0.remove(id);
    }

    pub fn insert(&mut self, id: Id, found: FoundState<S>, batch: u64) {
        let bytes = size_of::<Entry<S>>() + found.state.held_bytes() + ENTRY_BYTES;
        self.0.insert(id, Entry { found, batch }, bytes);
    }

    /// The cached states of these ids, and the batch that they depend on. If one belongs to another business: that
    /// business, and the batch that recorded it.
    pub fn of_business(
        &self,
        business_id: BusinessId,
        ids: Vec<Id>,
    ) -> Result<(BTreeMap<Id, S>, u64), (BusinessId, u64)> {
        let (mut states, mut depends_on) = (BTreeMap::new(), 0);
        for id in ids {
            let Some(Entry { found, batch }) = self.get(&id) else {
                continue;
            };
            if found.business_id != business_id {
                return Err((found.business_id, *batch));
            }
            depends_on = depends_on.max(*batch);
            states.insert(id, found.state.clone());
        }
        Ok((states, depends_on))
    }

    fn shrink(&mut self, limit_bytes: usize, durable: u64) {
        self.0.shrink(limit_bytes, |entry| entry.batch > durable);
    }

    fn forget_shards(&mut self, shards: &[Shard]) {
        self.0
            .retain(|_, entry| !shards.contains(&Shard::of(entry.found.business_id)));
    }
}

impl State {
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            heads: Lru::new(),
            sales: States::new(),
            transfers: States::new(),
            limit_bytes,
        }
    }

    pub fn insert_head(&mut self, business_id: BusinessId, head: Head, batch: u64) {
        let recent = head.recent_withdrawals.len() * (size_of::<RecentWithdrawal>() + DESTINATION_BYTES);
        let bytes = size_of::<HeadEntry>() + recent + ENTRY_BYTES;
        self.heads.insert(business_id, HeadEntry { head, batch }, bytes);
    }

    /// The heads and the transfers get an eighth each, because there are far fewer of them than sales.
    pub fn shrink(&mut self, durable: u64) {
        let eighth = self.limit_bytes / 8;
        self.heads.shrink(eighth, |entry| entry.batch > durable);
        self.transfers.shrink(eighth, durable);
        self.sales.shrink(self.limit_bytes - 2 * eighth, durable);
    }

    pub fn forget_shards(&mut self, shards: &[Shard]) {
        self.heads
            .retain(|business_id, _| !shards.contains(&Shard::of(*business_id)));
        self.sales.forget_shards(shards);
        self.transfers.forget_shards(shards);
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
