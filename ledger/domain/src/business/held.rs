//! Holds on sales that were captured while the company was not active: each installment is held for staff when it
//! settles, and released when the sale is reversed. The approval of a pending company ends the holds of its sales.
//!
//! A reversal first releases what is held of the sale, here or for the reserve, and uses it. A won dispute holds the
//! returned money of such a sale again. Staff
//! release amounts, not sales: if they released this sale's amount but hold another amount, the reversal uses the other
//! amount. An approval leaves the other amount held: `held_for_sales` limits what it releases.

use std::collections::BTreeSet;

use super::command::ReleaseSales;
use super::event::{AmountHeld, AmountReleased, BusinessEvent};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::calendar::Instant;
use crate::sale::SaleStatus;
use crate::{Cents, SaleId};

/// The reason that staff read for such a hold. The seller sees the held amount, not the reason.
pub const HOLD_REASON: &str = "Venda capturada sem o cadastro da empresa aprovado.";

/// The reason that staff read when a reversal releases the held amount.
pub const RELEASE_REASON: &str =
    "A venda foi cancelada ou contestada: o valor bloqueado foi liberado para cobrir a devolução.";

/// The reason that staff read when the approval of a company ends its holds.
pub const APPROVAL_REASON: &str =
    "O cadastro da empresa foi aprovado: o valor das vendas anteriores foi liberado.";

/// Limits an event to about 20 kB.
pub const SALES_PER_RELEASE: usize = 500;

impl Business {
    /// Also ends the hold of a disputed sale, so that a won dispute does not hold the money again.
    pub(super) fn release_sales(&self, command: &ReleaseSales) -> Result<Vec<BusinessEvent>, Refusal> {
        let suggested: BTreeSet<SaleId> = command.sale_ids.iter().copied().collect();
        let held: Vec<(SaleId, &Sale)> = suggested
            .into_iter()
            .filter_map(|sale_id| self.sales.get(&sale_id).map(|sale| (sale_id, sale)))
            .filter(|(_, sale)| sale.held && sale.until_approved)
            .collect();
        // Staff may have released some of the money by amount, so there can be less than the sales' sum.
        let mut left = self.held_for_sales;
        let mut events = vec![];
        for sales in held.chunks(SALES_PER_RELEASE) {
            let settled = Cents::total(sales.iter().map(|(_, sale)| self.held_amount(sale)))
                .ok_or(Refusal::AmountOutOfRange)?;
            let amount = settled.min(left);
            left = left.saturating_sub(amount);
            events.push(BusinessEvent::from(AmountReleased {
                occurred_at: command.occurred_at,
                amount,
                reason: APPROVAL_REASON.to_owned(),
                sales: sales.iter().map(|(sale_id, _)| *sale_id).collect(),
            }));
        }
        Ok(events)
    }

    /// The event that takes a sale's money, preceded by the release of what is held of the sale.
    pub(super) fn with_hold_released(&self, sale: &Sale, event: BusinessEvent) -> Vec<BusinessEvent> {
        self.with_part_of_hold_released(sale, self.held_amount(sale), event)
    }

    /// Like `with_hold_released`, for an event that takes only this much from the balance.
    pub(super) fn with_part_of_hold_released(
        &self,
        sale: &Sale,
        from_balance: Cents,
        event: BusinessEvent,
    ) -> Vec<BusinessEvent> {
        let amount = self.held_amount(sale).min(from_balance);
        if amount == Cents::ZERO {
            return vec![event];
        }
        if sale.held {
            let released = AmountReleased {
                occurred_at: event.occurred_at(),
                amount,
                reason: RELEASE_REASON.to_owned(),
                sales: vec![],
            };
            return vec![BusinessEvent::from(released), event];
        }
        let reversed = event.sale_ids().into_iter();
        let mut events: Vec<_> = reversed
            .map(|sale_id| sale.reserve_used(sale_id, amount, &event))
            .collect();
        events.push(event);
        events
    }

    /// The cover is the balance before the sale's open installments are accelerated, plus what is held of the sale.
    pub(super) fn must_have_cover(&self, sale: &Sale, needed: Cents) -> Result<(), Refusal> {
        let available = self
            .accounts
            .available
            .checked_add(self.held_amount(sale))
            .ok_or(Refusal::AmountOutOfRange)?;
        if available < needed {
            return Err(Refusal::BalanceTooShort { needed, available });
        }
        Ok(())
    }

    /// What is held of a sale that succeeded. Of a held sale it is the settled amount that is still the seller's, limited
    /// to what is held for sales now. Of another it is what the reserve holds.
    pub(super) fn held_amount(&self, sale: &Sale) -> Cents {
        if sale.status != SaleStatus::Succeeded {
            return Cents::ZERO;
        }
        if !sale.held {
            return sale.reserved_amount();
        }
        let outstanding = sale
            .open
            .iter()
            .fold(Cents::ZERO, |sum, open| sum.saturating_add(open.net));
        sale.net
            .saturating_sub(sale.taken)
            .saturating_sub(outstanding)
            .min(self.held_for_sales)
            .max(Cents::ZERO)
    }
}

pub(super) fn hold(occurred_at: Instant, amount: Cents) -> BusinessEvent {
    BusinessEvent::from(AmountHeld {
        occurred_at,
        amount,
        reason: HOLD_REASON.to_owned(),
    })
}
