//! Types of a transfer: kinds, statuses, destinations and bank accounts.
//!
//! Only the types and their text forms. The business aggregate decides the transitions.

use serde::{Deserialize, Serialize};

use crate::sale::PaymentName;
use crate::{numbers, words};

numbers! {
    /// 0 withdrawal, 1 adjustment by staff, 2 terminal rental.
    pub enum TransferKind {
        Withdrawal = 0, "withdrawal" => "Saque",
        /// Made by staff, in either direction.
        Adjustment = 1, "adjustment" => "Ajuste manual",
        TerminalRental = 2, "terminal_rental" => "Aluguel de maquininha",
    }
}

numbers! {
    /// 0 pending, 1 approved, 2 processing, 3 refused, 4 failed.
    pub enum TransferStatus {
        Pending = 0, "pending" => "Pendente",
        Approved = 1, "approved" => "Concluído",
        /// Being paid: manually, or by a payout that only the bank's result ends.
        Processing = 2, "processing" => "Em processamento",
        Refused = 3, "refused" => "Recusado",
        Failed = 4, "failed" => "Falha",
    }
}

numbers! {
    /// 0 bank account, 1 PIX.
    pub enum DestinationKind {
        BankAccount = 0, "bank_account" => "Conta bancária",
        Pix = 1, "pix" => "PIX",
    }
}

words! {
    pub enum AccountType {
        Checking = "CHECKING" => "Conta Corrente",
        Savings = "SAVINGS" => "Conta Poupança",
        CheckingConjunct = "CHECKING_CONJUNCT" => "Conta Corrente Conjunta",
        SavingsConjunct = "SAVINGS_CONJUNCT" => "Conta Poupança Conjunta",
    }
}

words! {
    /// out: from the available balance. in: into it.
    pub enum Direction {
        Out = "out" => "Débito",
        In = "in" => "Crédito",
    }
}

/// The bank's names of a payment to a company, or of its return. A payment has the one of its system.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PayoutNames {
    /// PIX: the central bank's id of the payment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub end_to_end_id: Option<PaymentName>,
    /// TED: the control number of the reserves transfer system (STR).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub control_number: Option<PaymentName>,
}

impl PayoutNames {
    pub const fn is_empty(&self) -> bool {
        self.end_to_end_id.is_none() && self.control_number.is_none()
    }
}

/// The destination of a withdrawal, copied at the request. Later changes to the bank account do not affect it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    BankAccount(BankAccount),
    Pix {
        /// The business's CPF or CNPJ.
        key: String,
    },
}

impl Destination {
    pub const fn kind(&self) -> DestinationKind {
        match self {
            Self::BankAccount(_) => DestinationKind::BankAccount,
            Self::Pix { .. } => DestinationKind::Pix,
        }
    }
}

/// The numbers are text, because they may start with zeros and the check digit may be a letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankAccount {
    /// The bank's COMPE code, three digits.
    pub bank_code: String,
    #[serde(rename = "type")]
    pub account_type: AccountType,
    pub routing_number: String,
    /// Not all banks have a branch check digit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub routing_digit: Option<String>,
    pub account_number: String,
    pub account_digit: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_statuses_and_destinations_are_numbered_as_specified() {
        let kinds: Vec<_> = TransferKind::ALL
            .iter()
            .map(|kind| (kind.number(), kind.slug()))
            .collect();
        assert_eq!(
            kinds,
            [(0, "withdrawal"), (1, "adjustment"), (2, "terminal_rental")]
        );
        let statuses: Vec<_> = TransferStatus::ALL
            .iter()
            .map(|status| (status.number(), status.slug()))
            .collect();
        assert_eq!(
            statuses,
            [
                (0, "pending"),
                (1, "approved"),
                (2, "processing"),
                (3, "refused"),
                (4, "failed")
            ]
        );
        let destinations: Vec<_> = DestinationKind::ALL
            .iter()
            .map(|kind| (kind.number(), kind.slug()))
            .collect();
        assert_eq!(destinations, [(0, "bank_account"), (1, "pix")]);
    }

    #[test]
    fn account_types_are_spelled_as_specified() {
        let spelled: Vec<_> = AccountType::ALL
            .iter()
            .map(|kind| (kind.as_str(), kind.label()))
            .collect();
        assert_eq!(
            spelled,
            [
                ("CHECKING", "Conta Corrente"),
                ("SAVINGS", "Conta Poupança"),
                ("CHECKING_CONJUNCT", "Conta Corrente Conjunta"),
                ("SAVINGS_CONJUNCT", "Conta Poupança Conjunta")
            ]
        );
    }

    #[test]
    fn a_destination_without_a_branch_digit_leaves_it_out() {
        let account = BankAccount {
            bank_code: "341".to_owned(),
            account_type: AccountType::Savings,
            routing_number: "0071".to_owned(),
            routing_digit: None,
            account_number: "0012345".to_owned(),
            account_digit: "X".to_owned(),
        };
        let destination = Destination::BankAccount(account);
        let json = r#"{"bank_account":{"bank_code":"341","type":"SAVINGS","routing_number":"0071","account_number":"0012345","account_digit":"X"}}"#;
        assert_eq!(
            serde_json::to_string(&destination).expect("destinations serialize"),
            json
        );
        assert_eq!(
            serde_json::from_str::<Destination>(json).expect("destinations read"),
            destination
        );
        assert_eq!(destination.kind(), DestinationKind::BankAccount);
    }
}
