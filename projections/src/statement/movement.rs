//! What moved the available balance: the words of a line, and how each event is read as lines.
//!
//! The amounts are the event's own postings; nothing of money is decided here.

use ledger_domain::business::{
    Account, BusinessEvent, ManualTransferMade, ReceivablesSettled, SettledReceivable,
};
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, SaleId, TransferId};

use super::Kind;
use crate::Error;

/// What moved, within its [`Kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Movement {
    /// An instalment of a sale became available.
    Settlement,
    Withdrawal,
    /// Pending again after its amount had gone back: by staff, or because a bank paid it all the same.
    WithdrawalTakenAgain,
    WithdrawalRefused,
    WithdrawalFailed,
    ManualRemoval,
    ManualCredit,
    /// Staff blocked part of the balance.
    Hold,
    Release,
}

impl Movement {
    pub const ALL: [Self; 9] = [
        Self::Settlement,
        Self::Withdrawal,
        Self::WithdrawalTakenAgain,
        Self::WithdrawalRefused,
        Self::WithdrawalFailed,
        Self::ManualRemoval,
        Self::ManualCredit,
        Self::Hold,
        Self::Release,
    ];

    pub const fn kind(self) -> Kind {
        match self {
            Self::Settlement => Kind::Transaction,
            Self::Withdrawal | Self::WithdrawalTakenAgain => Kind::Transfer,
            Self::WithdrawalRefused | Self::WithdrawalFailed => Kind::ReturnedTransfer,
            Self::ManualRemoval | Self::ManualCredit | Self::Hold | Self::Release => Kind::ManualTransfer,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settlement => "settlement",
            Self::Withdrawal => "withdrawal",
            Self::WithdrawalTakenAgain => "withdrawal_taken_again",
            Self::WithdrawalRefused => "withdrawal_refused",
            Self::WithdrawalFailed => "withdrawal_failed",
            Self::ManualRemoval => "manual_removal",
            Self::ManualCredit => "manual_credit",
            Self::Hold => "hold",
            Self::Release => "release",
        }
    }

    /// What a screen or a spreadsheet shows, in Portuguese.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Settlement => "Parcela de venda",
            Self::Withdrawal => "Saque",
            Self::WithdrawalTakenAgain => "Saque reaberto",
            Self::WithdrawalRefused => "Saque recusado",
            Self::WithdrawalFailed => "Falha no saque",
            Self::ManualRemoval => "Retirada manual",
            Self::ManualCredit => "Crédito manual",
            Self::Hold => "Bloqueio de saldo",
            Self::Release => "Desbloqueio de saldo",
        }
    }

    pub(crate) fn of_word(word: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|movement| movement.as_str() == word)
            .ok_or_else(|| Error::unreadable("statement_line.movement", word))
    }
}

/// One movement of the available balance, as the event tells it.
pub(super) struct Told {
    pub movement: Movement,
    pub amount: Cents,
    pub sale_id: Option<SaleId>,
    pub installment: Option<u8>,
    pub transfer_id: Option<TransferId>,
    pub note: Option<String>,
}

/// The event's movements of the available balance; an amount of zero moves nothing and has no line.
pub(super) fn told_by(event: &BusinessEvent) -> Vec<Told> {
    let whole = |movement, note: Option<&String>| {
        vec![Told {
            movement,
            amount: available_of(event),
            sale_id: None,
            installment: None,
            transfer_id: event.transfer_ids().first().copied(),
            note: note.cloned(),
        }]
    };
    let mut told = match event {
        BusinessEvent::SaleCreated(_)
        | BusinessEvent::SaleCaptured(_)
        | BusinessEvent::SaleFailed(_)
        | BusinessEvent::SaleVoided(_)
        | BusinessEvent::TransferApprovalGiven(_)
        | BusinessEvent::TransferProcessing(_)
        | BusinessEvent::TransferApproved(_) => vec![],
        BusinessEvent::ReceivablesSettled(event) => settlements(event),
        BusinessEvent::TransferRequested(_) => whole(Movement::Withdrawal, None),
        BusinessEvent::TransferReopened(_) => whole(Movement::WithdrawalTakenAgain, None),
        BusinessEvent::TransferRefused(event) => whole(Movement::WithdrawalRefused, Some(&event.reason)),
        BusinessEvent::TransferFailed(event) => whole(Movement::WithdrawalFailed, event.reason.as_ref()),
        BusinessEvent::ManualTransferMade(event) => whole(manual(event), Some(&event.description)),
        BusinessEvent::AmountHeld(event) => whole(Movement::Hold, Some(&event.reason)),
        BusinessEvent::AmountReleased(event) => whole(Movement::Release, Some(&event.reason)),
    };
    told.retain(|told| told.amount != Cents::ZERO);
    told
}

/// All that the event posts to the available balance.
fn available_of(event: &BusinessEvent) -> Cents {
    event
        .postings()
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

fn settlements(event: &ReceivablesSettled) -> Vec<Told> {
    let line = |settled: &SettledReceivable| Told {
        movement: Movement::Settlement,
        amount: settled.net,
        sale_id: Some(settled.sale_id),
        installment: Some(settled.number),
        transfer_id: None,
        note: None,
    };
    event.settled.iter().map(line).collect()
}
