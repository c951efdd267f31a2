//! Whether the codes that an acquirer answered agree with what was ordered. Buyers see no code that was not checked.

use chrono::NaiveDate as Date;
use ledger_domain::Cents;
use thiserror::Error;

use crate::boleto::{Barcode, Boleto, BoletoError, DigitableLine};
use crate::pix::{PixCodeError, ReceivedPixCode, ReceivedTarget};

/// Why a PIX code must not be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PixDisagreement {
    #[error("the PIX code is unreadable: {0}")]
    Unreadable(#[from] PixCodeError),
    /// The buyer would have to state the amount.
    #[error("the static PIX code states no amount; the order is for {ordered}")]
    AmountMissing { ordered: Cents },
    #[error("the PIX code is for {answered}; the order is for {ordered}")]
    Amount { ordered: Cents, answered: Cents },
}

/// Reads the code and compares it with the order. A dynamic code may state its amount only at its address, where the
/// acquirer's charge has it; the address is not opened.
pub fn check_pix(code: &str, ordered: Cents) -> Result<ReceivedPixCode, PixDisagreement> {
    let read = ReceivedPixCode::read(code)?;
    match (read.amount, &read.target) {
        (None, ReceivedTarget::Key(_)) => Err(PixDisagreement::AmountMissing { ordered }),
        (Some(answered), _) if answered != ordered => Err(PixDisagreement::Amount { ordered, answered }),
        (Some(_), _) | (None, ReceivedTarget::Url(_)) => Ok(read),
    }
}

/// An acquirer's answer for a boleto. Some send the line only, some also the barcode.
#[derive(Debug, Clone, Copy)]
pub struct AnsweredBoleto<'a> {
    pub line: &'a str,
    pub barcode: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderedBoleto {
    pub amount: Cents,
    pub due: Date,
}

/// Why a boleto must not be shown.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoletoDisagreement {
    #[error("the digitable line is unreadable: {0}")]
    Line(BoletoError),
    #[error("the barcode is unreadable: {0}")]
    Barcode(BoletoError),
    #[error("the barcode and the digitable line are different boletos")]
    OtherBarcode,
    /// At least one; the amount first.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Differs(Vec<BoletoDifference>),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoletoDifference {
    #[error("the boleto states no amount; the order is for {ordered}")]
    AmountMissing { ordered: Cents },
    #[error("the boleto is for {answered}; the order is for {ordered}")]
    Amount { ordered: Cents, answered: Cents },
    #[error("the boleto states no due date; the order says {ordered}")]
    DueMissing { ordered: Date },
    #[error("the boleto is due on {answered}; the order says {ordered}")]
    Due { ordered: Date, answered: Date },
}

/// Reads the boleto and compares it with the order. The ordered date chooses the era of the due factor.
pub fn check_boleto(
    answered: AnsweredBoleto<'_>,
    ordered: OrderedBoleto,
) -> Result<Boleto, BoletoDisagreement> {
    let line = DigitableLine::parse(answered.line).map_err(BoletoDisagreement::Line)?;
    let barcode = line.barcode();
    if let Some(text) = answered.barcode {
        let sent = Barcode::parse(text).map_err(BoletoDisagreement::Barcode)?;
        if sent != barcode {
            return Err(BoletoDisagreement::OtherBarcode);
        }
    }
    let boleto = Boleto::from_barcode(&barcode, ordered.due).map_err(BoletoDisagreement::Line)?;
    let differences: Vec<_> = amount_difference(&boleto, ordered.amount)
        .into_iter()
        .chain(due_difference(&boleto, ordered.due))
        .collect();
    if differences.is_empty() {
        Ok(boleto)
    } else {
        Err(BoletoDisagreement::Differs(differences))
    }
}

fn amount_difference(boleto: &Boleto, ordered: Cents) -> Option<BoletoDifference> {
    match boleto.amount {
        None => Some(BoletoDifference::AmountMissing { ordered }),
        Some(answered) => (answered != ordered).then_some(BoletoDifference::Amount { ordered, answered }),
    }
}

fn due_difference(boleto: &Boleto, ordered: Date) -> Option<BoletoDifference> {
    match boleto.due {
        None => Some(BoletoDifference::DueMissing { ordered }),
        Some(answered) => (answered != ordered).then_some(BoletoDifference::Due { ordered, answered }),
    }
}

#[cfg(test)]
mod tests;
