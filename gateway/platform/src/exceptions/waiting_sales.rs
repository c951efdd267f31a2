//! The sales that have waiting notices, so that a change of such a sale wakes its notices at once.
//!
//! The set is in the memory of this process and only shortens the wait. Notices that it misses are tried when they are
//! due: old notices are due once an hour.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use ledger_domain::SaleId;
use tokio::sync::Notify;

/// Notices of sales beyond this number are tried only when they are due. So many sales take about 2 MB.
const KEPT_MAX: usize = 100_000;

#[derive(Debug, Default)]
pub struct WaitingSales {
    state: Mutex<State>,
    woken: Notify,
}

#[derive(Debug, Default)]
struct State {
    waiting: HashSet<SaleId>,
    changed: HashSet<SaleId>,
    /// The number of changes of any sale.
    changes: u64,
}

/// A moment in the order of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(u64);

impl WaitingSales {
    /// Call this before the decision on a notice that may have to wait.
    pub fn now(&self) -> Moment {
        Moment(self.state().changes)
    }

    /// Call this before the sale's notices are tried again, so that a concurrent change is not missed.
    pub fn watch(&self, sale_id: Option<SaleId>) {
        let mut state = self.state();
        if state.waiting.len() < KEPT_MAX {
            state.waiting.extend(sale_id);
        }
    }

    /// Adds the sale of a notice that waits because of a decision that began at `moment`. If any sale has changed
    /// since, the notice is tried once more. The change may be the one that it waits for.
    pub fn watch_since(&self, moment: Moment, sale_id: Option<SaleId>) {
        self.watch(sale_id);
        if self.now() != moment {
            sale_id.into_iter().for_each(|sale_id| self.wake(sale_id));
        }
    }

    /// Reports that the sale has a new event. Notices that wait for it can be tried now.
    pub fn changed(&self, sale_id: SaleId) {
        self.state().changes += 1;
        self.wake(sale_id);
    }

    fn wake(&self, sale_id: SaleId) {
        let mut state = self.state();
        if state.waiting.remove(&sale_id) {
            state.changed.insert(sale_id);
            drop(state);
            self.woken.notify_one();
        }
    }

    /// Waits for a change and takes the changed sales.
    pub async fn take_changed(&self) -> ChangedSales<'_> {
        loop {
            let woken = self.woken.notified();
            let sales: Vec<_> = self.state().changed.drain().collect();
            if !sales.is_empty() {
                return ChangedSales { of: self, sales };
            }
            woken.await;
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The taken sales. If this is dropped before their notices were tried, they count as changed again.
#[derive(Debug)]
pub struct ChangedSales<'a> {
    of: &'a WaitingSales,
    sales: Vec<SaleId>,
}

impl ChangedSales<'_> {
    pub fn sales(&self) -> &[SaleId] {
        &self.sales
    }

    /// Puts back only these sales.
    pub fn tried_all_but(mut self, failed: Vec<SaleId>) {
        self.sales = failed;
    }
}

impl Drop for ChangedSales<'_> {
    fn drop(&mut self) {
        if !self.sales.is_empty() {
            self.of.state().changed.extend(self.sales.drain(..));
            self.of.woken.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn only_a_sale_with_waiting_notices_wakes_them() {
        let sales = WaitingSales::default();
        let (waited_for, other) = (
            SaleId::from_uuid(Uuid::from_u128(1)),
            SaleId::from_uuid(Uuid::from_u128(2)),
        );
        sales.watch(Some(waited_for));
        sales.changed(other);
        sales.changed(waited_for);
        assert_eq!(taken(&sales).await, [waited_for]);
        sales.changed(waited_for);
        nothing_comes(&sales).await;
    }

    async fn taken(sales: &WaitingSales) -> Vec<SaleId> {
        let changed = sales.take_changed().await;
        let taken = changed.sales().to_vec();
        changed.tried_all_but(vec![]);
        taken
    }

    async fn nothing_comes(sales: &WaitingSales) {
        let again = tokio::time::timeout(std::time::Duration::from_millis(10), sales.take_changed()).await;
        assert!(again.is_err(), "a change is reported once");
    }

    #[tokio::test]
    async fn a_change_between_a_decision_and_its_wait_is_not_missed() {
        let sales = WaitingSales::default();
        let sale = SaleId::from_uuid(Uuid::from_u128(1));
        let moment = sales.now();
        sales.watch_since(moment, Some(sale));
        nothing_comes(&sales).await;
        sales.changed(sale);
        assert_eq!(taken(&sales).await, [sale]);
        sales.changed(sale);
        sales.watch_since(moment, Some(sale));
        assert_eq!(
            taken(&sales).await,
            [sale],
            "it may be the change that it waits for"
        );
    }

    #[tokio::test]
    async fn sales_whose_notices_were_not_tried_are_taken_again() {
        let sales = WaitingSales::default();
        let ids = [1, 2].map(|n| SaleId::from_uuid(Uuid::from_u128(n)));
        for sale in ids {
            sales.watch(Some(sale));
            sales.changed(sale);
        }
        drop(sales.take_changed().await);
        let again = sales.take_changed().await;
        assert_eq!(again.sales().len(), 2);
        again.tried_all_but(vec![ids[1]]);
        assert_eq!(taken(&sales).await, [ids[1]]);
        nothing_comes(&sales).await;
    }
}
