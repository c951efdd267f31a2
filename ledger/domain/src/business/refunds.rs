//! Decisions on refunds: of a part of a sale, several times, up to its gross.
//!
//! The seller gives back the share of the net and the platform the share of its fees, so that all parts sum to both.
//! Open installments pay first, the last due first; the balance pays the rest. The refund of all that is left is a
//! `SaleCanceled`. A refund has an id within its sale; a notice that may repeat another refund waits.

use super::cancellation::Reversal;
use super::command::{AnswerRefund, RefundPart, RefundSale, Refunded};
use super::event::{BusinessEvent, ConsumedReceivable, RefundAnswered, SalePartRefunded};
use super::refusal::Refusal;
use super::state::{Business, PartRefund, Sale};
use super::withdrawals::must_be_in_range;
use crate::Cents;
use crate::calendar::Instant;
use crate::money::share;
use crate::sale::{Cancellation, Initiator, PaymentNames, RefundReference, SaleStatus};

type Decision = Result<Vec<BusinessEvent>, Refusal>;

impl Business {
    pub(super) fn refund_part(&self, command: &RefundPart) -> Decision {
        let sale = self.sale(command.sale_id)?;
        if let Some(known) = sale.part_refund(&command.refund) {
            return known.must_be_of(command.amount).map(|()| vec![]);
        }
        sale.must_have_succeeded()?;
        sale.must_have_left(command.amount)?;
        self.must_have_cover(sale, sale.net_share(command.amount))?;
        Ok(self.refund(sale, &command.as_part()))
    }

    /// A repeated answer adds nothing.
    pub(super) fn answer_refund(&self, command: &AnswerRefund) -> Decision {
        let sale = self.sale(command.sale_id)?;
        let asked = sale.part_refund(&command.refund);
        let asked = asked.ok_or_else(|| Refusal::UnknownRefund(command.refund.clone()))?;
        if !asked.unanswered {
            return Ok(vec![]);
        }
        Ok(vec![BusinessEvent::from(RefundAnswered {
            occurred_at: command.occurred_at,
            sale_id: command.sale_id,
            refund: command.refund.clone(),
            known_as: command.known_as.clone(),
            names: command.names.clone(),
        })])
    }

    pub(super) fn refund_sale(&self, command: &RefundSale) -> Decision {
        match &command.refunded {
            Refunded::Rest { refund } => self.refund_reported_rest(command, refund.as_ref()),
            Refunded::Amount { amount, refund } => {
                self.refund_reported_amount(command, *amount, refund.as_ref())
            }
            Refunded::Total(total) => self.refund_reported_total(command, *total),
        }
    }

    fn refund_reported_rest(&self, command: &RefundSale, refund: Option<&RefundReference>) -> Decision {
        let sale = self.captured_sale(command.sale_id)?;
        if refund.is_some_and(|id| sale.part_refund(id).is_some()) {
            return Ok(vec![]);
        }
        if sale.was_canceled() {
            return command.echo(sale);
        }
        self.reported_reversal(Reversal {
            refund: refund.cloned(),
            ..command.as_reversal()
        })
    }

    fn refund_reported_amount(
        &self,
        command: &RefundSale,
        amount: Cents,
        refund: Option<&RefundReference>,
    ) -> Decision {
        let sale = self.captured_sale(command.sale_id)?;
        must_be_in_range(amount)?;
        if let Some(known) = refund.and_then(|id| sale.part_refund(id)) {
            return known.must_be_of(amount).map(|()| vec![]);
        }
        // The echo of a cancel, of which the ledger knows no id.
        if sale.was_canceled()
            && amount == sale.left()
            && sale.refunds.iter().all(|known| known.amount != amount)
        {
            return command.echo(sale);
        }
        if sale.status == SaleStatus::Dispute && amount == sale.disputed_or_left() && amount == sale.left() {
            return self.refund_reported_rest(command, refund);
        }
        sale.must_allow_reported_part(amount)?;
        sale.must_not_repeat(amount, refund)?;
        Ok(self.refund(sale, &command.as_part(amount, refund)))
    }

    /// The acquirer knows only the sum, so no id tells refunds apart, and no answer is missing.
    fn refund_reported_total(&self, command: &RefundSale, total: Cents) -> Decision {
        let sale = self.captured_sale(command.sale_id)?;
        let recorded = if sale.was_canceled() {
            sale.refunded.saturating_add(sale.left())
        } else {
            sale.refunded
        };
        let amount = total.saturating_sub(recorded);
        if amount <= Cents::ZERO {
            return if sale.was_canceled() {
                command.echo(sale)
            } else {
                Ok(vec![])
            };
        }
        sale.must_allow_reported_part(amount)?;
        Ok(self.refund(sale, &command.as_part(amount, None)))
    }

    /// The events of a refund that is allowed, after the release of what is held of the sale.
    pub(super) fn refund(&self, sale: &Sale, part: &Part<'_>) -> Vec<BusinessEvent> {
        if part.amount == sale.left() {
            return self.with_hold_released(sale, sale.canceled_event(part.as_reversal_of_rest()));
        }
        let net = sale.net_share(part.amount);
        let consumed = sale.consumed_by(net);
        let from_balance = net.saturating_sub(ConsumedReceivable::total(&consumed));
        let refunded = SalePartRefunded {
            occurred_at: part.occurred_at,
            sale_id: part.sale_id,
            refund: part.refund.cloned(),
            initiator: part.initiator,
            amount: part.amount,
            net,
            consumed,
            reason: part.reason.map(str::to_owned),
            names: part.names.cloned().unwrap_or_default(),
        };
        self.with_part_of_hold_released(sale, from_balance, BusinessEvent::from(refunded))
    }
}

/// An amount that goes back to the buyer.
pub(super) struct Part<'a> {
    pub sale_id: crate::SaleId,
    pub refund: Option<&'a RefundReference>,
    pub initiator: Initiator,
    pub amount: Cents,
    pub occurred_at: Instant,
    pub names: Option<&'a PaymentNames>,
    pub reason: Option<&'a str>,
}

impl Part<'_> {
    fn as_reversal_of_rest(&self) -> Reversal<'_> {
        Reversal {
            sale_id: self.sale_id,
            outcome: match self.initiator {
                Initiator::Platform => Cancellation::Canceled,
                Initiator::Acquirer => Cancellation::Refunded,
            },
            initiator: self.initiator,
            occurred_at: self.occurred_at,
            refund: self.refund.cloned(),
            names: self.names,
            reason: self.reason,
        }
    }
}

impl RefundPart {
    pub(super) fn as_part(&self) -> Part<'_> {
        Part {
            sale_id: self.sale_id,
            refund: Some(&self.refund),
            initiator: Initiator::Platform,
            amount: self.amount,
            occurred_at: self.occurred_at,
            names: None,
            reason: self.reason.as_deref(),
        }
    }
}

impl RefundSale {
    fn echo(&self, sale: &Sale) -> Decision {
        sale.echoed(self.sale_id, &self.names, self.occurred_at)
    }

    fn as_part<'a>(&'a self, amount: Cents, refund: Option<&'a RefundReference>) -> Part<'a> {
        Part {
            sale_id: self.sale_id,
            refund,
            initiator: Initiator::Acquirer,
            amount,
            occurred_at: self.occurred_at,
            names: Some(&self.names),
            reason: self.reason.as_deref(),
        }
    }
}

impl Sale {
    fn part_refund(&self, id: &RefundReference) -> Option<&PartRefund> {
        self.refunds.iter().find(|refund| refund.has_id(id))
    }

    /// The seller's share of a refund of this amount after those before it.
    pub(super) fn net_share(&self, amount: Cents) -> Cents {
        let before = share(self.net, self.refunded, self.amount);
        let after = share(self.net, self.refunded.saturating_add(amount), self.amount);
        after.saturating_sub(before)
    }

    /// What this amount takes from the open installments: the last due first, of equal dates the highest number.
    pub(super) fn consumed_by(&self, amount: Cents) -> Vec<ConsumedReceivable> {
        let mut open = self.open.clone();
        open.sort_by_key(|open| std::cmp::Reverse((open.due_date, open.number)));
        let mut missing = amount;
        let mut consumed = vec![];
        for installment in open {
            let net = installment.net.min(missing);
            if net == Cents::ZERO {
                continue;
            }
            missing = missing.saturating_sub(net);
            consumed.push(ConsumedReceivable {
                number: installment.number,
                net,
                left: installment.net.saturating_sub(net),
                due_date: installment.due_date,
            });
        }
        consumed
    }

    /// The part must be above zero, and no more than what is left.
    pub(super) fn must_have_left(&self, asked: Cents) -> Result<(), Refusal> {
        must_be_in_range(asked)?;
        let left = self.left();
        if asked > left {
            return Err(Refusal::MoreThanLeft { left, asked });
        }
        Ok(())
    }

    fn must_allow_reported_part(&self, amount: Cents) -> Result<(), Refusal> {
        if self.was_canceled() {
            return Err(Refusal::MoreThanLeft {
                left: Cents::ZERO,
                asked: amount,
            });
        }
        match self.status {
            SaleStatus::Succeeded => self.must_have_left(amount),
            SaleStatus::Dispute => Err(self.refusal_during_dispute()),
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

    pub(super) fn refusal_during_dispute(&self) -> Refusal {
        match self.open_dispute() {
            Some(dispute) => Refusal::RefundDuringDispute(dispute.id.clone()),
            None => Refusal::StatusForbids(self.status),
        }
    }

    /// A notice of an unknown refund may be the echo of one that a user asked for, under an id that the acquirer has
    /// not told yet, or repeat one that had no id.
    fn must_not_repeat(&self, amount: Cents, refund: Option<&RefundReference>) -> Result<(), Refusal> {
        let may_be = |known: &&PartRefund| known.unanswered && (refund.is_none() || known.amount == amount);
        if let Some(PartRefund {
            reference: Some(asked),
            ..
        }) = self.refunds.iter().find(may_be)
        {
            return Err(Refusal::RefundUnanswered(asked.clone()));
        }
        let repeats = match refund {
            None => !self.refunds.is_empty(),
            Some(_) => self
                .refunds
                .iter()
                .any(|known| known.reference.is_none() && known.amount == amount),
        };
        if repeats {
            return Err(Refusal::RefundUnnamed);
        }
        Ok(())
    }
}

impl PartRefund {
    fn must_be_of(&self, amount: Cents) -> Result<(), Refusal> {
        if self.amount == amount {
            return Ok(());
        }
        Err(Refusal::AmountDiffers {
            recorded: self.amount,
            reported: amount,
        })
    }
}
