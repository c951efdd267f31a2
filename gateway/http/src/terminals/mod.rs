//! Card machines: the staff's list, who has each machine and how it is billed, and a seller's own machines.

pub mod activation;
pub mod bodies;
mod forms;
pub mod seller;
pub mod staff;

use gateway_platform::terminals::{Billing, TerminalRecord};
use ledger_domain::Cents;
use serde_json::{Value, json};

use crate::shared::change::{Changed, Subject};

/// Terminals in the audit log.
const TERMINAL: Subject = Subject("terminal");

/// The fields of a terminal in the audit log.
fn audited_fields(terminal: &TerminalRecord) -> Value {
    let billing = terminal.billing;
    json!({
        "business_id": terminal.company.as_ref().map(|company| company.id),
        "business": terminal.company.as_ref().map(|company| &company.name),
        "billing_type": billing.map(Billing::billing_type),
        "acquisition": billing.map(Billing::acquisition),
        "rental_price": billing.and_then(Billing::price).map(Cents::get),
        "name": terminal.name,
    })
}

/// The change with the audited fields that differ. Without a difference nothing changed.
fn changed<T>(
    action: &'static str,
    before: &TerminalRecord,
    after: &TerminalRecord,
    answer: T,
) -> Changed<T> {
    let id = before.id;
    let (mut before, mut after) = (audited_fields(before), audited_fields(after));
    if let (Some(before), Some(after)) = (before.as_object_mut(), after.as_object_mut()) {
        before.retain(|field, value| after.get(field) != Some(value));
        after.retain(|field, _| before.contains_key(field));
        if before.is_empty() {
            return Changed::nothing(answer);
        }
    }
    TERMINAL
        .entry(action, id)
        .before(before)
        .after(after)
        .answer(answer)
}
