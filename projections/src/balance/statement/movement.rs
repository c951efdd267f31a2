//! The movements of the available balance: their groups and their texts.

use super::MovementKind;
use crate::Error;

/// A movement of the available balance. Its group is [`Movement::kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Movement {
    /// An installment of a sale became available, less the share that is held for the reserve.
    Settlement,
    /// A share that was held for the reserve.
    ReserveReleased,
    /// The open installments of a sale became available at once, because the sale was reversed.
    Accelerated,
    DisputeWon,
    Cancellation,
    /// The acquirer refunded the buyer, or reversed the sale itself.
    Refund,
    /// The sale was canceled, refunded or reversed while a dispute blocked its gross. The buyer gets the blocked gross,
    /// and the platform's fees return to the seller.
    FeesReturned,
    /// The buyer got a part of the sale back.
    PartRefund,
    Dispute,
    Chargeback,
    Withdrawal,
    /// The withdrawal is pending again after its amount had been returned. Staff reopened it, or a bank paid it after
    /// all.
    WithdrawalTakenAgain,
    WithdrawalRefused,
    WithdrawalFailed,
    /// The bank gave back what it had paid.
    WithdrawalReturned,
    ManualRemoval,
    ManualCredit,
    /// A part of the balance was blocked: by staff, or because the company was not active at the capture of a sale.
    Hold,
    /// A hold ended.
    Release,
    /// The platform gave up what the company owed.
    DebtWrittenOff,
    Rental,
    RentalCanceled,
}

impl Movement {
    pub const ALL: [Self; 22] = [
        Self::Settlement,
        Self::ReserveReleased,
        Self::Accelerated,
        Self::DisputeWon,
        Self::Cancellation,
        Self::Refund,
        Self::FeesReturned,
        Self::PartRefund,
        Self::Dispute,
        Self::Chargeback,
        Self::Withdrawal,
        Self::WithdrawalTakenAgain,
        Self::WithdrawalRefused,
        Self::WithdrawalFailed,
        Self::WithdrawalReturned,
        Self::ManualRemoval,
        Self::ManualCredit,
        Self::Hold,
        Self::Release,
        Self::DebtWrittenOff,
        Self::Rental,
        Self::RentalCanceled,
    ];

    pub const fn kind(self) -> MovementKind {
        match self {
            Self::Settlement | Self::ReserveReleased | Self::Accelerated | Self::DisputeWon => {
                MovementKind::Transaction
            }
            Self::Cancellation
            | Self::Refund
            | Self::FeesReturned
            | Self::PartRefund
            | Self::Dispute
            | Self::Chargeback => MovementKind::ReturnedTransaction,
            Self::Withdrawal | Self::WithdrawalTakenAgain | Self::Rental => MovementKind::Transfer,
            Self::WithdrawalRefused
            | Self::WithdrawalFailed
            | Self::WithdrawalReturned
            | Self::RentalCanceled => MovementKind::ReturnedTransfer,
            Self::ManualRemoval | Self::ManualCredit | Self::Hold | Self::Release | Self::DebtWrittenOff => {
                MovementKind::ManualTransfer
            }
        }
    }

    /// The word that is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Settlement => "settlement",
            Self::ReserveReleased => "reserve_released",
            // The stored word is older than the term.
            Self::Accelerated => "accelerated",
            Self::DisputeWon => "dispute_won",
            Self::Cancellation => "cancellation",
            Self::Refund => "refund",
            Self::FeesReturned => "fees_returned",
            Self::PartRefund => "part_refund",
            Self::Dispute => "dispute",
            Self::Chargeback => "chargeback",
            Self::Withdrawal => "withdrawal",
            Self::WithdrawalTakenAgain => "withdrawal_taken_again",
            Self::WithdrawalRefused => "withdrawal_refused",
            Self::WithdrawalFailed => "withdrawal_failed",
            Self::WithdrawalReturned => "withdrawal_returned",
            Self::ManualRemoval => "manual_removal",
            Self::ManualCredit => "manual_credit",
            Self::Hold => "hold",
            Self::Release => "release",
            Self::DebtWrittenOff => "debt_written_off",
            Self::Rental => "rental",
            Self::RentalCanceled => "rental_canceled",
        }
    }

    /// The text on a screen or in a spreadsheet, in Portuguese.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Settlement => "Parcela de venda",
            Self::ReserveReleased => "Reserva liberada",
            Self::Accelerated => "Parcelas antecipadas por cancelamento ou contestação",
            Self::DisputeWon => "Contestação ganha",
            Self::Cancellation => "Venda cancelada",
            Self::Refund => "Venda estornada",
            Self::FeesReturned => "Taxas devolvidas por estorno de venda",
            Self::PartRefund => "Estorno de parte da venda",
            Self::Dispute => "Venda contestada",
            Self::Chargeback => "Contestação perdida",
            Self::Withdrawal => "Saque",
            Self::WithdrawalTakenAgain => "Saque retomado",
            Self::WithdrawalRefused => "Saque recusado: valor devolvido",
            Self::WithdrawalFailed => "Saque não realizado: valor devolvido",
            Self::WithdrawalReturned => "Saque devolvido pelo banco",
            Self::ManualRemoval => "Ajuste manual (débito)",
            Self::ManualCredit => "Ajuste manual (crédito)",
            Self::Hold => "Bloqueio de saldo",
            Self::Release => "Liberação de saldo",
            Self::DebtWrittenOff => "Baixa de dívida",
            Self::Rental => "Aluguel de maquininha",
            Self::RentalCanceled => "Devolução do aluguel de maquininha",
        }
    }

    /// Whether the text of a line has its note: what staff wrote for the seller, the terminal's serial number, the
    /// reason of the bank, or what the reserve holds of the installment.
    pub(super) const fn shows_note(self) -> bool {
        matches!(
            self,
            Self::ManualRemoval
                | Self::ManualCredit
                | Self::Rental
                | Self::WithdrawalReturned
                | Self::Settlement
        )
    }

    pub(crate) fn parse(word: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|movement| movement.as_str() == word)
            .ok_or_else(|| Error::unreadable("statement_line.movement", word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_movement_reads_back_from_its_stored_word() {
        for movement in Movement::ALL {
            assert_eq!(Movement::parse(movement.as_str()).ok(), Some(movement));
        }
    }
}
