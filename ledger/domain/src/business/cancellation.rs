//! Decisions on a void, cancel, refund or reverse of a sale.
//!
//! A user's request is refused if the balance is too low or the sale is in dispute. An acquirer's notice reports a
//! fact. A repeated notice, or one for a captured sale that is already canceled, refunded or reversed, adds no event. A
//! refund or reverse of a charged-back sale is refused, because the sale would lose its money twice. All are of what is
//! left of the sale; `refunds` decides on parts.

use super::command::{CancelSale, RefundSale, ReverseSale, VoidSale};
use super::event::{AcceleratedReceivable, BusinessEvent, SaleCanceled, SaleVoided};
use super::refusal::Refusal;
use super::state::{Business, Sale};
use crate::SaleId;
use crate::calendar::Instant;
use crate::sale::{Cancellation, Initiator, NamedPayment, PaymentNames, RefundReference, SaleStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

/// How, when and why a sale's money goes back to the buyer.
pub(super) struct Reversal<'a> {
    pub sale_id: SaleId,
    pub outcome: Cancellation,
    pub initiator: Initiator,
    pub occurred_at: Instant,
    /// If the acquirer or a user named the refund.
    pub refund: Option<RefundReference>,
    /// The names of the refund, if the acquirer reports them.
    pub names: Option<&'a PaymentNames>,
    pub reason: Option<&'a str>,
}

impl Business {
    pub(super) fn void_sale(&self, command: &VoidSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        let Some(captured_at) = sale.captured_at else {
            return sale.voided(command);
        };
        // The capture supersedes a void that is dated before it.
        if captured_at > command.occurred_at {
            return Ok(vec![]);
        }
        if sale.was_canceled() {
            return sale.echoed(command.sale_id, &command.names, command.occurred_at);
        }
        match command.initiator {
            Initiator::Platform => Err(Refusal::StatusForbids(sale.status)),
            Initiator::Acquirer if captured_at == command.occurred_at => Err(Refusal::CaptureAndVoidAtOnce),
            Initiator::Acquirer => self.reported_reversal(Reversal {
                sale_id: command.sale_id,
                outcome: Cancellation::Canceled,
                initiator: Initiator::Acquirer,
                occurred_at: command.occurred_at,
                refund: None,
                names: Some(&command.names),
                reason: command.reason.as_deref(),
            }),
        }
    }

    pub(super) fn cancel_sale(&self, command: &CancelSale) -> Decision {
        let sale = self.sale(command.sale_id)?;
        sale.must_have_succeeded()?;
        self.must_have_cover(sale, sale.net_share(sale.left()))?;
        Ok(self.with_hold_released(sale, sale.canceled_event(command.as_reversal())))
    }

    pub(super) fn reverse_sale(&self, command: &ReverseSale) -> Decision {
        let sale = self.captured_sale(command.sale_id)?;
        if sale.was_canceled() {
            return sale.echoed(command.sale_id, &command.names, command.occurred_at);
        }
        self.reported_reversal(Reversal {
            sale_id: command.sale_id,
            outcome: Cancellation::Reversed,
            initiator: Initiator::Acquirer,
            occurred_at: command.occurred_at,
            refund: None,
            names: Some(&command.names),
            reason: command.reason.as_deref(),
        })
    }

    pub(super) fn sale(&self, sale_id: SaleId) -> Result<&Sale, Refusal> {
        self.sales.get(&sale_id).ok_or(Refusal::UnknownSale)
    }

    pub(super) fn captured_sale(&self, sale_id: SaleId) -> Result<&Sale, Refusal> {
        let sale = self.sale(sale_id)?;
        match sale.captured_at {
            Some(_) => Ok(sale),
            None => Err(Refusal::NotCaptured),
        }
    }

    /// A dispute of a part blocks only that part, so the rest waits for its end.
    pub(super) fn reported_reversal(&self, reversal: Reversal<'_>) -> Decision {
        let sale = self.captured_sale(reversal.sale_id)?;
        if sale.was_canceled() {
            return Ok(vec![]);
        }
        match sale.status {
            SaleStatus::Dispute if sale.open_dispute().is_some_and(|dispute| dispute.part.is_some()) => {
                Err(sale.refusal_during_dispute())
            }
            SaleStatus::Succeeded | SaleStatus::Dispute => {
                Ok(self.with_hold_released(sale, sale.canceled_event(reversal)))
            }
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Failed
            | SaleStatus::Canceled
            | SaleStatus::Refunded
            | SaleStatus::Reversed
            | SaleStatus::ChargedBack => Err(Refusal::StatusForbids(sale.status)),
        }
    }
}

impl CancelSale {
    pub(super) fn as_reversal(&self) -> Reversal<'_> {
        Reversal {
            sale_id: self.sale_id,
            outcome: Cancellation::Canceled,
            initiator: Initiator::Platform,
            occurred_at: self.occurred_at,
            refund: None,
            names: None,
            reason: self.reason.as_deref(),
        }
    }
}

impl RefundSale {
    pub(super) fn as_reversal(&self) -> Reversal<'_> {
        Reversal {
            sale_id: self.sale_id,
            outcome: Cancellation::Refunded,
            initiator: Initiator::Acquirer,
            occurred_at: self.occurred_at,
            refund: None,
            names: Some(&self.names),
            reason: self.reason.as_deref(),
        }
    }
}

impl Sale {
    /// An acquirer's void with a later time is recorded again: a capture between the two may still be reported.
    fn voided(&self, command: &VoidSale) -> Decision {
        let is_known =
            |voided_at| command.initiator == Initiator::Platform || voided_at >= command.occurred_at;
        match self.voided_at {
            Some(voided_at) if is_known(voided_at) => return Ok(vec![]),
            Some(_) => {}
            None => self.must_be_unpaid()?,
        }
        Ok(vec![BusinessEvent::from(SaleVoided {
            occurred_at: command.occurred_at,
            sale_id: command.sale_id,
            initiator: command.initiator,
            reason: command.reason.clone(),
        })])
    }

    /// Whether a captured sale was canceled, refunded or reversed: a `SaleCanceled` is recorded.
    pub(super) const fn was_canceled(&self) -> bool {
        match self.status {
            SaleStatus::Canceled | SaleStatus::Refunded | SaleStatus::Reversed => true,
            SaleStatus::New
            | SaleStatus::Created
            | SaleStatus::Pending
            | SaleStatus::Succeeded
            | SaleStatus::Failed
            | SaleStatus::Dispute => false,
            SaleStatus::ChargedBack => self.rest_returned,
        }
    }

    /// The event that returns what is left of a captured sale to the buyer.
    pub(super) fn canceled_event(&self, reversal: Reversal<'_>) -> BusinessEvent {
        let amount = self.left();
        let net = self.net_share(amount);
        BusinessEvent::from(SaleCanceled {
            occurred_at: reversal.occurred_at,
            sale_id: reversal.sale_id,
            outcome: reversal.outcome,
            initiator: reversal.initiator,
            amount,
            fees: amount.saturating_sub(net),
            net,
            blocked_by: self.open_dispute().map(|dispute| dispute.id.clone()),
            accelerated: self.outstanding(),
            refund: reversal.refund,
            reason: reversal.reason.map(str::to_owned),
            names: reversal.names.cloned().unwrap_or_default(),
        })
    }

    /// A report of the cancel that is recorded. It adds the names of the return, which a user's cancel lacks.
    pub(super) fn echoed(&self, sale_id: SaleId, names: &PaymentNames, occurred_at: Instant) -> Decision {
        self.named(sale_id, NamedPayment::Return, names, occurred_at)
    }

    /// The installments that a reversal accelerates.
    pub(super) fn outstanding(&self) -> Vec<AcceleratedReceivable> {
        self.open
            .iter()
            .map(|open| AcceleratedReceivable {
                number: open.number,
                net: open.net,
                due_date: open.due_date,
            })
            .collect()
    }

    /// Only a sale that succeeded can be canceled by a user, or disputed.
    pub(super) fn must_have_succeeded(&self) -> Result<(), Refusal> {
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
