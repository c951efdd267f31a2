//! A sale's events as entries of its timeline, and its latest dispute.
//!
//! Both are read from the log each time, so that nothing is stored twice.

use ledger_domain::business::{BalanceEvent, BusinessEvent, DisputeStage, SaleEvent};
use ledger_domain::calendar::Instant;
use ledger_domain::sale::{Cancellation, DisputeId, Initiator, PaymentNames, RefundReference};
use ledger_domain::{Cents, EventId, SaleId};
use ledger_store::Actor;
use ledger_store::event::StoredEvent;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisputeRow {
    /// The platform's id for a dispute that a user opened, until the acquirer reports another id for it. Else the
    /// acquirer's id.
    pub id: DisputeId,
    /// The party that opened the dispute: the acquirer, if the first report of the dispute was its end.
    pub initiator: Initiator,
    pub opened_at: Instant,
    pub stage: DisputeStage,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaleEventRow {
    pub id: EventId,
    /// The same text as `BusinessEvent::type_name`.
    pub event_type: &'static str,
    pub occurred_at: Instant,
    pub recorded_at: Instant,
    /// The actor of the command that caused the event.
    pub actor: Actor,
    /// The sale's gross. For a settlement, the net of the installments of this sale that the event settled; for a release
    /// of the reserve, what it released of this sale. `None` for a void and for a confirmed dispute.
    pub amount: Option<Cents>,
    /// For settlements only: what of `amount` the reserve holds, if it holds anything.
    pub reserved: Option<Cents>,
    /// For reversals, voids and the stages of a dispute only.
    pub initiator: Option<Initiator>,
    pub dispute_id: Option<DisputeId>,
    /// For refunds only, if they have an id.
    pub refund: Option<RefundReference>,
    /// For `SaleCanceled` only: whether the sale was canceled, refunded or reversed.
    pub outcome: Option<Cancellation>,
    pub reason: Option<String>,
    /// For refunds and later names: those that the event adds.
    pub names: PaymentNames,
    pub sequence: i64,
}

pub(super) fn event_of(
    sale: SaleId,
    stored: &StoredEvent,
    event: &BusinessEvent,
) -> Result<SaleEventRow, serde_json::Error> {
    let mut shown = SaleEventRow {
        id: stored.event_id,
        event_type: event.type_name(),
        occurred_at: stored.occurred_at,
        recorded_at: stored.recorded_at,
        actor: stored.metadata()?.actor,
        amount: None,
        reserved: None,
        initiator: None,
        dispute_id: None,
        refund: None,
        outcome: None,
        reason: None,
        names: PaymentNames::default(),
        sequence: stored.sequence,
    };
    let event = match event {
        BusinessEvent::Sale(event) => event,
        BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => {
            let of_sale = event.released.iter().filter(|released| released.sale_id == sale);
            shown.amount = Cents::total(of_sale.map(|released| released.amount));
            return Ok(shown);
        }
        BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => return Ok(shown),
    };
    match event {
        SaleEvent::SaleCreated(event) => shown.amount = Some(event.sale.amount),
        SaleEvent::SaleCaptured(event) => shown.amount = Some(event.sale.amount),
        SaleEvent::SaleFailed(event) => {
            shown.amount = Some(event.sale.amount);
            shown.reason.clone_from(&event.reason);
        }
        SaleEvent::SaleVoided(event) => {
            shown.initiator = Some(event.initiator);
            shown.reason.clone_from(&event.reason);
        }
        SaleEvent::SaleNamed(event) => {
            shown.initiator = Some(Initiator::Acquirer);
            shown.names.clone_from(&event.names);
        }
        SaleEvent::ReceivablesSettled(event) => {
            let of_sale = event.settled.iter().filter(|settled| settled.sale_id == sale);
            shown.amount = Cents::total(of_sale.clone().map(|settled| settled.net));
            let reserved = Cents::total(of_sale.map(|settled| settled.reserved));
            shown.reserved = reserved.filter(|reserved| *reserved != Cents::ZERO);
        }
        SaleEvent::SaleCanceled(event) => {
            shown.amount = Some(event.amount);
            shown.initiator = Some(event.initiator);
            shown.dispute_id.clone_from(&event.blocked_by);
            shown.refund.clone_from(&event.refund);
            shown.outcome = Some(event.outcome);
            shown.reason.clone_from(&event.reason);
            shown.names.clone_from(&event.names);
        }
        SaleEvent::SalePartRefunded(event) => {
            shown.amount = Some(event.amount);
            shown.initiator = Some(event.initiator);
            shown.refund.clone_from(&event.refund);
            shown.reason.clone_from(&event.reason);
            shown.names.clone_from(&event.names);
        }
        SaleEvent::RefundAnswered(event) => {
            shown.names.clone_from(&event.names);
            shown.initiator = Some(Initiator::Acquirer);
            shown.refund = event.known_as.clone().or_else(|| Some(event.refund.clone()));
        }
        SaleEvent::SaleDisputed(event) => {
            shown.amount = Some(event.amount);
            shown.initiator = Some(event.initiator);
            shown.dispute_id = Some(event.dispute_id.clone());
            shown.reason.clone_from(&event.reason);
        }
        SaleEvent::DisputeConfirmed(event) => {
            shown.set_acquirer_report(None, &event.dispute_id, None);
        }
        SaleEvent::DisputeWon(event) => {
            shown.set_acquirer_report(Some(event.amount), &event.dispute_id, None);
        }
        SaleEvent::SaleChargedBack(event) => {
            shown.set_acquirer_report(Some(event.amount), &event.dispute_id, event.reason.as_ref());
        }
    }
    Ok(shown)
}

impl SaleEventRow {
    /// Sets the fields of a later stage of a dispute. Only acquirers report these stages.
    fn set_acquirer_report(&mut self, amount: Option<Cents>, dispute: &DisputeId, reason: Option<&String>) {
        self.initiator = Some(Initiator::Acquirer);
        self.amount = amount;
        self.dispute_id = Some(dispute.clone());
        self.reason = reason.cloned();
    }
}

/// The latest dispute after one more event of its sale.
pub(super) fn dispute_after(dispute: Option<DisputeRow>, event: &BusinessEvent) -> Option<DisputeRow> {
    let event = match event {
        BusinessEvent::Sale(event) => event,
        BusinessEvent::Transfer(_) | BusinessEvent::Balance(_) => return dispute,
    };
    let ended = |stage| dispute.clone().map(|dispute| DisputeRow { stage, ..dispute });
    match event {
        SaleEvent::SaleDisputed(event) => Some(DisputeRow {
            id: event.dispute_id.clone(),
            initiator: event.initiator,
            opened_at: event.occurred_at,
            stage: DisputeStage::Open,
        }),
        SaleEvent::DisputeConfirmed(event) => dispute.map(|dispute| DisputeRow {
            id: event.dispute_id.clone(),
            ..dispute
        }),
        SaleEvent::DisputeWon(_) => ended(DisputeStage::Won),
        SaleEvent::SaleCanceled(event) if event.blocked_by.is_some() => ended(DisputeStage::Closed),
        SaleEvent::SaleChargedBack(event) => {
            // A user may have opened the dispute, and the acquirer reports its loss under another id. Then the row
            // keeps the initiator and the instant of the user's request.
            let opened = dispute.filter(|open| {
                let is_same_dispute = open.id == event.dispute_id || open.initiator == Initiator::Platform;
                is_same_dispute && event.blocked_by.as_ref() == Some(&open.id)
            });
            let (initiator, opened_at) = match opened {
                Some(open) => (open.initiator, open.opened_at),
                // The loss is the first report of this dispute.
                None => (Initiator::Acquirer, event.occurred_at),
            };
            Some(DisputeRow {
                id: event.dispute_id.clone(),
                initiator,
                opened_at,
                stage: DisputeStage::Lost,
            })
        }
        SaleEvent::SaleCanceled(_)
        | SaleEvent::SalePartRefunded(_)
        | SaleEvent::SaleNamed(_)
        | SaleEvent::RefundAnswered(_)
        | SaleEvent::SaleCreated(_)
        | SaleEvent::SaleCaptured(_)
        | SaleEvent::SaleFailed(_)
        | SaleEvent::SaleVoided(_)
        | SaleEvent::ReceivablesSettled(_) => dispute,
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta};
    use ledger_domain::business::{SaleChargedBack, SaleDisputed};
    use uuid::Uuid;

    use super::*;

    fn at(minutes: i64) -> Instant {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(minutes)
    }

    fn id(text: &str) -> DisputeId {
        DisputeId::parse(text).expect("a dispute's id")
    }

    fn opened(dispute: &str, initiator: Initiator) -> BusinessEvent {
        BusinessEvent::from(SaleDisputed {
            occurred_at: at(1),
            sale_id: SaleId::from_uuid(Uuid::nil()),
            dispute_id: id(dispute),
            initiator,
            amount: Cents::new(300_00),
            accelerated: vec![],
            part: None,
            reason: None,
        })
    }

    /// The row after a loss at minute 9 under the id `dispute`. `before` opens the dispute that blocks the money until
    /// then; without it, no dispute is open.
    fn lost_as(dispute: &str, before: Option<BusinessEvent>) -> Option<(String, Initiator, Instant)> {
        let open = before.and_then(|event| dispute_after(None, &event));
        let lost = BusinessEvent::from(SaleChargedBack {
            occurred_at: at(9),
            sale_id: SaleId::from_uuid(Uuid::nil()),
            dispute_id: id(dispute),
            amount: Cents::new(300_00),
            blocked_by: open.as_ref().map(|open| open.id.clone()),
            accelerated: vec![],
            part: None,
            reason: None,
        });
        let row = dispute_after(open, &lost)?;
        assert_eq!(row.stage, DisputeStage::Lost);
        Some((row.id.to_string(), row.initiator, row.opened_at))
    }

    #[test]
    fn a_loss_ends_the_dispute_that_a_user_opened_whichever_id_the_acquirer_gives_it() {
        let ours = || Some(opened("panel_1", Initiator::Platform));
        for name in ["panel_1", "dp_1"] {
            let shown = Some((name.to_owned(), Initiator::Platform, at(1)));
            assert_eq!(lost_as(name, ours()), shown);
        }
    }

    #[test]
    fn a_loss_under_an_unknown_id_is_the_first_report_of_its_dispute() {
        let first_report = Some(("dp_2".to_owned(), Initiator::Acquirer, at(9)));
        assert_eq!(lost_as("dp_2", None), first_report);
        let theirs = opened("dp_1", Initiator::Acquirer);
        assert_eq!(lost_as("dp_2", Some(theirs.clone())), first_report);
        let opened_before = Some(("dp_1".to_owned(), Initiator::Acquirer, at(1)));
        assert_eq!(lost_as("dp_1", Some(theirs)), opened_before);
    }
}
