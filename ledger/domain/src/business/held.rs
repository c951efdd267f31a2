//! Holds on sales of denied or deleted companies: each installment is held for staff when it settles, and released when
//! the sale is reversed.
//!
//! A reversal first releases what is held of the sale, and uses it. A won dispute holds the returned money again. Staff
//! release amounts, not sales: if they released this sale's amount but hold another amount, the reversal uses the other
//! amount.

use super::event::{AmountHeld, AmountReleased, BusinessEvent};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::Cents;
use crate::calendar::Instant;
use crate::sale::SaleStatus;

/// The reason that staff read for such a hold. The seller sees the held amount, not the reason.
pub const HOLD_REASON: &str = "Venda capturada com o cadastro da empresa negado ou deletado.";

/// The reason that staff read when a reversal ends the hold.
pub const RELEASE_REASON: &str =
    "A venda foi cancelada ou contestada: o valor bloqueado foi liberado para cobrir a devolução.";

impl Business {
    /// The event that takes a sale's money, preceded by the release of what is held of the sale.
    pub(super) fn with_hold_released(&self, sale: &Sale, event: BusinessEvent) -> Vec<BusinessEvent> {
        let amount = self.held_amount(sale);
        let released = (amount != Cents::ZERO).then(|| {
            BusinessEvent::AmountReleased(AmountReleased {
                occurred_at: event.occurred_at(),
                amount,
                reason: RELEASE_REASON.to_owned(),
            })
        });
        released.into_iter().chain([event]).collect()
    }

    /// Compares the balance before the sale's open installments are accelerated, plus what is held of the sale.
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

    /// The settled amount of the sale that staff still hold.
    pub(super) fn held_amount(&self, sale: &Sale) -> Cents {
        if !sale.held || sale.status != SaleStatus::Succeeded {
            return Cents::ZERO;
        }
        let outstanding = sale
            .open
            .iter()
            .fold(Cents::ZERO, |sum, open| sum.saturating_add(open.net));
        sale.net
            .saturating_sub(outstanding)
            .min(self.accounts.held_by_staff)
            .max(Cents::ZERO)
    }
}

pub(super) fn hold(occurred_at: Instant, amount: Cents) -> BusinessEvent {
    BusinessEvent::AmountHeld(AmountHeld {
        occurred_at,
        amount,
        reason: HOLD_REASON.to_owned(),
    })
}
