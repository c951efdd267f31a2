//! The movements of the available balance: the texts of a line, and the lines of each event.
//!
//! No rule of money is decided here: the amounts are those of the event.

use ledger_domain::business::{
    AcceleratedReceivable, Account, BusinessEvent, ManualTransferMade, ReceivablesSettled, SaleCanceled,
    SettledReceivable,
};
use ledger_domain::sale::Cancellation;
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, SaleId, TransferId};

use super::MovementKind;
use crate::Error;

/// A movement of the available balance. Its group is [`Movement::kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Movement {
    /// An installment of a sale became available.
    Settlement,
    /// The open installments of a sale became available at once, because the sale was reversed.
    Accelerated,
    DisputeWon,
    Cancellation,
    /// The acquirer refunded the buyer, or reversed the sale itself.
    Refund,
    /// The sale was canceled, refunded or reversed while a dispute blocked its gross. The buyer gets the blocked gross,
    /// and the platform's fees return to the seller.
    FeesReturned,
    Dispute,
    Chargeback,
    Withdrawal,
    /// The withdrawal is pending again after its amount had been returned. Staff reopened it, or a bank paid it after
    /// all.
    WithdrawalTakenAgain,
    WithdrawalRefused,
    WithdrawalFailed,
    ManualRemoval,
    ManualCredit,
    /// A part of the balance was blocked: by staff, or because the company was not active at the capture of a sale.
    Hold,
    /// A hold ended.
    Release,
    Rental,
    RentalCanceled,
}

impl Movement {
    pub const ALL: [Self; 18] = [
        Self::Settlement,
        Self::Accelerated,
        Self::DisputeWon,
        Self::Cancellation,
        Self::Refund,
        Self::FeesReturned,
        Self::Dispute,
        Self::Chargeback,
        Self::Withdrawal,
        Self::WithdrawalTakenAgain,
        Self::WithdrawalRefused,
        Self::WithdrawalFailed,
        Self::ManualRemoval,
        Self::ManualCredit,
        Self::Hold,
        Self::Release,
        Self::Rental,
        Self::RentalCanceled,
    ];

    pub const fn kind(self) -> MovementKind {
        match self {
            Self::Settlement | Self::Accelerated | Self::DisputeWon => MovementKind::Transaction,
            Self::Cancellation | Self::Refund | Self::FeesReturned | Self::Dispute | Self::Chargeback => {
                MovementKind::ReturnedTransaction
            }
            Self::Withdrawal | Self::WithdrawalTakenAgain | Self::Rental => MovementKind::Transfer,
            Self::WithdrawalRefused | Self::WithdrawalFailed | Self::RentalCanceled => {
                MovementKind::ReturnedTransfer
            }
            Self::ManualRemoval | Self::ManualCredit | Self::Hold | Self::Release => {
                MovementKind::ManualTransfer
            }
        }
    }

    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settlement => "settlement",
            // The stored word is older than the term.
            Self::Accelerated => "brought_forward",
            Self::DisputeWon => "dispute_won",
            Self::Cancellation => "cancellation",
            Self::Refund => "refund",
            Self::FeesReturned => "fees_returned",
            Self::Dispute => "dispute",
            Self::Chargeback => "chargeback",
            Self::Withdrawal => "withdrawal",
            Self::WithdrawalTakenAgain => "withdrawal_taken_again",
            Self::WithdrawalRefused => "withdrawal_refused",
            Self::WithdrawalFailed => "withdrawal_failed",
            Self::ManualRemoval => "manual_removal",
            Self::ManualCredit => "manual_credit",
            Self::Hold => "hold",
            Self::Release => "release",
            Self::Rental => "rental",
            Self::RentalCanceled => "rental_canceled",
        }
    }

    /// The text on a screen or in a spreadsheet, in Portuguese.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Settlement => "Parcela de venda",
            Self::Accelerated => "Parcelas antecipadas por cancelamento ou contestação",
            Self::DisputeWon => "Contestação ganha",
            Self::Cancellation => "Venda cancelada",
            Self::Refund => "Venda estornada",
            Self::FeesReturned => "Taxas devolvidas por estorno de venda",
            Self::Dispute => "Venda contestada",
            Self::Chargeback => "Contestação perdida",
            Self::Withdrawal => "Saque",
            Self::WithdrawalTakenAgain => "Saque retomado",
            Self::WithdrawalRefused => "Saque recusado: valor devolvido",
            Self::WithdrawalFailed => "Saque não realizado: valor devolvido",
            Self::ManualRemoval => "Ajuste manual (débito)",
            Self::ManualCredit => "Ajuste manual (crédito)",
            Self::Hold => "Bloqueio de saldo",
            Self::Release => "Liberação de saldo",
            Self::Rental => "Aluguel de maquininha",
            Self::RentalCanceled => "Devolução do aluguel de maquininha",
        }
    }

    pub(crate) fn parse(word: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|movement| movement.as_str() == word)
            .ok_or_else(|| Error::unreadable("statement_line.movement", word))
    }
}

/// A line of the statement before it has a number and a balance.
pub(super) struct Entry {
    pub movement: Movement,
    pub amount: Cents,
    pub sale_id: Option<SaleId>,
    pub installment: Option<u8>,
    pub transfer_id: Option<TransferId>,
    pub note: Option<String>,
}

/// The event's movements of the available balance. An amount of zero has no line.
pub(super) fn entries_of(event: &BusinessEvent) -> Vec<Entry> {
    let whole = |movement, note: Option<&String>| vec![Entry::whole(event, movement, note)];
    let reversal_entries = |movement, accelerated: &[AcceleratedReceivable], note: Option<&String>| {
        reversal_entries(Entry::whole(event, movement, note), accelerated)
    };
    let mut entries = match event {
        BusinessEvent::SaleCreated(_)
        | BusinessEvent::SaleCaptured(_)
        | BusinessEvent::SaleFailed(_)
        | BusinessEvent::SaleVoided(_)
        | BusinessEvent::DisputeConfirmed(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_) => vec![],
        BusinessEvent::ReceivablesSettled(event) => settlements(event),
        BusinessEvent::SaleCanceled(event) => {
            reversal_entries(canceled(event), &event.accelerated, event.reason.as_ref())
        }
        BusinessEvent::SaleDisputed(event) => {
            reversal_entries(Movement::Dispute, &event.accelerated, event.reason.as_ref())
        }
        BusinessEvent::DisputeWon(_) => whole(Movement::DisputeWon, None),
        BusinessEvent::SaleChargedBack(event) => {
            reversal_entries(Movement::Chargeback, &event.accelerated, event.reason.as_ref())
        }
        BusinessEvent::TransferRequested(_) => whole(Movement::Withdrawal, None),
        BusinessEvent::TransferReopened(_) => whole(Movement::WithdrawalTakenAgain, None),
        BusinessEvent::TransferRefused(event) => whole(Movement::WithdrawalRefused, Some(&event.reason)),
        BusinessEvent::TransferFailed(event) => whole(Movement::WithdrawalFailed, event.reason.as_ref()),
        BusinessEvent::ManualTransferMade(event) => whole(manual(event), Some(&event.description)),
        BusinessEvent::TerminalRentalCharged(event) => {
            whole(Movement::Rental, Some(&event.terminal.serial_number))
        }
        BusinessEvent::TerminalRentalCanceled(event) => {
            whole(Movement::RentalCanceled, event.reason.as_ref())
        }
        BusinessEvent::AmountHeld(event) => whole(Movement::Hold, Some(&event.reason)),
        // A release can name many sales, so the line names none.
        BusinessEvent::AmountReleased(event) => whole(Movement::Release, Some(&event.reason))
            .into_iter()
            .map(|entry| Entry {
                sale_id: None,
                ..entry
            })
            .collect(),
    };
    entries.retain(|entry| entry.amount != Cents::ZERO);
    entries
}

impl Entry {
    /// One line with the whole amount that the event posts to the available balance.
    fn whole(event: &BusinessEvent, movement: Movement, note: Option<&String>) -> Self {
        Self {
            movement,
            amount: available_of(event),
            sale_id: event.sale_ids().first().copied(),
            installment: None,
            transfer_id: event.transfer_ids().first().copied(),
            note: note.cloned(),
        }
    }
}

/// The accelerated amount and the returned amount have separate lines, because their sum would explain neither.
fn reversal_entries(whole: Entry, accelerated: &[AcceleratedReceivable]) -> Vec<Entry> {
    let outstanding = AcceleratedReceivable::total(accelerated);
    let accelerated = Entry {
        movement: Movement::Accelerated,
        amount: outstanding,
        sale_id: whole.sale_id,
        installment: None,
        transfer_id: None,
        note: None,
    };
    let returned = Entry {
        amount: Cents::new(whole.amount.get() - outstanding.get()),
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
    let line = |settled: &SettledReceivable| Entry {
        movement: Movement::Settlement,
        amount: settled.net,
        sale_id: Some(settled.sale_id),
        installment: Some(settled.number),
        transfer_id: None,
        note: None,
    };
    event.settled.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use ledger_domain::SaleId;
    use ledger_domain::business::{SaleChargedBack, SaleDisputed};
    use ledger_domain::calendar::Instant;
    use ledger_domain::sale::{DisputeId, Initiator};

    use super::*;

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
        BusinessEvent::SaleCanceled(SaleCanceled {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            outcome,
            initiator: Initiator::Acquirer,
            amount: Cents::new(300_00),
            fees: Cents::new(9_00),
            net: Cents::new(291_00),
            blocked_by,
            accelerated,
            reason: None,
        })
    }

    fn charged_back(blocked_by: Option<DisputeId>) -> BusinessEvent {
        let accelerated = if blocked_by.is_some() {
            vec![]
        } else {
            outstanding()
        };
        BusinessEvent::SaleChargedBack(SaleChargedBack {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            dispute_id: dispute(),
            amount: Cents::new(300_00),
            blocked_by,
            accelerated,
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
        let disputed = BusinessEvent::SaleDisputed(SaleDisputed {
            occurred_at: noon(),
            sale_id: SaleId::from_uuid(uuid::Uuid::from_u128(2)),
            dispute_id: dispute(),
            initiator: Initiator::Platform,
            amount: Cents::new(300_00),
            accelerated: outstanding(),
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

    #[test]
    fn a_movement_reads_back_from_its_stored_word() {
        for movement in Movement::ALL {
            assert_eq!(Movement::parse(movement.as_str()).ok(), Some(movement));
        }
    }
}
