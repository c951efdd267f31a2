//! Iugu's list of receivables.

use ledger_domain::Cents;
use ledger_domain::calendar::Date;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::receivable::{AcquirerReceivable, ReceivablePage};

const LIMIT: usize = 100;

pub fn path(start: usize) -> String {
    format!("/financial_transaction_requests?start={start}&limit={LIMIT}")
}

#[derive(Deserialize)]
pub struct List {
    items: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Item {
    invoice_id: String,
    order_id: Option<String>,
    installment: Option<u8>,
    status: Option<String>,
    total_cents: i64,
    client_share_cents: i64,
    scheduled_date: Option<Date>,
    executed_date: Option<Date>,
}

impl List {
    /// Keeps the receivables of the day. The page is the last one if it is not full.
    pub fn read(self, day: Date, start: usize) -> ReceivablePage {
        ReceivablePage {
            next: (self.items.len() >= LIMIT).then(|| (start + LIMIT).to_string()),
            ..ReceivablePage::of_items(&self.items, start, Item::read).of_day(day)
        }
    }
}

impl Item {
    fn read(self) -> AcquirerReceivable {
        AcquirerReceivable {
            charge_id: self.invoice_id,
            sale_id: self.order_id.and_then(|id| id.parse().ok()),
            installment: self.installment.unwrap_or(1),
            gross: Cents::new(self.total_cents),
            // Iugu's fee is the rest of the total.
            cost: Cents::new(self.total_cents.saturating_sub(self.client_share_cents)),
            net: Cents::new(self.client_share_cents),
            expected_on: self.scheduled_date,
            paid_on: self.executed_date,
            canceled: self
                .status
                .is_some_and(|status| status.eq_ignore_ascii_case("canceled")),
        }
    }
}
