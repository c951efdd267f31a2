//! What is decided when a sale is given up, cancelled by a person, or told to be refunded or reversed.
//!
//! A person is refused where the balance is short or the sale is in dispute. An acquirer tells a fact: told again, or
//! told of a sale whose buyer has the money back already, it adds nothing; told of one that was charged back, it
//! contradicts and waits, because no sale loses its money twice.

use super::command::{CancelSale, RefundSale, ReverseSale, VoidSale};
use super::event::{BroughtForward, BusinessEvent, SaleCanceled, SaleVoided};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::SaleId;
use crate::calendar::Instant;
use crate::sale::{Cancellation, Initiator, SaleStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

/// How and when a sale's money goes back.
pub(super) struct Return<'a> {
    pub sale_id: SaleId,
    pub outcome: Cancellation,
    pub initiator: Initiator,
    pub occurred_at: Instant,
    pub reason: Option<&'a str>,
}

impl Business {
    /// Before the payment it voids. After it an acquirer's word cancels, and ours comes too late.
    pub(super) fn void_sale(&self, command: &VoidSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        let Some(captured_at) = sale.captured_at else {
            return sale.voided(command);
        };
        // An attempt given up before the payment and heard of only after it was overtaken by the capture.
        if captured_at > command.occurred_at || sale.is_returned() {
            return Ok(vec![]);
        }
        match command.initiator {
            Initiator::Platform => Err(Refusal::StatusForbids(sale.status)),
            Initiator::Acquirer if captured_at == command.occurred_at => Err(Refusal::CaptureAndVoidAtOnce),
            Initiator::Acquirer => self.told_to_return(Return {
                sale_id: command.sale_id,
                outcome: Cancellation::Canceled,
                initiator: Initiator::Acquirer,
                occurred_at: command.occurred_at,
                reason: command.reason.as_deref(),
            }),
        }
    }

    pub(super) fn cancel_sale(&self, command: &CancelSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        sale.must_stand()?;
        self.must_cover(sale, sale.net)?;
        Ok(self.undone(sale, sale.returned(command.as_return())))
    }

    pub(super) fn refund_sale(&self, command: &RefundSale) -> Decision {
        self.told_to_return(Return {
            sale_id: command.sale_id,
            outcome: Cancellation::Refunded,
            initiator: Initiator::Acquirer,
            occurred_at: command.occurred_at,
            reason: command.reason.as_deref(),
        })
    }

    pub(super) fn reverse_sale(&self, command: &ReverseSale) -> Decision {
        self.told_to_return(Return {
            sale_id: command.sale_id,
            outcome: Cancellation::Reversed,
            initiator: Initiator::Acquirer,
            occurred_at: command.occurred_at,
            reason: command.reason.as_deref(),
        })
    }

    pub(super) fn sale(&self, sale_id: SaleId) -> Result<&Sale, Refusal> {
        self.sales.get(&sale_id).ok_or(Refusal::UnknownSale)
    }

    fn told_to_return(&self, told: Return<'_>) -> Decision {
        let sale = self.sale(told.sale_id)?;
        if sale.captured_at.is_none() {
            return Err(Refusal::NotCaptured);
        }
        match sale.status {
            SaleStatus::Succeeded | SaleStatus::Dispute => Ok(self.undone(sale, sale.returned(told))),
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => Ok(vec![]),
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Failed
            | SaleStatus::ChargedBack => Err(Refusal::StatusForbids(sale.status)),
        }
    }
}

impl CancelSale {
    pub(super) fn as_return(&self) -> Return<'_> {
        Return {
            sale_id: self.sale_id,
            outcome: Cancellation::Canceled,
            initiator: Initiator::Platform,
            occurred_at: self.occurred_at,
            reason: self.reason.as_deref(),
        }
    }
}

impl Sale {
    /// A void told for a later moment is recorded again: a capture that is still to be told may lie between the two.
    fn voided(&self, command: &VoidSale) -> Decision {
        let is_known =
            |voided_at| command.initiator == Initiator::Platform || voided_at >= command.occurred_at;
        match self.voided_at {
            Some(voided_at) if is_known(voided_at) => return Ok(vec![]),
            Some(_) => {}
            None => self.must_be_unpaid()?,
        }
        Ok(vec![BusinessEvent::SaleVoided(SaleVoided {
            occurred_at: command.occurred_at,
            sale_id: command.sale_id,
            initiator: command.initiator,
            reason: command.reason.clone(),
        })])
    }

    /// Whether the buyer of a captured sale has the money back.
    const fn is_returned(&self) -> bool {
        match self.status {
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => true,
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Succeeded
            | SaleStatus::Failed
            | SaleStatus::Dispute
            | SaleStatus::ChargedBack => false,
        }
    }

    /// The money of a captured sale goes back to its buyer.
    pub(super) fn returned(&self, told: Return<'_>) -> BusinessEvent {
        BusinessEvent::SaleCanceled(SaleCanceled {
            occurred_at: told.occurred_at,
            sale_id: told.sale_id,
            outcome: told.outcome,
            initiator: told.initiator,
            amount: self.amount,
            fees: self.fees,
            net: self.net,
            blocked_by: self.open_dispute().map(|dispute| dispute.id.clone()),
            brought_forward: self.outstanding(),
            reason: told.reason.map(str::to_owned),
        })
    }

    /// What the seller is still to receive of it, to be brought forward.
    pub(super) fn outstanding(&self) -> Vec<BroughtForward> {
        self.open
            .iter()
            .map(|open| BroughtForward {
                number: open.number,
                net: open.net,
                due_date: open.due_date,
            })
            .collect()
    }

    /// Whether a person may claim its money back.
    pub(super) fn must_stand(&self) -> Result<(), Refusal> {
        match self.status {
            SaleStatus::Succeeded => Ok(()),
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Failed
            | SaleStatus::Canceled
            | SaleStatus::Refunded
            | SaleStatus::Reversed
            | SaleStatus::Dispute
            | SaleStatus::ChargedBack => Err(Refusal::StatusForbids(self.status)),
        }
    }
}
