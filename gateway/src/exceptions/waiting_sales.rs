//! Which sales have notices waiting, so that a change of such a sale wakes them at once.
//!
//! In memory and of this process: it only spares a wait. The sweep finds whatever it misses within a minute.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use ledger_domain::SaleId;
use tokio::sync::Notify;

/// Beyond this the sweep alone serves.
const KEPT_MAX: usize = 100_000;

#[derive(Debug, Default)]
pub struct WaitingSales {
    known: Mutex<Known>,
    woken: Notify,
}

#[derive(Debug, Default)]
struct Known {
    waiting: HashSet<SaleId>,
    changed: HashSet<SaleId>,
}

impl WaitingSales {
    pub fn add(&self, sale_id: Option<SaleId>) {
        let mut known = self.known();
        if known.waiting.len() < KEPT_MAX {
            known.waiting.extend(sale_id);
        }
    }

    /// The sale has a new event: whatever waits for it may go now.
    pub fn changed(&self, sale_id: SaleId) {
        let mut known = self.known();
        if known.waiting.remove(&sale_id) {
            known.changed.insert(sale_id);
            drop(known);
            self.woken.notify_one();
        }
    }

    /// Waits for a change, and takes the sales that changed.
    pub async fn take_changed(&self) -> Vec<SaleId> {
        loop {
            let woken = self.woken.notified();
            let changed: Vec<_> = self.known().changed.drain().collect();
            if !changed.is_empty() {
                return changed;
            }
            woken.await;
        }
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[tokio::test]
    async fn only_a_sale_that_something_waits_for_wakes() {
        let sales = WaitingSales::default();
        let (waited_for, other) = (
            SaleId::from_uuid(Uuid::from_u128(1)),
            SaleId::from_uuid(Uuid::from_u128(2)),
        );
        sales.add(Some(waited_for));
        sales.changed(other);
        sales.changed(waited_for);
        assert_eq!(sales.take_changed().await, [waited_for]);
        sales.changed(waited_for);
        let again = tokio::time::timeout(std::time::Duration::from_millis(10), sales.take_changed()).await;
        assert!(again.is_err(), "it is told once");
    }
}
