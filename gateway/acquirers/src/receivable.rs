//! What an acquirer says it will pay, or has paid, for one installment of one charge.

use ledger_domain::calendar::Date;
use ledger_domain::{Cents, SaleId};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcquirerReceivable {
    pub acquirer_id: String,
    /// Our sale id, if the acquirer repeats it.
    pub sale_id: Option<SaleId>,
    /// From 1.
    pub installment: u8,
    pub gross: Cents,
    /// What the acquirer keeps.
    pub cost: Cents,
    pub net: Cents,
    pub expected_on: Option<Date>,
    pub paid_on: Option<Date>,
    pub canceled: bool,
}

/// One page of a list. `next` continues it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivablePage {
    pub receivables: Vec<AcquirerReceivable>,
    pub next: Option<String>,
}

/// The items of a list that can be read. An unreadable one is logged and never stops the others.
pub(crate) fn readable_items<Item: DeserializeOwned>(items: &[Box<RawValue>]) -> impl Iterator<Item = Item> {
    items.iter().filter_map(|item| {
        serde_json::from_str(item.get())
            .inspect_err(|error| tracing::error!(%error, "a receivable is unreadable"))
            .ok()
    })
}
