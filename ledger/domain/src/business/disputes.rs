//! Decisions on disputes: opened by a user or an acquirer, won, lost.
//!
//! A dispute id opens at most once, and is won or lost at most once. So notices may arrive late, repeatedly and out of
//! order. A notice that cannot be recorded yet or contradicts the state is refused; the caller keeps it and tries
//! again.

use super::command::{DisputeSale, LoseDispute, OpenDispute, WinDispute};
use super::event::{BusinessEvent, DisputeConfirmed, DisputeWon, SaleChargedBack, SaleDisputed};
use super::held;
use super::refusal::Refusal;
use super::state::{Business, DisputeStage, Sale};
use crate::SaleId;
use crate::sale::{Initiator, SaleStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn dispute_sale(&self, command: &DisputeSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        if sale.dispute(&command.dispute_id).is_some() {
            return Ok(vec![]);
        }
        sale.must_have_succeeded()?;
        self.must_have_cover(sale, sale.amount)?;
        Ok(self.with_hold_released(sale, sale.disputed_event(command)))
    }

    pub(super) fn open_dispute(&self, command: &OpenDispute) -> Decision {
        let OpenDispute {
            sale_id,
            dispute_id,
            occurred_at,
            reason,
        } = command;
        let sale = self.captured_sale(*sale_id)?;
        if sale.dispute(dispute_id).is_some() {
            return Ok(vec![]);
        }
        match sale.open_dispute() {
            Some(open) if open.initiator == Initiator::Platform => {
                Ok(vec![BusinessEvent::DisputeConfirmed(DisputeConfirmed {
                    occurred_at: *occurred_at,
                    sale_id: *sale_id,
                    dispute_id: dispute_id.clone(),
                    opened_as: open.id.clone(),
                })])
            }
            Some(open) => Err(Refusal::AnotherDisputeOpen(open.id.clone())),
            None => {
                sale.must_have_succeeded()?;
                let disputed = SaleDisputed {
                    occurred_at: *occurred_at,
                    sale_id: *sale_id,
                    dispute_id: dispute_id.clone(),
                    initiator: Initiator::Acquirer,
                    amount: sale.amount,
                    accelerated: sale.outstanding(),
                    reason: reason.clone(),
                };
                Ok(self.with_hold_released(sale, BusinessEvent::SaleDisputed(disputed)))
            }
        }
    }

    pub(super) fn win_dispute(&self, command: &WinDispute) -> Decision {
        let WinDispute {
            sale_id,
            dispute_id,
            occurred_at,
        } = command;
        let sale = self.captured_sale(*sale_id)?;
        match sale.dispute(dispute_id).map(|dispute| dispute.stage) {
            None => Err(Refusal::DisputeNotOpened(dispute_id.clone())),
            Some(DisputeStage::Won | DisputeStage::Closed) => Ok(vec![]),
            Some(DisputeStage::Lost) => Err(Refusal::DisputeLost(dispute_id.clone())),
            Some(DisputeStage::Open) => {
                let won = BusinessEvent::DisputeWon(DisputeWon {
                    occurred_at: *occurred_at,
                    sale_id: *sale_id,
                    dispute_id: dispute_id.clone(),
                    amount: sale.amount,
                });
                let held_again = sale.held.then(|| held::hold(*occurred_at, sale.net));
                Ok(std::iter::once(won).chain(held_again).collect())
            }
        }
    }

    /// A lost dispute is recorded even if its opening was never reported, because the money is gone.
    pub(super) fn lose_dispute(&self, command: &LoseDispute) -> Decision {
        let sale = self.captured_sale(command.sale_id)?;
        match sale.dispute(&command.dispute_id).map(|dispute| dispute.stage) {
            Some(DisputeStage::Lost) => Ok(vec![]),
            Some(DisputeStage::Won) => Err(Refusal::DisputeWon(command.dispute_id.clone())),
            Some(DisputeStage::Open | DisputeStage::Closed) | None => {
                Ok(self.with_hold_released(sale, sale.charged_back_event(command)?))
            }
        }
    }

    fn captured_sale(&self, sale_id: SaleId) -> Result<&Sale, Refusal> {
        let sale = self.sale(sale_id)?;
        match sale.captured_at {
            Some(_) => Ok(sale),
            None => Err(Refusal::NotCaptured),
        }
    }
}

impl Sale {
    pub(super) fn disputed_event(&self, command: &DisputeSale) -> BusinessEvent {
        BusinessEvent::SaleDisputed(SaleDisputed {
            occurred_at: command.occurred_at,
            sale_id: command.sale_id,
            dispute_id: command.dispute_id.clone(),
            initiator: Initiator::Platform,
            amount: self.amount,
            accelerated: self.outstanding(),
            reason: command.reason.clone(),
        })
    }

    /// Takes the money from the dispute that blocks it, else from the available balance. A sale whose money already
    /// went back is refused: staff must resolve it with the acquirer.
    fn charged_back_event(&self, command: &LoseDispute) -> Result<BusinessEvent, Refusal> {
        match self.status {
            SaleStatus::Succeeded | SaleStatus::Dispute => {
                Ok(BusinessEvent::SaleChargedBack(SaleChargedBack {
                    occurred_at: command.occurred_at,
                    sale_id: command.sale_id,
                    dispute_id: command.dispute_id.clone(),
                    amount: self.amount,
                    blocked_by: self.open_dispute().map(|dispute| dispute.id.clone()),
                    accelerated: self.outstanding(),
                    reason: command.reason.clone(),
                }))
            }
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Failed
            | SaleStatus::Canceled
            | SaleStatus::Refunded
            | SaleStatus::Reversed
            | SaleStatus::ChargedBack => Err(Refusal::StatusForbids(self.status)),
        }
    }
}
