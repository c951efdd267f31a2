//! The state of disputes and reversals that decisions read, and how each event changes it.

use serde::{Deserialize, Serialize};

use super::{Business, Sale};
use crate::business::event::{
    AcceleratedReceivable, ConsumedReceivable, DisputeConfirmed, DisputeWon, RefundAnswered, SaleCanceled,
    SaleChargedBack, SaleDisputed, SaleNamed, SalePartRefunded, SaleVoided,
};
use crate::sale::{DisputeId, Initiator, NamedPayment, RefundReference, SaleStatus};
use crate::{Cents, SaleId, words};

/// A dispute of a sale. It is won or lost at most once; a closed one may still be lost. A sale has at most one open
/// dispute, exactly while its status is `Dispute`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    pub id: DisputeId,
    pub initiator: Initiator,
    pub stage: DisputeStage,
    /// Set for a dispute of a part; `None` for all that is left of the sale.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub part: Option<Cents>,
}

words! {
    pub enum DisputeStage {
        Open = "open",
        Won = "won",
        Lost = "lost",
        /// Ended for another reason: the sale was canceled, refunded or reversed, another dispute was lost, or the
        /// acquirer uses another id for it.
        Closed = "closed",
    }
}

/// A recorded refund of a part of a sale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartRefund {
    /// `None` if the acquirer gave it no id.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reference: Option<RefundReference>,
    /// The acquirer's id for a refund that a user asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub known_as: Option<RefundReference>,
    pub amount: Cents,
    /// A user asked for it, and the acquirer has not answered.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unanswered: bool,
}

impl PartRefund {
    pub(in crate::business) fn has_id(&self, id: &RefundReference) -> bool {
        self.reference.as_ref() == Some(id) || self.known_as.as_ref() == Some(id)
    }
}

impl Sale {
    /// The gross that was neither refunded nor lost in parts. The end of a sale leaves it as it was before.
    pub const fn left(&self) -> Cents {
        self.amount
            .saturating_sub(self.refunded)
            .saturating_sub(self.lost)
    }

    /// What the open dispute blocks, else what is left.
    pub fn disputed_or_left(&self) -> Cents {
        let part = self.open_dispute().and_then(|dispute| dispute.part);
        part.unwrap_or(self.left())
    }

    /// Whether a refund is recorded under the id.
    pub fn has_refund(&self, id: &RefundReference) -> bool {
        self.refunds.iter().any(|refund| refund.has_id(id))
    }

    pub(in crate::business) fn dispute(&self, id: &DisputeId) -> Option<&Dispute> {
        self.disputes.iter().find(|dispute| dispute.id == *id)
    }

    pub(in crate::business) fn open_dispute(&self) -> Option<&Dispute> {
        self.disputes
            .iter()
            .find(|dispute| dispute.stage == DisputeStage::Open)
    }

    pub(super) fn void(&mut self, event: &SaleVoided) {
        self.status = SaleStatus::Canceled;
        self.voided_at = Some(event.occurred_at);
        self.voided_by = event.initiator;
    }

    pub(super) fn cancel(&mut self, event: &SaleCanceled) {
        self.rest_returned = self.lost != Cents::ZERO;
        self.status = if self.rest_returned {
            SaleStatus::ChargedBack
        } else {
            event.outcome.status()
        };
        self.return_names.clone_from(&event.names);
        self.accelerate(&event.accelerated);
        self.close_disputes();
        if let Some(refund) = &event.refund {
            self.refunds.push(PartRefund {
                reference: Some(refund.clone()),
                known_as: None,
                amount: event.amount,
                unanswered: event.initiator == Initiator::Platform,
            });
        }
    }

    pub(super) fn name(&mut self, event: &SaleNamed) {
        let known = match event.of {
            NamedPayment::Payment => &mut self.names,
            NamedPayment::Return => &mut self.return_names,
        };
        *known = event.names.clone().or(std::mem::take(known));
    }

    pub(super) fn refund_part(&mut self, event: &SalePartRefunded) {
        self.refunded = self.refunded.saturating_add(event.amount);
        self.taken = self.taken.saturating_add(event.net);
        self.consume(&event.consumed);
        self.refunds.push(PartRefund {
            reference: event.refund.clone(),
            known_as: None,
            amount: event.amount,
            unanswered: event.initiator == Initiator::Platform,
        });
    }

    pub(super) fn answer_refund(&mut self, event: &RefundAnswered) {
        for refund in &mut self.refunds {
            if refund.has_id(&event.refund) {
                refund.known_as.clone_from(&event.known_as);
                refund.unanswered = false;
            }
        }
    }

    pub(super) fn mark_disputed(&mut self, event: &SaleDisputed) {
        self.status = SaleStatus::Dispute;
        self.accelerate(&event.accelerated);
        let dispute = self.set_dispute_stage(&event.dispute_id, event.initiator, DisputeStage::Open);
        if let Some(consumed) = &event.part {
            dispute.part = Some(event.amount);
            self.taken = self.taken.saturating_add(event.amount);
            self.consume(consumed);
        }
    }

    pub(super) fn confirm(&mut self, event: &DisputeConfirmed) {
        let part = self.open_dispute().and_then(|dispute| dispute.part);
        self.close_disputes();
        self.set_dispute_stage(&event.dispute_id, Initiator::Acquirer, DisputeStage::Open)
            .part = part;
    }

    pub(super) fn win(&mut self, event: &DisputeWon) {
        self.status = SaleStatus::Succeeded;
        let dispute = self.set_dispute_stage(&event.dispute_id, Initiator::Acquirer, DisputeStage::Won);
        if dispute.part.is_some() {
            self.taken = self.taken.saturating_sub(event.amount);
        }
    }

    pub(super) fn charge_back(&mut self, event: &SaleChargedBack) {
        self.accelerate(&event.accelerated);
        self.close_disputes();
        self.set_dispute_stage(&event.dispute_id, Initiator::Acquirer, DisputeStage::Lost);
        if let Some(consumed) = &event.part {
            self.taken = self.taken.saturating_add(event.amount);
            self.consume(consumed);
        }
        if event.amount == self.left() {
            self.status = SaleStatus::ChargedBack;
        } else {
            self.status = SaleStatus::Succeeded;
            self.lost = self.lost.saturating_add(event.amount);
        }
    }

    fn consume(&mut self, consumed: &[ConsumedReceivable]) {
        for part in consumed {
            if let Some(open) = self.open.iter_mut().find(|open| open.number == part.number) {
                open.net = part.left;
            }
        }
        self.open.retain(|open| {
            consumed
                .iter()
                .all(|part| part.number != open.number || part.left != Cents::ZERO)
        });
    }

    fn accelerate(&mut self, accelerated: &[AcceleratedReceivable]) {
        self.open.retain(|open| {
            accelerated
                .iter()
                .all(|accelerated| accelerated.number != open.number)
        });
    }

    fn close_disputes(&mut self) {
        for dispute in &mut self.disputes {
            if dispute.stage == DisputeStage::Open {
                dispute.stage = DisputeStage::Closed;
            }
        }
    }

    fn set_dispute_stage(
        &mut self,
        id: &DisputeId,
        initiator: Initiator,
        stage: DisputeStage,
    ) -> &mut Dispute {
        let known = self.disputes.iter().position(|dispute| dispute.id == *id);
        let index = known.unwrap_or(self.disputes.len());
        if known.is_none() {
            self.disputes.push(Dispute {
                id: id.clone(),
                initiator,
                stage,
                part: None,
            });
        }
        let dispute = &mut self.disputes[index];
        dispute.stage = stage;
        dispute
    }
}

impl Business {
    /// No sale is missing here: an earlier event or the writer inserted it.
    pub(super) fn change_sale(&mut self, sale_id: SaleId, change: impl FnOnce(&mut Sale)) {
        if let Some(sale) = self.sales.get_mut(&sale_id) {
            change(sale);
        }
    }
}
