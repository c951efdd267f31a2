//! Decisions on settlement: installments that are due become available.
//!
//! The sale's state ensures that each installment settles once; a repeated suggestion is ignored. Installments of a
//! held sale are held in the same decision, and the share of the reserve in the same event.

use std::collections::BTreeSet;

use super::command::SettleReceivables;
use super::event::{BusinessEvent, ReceivablesSettled, SaleCaptured, SettledReceivable};
use super::held;
use super::refusal::Refusal;
use super::reserve::Reserving;
use super::state::Business;
use crate::calendar::{Date, Instant, start_of};
use crate::{Cents, SaleId};

/// Limits an event to about 40 kB.
pub const INSTALLMENTS_PER_EVENT: usize = 500;

impl Business {
    pub(super) fn settle_receivables(
        &self,
        command: &SettleReceivables,
    ) -> Result<Vec<BusinessEvent>, Refusal> {
        let SettleReceivables {
            due_date,
            today,
            installments,
            reserve,
        } = command;
        if due_date > today {
            return Err(Refusal::NotDueYet(*due_date));
        }
        let suggested: BTreeSet<_> = installments.iter().copied().collect();
        let due: Vec<_> = suggested
            .into_iter()
            .filter_map(|(sale_id, number)| self.receivable_due(sale_id, number, *due_date))
            .collect();
        let mut reserving = Reserving {
            terms: reserve.as_ref(),
            held: self.reserve_held(),
        };
        let mut events = vec![];
        for settled in due.chunks(INSTALLMENTS_PER_EVENT) {
            events.extend(settlement(
                start_of(*due_date),
                *due_date,
                settled.to_vec(),
                |sale_id| self.holds(sale_id),
                &mut reserving,
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
            reserved: Cents::ZERO,
        })
    }
}

/// A plan of zero days settles together with the capture, at the capture's own instant, because at the start of that
/// day the sale did not exist yet.
pub(super) fn due_at_capture(
    captured: &SaleCaptured,
    captured_on: Date,
    mut reserving: Reserving<'_>,
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
            reserved: Cents::ZERO,
        })
        .collect();
    if settled.is_empty() {
        return Ok(vec![]);
    }
    let is_held = |_| captured.held;
    settlement(
        captured.occurred_at,
        captured_on,
        settled,
        is_held,
        &mut reserving,
    )
}

/// The settlement, followed by the hold of amounts that the seller must not withdraw. The hold is not made at the
/// capture: `available` would go below zero and block money from other sales.
fn settlement(
    occurred_at: Instant,
    due_date: Date,
    mut settled: Vec<SettledReceivable>,
    is_held: impl Fn(SaleId) -> bool,
    reserving: &mut Reserving<'_>,
) -> Result<Vec<BusinessEvent>, Refusal> {
    let total = Cents::total(settled.iter().map(|settled| settled.net)).ok_or(Refusal::AmountOutOfRange)?;
    let held = settled.iter().filter(|settled| is_held(settled.sale_id));
    let amount = Cents::total(held.map(|settled| settled.net)).ok_or(Refusal::AmountOutOfRange)?;
    let reserve = reserving.reserve(&mut settled, &is_held);
    let settled = BusinessEvent::from(ReceivablesSettled {
        occurred_at,
        due_date,
        settled,
        total,
        reserve,
    });
    // The whole amount is held even if the balance was below zero: held money must not pay a debt.
    let hold = (amount != Cents::ZERO).then(|| held::hold(occurred_at, amount));
    Ok(std::iter::once(settled).chain(hold).collect())
}
