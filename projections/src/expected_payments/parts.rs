//! What an acquirer keeps of a sale's installments because parts of the sale were refunded or charged back.
//!
//! In gross, as settlements are compared. What a part takes of the open installments is the acquirer's to keep: it never
//! pays it. What the balance paid, the acquirer had paid before, and takes back in a way of its own.

use std::collections::BTreeMap;

use futures::future::try_join_all;
use ledger_domain::business::{BusinessEvent, ConsumedReceivable, SaleEvent};
use ledger_domain::money::share;
use ledger_domain::sale::DisputeId;
use ledger_domain::{BusinessId, Cents};
use ledger_store::log;
use tokio_postgres::GenericClient;

use crate::Error;
use crate::decoded_event::DecodedEvent;

/// The gross that the acquirer keeps or takes back, for a sale with parts.
#[derive(Debug, Default)]
pub(super) struct Parts {
    kept: Taken,
    /// Disputes that have not ended.
    disputed: BTreeMap<DisputeId, Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    /// By the number of the installment.
    of_installments: BTreeMap<u8, i64>,
    /// Of payments that were made.
    of_balance: i64,
}

impl Parts {
    /// Reads the sale's events by their sequences.
    pub async fn of(
        client: &impl GenericClient,
        business: BusinessId,
        sequences: &[i64],
    ) -> Result<Self, Error> {
        let reads = sequences
            .iter()
            .map(|sequence| log::of_business(client, business, sequence - 1, 1));
        let mut parts = Self::default();
        for stored in try_join_all(reads).await?.into_iter().flatten() {
            let decoded = DecodedEvent::decode(&stored).map_err(Error::unreadable_event)?;
            if let BusinessEvent::Sale(event) = &*decoded.event {
                parts.apply(event);
            }
        }
        Ok(parts)
    }

    fn apply(&mut self, event: &SaleEvent) {
        match event {
            SaleEvent::SalePartRefunded(event) => {
                self.kept.add(Taken::of(event.amount, event.net, &event.consumed));
            }
            SaleEvent::SaleDisputed(event) => {
                if let Some(consumed) = &event.part {
                    let taken = Taken::of(event.amount, event.amount, consumed);
                    self.disputed.insert(event.dispute_id.clone(), taken);
                }
            }
            SaleEvent::DisputeConfirmed(event) => {
                if let Some(taken) = self.disputed.remove(&event.opened_as) {
                    self.disputed.insert(event.dispute_id.clone(), taken);
                }
            }
            SaleEvent::DisputeWon(event) => drop(self.disputed.remove(&event.dispute_id)),
            SaleEvent::SaleChargedBack(event) => {
                let blocked = event.blocked_by.as_ref().unwrap_or(&event.dispute_id);
                if let Some(taken) = self.disputed.remove(blocked) {
                    self.kept.add(taken);
                } else if let Some(consumed) = &event.part {
                    self.kept.add(Taken::of(event.amount, event.amount, consumed));
                }
            }
            SaleEvent::SaleCreated(_)
            | SaleEvent::SaleCaptured(_)
            | SaleEvent::SaleFailed(_)
            | SaleEvent::SaleVoided(_)
            | SaleEvent::SaleNamed(_)
            | SaleEvent::ReceivablesSettled(_)
            | SaleEvent::SaleCanceled(_)
            | SaleEvent::RefundAnswered(_) => {}
        }
    }

    pub fn kept_of(&self, number: u8) -> Cents {
        Cents::new(self.kept.of_installment(number))
    }

    pub fn disputed_of(&self, number: u8) -> Cents {
        Cents::new(
            self.disputed
                .values()
                .map(|taken| taken.of_installment(number))
                .sum(),
        )
    }

    pub const fn taken_back(&self) -> Cents {
        Cents::new(self.kept.of_balance)
    }
}

impl Taken {
    /// The gross `amount` cost the seller `cost`, of which each installment paid its part.
    fn of(amount: Cents, cost: Cents, consumed: &[ConsumedReceivable]) -> Self {
        let mut taken = Self::default();
        let (mut paid, mut gross) = (0, 0);
        for part in consumed {
            paid += part.net.get();
            let until = share(amount, Cents::new(paid), cost).get();
            *taken.of_installments.entry(part.number).or_default() += until - gross;
            gross = until;
        }
        taken.of_balance = amount.get() - gross;
        taken
    }

    fn add(&mut self, other: Self) {
        for (number, cents) in other.of_installments {
            *self.of_installments.entry(number).or_default() += cents;
        }
        self.of_balance += other.of_balance;
    }

    fn of_installment(&self, number: u8) -> i64 {
        self.of_installments.get(&number).copied().unwrap_or_default()
    }
}
