//! The money of sales whose company may not sell: held for staff as it comes in, and freed where the sale is undone.
//!
//! Such a hold follows its sale. Where the sale's money leaves, what was held of it pays; where a dispute is won, the
//! money that comes back is held again. Staff release amounts, not sales: where they released this one's by hand and
//! hold something else, that is what pays.

use super::event::{AmountHeld, AmountReleased, BusinessEvent};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::Cents;
use crate::calendar::Instant;
use crate::sale::SaleStatus;

/// What staff read of such a hold; the seller reads that part of the balance is held, and not why.
pub const HELD_BECAUSE: &str = "Venda capturada com o cadastro da empresa negado ou deletado.";

/// What staff read where the hold ends with its sale.
pub const FREED_BECAUSE: &str =
    "A venda foi cancelada ou contestada: o valor bloqueado foi liberado para cobrir a devolução.";

impl Business {
    /// The event by which a sale's money leaves, after the release of what is held of it.
    pub(super) fn undone(&self, sale: &Sale, event: BusinessEvent) -> Vec<BusinessEvent> {
        let amount = self.held_of(sale);
        let released = (amount != Cents::ZERO).then(|| {
            BusinessEvent::AmountReleased(AmountReleased {
                occurred_at: event.occurred_at(),
                amount,
                reason: FREED_BECAUSE.to_owned(),
            })
        });
        released.into_iter().chain([event]).collect()
    }

    /// As it stands before the sale's own instalments come forward, with what is held of the sale itself.
    pub(super) fn must_cover(&self, sale: &Sale, needed: Cents) -> Result<(), Refusal> {
        let available = self
            .accounts
            .available
            .checked_add(self.held_of(sale))
            .ok_or(Refusal::AmountOutOfRange)?;
        if available < needed {
            return Err(Refusal::BalanceTooShort { needed, available });
        }
        Ok(())
    }

    /// What settled of the sale, as far as staff have not released it since.
    pub(super) fn held_of(&self, sale: &Sale) -> Cents {
        if !sale.held || sale.status != SaleStatus::Succeeded {
            return Cents::ZERO;
        }
        let outstanding = sale.open.iter().fold(Cents::ZERO, |sum, open| sum.plus(open.net));
        sale.net
            .less(outstanding)
            .min(self.accounts.held_by_staff)
            .max(Cents::ZERO)
    }
}

pub(super) fn hold(occurred_at: Instant, amount: Cents) -> BusinessEvent {
    BusinessEvent::AmountHeld(AmountHeld {
        occurred_at,
        amount,
        reason: HELD_BECAUSE.to_owned(),
    })
}
