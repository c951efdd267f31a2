//! What is decided when instalments fall due: receivables become money that the seller can withdraw.
//!
//! Each instalment settles once, guarded by its own sale's state; a suggestion to settle it again is passed over.

use std::collections::BTreeSet;

use super::command::SettleReceivables;
use super::event::{BusinessEvent, ReceivablesSettled, SettledReceivable};
use super::refusal::Refusal;
use super::state::Business;
use crate::calendar::{Date, Instant, start_of};
use crate::sale::Receivable;
use crate::{Cents, SaleId};

/// Keeps an event to some 40 kB, however much falls due on one date.
pub const INSTALMENTS_PER_EVENT: usize = 500;

impl Business {
    pub(super) fn settle_receivables(
        &self,
        command: &SettleReceivables,
    ) -> Result<Vec<BusinessEvent>, Refusal> {
        let SettleReceivables {
            due_date,
            today,
            instalments,
        } = command;
        if due_date > today {
            return Err(Refusal::NotDueYet(*due_date));
        }
        let suggested: BTreeSet<_> = instalments.iter().copied().collect();
        let due: Vec<_> = suggested
            .into_iter()
            .filter_map(|(sale_id, number)| self.receivable_due(sale_id, number, *due_date))
            .collect();
        due.chunks(INSTALMENTS_PER_EVENT)
            .map(|settled| settlement(start_of(*due_date), *due_date, settled.to_vec()))
            .collect()
    }

    fn receivable_due(&self, sale_id: SaleId, number: u8, due_date: Date) -> Option<SettledReceivable> {
        let sale = self.sales.get(&sale_id)?;
        let open = sale
            .open
            .iter()
            .find(|open| open.number == number && open.due_date == due_date)?;
        Some(SettledReceivable {
            sale_id,
            number,
            net: open.net,
        })
    }
}

/// A plan of zero days pays on the day of the capture, and so with it. Effective at the capture's own instant: at the
/// start of that day there was no sale yet.
pub(super) fn due_at_capture(
    sale_id: SaleId,
    receivables: &[Receivable],
    captured_at: Instant,
    captured_on: Date,
) -> Result<Option<BusinessEvent>, Refusal> {
    let settled: Vec<_> = receivables
        .iter()
        .filter(|receivable| receivable.due_date == captured_on)
        .map(|receivable| SettledReceivable {
            sale_id,
            number: receivable.number,
            net: receivable.net,
        })
        .collect();
    if settled.is_empty() {
        return Ok(None);
    }
    settlement(captured_at, captured_on, settled).map(Some)
}

fn settlement(
    occurred_at: Instant,
    due_date: Date,
    settled: Vec<SettledReceivable>,
) -> Result<BusinessEvent, Refusal> {
    let total = Cents::total(settled.iter().map(|settled| settled.net)).ok_or(Refusal::AmountOutOfRange)?;
    Ok(BusinessEvent::ReceivablesSettled(ReceivablesSettled {
        occurred_at,
        due_date,
        settled,
        total,
    }))
}
