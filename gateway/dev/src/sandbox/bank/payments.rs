//! The bank's payments: the payouts that it took and their results. With a file, each change is a line of it. The last
//! line of a payout is the current one.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use gateway_acquirers::names::ReportedPayoutNames;
use gateway_platform::providers::payouts::PayoutOrder;
use ledger_domain::PayoutId;
use serde::{Deserialize, Serialize};

use crate::sandbox::json_lines::JsonLines;
use crate::sandbox::names;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    #[serde(flatten)]
    pub order: PayoutOrder,
    pub status: PaymentStatus,
    /// The number of this payout among the transfer's payouts, from 1.
    pub attempt: u32,
    pub taken_at: DateTime<Utc>,
    pub decided_at: Option<DateTime<Utc>>,
    pub reason: Option<String>,
    /// Of the payment, or of its return.
    #[serde(default)]
    pub names: ReportedPayoutNames,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaymentStatus {
    Pending,
    Paid,
    Failed,
    /// It was paid, and the money came back.
    Returned,
}

/// The outcome of an order.
pub enum OrderOutcome {
    New(Payment),
    Known(Payment),
    /// The key was used for another order.
    KeyReused,
}

pub struct Payments(Mutex<State>);

#[derive(Default)]
struct State {
    payments: HashMap<PayoutId, Payment>,
    /// Orders that were lost once.
    lost: HashSet<PayoutId>,
    file: JsonLines,
}

impl Payments {
    pub fn open(path: Option<&Path>) -> std::io::Result<Self> {
        let (file, lines) = JsonLines::open::<Payment>(path)?;
        let payments = lines
            .into_iter()
            .map(|payment| (payment.order.payout_id, payment));
        let state = State {
            payments: payments.collect(),
            file,
            ..State::default()
        };
        Ok(Self(Mutex::new(state)))
    }

    pub fn take(&self, order: PayoutOrder, at: DateTime<Utc>) -> OrderOutcome {
        let mut state = self.state();
        if let Some(known) = state.payments.get(&order.payout_id) {
            return if known.order == order {
                OrderOutcome::Known(known.clone())
            } else {
                OrderOutcome::KeyReused
            };
        }
        let earlier = state
            .payments
            .values()
            .filter(|payment| payment.order.transfer_id == order.transfer_id)
            .count();
        let payment = Payment {
            attempt: u32::try_from(earlier).unwrap_or(u32::MAX).saturating_add(1),
            order,
            status: PaymentStatus::Pending,
            taken_at: at,
            decided_at: None,
            reason: None,
            names: ReportedPayoutNames::default(),
        };
        state.write(payment.clone());
        OrderOutcome::New(payment)
    }

    /// Loses this order and returns true, unless it was lost before.
    pub fn lose_once(&self, payout_id: PayoutId) -> bool {
        self.state().lost.insert(payout_id)
    }

    pub fn decide(
        &self,
        payout_id: PayoutId,
        status: PaymentStatus,
        reason: Option<&str>,
        at: DateTime<Utc>,
    ) -> Option<Payment> {
        let mut state = self.state();
        let known = state.payments.get(&payout_id)?.clone();
        let payment = Payment {
            status,
            decided_at: Some(at),
            reason: reason.map(str::to_owned),
            names: names_of(&known.order, status, at),
            ..known
        };
        state.write(payment.clone());
        Some(payment)
    }

    pub fn find(&self, payout_id: PayoutId) -> Option<Payment> {
        self.state().payments.get(&payout_id).cloned()
    }

    /// All payments, the oldest first.
    pub fn list(&self) -> Vec<Payment> {
        let mut payments: Vec<_> = self.state().payments.values().cloned().collect();
        payments.sort_by_key(|payment| (payment.taken_at, payment.order.payout_id));
        payments
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn names_of(order: &PayoutOrder, status: PaymentStatus, at: DateTime<Utc>) -> ReportedPayoutNames {
    let seed = match status {
        PaymentStatus::Paid => order.payout_id.to_string(),
        PaymentStatus::Returned => format!("{}/return", order.payout_id),
        PaymentStatus::Pending | PaymentStatus::Failed => return ReportedPayoutNames::default(),
    };
    names::of_payout(order.destination.kind(), &seed, at)
}

impl State {
    fn write(&mut self, payment: Payment) {
        self.file.append(&payment);
        self.payments.insert(payment.order.payout_id, payment);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use ledger_domain::transfer::Destination;
    use ledger_domain::{BusinessId, Cents, TransferId};
    use uuid::Uuid;

    use super::*;

    const AT: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn order(payout: u128, amount: i64) -> PayoutOrder {
        PayoutOrder {
            payout_id: PayoutId::from_uuid(Uuid::from_u128(payout)),
            transfer_id: TransferId::from_uuid(Uuid::from_u128(7)),
            business_id: BusinessId::from_uuid(Uuid::from_u128(8)),
            amount: Cents::new(amount),
            destination: Destination::Pix {
                key: "52998224725".to_owned(),
            },
        }
    }

    #[test]
    fn a_repeated_order_is_one_and_another_order_under_its_key_is_refused() {
        let payments = Payments::open(None).expect("payments in memory");
        assert!(
            matches!(payments.take(order(1, 100), AT), OrderOutcome::New(payment) if payment.attempt == 1)
        );
        assert!(matches!(payments.take(order(1, 100), AT), OrderOutcome::Known(_)));
        assert!(matches!(
            payments.take(order(1, 101), AT),
            OrderOutcome::KeyReused
        ));
        assert!(
            matches!(payments.take(order(2, 100), AT), OrderOutcome::New(payment) if payment.attempt == 2)
        );
        assert_eq!(payments.list().len(), 2);
    }

    #[test]
    fn payments_in_a_file_survive_a_restart_and_a_truncated_line() {
        let path = std::env::temp_dir().join(format!("razao-payments-{}", Uuid::new_v4().simple()));
        let payments = Payments::open(Some(&path)).expect("a new file");
        payments.take(order(1, 100), AT);
        payments.decide(order(1, 100).payout_id, PaymentStatus::Paid, None, AT);
        drop(payments);
        let mut file = OpenOptions::new().append(true).open(&path).expect("the file");
        file.write_all(br#"{"payout_id":"pay_"#).expect("half a line");
        let again = Payments::open(Some(&path)).expect("the same file");
        again.take(order(2, 100), AT);
        drop(again);
        let listed = Payments::open(Some(&path)).expect("the same file").list();
        std::fs::remove_file(&path).expect("the file is removed");
        let statuses: Vec<_> = listed.iter().map(|payment| payment.status).collect();
        assert_eq!(statuses, [PaymentStatus::Paid, PaymentStatus::Pending]);
    }
}
