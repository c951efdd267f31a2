//! A sale's events in the words of its timeline, and what they make of its latest dispute.
//!
//! Read from the log each time, so that nothing of it is stored twice.

use ledger_domain::business::{BusinessEvent, DisputeStage};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{Cancellation, DisputeId, Initiator};
use ledger_domain::{Cents, EventId, SaleId};
use ledger_store::event::StoredEvent;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisputeRow {
    /// The acquirer's, once it has told its own for a dispute that a person opened.
    pub id: DisputeId,
    /// Who opened it; of one whose end was the first that was heard of it, the acquirer.
    pub initiator: Initiator,
    pub opened_at: Instant,
    pub stage: DisputeStage,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleEvent {
    pub id: EventId,
    /// As `BusinessEvent::type_name` spells it.
    pub event_type: &'static str,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    /// What the event was about: the sale's gross, or what it settled of this sale.
    pub amount: Option<Cents>,
    /// Of what undoes the sale or gives it up: who began it.
    pub initiator: Option<Initiator>,
    pub dispute_id: Option<DisputeId>,
    /// Of a cancel only: cancelled, refunded or reversed.
    pub outcome: Option<Cancellation>,
    pub reason: Option<String>,
    pub sequence: i64,
}

pub(super) fn event_of(sale: SaleId, stored: &StoredEvent, event: &BusinessEvent) -> SaleEvent {
    let told = SaleEvent {
        id: stored.event_id,
        event_type: event.type_name(),
        occurred_at: stored.occurred_at,
        recorded_at: stored.recorded_at,
        amount: None,
        initiator: None,
        dispute_id: None,
        outcome: None,
        reason: None,
        sequence: stored.sequence,
    };
    match event {
        BusinessEvent::SaleCreated(event) => SaleEvent {
            amount: Some(event.sale.amount),
            ..told
        },
        BusinessEvent::SaleCaptured(event) => SaleEvent {
            amount: Some(event.sale.amount),
            ..told
        },
        BusinessEvent::SaleFailed(event) => SaleEvent {
            amount: Some(event.sale.amount),
            reason: event.reason.clone(),
            ..told
        },
        BusinessEvent::SaleVoided(event) => SaleEvent {
            initiator: Some(event.initiator),
            reason: event.reason.clone(),
            ..told
        },
        BusinessEvent::ReceivablesSettled(event) => SaleEvent {
            amount: Cents::total(
                event
                    .settled
                    .iter()
                    .filter(|settled| settled.sale_id == sale)
                    .map(|settled| settled.net),
            ),
            ..told
        },
        BusinessEvent::SaleCanceled(event) => SaleEvent {
            amount: Some(event.amount),
            initiator: Some(event.initiator),
            dispute_id: event.blocked_by.clone(),
            outcome: Some(event.outcome),
            reason: event.reason.clone(),
            ..told
        },
        BusinessEvent::SaleDisputed(event) => SaleEvent {
            amount: Some(event.amount),
            initiator: Some(event.initiator),
            dispute_id: Some(event.dispute_id.clone()),
            reason: event.reason.clone(),
            ..told
        },
        BusinessEvent::DisputeConfirmed(event) => SaleEvent {
            initiator: Some(Initiator::Acquirer),
            dispute_id: Some(event.dispute_id.clone()),
            ..told
        },
        BusinessEvent::DisputeWon(event) => SaleEvent {
            amount: Some(event.amount),
            initiator: Some(Initiator::Acquirer),
            dispute_id: Some(event.dispute_id.clone()),
            ..told
        },
        BusinessEvent::SaleChargedBack(event) => SaleEvent {
            amount: Some(event.amount),
            initiator: Some(Initiator::Acquirer),
            dispute_id: Some(event.dispute_id.clone()),
            reason: event.reason.clone(),
            ..told
        },
        BusinessEvent::TransferRequested(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_)
        | BusinessEvent::TransferRefused(_)
        | BusinessEvent::TransferFailed(_)
        | BusinessEvent::TransferReopened(_)
        | BusinessEvent::ManualTransferMade(_)
        | BusinessEvent::TerminalRentalCharged(_)
        | BusinessEvent::TerminalRentalCanceled(_)
        | BusinessEvent::AmountHeld(_)
        | BusinessEvent::AmountReleased(_) => told,
    }
}

/// The latest dispute after one more event of its sale.
pub(super) fn after(dispute: Option<DisputeRow>, event: &BusinessEvent) -> Option<DisputeRow> {
    let ended = |stage| dispute.clone().map(|dispute| DisputeRow { stage, ..dispute });
    match event {
        BusinessEvent::SaleDisputed(event) => Some(DisputeRow {
            id: event.dispute_id.clone(),
            initiator: event.initiator,
            opened_at: event.occurred_at,
            stage: DisputeStage::Open,
        }),
        BusinessEvent::DisputeConfirmed(event) => dispute.map(|dispute| DisputeRow {
            id: event.dispute_id.clone(),
            ..dispute
        }),
        BusinessEvent::DisputeWon(_) => ended(DisputeStage::Won),
        BusinessEvent::SaleCanceled(event) if event.blocked_by.is_some() => ended(DisputeStage::Closed),
        BusinessEvent::SaleChargedBack(event) if event.blocked_by.as_ref() == Some(&event.dispute_id) => {
            ended(DisputeStage::Lost)
        }
        // Lost without having been opened: the loss is all that is known of it.
        BusinessEvent::SaleChargedBack(event) => Some(DisputeRow {
            id: event.dispute_id.clone(),
            initiator: Initiator::Acquirer,
            opened_at: event.occurred_at,
            stage: DisputeStage::Lost,
        }),
        BusinessEvent::SaleCanceled(_)
        | BusinessEvent::SaleCreated(_)
        | BusinessEvent::SaleCaptured(_)
        | BusinessEvent::SaleFailed(_)
        | BusinessEvent::SaleVoided(_)
        | BusinessEvent::ReceivablesSettled(_)
        | BusinessEvent::TransferRequested(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_)
        | BusinessEvent::TransferRefused(_)
        | BusinessEvent::TransferFailed(_)
        | BusinessEvent::TransferReopened(_)
        | BusinessEvent::ManualTransferMade(_)
        | BusinessEvent::TerminalRentalCharged(_)
        | BusinessEvent::TerminalRentalCanceled(_)
        | BusinessEvent::AmountHeld(_)
        | BusinessEvent::AmountReleased(_) => dispute,
    }
}
