//! What a lane remembers: heads and sales as they stand after everything it has decided, durable or not.
//!
//! Each entry names the batch that touched it last. While that batch isn't durable the entry is neither forgotten nor
//! answered from; when the batch falls, its entries are dropped and looked up again.

use ledger_domain::business::{OpenReceivable, Sale};
use ledger_domain::calendar::Instant;
use ledger_domain::{BusinessId, SaleId};

use super::lru::Lru;
use super::messages::{Head, SaleFound};
use crate::position::Shard;

#[derive(Debug, Clone, Copy)]
pub(super) struct HeadEntry {
    pub head: Head,
    pub batch: u64,
}

#[derive(Debug, Clone)]
pub(super) struct SaleEntry {
    pub business_id: BusinessId,
    pub sale: Sale,
    pub created_at: Instant,
    pub sequence: i64,
    pub batch: u64,
}

#[derive(Debug)]
pub(super) struct State {
    pub heads: Lru<BusinessId, HeadEntry>,
    pub sales: Lru<SaleId, SaleEntry>,
    limit_bytes: usize,
}

/// Keys, notes of use and the tables' slack.
const ENTRY_BYTES: usize = 96;

impl State {
    pub fn new(limit_bytes: usize) -> Self {
        Self {
            heads: Lru::new(),
            sales: Lru::new(),
            limit_bytes,
        }
    }

    pub fn insert_head(&mut self, business_id: BusinessId, entry: HeadEntry) {
        self.heads
            .insert(business_id, entry, size_of::<HeadEntry>() + ENTRY_BYTES);
    }

    pub fn insert_sale(&mut self, sale_id: SaleId, entry: SaleEntry) {
        let held =
            entry.sale.external_id.capacity() + entry.sale.open.capacity() * size_of::<OpenReceivable>();
        self.sales
            .insert(sale_id, entry, size_of::<SaleEntry>() + held + ENTRY_BYTES);
    }

    pub fn insert_found(&mut self, sale_id: SaleId, found: SaleFound) {
        let SaleFound {
            business_id,
            sale,
            created_at,
            sequence,
        } = found;
        self.insert_sale(
            sale_id,
            SaleEntry {
                business_id,
                sale,
                created_at,
                sequence,
                batch: 0,
            },
        );
    }

    /// An eighth is for the heads, of which there are far fewer than sales.
    pub fn shrink(&mut self, durable: u64) {
        let heads_bytes = self.limit_bytes / 8;
        self.heads.shrink(heads_bytes, |entry| entry.batch > durable);
        self.sales
            .shrink(self.limit_bytes - heads_bytes, |entry| entry.batch > durable);
    }

    pub fn forget_shards(&mut self, shards: &[Shard]) {
        self.heads
            .retain(|business_id, _| !shards.contains(&Shard::of(*business_id)));
        self.sales
            .retain(|_, entry| !shards.contains(&Shard::of(entry.business_id)));
    }

    pub fn clear(&mut self) {
        self.heads.clear();
        self.sales.clear();
    }

    pub fn bytes(&self) -> usize {
        self.heads.bytes() + self.sales.bytes()
    }
}
