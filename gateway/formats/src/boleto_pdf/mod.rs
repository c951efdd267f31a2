//! The PDF of a boleto: one A4 page with the payer's receipt and the compensation slip.

mod receipt;
mod slip;

use chrono::NaiveDate as Date;
use ledger_domain::Cents;
use ledger_domain::documents::Document;
use thiserror::Error;

use crate::boleto::{BankCode, Barcode, Boleto, BoletoError, DigitableLine};
use crate::pdf::{Page, Style};
use crate::picture::Picture;
use crate::qr::{self, QrTooLong};

/// The contents of the page.
#[derive(Debug, Clone, Copy)]
pub struct BoletoDocument<'a> {
    pub boleto: &'a Boleto,
    pub bank_name: &'a str,
    pub beneficiary: Party<'a>,
    /// The beneficiary's branch and code at the bank, as the bank writes them.
    pub agency_and_code: &'a str,
    pub payer: Party<'a>,
    /// The bank's number of the boleto (nosso número).
    pub our_number: &'a str,
    pub document_number: &'a str,
    pub issued: Date,
    /// Each instruction is one line, cut if it is too long. The page shows the first six.
    pub instructions: &'a [&'a str],
    /// The code that pays the same order by PIX.
    pub pix_code: Option<&'a str>,
}

#[derive(Debug, Clone, Copy)]
pub struct Party<'a> {
    pub name: &'a str,
    pub document: &'a Document,
    pub address: Option<&'a str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BoletoPdfError {
    #[error(transparent)]
    Boleto(#[from] BoletoError),
    #[error(transparent)]
    Qr(#[from] QrTooLong),
}

/// The values that both parts of the page show, computed once.
struct Contents<'a> {
    document: &'a BoletoDocument<'a>,
    barcode: Barcode,
    line: DigitableLine,
    due: String,
    amount: String,
    pix: Option<PixContents<'a>>,
}

struct PixContents<'a> {
    code: &'a str,
    picture: Picture,
}

pub fn boleto_pdf(document: &BoletoDocument<'_>) -> Result<Vec<u8>, BoletoPdfError> {
    let barcode = document.boleto.barcode()?;
    let pix = document
        .pix_code
        .map(|code| qr::picture(code).map(|picture| PixContents { code, picture }))
        .transpose()?;
    let contents = Contents {
        document,
        line: barcode.line(),
        barcode,
        due: document
            .boleto
            .due
            .map_or_else(|| "Contra apresentação".to_owned(), brazilian_date),
        amount: document.boleto.amount.map(brazilian_amount).unwrap_or_default(),
        pix,
    };
    let mut page = Page::new();
    receipt::draw(&mut page, &contents);
    slip::draw(&mut page, &contents);
    Ok(page.finish(&format!("Boleto {}", document.document_number)))
}

impl Party<'_> {
    /// A long name is cut, and the document stays whole.
    fn name_and_document(&self, style: Style, width_max: i32) -> String {
        let kind = match self.document {
            Document::Cpf(_) => "CPF",
            Document::Cnpj(_) => "CNPJ",
        };
        let document = format!(" - {kind} {}", self.document);
        let (font, size) = (style.font, style.size);
        let name = font.fit(self.name, size, width_max - font.width(&document, size));
        format!("{name}{document}")
    }
}

fn brazilian_date(date: Date) -> String {
    date.format("%d/%m/%Y").to_string()
}

fn brazilian_amount(amount: Cents) -> String {
    amount.to_string()
}

/// The bank's code with its check digit, as in the head of a slip: `341-7`.
fn code_with_digit(bank: &BankCode) -> String {
    let code = bank.as_str();
    let sum: u32 = code
        .bytes()
        .zip([4, 3, 2])
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    let digit = match 11 - sum % 11 {
        // Caixa writes 0 where the others write X.
        10 if code == "104" => "0".to_owned(),
        10 => "X".to_owned(),
        11 => "0".to_owned(),
        digit => digit.to_string(),
    };
    format!("{code}-{digit}")
}

#[cfg(test)]
mod tests;
