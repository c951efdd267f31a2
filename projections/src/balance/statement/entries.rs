//! The lines of each event that moves the available balance.
//!
//! No rule of money is decided here: the amounts are those of the event.

use ledger_domain::business::{
    AcceleratedReceivable, Account, BalanceEvent, BusinessEvent, ConsumedReceivable, ManualTransferMade,
    ReceivablesSettled, ReleasedReserve, ReserveReleased, SaleCanceled, SaleEvent, SettledReceivable,
    TransferEvent,
};
use ledger_domain::sale::Cancellation;
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents, HoldId, SaleId, TransferId};
use uuid::Uuid;

use super::movement::Movement;

/// A line of the statement before it has a number and a balance.
pub(super) struct Entry {
    pub movement: Movement,
    pub amount: Cents,
    pub sale_id: Option<SaleId>,
    pub installment: Option<u8>,
    pub transfer_id: Option<TransferId>,
    /// Not of the hold on sales, and of what was held before holds had ids.
    pub hold_id: Option<HoldId>,
    pub note: Option<String>,
}

/// The event's movements of the available balance. An amount of zero has no line.
pub(super) fn entries_of(event: &BusinessEvent) -> Vec<Entry> {
    let mut entries = match event {
        BusinessEvent::Sale(of_sale) => sale_entries(of_sale, event),
        BusinessEvent::Transfer(of_transfer) => transfer_movement(of_transfer)
            .map(|(movement, note)| Entry::whole(event, movement, note))
            .into_iter()
            .collect(),
        BusinessEvent::Balance(BalanceEvent::ReserveReleased(event)) => releases(event),
        BusinessEvent::Balance(of_balance) => hold_movement(of_balance)
            .map(|(movement, hold_id, note)| Entry {
                // A release can name many sales, so the line names none.
                sale_id: None,
                hold_id,
                ..Entry::whole(event, movement, note)
            })
            .into_iter()
            .collect(),
    };
    entries.retain(|entry| entry.amount != Cents::ZERO);
    entries
}

/// The entries of an event of sales. `whole` is the same event.
fn sale_entries(event: &SaleEvent, whole: &BusinessEvent) -> Vec<Entry> {
    let taken = |movement, from_installments: Cents, note: Option<&String>| {
        reversal_entries(Entry::whole(whole, movement, note), from_installments)
    };
    match event {
        SaleEvent::SaleCreated(_)
        | SaleEvent::SaleCaptured(_)
        | SaleEvent::SaleFailed(_)
        | SaleEvent::SaleVoided(_)
        | SaleEvent::SaleNamed(_)
        | SaleEvent::RefundAnswered(_)
        | SaleEvent::DisputeConfirmed(_) => vec![],
        SaleEvent::ReceivablesSettled(event) => settlements(event),
        SaleEvent::SaleCanceled(event) => {
            let accelerated = AcceleratedReceivable::total(&event.accelerated);
            taken(canceled(event), accelerated, event.reason.as_ref())
        }
        SaleEvent::SalePartRefunded(event) => {
            let consumed = ConsumedReceivable::total(&event.consumed);
            taken(Movement::PartRefund, consumed, event.reason.as_ref())
        }
        SaleEvent::SaleDisputed(event) => {
            let from_installments = from_installments(&event.accelerated, event.part.as_deref());
            taken(Movement::Dispute, from_installments, event.reason.as_ref())
        }
        SaleEvent::DisputeWon(_) => vec![Entry::whole(whole, Movement::DisputeWon, None)],
        SaleEvent::SaleChargedBack(event) => {
            let from_installments = from_installments(&event.accelerated, event.part.as_deref());
            taken(Movement::Chargeback, from_installments, event.reason.as_ref())
        }
    }
}

/// What a dispute or a chargeback takes from open installments: all of them, or for a part the last due.
fn from_installments(accelerated: &[AcceleratedReceivable], part: Option<&[ConsumedReceivable]>) -> Cents {
    match part {
        Some(consumed) => ConsumedReceivable::total(consumed),
        None => AcceleratedReceivable::total(accelerated),
    }
}

/// The movement and the note of an event of a transfer; `None` if the event does not change the available balance.
const fn transfer_movement(event: &TransferEvent) -> Option<(Movement, Option<&String>)> {
    Some(match event {
        TransferEvent::TransferApprovalGiven(_)
        | TransferEvent::TransferProcessing(_)
        | TransferEvent::TransferApproved(_) => return None,
        TransferEvent::TransferRequested(_) => (Movement::Withdrawal, None),
        TransferEvent::TransferReopened(_) => (Movement::WithdrawalTakenAgain, None),
        TransferEvent::TransferRefused(event) => (Movement::WithdrawalRefused, Some(&event.reason)),
        TransferEvent::TransferFailed(event) => (Movement::WithdrawalFailed, event.reason.as_ref()),
        TransferEvent::TransferReturned(event) => (Movement::WithdrawalReturned, event.reason.as_ref()),
        TransferEvent::ManualTransferMade(event) => (manual(event), Some(&event.description)),
        TransferEvent::TerminalRentalCharged(event) => {
            (Movement::Rental, Some(&event.terminal.serial_number))
        }
        TransferEvent::TerminalRentalCanceled(event) => (Movement::RentalCanceled, event.reason.as_ref()),
    })
}

/// The movement, the hold and the note of an event of the balance; `None` if it does not change the available balance.
fn hold_movement(event: &BalanceEvent) -> Option<(Movement, Option<HoldId>, Option<&String>)> {
    Some(match event {
        BalanceEvent::HoldChanged(_)
        | BalanceEvent::CourtPaid(_)
        // Each of its installments has its own line.
        | BalanceEvent::ReserveReleased(_) => return None,
        BalanceEvent::AmountHeld(event) => (Movement::Hold, None, Some(&event.reason)),
        BalanceEvent::AmountReleased(event) => (Movement::Release, None, Some(&event.reason)),
        BalanceEvent::HoldPlaced(event) => (Movement::Hold, Some(event.hold_id), Some(&event.reason)),
        BalanceEvent::HoldRaised(event) => (Movement::Hold, Some(event.hold_id), None),
        BalanceEvent::HoldReleased(event) => {
            let hold_id = Some(event.hold_id).filter(|hold_id| *hold_id != HoldId::COMPANY);
            (Movement::Release, hold_id, Some(&event.reason))
        }
        BalanceEvent::DebtWrittenOff(event) => (Movement::DebtWrittenOff, None, Some(&event.reason)),
    })
}

impl Entry {
    /// What takes the amount from the available balance and can give it back: the transfer, the disputed sale, the
    /// hold, or the business for its hold on sales. Two lines of one taker undo each other.
    pub fn taker(&self, business: BusinessId) -> Option<Uuid> {
        match self.movement {
            Movement::Withdrawal
            | Movement::WithdrawalTakenAgain
            | Movement::WithdrawalRefused
            | Movement::WithdrawalFailed
            | Movement::WithdrawalReturned
            | Movement::Rental
            | Movement::RentalCanceled
            | Movement::ManualRemoval => self.transfer_id.map(TransferId::uuid),
            Movement::Dispute | Movement::DisputeWon => self.sale_id.map(SaleId::uuid),
            Movement::Hold | Movement::Release => Some(self.hold_id.map_or(business.uuid(), HoldId::uuid)),
            Movement::Settlement
            | Movement::ReserveReleased
            | Movement::Accelerated
            | Movement::Cancellation
            | Movement::Refund
            | Movement::FeesReturned
            | Movement::PartRefund
            | Movement::Chargeback
            | Movement::ManualCredit
            | Movement::DebtWrittenOff => None,
        }
    }

    const fn of_installment(movement: Movement, amount: Cents, sale_id: SaleId, number: u8) -> Self {
        Self {
            movement,
            amount,
            sale_id: Some(sale_id),
            installment: Some(number),
            transfer_id: None,
            hold_id: None,
            note: None,
        }
    }

    /// One line with the whole amount that the event posts to the available balance.
    fn whole(event: &BusinessEvent, movement: Movement, note: Option<&String>) -> Self {
        Self {
            movement,
            amount: available_of(event),
            sale_id: event.sale_ids().first().copied(),
            installment: None,
            transfer_id: event.transfer_ids().first().copied(),
            hold_id: None,
            note: note.cloned(),
        }
    }
}

/// The amount of the installments and the returned amount have separate lines, because their sum would explain neither.
/// So the lines of returns add up to what went back, whoever paid it.
fn reversal_entries(whole: Entry, from_installments: Cents) -> Vec<Entry> {
    let accelerated = Entry {
        movement: Movement::Accelerated,
        amount: from_installments,
        sale_id: whole.sale_id,
        installment: None,
        transfer_id: None,
        hold_id: None,
        note: None,
    };
    let returned = Entry {
        amount: Cents::new(whole.amount.get() - from_installments.get()),
        ..whole
    };
    vec![accelerated, returned]
}

const fn canceled(event: &SaleCanceled) -> Movement {
    match (&event.blocked_by, event.outcome) {
        (Some(_), _) => Movement::FeesReturned,
        (None, Cancellation::Canceled) => Movement::Cancellation,
        (None, Cancellation::Refunded | Cancellation::Reversed) => Movement::Refund,
    }
}

/// The sum that the event posts to the available balance.
fn available_of(event: &BusinessEvent) -> Cents {
    event
        .balance_changes()
        .into_iter()
        .find(|(account, _)| *account == Account::Available)
        .map_or(Cents::ZERO, |(_, amount)| amount)
}

const fn manual(event: &ManualTransferMade) -> Movement {
    match event.direction {
        Direction::Out => Movement::ManualRemoval,
        Direction::In => Movement::ManualCredit,
    }
}

fn settlements(event: &ReceivablesSettled) -> Vec<Entry> {
    let release_on = event.reserve.as_ref().map(|reserve| reserve.release_on);
    let line = |settled: &SettledReceivable| {
        let SettledReceivable {
            sale_id,
            number,
            reserved,
            ..
        } = *settled;
        let release_on = release_on.filter(|_| reserved != Cents::ZERO);
        Entry {
            note: release_on.map(|day| format!("{reserved} na reserva até {}", day.format("%d/%m/%Y"))),
            ..Entry::of_installment(Movement::Settlement, settled.paid(), sale_id, number)
        }
    };
    event.settled.iter().map(line).collect()
}

fn releases(event: &ReserveReleased) -> Vec<Entry> {
    let line = |released: &ReleasedReserve| {
        let ReleasedReserve {
            sale_id,
            number,
            amount,
            ..
        } = *released;
        Entry::of_installment(Movement::ReserveReleased, amount, sale_id, number)
    };
    event.released.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use ledger_domain::SaleId;
    use ledger_domain::business::{SaleChargedBack, SaleDisputed};
    use ledger_domain::calendar::Instant;
    use ledger_domain::sale::{DisputeId, Initiator, PaymentNames};

    use super::*;
    use crate::balance::statement::MovementKind;

    fn noon() -> Instant {
        Instant::from_timestamp(1_795_000_000, 0).expect("an instant")
    }

    fn dispute() -> DisputeId {
        DisputeId::parse("dp-1").expect("an id")
    }

    fn outstanding() -> Vec<AcceleratedReceivable> {
        let due_date = ledger_domain::calendar::business_date(noon());
        [2, 3]
            .map(|number| AcceleratedReceivable {
                number,
                net: Cents::new(97_00),
                due_date,
            })
            .to_vec()
    }

    fn canceled(outcome: Cancellation, blocked_by: Option<DisputeId>) -> BusinessEvent {
        let accelerated = if blocked_by.is_some() {
            vec![]
        } else {
            outstanding()
        };
        BusinessEvent::from(SaleCanceled {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            outcome,
            initiator: Initiator::Acquirer,
            amount: Cents::new(300_00),
            fees: Cents::new(9_00),
            net: Cents::new(291_00),
            blocked_by,
            accelerated,
            refund: None,
            reason: None,
            names: PaymentNames::default(),
        })
    }

    fn charged_back(blocked_by: Option<DisputeId>) -> BusinessEvent {
        let accelerated = if blocked_by.is_some() {
            vec![]
        } else {
            outstanding()
        };
        BusinessEvent::from(SaleChargedBack {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            dispute_id: dispute(),
            amount: Cents::new(300_00),
            blocked_by,
            accelerated,
            part: None,
            reason: None,
        })
    }

    fn lines(event: &BusinessEvent) -> Vec<(MovementKind, Movement, i64)> {
        let entries = entries_of(event);
        assert!(entries.iter().all(|entry| entry.sale_id.is_some()));
        entries
            .iter()
            .map(|entry| (entry.movement.kind(), entry.movement, entry.amount.get()))
            .collect()
    }

    /// The two open installments of `outstanding`: 2 × R$ 97,00.
    const ACCELERATED: (MovementKind, Movement, i64) =
        (MovementKind::Transaction, Movement::Accelerated, 194_00);

    #[test]
    fn accelerated_and_returned_amounts_have_separate_lines() {
        let with_return =
            |movement, amount| [ACCELERATED, (MovementKind::ReturnedTransaction, movement, amount)];
        for (outcome, movement) in [
            (Cancellation::Canceled, Movement::Cancellation),
            (Cancellation::Refunded, Movement::Refund),
            (Cancellation::Reversed, Movement::Refund),
        ] {
            assert_eq!(lines(&canceled(outcome, None)), with_return(movement, -291_00));
        }
        let disputed = BusinessEvent::from(SaleDisputed {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            dispute_id: dispute(),
            initiator: Initiator::Platform,
            amount: Cents::new(300_00),
            accelerated: outstanding(),
            part: None,
            reason: None,
        });
        assert_eq!(lines(&disputed), with_return(Movement::Dispute, -300_00));
        assert_eq!(
            lines(&charged_back(None)),
            with_return(Movement::Chargeback, -300_00)
        );
    }

    #[test]
    fn a_gross_blocked_by_a_dispute_goes_to_the_buyer_without_a_line() {
        let fees = (MovementKind::ReturnedTransaction, Movement::FeesReturned, 9_00);
        assert_eq!(lines(&canceled(Cancellation::Refunded, Some(dispute()))), [fees]);
        assert_eq!(lines(&charged_back(Some(dispute()))), []);
    }
}
