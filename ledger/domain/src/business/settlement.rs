//! What is decided when instalments fall due: receivables become money that the seller can withdraw.
//!
//! Each instalment settles once, guarded by its own sale's state; a suggestion to settle it again is passed over. What
//! was captured for a company that may not sell is held for staff in the same breath.

use std::collections::BTreeSet;

use super::command::SettleReceivables;
use super::event::{BusinessEvent, ReceivablesSettled, SaleCaptured, SettledReceivable};
use super::held;
use super::refusal::Refusal;
use super::state::Business;
use crate::calendar::{Date, Instant, start_of};
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
        let mut events = vec![];
        for settled in due.chunks(INSTALMENTS_PER_EVENT) {
            let held = settled.iter().filter(|settled| self.holds(settled.sale_id));
            let held: Vec<_> = held.map(|settled| settled.net).collect();
            events.extend(settlement(
                start_of(*due_date),
                *due_date,
                settled.to_vec(),
                held,
            )?);
        }
        Ok(events)
    }

    fn holds(&self, sale_id: SaleId) -> bool {
        self.sales.get(&sale_id).is_some_and(|sale| sale.held)
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
    captured: &SaleCaptured,
    captured_on: Date,
) -> Result<Vec<BusinessEvent>, Refusal> {
    let due = captured
        .receivables
        .iter()
        .filter(|receivable| receivable.due_date == captured_on);
    let settled: Vec<_> = due
        .map(|receivable| SettledReceivable {
            sale_id: captured.sale.sale_id,
            number: receivable.number,
            net: receivable.net,
        })
        .collect();
    if settled.is_empty() {
        return Ok(vec![]);
    }
    let held = settled
        .iter()
        .filter(|_| captured.held)
        .map(|settled| settled.net)
        .collect();
    settlement(captured.occurred_at, captured_on, settled, held)
}

/// What settles, and right after it the hold of what is not the seller's to withdraw. Not at the capture: until the
/// money comes in there is none to hold, and `available` would go below zero and lock up what the seller had before.
fn settlement(
    occurred_at: Instant,
    due_date: Date,
    settled: Vec<SettledReceivable>,
    held: Vec<Cents>,
) -> Result<Vec<BusinessEvent>, Refusal> {
    let total = Cents::total(settled.iter().map(|settled| settled.net)).ok_or(Refusal::AmountOutOfRange)?;
    let amount = Cents::total(held).ok_or(Refusal::AmountOutOfRange)?;
    let settled = BusinessEvent::ReceivablesSettled(ReceivablesSettled {
        occurred_at,
        due_date,
        settled,
        total,
    });
    // Whole even where the balance was below zero: a debt is not paid with money that isn't free.
    let hold = (amount != Cents::ZERO).then(|| held::hold(occurred_at, amount));
    Ok(std::iter::once(settled).chain(hold).collect())
}
