//! The names of the sandbox's payments, in the forms that banks and acquirers use. They follow from a seed, which is the
//! id of the charge, so that each answer about a charge has the same names.

use chrono::{DateTime, Utc};
use gateway_acquirers::names::{ReportedNames, ReportedPayoutNames, ReportedThreeDSecure};
use ledger_domain::sale::{FraudLiability, PaymentType};
use ledger_domain::transfer::DestinationKind;
use sha2::{Digest, Sha256};

/// Meant to be no participant of PIX, like the bank of the sandbox's boletos.
const PARTICIPANT: &str = "98765432";

/// The names that a charge has before it is paid.
pub fn of_charge(payment_type: PaymentType, seed: &str) -> ReportedNames {
    match payment_type {
        PaymentType::Pix => ReportedNames {
            txid: Some(alphanumeric(seed, "txid", 26)),
            ..ReportedNames::default()
        },
        PaymentType::Boleto => ReportedNames {
            our_number: Some(format!(
                "{}-{}",
                digits(seed, "our_number", 11),
                digits(seed, "check", 1)
            )),
            ..ReportedNames::default()
        },
        PaymentType::Credit | PaymentType::Debit => ReportedNames::default(),
    }
}

/// The names of a payment. Only cards of the checkout are authenticated: a machine has the card itself.
pub fn of_payment(payment_type: PaymentType, online: bool, seed: &str, at: DateTime<Utc>) -> ReportedNames {
    let names = of_charge(payment_type, seed);
    match payment_type {
        PaymentType::Pix => ReportedNames {
            end_to_end_id: Some(end_to_end_id('E', seed, at)),
            ..names
        },
        PaymentType::Boleto => names,
        PaymentType::Credit | PaymentType::Debit => ReportedNames {
            nsu: Some(digits(seed, "nsu", 9)),
            tid: Some(digits(seed, "tid", 20)),
            three_d_secure: online.then(|| ReportedThreeDSecure {
                version: Some("2.2.0".to_owned()),
                eci: Some("05".to_owned()),
                liability: Some(FraudLiability::Issuer.as_str().to_owned()),
            }),
            ..names
        },
    }
}

/// The names of what went back to the buyer.
pub fn of_return(payment_type: PaymentType, seed: &str, at: DateTime<Utc>) -> ReportedNames {
    match payment_type {
        PaymentType::Pix => ReportedNames {
            end_to_end_id: Some(end_to_end_id('D', seed, at)),
            ..ReportedNames::default()
        },
        PaymentType::Credit | PaymentType::Debit => ReportedNames {
            nsu: Some(refund_nsu(seed)),
            ..ReportedNames::default()
        },
        PaymentType::Boleto => ReportedNames::default(),
    }
}

pub fn refund_nsu(seed: &str) -> String {
    digits(seed, "nsu of the refund", 9)
}

/// The bank pays a key by PIX and an account by TED.
pub fn of_payout(destination: DestinationKind, seed: &str, at: DateTime<Utc>) -> ReportedPayoutNames {
    match destination {
        DestinationKind::Pix => ReportedPayoutNames {
            end_to_end_id: Some(end_to_end_id('E', seed, at)),
            control_number: None,
        },
        DestinationKind::BankAccount => ReportedPayoutNames {
            end_to_end_id: None,
            control_number: Some(format!("STR{}{}", at.format("%Y%m%d"), digits(seed, "str", 9))),
        },
    }
}

/// E for a payment and D for a return, the participant, the minute in UTC, and eleven characters.
pub fn end_to_end_id(letter: char, seed: &str, at: DateTime<Utc>) -> String {
    let minute = at.format("%Y%m%d%H%M");
    format!(
        "{letter}{PARTICIPANT}{minute}{}",
        alphanumeric(seed, "end_to_end", 11)
    )
}

fn hash(seed: &str, of: &str) -> [u8; 32] {
    Sha256::digest(format!("{seed}/{of}")).into()
}

fn digits(seed: &str, of: &str, count: usize) -> String {
    let bytes = hash(seed, of).into_iter().take(count);
    bytes.map(|byte| char::from(b'0' + byte % 10)).collect()
}

fn alphanumeric(seed: &str, of: &str, count: usize) -> String {
    const CHARACTERS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let bytes = hash(seed, of).into_iter().take(count);
    bytes
        .map(|byte| char::from(CHARACTERS[usize::from(byte % 36)]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_the_form_of_the_ledger_and_follows_from_its_seed() {
        let at = "2026-11-23T15:00:00Z".parse().expect("an instant");
        for payment_type in PaymentType::ALL.iter().copied() {
            for names in [
                of_payment(payment_type, true, "chg_1", at),
                of_return(payment_type, "chg_1", at),
            ] {
                assert_eq!(names.checked().1, [], "{names:?}");
            }
            let names = |seed| of_payment(payment_type, false, seed, at);
            assert_eq!(names("chg_1"), names("chg_1"));
            assert_ne!(names("chg_1"), names("chg_2"));
        }
        let id = end_to_end_id('E', "chg_1", at);
        assert_eq!((id.len(), id.get(..21)), (32, Some("E98765432202611231500")));
        assert_eq!(
            of_payout(DestinationKind::BankAccount, "pay_1", at).checked().1,
            []
        );
    }
}
