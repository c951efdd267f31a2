//! Zoop's list of a seller's receivables.

use ledger_domain::calendar::Date;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::wire;
use crate::amounts::Reais;
use crate::receivable::{AcquirerReceivable, ReceivablePage};

const LIMIT: usize = 100;

pub fn path(seller_id: &str, offset: usize) -> String {
    format!("/sellers/{seller_id}/receivables?limit={LIMIT}&offset={offset}")
}

#[derive(Deserialize)]
pub struct List {
    items: Vec<Box<RawValue>>,
    has_more: bool,
}

#[derive(Deserialize)]
struct Item {
    transaction: String,
    installment: Option<u8>,
    status: String,
    /// The net amount.
    amount: Reais,
    gross_amount: Reais,
    expected_on: Option<String>,
    paid_at: Option<String>,
}

impl List {
    /// Keeps the receivables of the day.
    pub fn read(self, day: Date, offset: usize) -> ReceivablePage {
        ReceivablePage {
            next: self.has_more.then(|| (offset + LIMIT).to_string()),
            ..ReceivablePage::of_items(&self.items, offset, Item::read).of_day(day)
        }
    }
}

impl Item {
    fn read(self) -> AcquirerReceivable {
        let (gross, net) = (self.gross_amount.0, self.amount.0);
        AcquirerReceivable {
            charge_id: self.transaction,
            sale_id: None,
            installment: self.installment.unwrap_or(1),
            gross,
            cost: gross.checked_sub(net).unwrap_or_default(),
            net,
            expected_on: self.expected_on.as_deref().and_then(wire::day),
            paid_on: self.paid_at.as_deref().and_then(wire::day),
            canceled: self.status == "canceled",
        }
    }
}
