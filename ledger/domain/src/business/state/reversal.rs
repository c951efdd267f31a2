//! The state of disputes and reversals that decisions read, and how each event changes it.

use serde::{Deserialize, Serialize};

use super::{Business, Sale};
use crate::SaleId;
use crate::business::event::{
    AcceleratedReceivable, DisputeConfirmed, DisputeWon, SaleCanceled, SaleChargedBack, SaleDisputed,
    SaleVoided,
};
use crate::sale::{DisputeId, Initiator, SaleStatus};

/// A dispute of a sale. It is won or lost at most once; a closed one may still be lost. A sale has at most one open
/// dispute, exactly while its status is `Dispute`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dispute {
    pub id: DisputeId,
    pub initiator: Initiator,
    pub stage: DisputeStage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DisputeStage {
    Open,
    Won,
    Lost,
    /// Ended for another reason: the sale was canceled, refunded or reversed, another dispute was lost, or the acquirer
    /// uses another id for it.
    Closed,
}

impl Sale {
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
        self.status = event.outcome.status();
        self.accelerate(&event.accelerated);
        self.close_disputes();
    }

    pub(super) fn mark_disputed(&mut self, event: &SaleDisputed) {
        self.status = SaleStatus::Dispute;
        self.accelerate(&event.accelerated);
        self.set_dispute_stage(&event.dispute_id, event.initiator, DisputeStage::Open);
    }

    pub(super) fn confirm(&mut self, event: &DisputeConfirmed) {
        self.close_disputes();
        self.set_dispute_stage(&event.dispute_id, Initiator::Acquirer, DisputeStage::Open);
    }

    pub(super) fn win(&mut self, event: &DisputeWon) {
        self.status = SaleStatus::Succeeded;
        self.set_dispute_stage(&event.dispute_id, Initiator::Acquirer, DisputeStage::Won);
    }

    pub(super) fn charge_back(&mut self, event: &SaleChargedBack) {
        self.status = SaleStatus::ChargedBack;
        self.accelerate(&event.accelerated);
        self.close_disputes();
        self.set_dispute_stage(&event.dispute_id, Initiator::Acquirer, DisputeStage::Lost);
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

    fn set_dispute_stage(&mut self, id: &DisputeId, initiator: Initiator, stage: DisputeStage) {
        match self.disputes.iter_mut().find(|dispute| dispute.id == *id) {
            Some(dispute) => dispute.stage = stage,
            None => self.disputes.push(Dispute {
                id: id.clone(),
                initiator,
                stage,
            }),
        }
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
