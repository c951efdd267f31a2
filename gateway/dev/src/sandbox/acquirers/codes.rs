//! The PIX codes and boletos of the sandbox.

use gateway_formats::boleto::{BankCode, Boleto, FreeField};
use gateway_formats::pix::{MerchantCity, MerchantName, PixCode, PixTarget, PixUrl};
use ledger_domain::Cents;
use ledger_domain::calendar::Date;

use super::behavior::ChargeBehavior;
use super::charge::ChargedMethod;

/// Meant to be no bank's code, so that the sandbox's boletos cannot be paid.
const BANK: &str = "987";

/// The amount in the codes: that of the order, except where a wrong code is simulated.
fn coded(amount: Cents) -> Cents {
    let wrong = ChargeBehavior::of_amount(amount) == ChargeBehavior::WrongCode;
    Cents::new(amount.get() + i64::from(wrong))
}

/// A dynamic PIX code. `None` if the amount does not fit.
pub fn pix(id: &str, amount: Cents) -> Option<String> {
    let code = PixCode {
        target: PixTarget::Url(PixUrl::parse(&format!("pix.sandbox.example/qr/{id}")).ok()?),
        one_use: true,
        amount: Some(coded(amount)),
        merchant_name: MerchantName::normalize("Sandbox").ok()?,
        merchant_city: MerchantCity::normalize("São Paulo").ok()?,
        txid: None,
    };
    code.encode().ok()
}

/// `None` if the amount or the date does not fit.
pub fn boleto(id: &str, amount: Cents, due_on: Date) -> Option<ChargedMethod> {
    let digits: String = id
        .bytes()
        .map(|byte| char::from(b'0' + byte % 10))
        .chain(std::iter::repeat('0'))
        .take(25)
        .collect();
    let boleto = Boleto {
        bank: BankCode::parse(BANK).ok()?,
        due: Some(due_on),
        amount: Some(coded(amount)),
        free_field: FreeField::parse(&digits).ok()?,
    };
    let barcode = boleto.barcode().ok()?;
    Some(ChargedMethod::Boleto {
        line: barcode.line().as_str().to_owned(),
        barcode: barcode.as_str().to_owned(),
        due_on,
        pix: Some(pix(id, amount)?),
    })
}
