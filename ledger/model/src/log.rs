//! The log in memory, with the contract of PostgreSQL's append: a batch is recorded whole or not at all, except the rows
//! of a shard whose epoch is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ledger_domain::business::{Account, ContextRequest, Sale, SaleContext};
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use serde::de::DeserializeOwned;

use crate::OnePlan;
use ledger_store::lane::{
    AcquiredShard, Append, AppendError, Appended, EventRow, FoundKey, FoundSale, FoundState, FoundTransfer,
    Head, HeadRow, LookUpRequest, LookUpResult, ShardAdvance, StateRow,
};
use ledger_store::position::Shard;
use ledger_store::submission::RecordedEvent;

#[derive(Debug, Clone, Default)]
pub struct ModelLog {
    shards: BTreeMap<Shard, ShardRow>,
    heads: BTreeMap<BusinessId, Head>,
    /// The sales with more than one event.
    sales: BTreeMap<SaleId, FoundSale>,
    /// For each sale the index of its first event.
    claims: BTreeMap<SaleId, usize>,
    transfers: BTreeMap<TransferId, FoundTransfer>,
    /// Shared, because every batch is applied to a copy first.
    events: Vec<(Shard, i64, Arc<EventRow>)>,
    /// The version of the reference data in force.
    pub reference_version: i64,
    /// Sales whose rows the database rejects.
    pub rejected_sales: BTreeSet<SaleId>,
    /// Transfers whose rows the database rejects.
    pub rejected_transfers: BTreeSet<TransferId>,
}

#[derive(Debug, Clone, Copy, Default)]
struct ShardRow {
    epoch: i64,
    position: i64,
    recorded_at: Option<ledger_domain::calendar::Instant>,
}

impl ModelLog {
    /// Takes the shards, whoever owns them.
    pub fn acquire(&mut self, shards: impl IntoIterator<Item = Shard>) -> Vec<AcquiredShard> {
        let acquired = shards.into_iter().map(|shard| {
            let row = self.shards.entry(shard).or_default();
            row.epoch += 1;
            AcquiredShard {
                shard,
                epoch: row.epoch,
                position: row.position,
                recorded_at: row.recorded_at,
            }
        });
        acquired.collect()
    }

    pub fn append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        let mut next = self.clone();
        let bases = next.try_append(append)?;
        *self = next;
        Ok(bases)
    }

    fn try_append(&mut self, append: &Append) -> Result<Appended, AppendError> {
        let bases = self.advance_shards(&append.shards)?;
        if bases.iter().all(Option::is_none) {
            return Ok(Appended(bases));
        }
        if append
            .reference_version
            .is_some_and(|version| version != self.reference_version)
        {
            return Err(AppendError::ReferenceDataChanged);
        }
        self.none_is_claimed(append, &bases)?;
        self.no_key_is_used(append, &bases)?;
        none_exists(&self.sales, &append.sales, &bases, AppendError::SalesExist)?;
        none_exists(
            &self.transfers,
            &append.transfers,
            &bases,
            AppendError::TransfersBelongToOther,
        )?;
        self.update_heads(&append.heads, &bases)?;
        upsert(&mut self.sales, &append.sales, &bases)?;
        upsert(&mut self.transfers, &append.transfers, &bases)?;
        for row in append.events.iter() {
            if let Some(base) = bases[row.shard_index] {
                let shard = append.shards[row.shard_index].shard;
                self.add_event(shard, base + row.ordinal, row)?;
            }
        }
        Ok(Appended(bases))
    }

    /// The last position of each shard before the append; `None` if the epoch is lost.
    fn advance_shards(&mut self, shards: &[ShardAdvance]) -> Result<Vec<Option<i64>>, AppendError> {
        let mut bases = vec![];
        for advance in shards {
            let row = self.shards.entry(advance.shard).or_default();
            if row.epoch != advance.epoch {
                bases.push(None);
                continue;
            }
            if row
                .recorded_at
                .is_some_and(|recorded_at| recorded_at > advance.recorded_at)
            {
                return Err(AppendError::Conflict);
            }
            if row.position != advance.base {
                return Err(AppendError::Conflict);
            }
            bases.push(Some(row.position));
            row.position += advance.events;
            row.recorded_at = Some(advance.recorded_at);
        }
        Ok(bases)
    }

    fn update_heads(&mut self, heads: &[HeadRow], bases: &[Option<i64>]) -> Result<(), AppendError> {
        for row in heads.iter().filter(|row| bases[row.shard_index].is_some()) {
            if self.heads.get(&row.business_id).map_or(0, |head| head.version) != row.expected {
                return Err(AppendError::Conflict);
            }
            if !meets_checks(&row.head) {
                return Err(AppendError::Rejected);
            }
            self.heads.insert(row.business_id, row.head.clone());
        }
        Ok(())
    }

    fn add_event(&mut self, shard: Shard, position: i64, row: &EventRow) -> Result<(), AppendError> {
        let mut sales = row.event.sale_ids().into_iter();
        let mut transfers = row.event.transfer_ids().into_iter();
        if sales.any(|id| self.rejected_sales.contains(&id))
            || transfers.any(|id| self.rejected_transfers.contains(&id))
        {
            return Err(AppendError::Rejected);
        }
        if let Some(sale_id) = row.claimed_sale
            && self.claims.insert(sale_id, self.events.len()).is_some()
        {
            return Err(AppendError::SalesExist(vec![sale_id]));
        }
        self.events.push((shard, position, Arc::new(row.clone())));
        Ok(())
    }

    pub fn look_up(&self, request: &LookUpRequest) -> LookUpResult {
        LookUpResult {
            keys: request.keys.iter().filter_map(|key| self.key(*key)).collect(),
            heads: request
                .heads
                .iter()
                .filter_map(|id| Some((*id, self.heads.get(id)?.clone())))
                .collect(),
            sales: request
                .sales
                .iter()
                .filter_map(|id| Some((*id, self.sale(*id)?)))
                .collect(),
            transfers: request
                .transfers
                .iter()
                .filter_map(|id| Some((*id, self.transfers.get(id)?.clone())))
                .collect(),
            contexts: request.contexts.iter().map(|asked| self.context(asked)).collect(),
            remembered_version: None,
        }
    }

    /// The context by the reference data in force.
    fn context(&self, request: &ContextRequest) -> SaleContext {
        OnePlan::context_at_version(request, self.reference_version)
    }

    fn key(&self, (business_id, key): (BusinessId, [u8; 16])) -> Option<FoundKey> {
        let used =
            |row: &EventRow| row.business_id == business_id && row.key.is_some_and(|own| own.key == key);
        let (_, _, first) = self.events.iter().find(|(_, _, row)| used(row))?;
        let own = first.key?;
        let sequences = first.sequence..first.sequence + i64::from(own.event_count);
        let events = self
            .events
            .iter()
            .filter(|(_, _, row)| row.business_id == business_id && sequences.contains(&row.sequence))
            .map(|(shard, position, row)| RecordedEvent {
                event_id: row.event_id,
                sequence: row.sequence,
                shard: *shard,
                position: *position,
                recorded_at: row.recorded_at,
                event: row.event.clone(),
            });
        Some(FoundKey {
            business_id,
            key,
            fingerprint: own.fingerprint,
            events: events.collect(),
        })
    }

    /// The events in the order of recording.
    pub fn events(&self) -> impl ExactSizeIterator<Item = (Shard, i64, &EventRow)> {
        self.events
            .iter()
            .map(|(shard, position, row)| (*shard, *position, &**row))
    }

    /// The shard's last position.
    pub fn position(&self, shard: Shard) -> i64 {
        self.shards.get(&shard).map_or(0, |row| row.position)
    }

    /// The epoch of the shard's owner; 0 before the shard was acquired.
    pub fn epoch(&self, shard: Shard) -> i64 {
        self.shards.get(&shard).map_or(0, |row| row.epoch)
    }

    pub fn head(&self, business_id: BusinessId) -> Option<Head> {
        self.heads.get(&business_id).cloned()
    }

    /// The sale's row, or its state after the event that claims it.
    pub fn sale(&self, sale_id: SaleId) -> Option<FoundSale> {
        if let Some(stored) = self.sales.get(&sale_id) {
            return Some(stored.clone());
        }
        let (_, _, first) = &self.events[*self.claims.get(&sale_id)?];
        Some(FoundSale {
            business_id: first.business_id,
            state: Sale::after_first(&first.event)?,
            created_at: first.occurred_at,
            sequence: first.sequence,
            is_stored: false,
        })
    }

    /// Whether the sale has a row of `sale_state`.
    pub fn has_state_row(&self, sale_id: SaleId) -> bool {
        self.sales.contains_key(&sale_id)
    }

    /// The primary key of `sale_claim`, and the check that `sale_state` has no row of a claimed sale.
    fn none_is_claimed(&self, append: &Append, bases: &[Option<i64>]) -> Result<(), AppendError> {
        let rows = append
            .events
            .iter()
            .filter(|row| bases[row.shard_index].is_some());
        let is_known = |id: &SaleId| self.claims.contains_key(id) || self.sales.contains_key(id);
        let known: Vec<_> = rows.filter_map(|row| row.claimed_sale).filter(is_known).collect();
        if known.is_empty() {
            Ok(())
        } else {
            Err(AppendError::SalesExist(known))
        }
    }

    /// The primary key of `command_key`.
    fn no_key_is_used(&self, append: &Append, bases: &[Option<i64>]) -> Result<(), AppendError> {
        let mut rows = append
            .events
            .iter()
            .filter(|row| bases[row.shard_index].is_some());
        let is_used = |row: &EventRow| {
            row.key
                .is_some_and(|own| self.key((row.business_id, own.key)).is_some())
        };
        if rows.any(is_used) {
            return Err(AppendError::KeyUsed);
        }
        Ok(())
    }

    pub fn transfer(&self, transfer_id: TransferId) -> Option<&FoundTransfer> {
        self.transfers.get(&transfer_id)
    }
}

fn upsert<Id: Copy + Ord, S: DeserializeOwned>(
    states: &mut BTreeMap<Id, FoundState<S>>,
    rows: &[StateRow<Id>],
    bases: &[Option<i64>],
) -> Result<(), AppendError> {
    for row in rows.iter().filter(|row| bases[row.shard_index].is_some()) {
        let known = states.get(&row.id);
        let is_own = known.is_some_and(|known| known.business_id == row.business_id);
        if row.existed && !is_own {
            return Err(AppendError::Conflict);
        }
        let found = FoundState {
            business_id: row.business_id,
            state: serde_json::from_str(&row.state).map_err(|_| AppendError::Rejected)?,
            created_at: known.map_or(row.created_at, |known| known.created_at),
            sequence: row.sequence,
            is_stored: true,
        };
        states.insert(row.id, found);
    }
    Ok(())
}

/// The primary keys of the state tables: a row that the batch inserts must not exist yet.
fn none_exists<Id: Copy + Ord, S>(
    states: &BTreeMap<Id, FoundState<S>>,
    rows: &[StateRow<Id>],
    bases: &[Option<i64>],
    error: impl FnOnce(Vec<Id>) -> AppendError,
) -> Result<(), AppendError> {
    let new = rows
        .iter()
        .filter(|row| bases[row.shard_index].is_some() && !row.existed);
    let known: Vec<_> = new
        .map(|row| row.id)
        .filter(|id| states.contains_key(id))
        .collect();
    if known.is_empty() {
        Ok(())
    } else {
        Err(error(known))
    }
}

/// The CHECK constraints on the balances of `business_head`.
fn meets_checks(head: &Head) -> bool {
    let accounts = &head.accounts;
    let never_negative = [
        accounts.receivable,
        accounts.in_transfer,
        accounts.held_by_staff,
        accounts.in_dispute,
    ];
    let all = Account::ALL.map(|account| i128::from(accounts.get(account).get()));
    all.iter().sum::<i128>() == 0
        && never_negative.iter().all(|balance| *balance >= Cents::ZERO)
        && (Cents::ZERO..=accounts.held_by_staff).contains(&head.held_for_sales)
}
