//! The acquirer's file of card sales, in the layout of Cielo's electronic statement (Extrato Eletrônico), version 15.
//!
//! The layout is from that acquirer's public documents and other readers, and was compared with lines of a real file.
//! Numbers, amounts and dates that cannot be read are reported with their field's name.
//!
//! The fee of a line has the sign of its posting: a cost is negative. Other writers have it without a sign. The reader
//! gives it as a cost, which is positive, or negative if the acquirer gives it back.

mod write;

use chrono::NaiveDate as Date;
use ledger_domain::Cents;

use super::fields::Fields;
use super::mends::Mend;
use super::{Format, Found, LineError, Records};

pub use write::write_file;

pub type CardFile<R> = Records<R, CardFormat>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardRecord {
    Header(CardHeader),
    Unit(ReceivableUnit),
    Detail(CardDetail),
}

/// Record 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardHeader {
    pub merchant: String,
    pub date: Option<Date>,
    pub kind: FileKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    Sales,
    Paid,
    Open,
    Other(u8),
}

/// Record D: what is paid for a receivable unit on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivableUnit {
    /// The line's number in a file that is read. A writer ignores it.
    pub line: u64,
    pub merchant: String,
    /// The acquirer's code of the card brand.
    pub brand: String,
    pub status: String,
    pub gross: Cents,
    pub fee: Option<Cents>,
    pub net: Cents,
    pub entry_type: CardEntryType,
    pub unit_key: String,
    pub paid_on: Option<Date>,
    pub due: Option<Date>,
}

/// Record E: one installment of a sale, with the key of its receivable unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardDetail {
    /// The number of the line in the file, like `ReceivableUnit::line`.
    pub line: u64,
    pub installment: u8,
    pub installments: u8,
    pub authorization: String,
    pub entry_type: CardEntryType,
    pub unit_key: String,
    /// The first six digits of the card and its last four.
    pub card: String,
    pub nsu: String,
    pub tid: String,
    pub gross: Cents,
    pub net: Cents,
    /// `None`: it cannot be read.
    pub fee: Option<Cents>,
    pub sold_on: Option<Date>,
    pub due: Option<Date>,
}

/// The type of entry (tipo de lançamento): why an amount is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardEntryType {
    Debit,
    Credit,
    Installments,
    Cancellation,
    Chargeback,
    Other(u8),
}

macro_rules! codes {
    ($name:ident { $($variant:ident = $code:literal,)+ }) => {
        impl $name {
            pub const fn of(code: u8) -> Self {
                match code {
                    $($code => Self::$variant,)+
                    other => Self::Other(other),
                }
            }

            pub const fn code(self) -> u8 {
                match self {
                    $(Self::$variant => $code,)+
                    Self::Other(code) => code,
                }
            }
        }
    };
}

codes!(FileKind { Sales = 3, Paid = 4, Open = 9, });
codes!(CardEntryType { Debit = 1, Credit = 2, Installments = 3, Cancellation = 6, Chargeback = 8, });

/// The version of the layout.
pub const VERSION: u64 = 15;
/// Lines are as long as their last field that is read, or longer.
const HEADER_LENGTH: usize = 73;
const UNIT_LENGTH: usize = 291;
const DETAIL_LENGTH: usize = 637;
const TRAILER_LENGTH: usize = 12;

#[derive(Debug, Default)]
pub struct CardFormat {
    /// Lines between header and trailer, the bad ones included.
    records: u64,
    trailer_read: bool,
}

impl Format for CardFormat {
    type Record = CardRecord;
    const LINE_LENGTH_MAX: usize = 2_000;

    fn line(&mut self, number: u64, line: &[u8], found: &mut Found<CardRecord>) {
        if !matches!(line.first(), Some(b'0' | b'9')) {
            self.records += 1;
        }
        match self.record(number, line, found) {
            Ok(None) => {}
            Ok(Some(record)) => found.record(record),
            Err(reason) => found.bad(number, reason),
        }
    }

    fn unreadable_line(&mut self, _: &mut Found<CardRecord>) {
        self.records += 1;
    }

    fn end(&mut self, number: u64, found: &mut Found<CardRecord>) {
        if !self.trailer_read {
            found.bad(number, LineError::Unfinished);
        }
    }
}

impl CardFormat {
    fn record(
        &mut self,
        number: u64,
        line: &[u8],
        found: &mut Found<CardRecord>,
    ) -> Result<Option<CardRecord>, LineError> {
        if self.trailer_read {
            return Err(LineError::AfterTrailer);
        }
        let record = match line.first().copied() {
            Some(b'0') => CardRecord::Header(read_header(Fields::at_least(line, HEADER_LENGTH)?)?),
            Some(b'D') => CardRecord::Unit(read_unit(number, Fields::at_least(line, UNIT_LENGTH)?, found)?),
            Some(b'E') => CardRecord::Detail(read_detail(
                number,
                Fields::at_least(line, DETAIL_LENGTH)?,
                found,
            )?),
            Some(b'9') => {
                self.trailer_read = true;
                self.check_count(number, Fields::at_least(line, TRAILER_LENGTH)?, found)?;
                return Ok(None);
            }
            other => return Err(LineError::RecordType(other.map_or(' ', char::from))),
        };
        Ok(Some(record))
    }

    /// The trailer counts all records except the header and itself. Without the check, a file that lost lines on its
    /// way would show their payments as missing.
    fn check_count(
        &self,
        number: u64,
        fields: Fields<'_>,
        found: &mut Found<CardRecord>,
    ) -> Result<(), LineError> {
        let stated = fields.number("the record count", 2, 12)?;
        if stated != self.records {
            let mend = Mend::Count {
                stated,
                found: self.records,
            };
            found.mend(mend, number);
        }
        Ok(())
    }
}

fn read_header(fields: Fields<'_>) -> Result<CardHeader, LineError> {
    Ok(CardHeader {
        merchant: fields.text(2, 11),
        date: fields.iso_date("the date", 12, 19)?,
        kind: FileKind::of(two_digits(fields, "the type of the file", 48)?),
    })
}

fn read_unit(
    line: u64,
    fields: Fields<'_>,
    found: &mut Found<CardRecord>,
) -> Result<ReceivableUnit, LineError> {
    let gross = fields.signed_amount("the gross amount", 72, 85)?;
    let fee = found.readable(line, "fee", fields.signed_amount("the fee", 86, 99));
    let net = fields.signed_amount("the net amount", 100, 113)?;
    Ok(ReceivableUnit {
        line,
        merchant: fields.text(2, 11),
        brand: fields.text(54, 56),
        status: fields.text(70, 71),
        gross,
        fee: fee.map(|fee| cost(gross, fee, net)),
        net,
        entry_type: CardEntryType::of(two_digits(fields, "the type of entry", 150)?),
        unit_key: fields.text(152, 251),
        paid_on: fields.date("the date of payment", 268, 275)?,
        due: fields.date("the due date", 284, 291)?,
    })
}

fn read_detail(
    line: u64,
    fields: Fields<'_>,
    found: &mut Found<CardRecord>,
) -> Result<CardDetail, LineError> {
    let gross = fields.signed_amount("the gross amount", 261, 274)?;
    let net = fields.signed_amount("the net amount", 275, 288)?;
    let fee = found.readable(line, "fee", fields.signed_amount("the fee", 289, 302));
    Ok(CardDetail {
        line,
        installment: two_digits(fields, "the installment", 18)?,
        installments: two_digits(fields, "the number of installments", 20)?,
        authorization: fields.text(22, 27),
        entry_type: CardEntryType::of(two_digits(fields, "the type of entry", 28)?),
        unit_key: fields.text(30, 129),
        card: fields.text(166, 175),
        nsu: fields.text(176, 181),
        tid: fields.text(192, 211),
        gross,
        net,
        fee: fee.map(|fee| cost(gross, fee, net)),
        sold_on: fields.date("the date of the sale", 590, 597)?,
        due: fields.date("the due date", 630, 637)?,
    })
}

/// The fee as a cost: what it takes from the gross. Of the two signs, the one with which gross and net agree; if neither
/// does, a fee is a cost of the payment, and is given back with a payment that is taken back.
fn cost(gross: Cents, fee: Cents, net: Cents) -> Cents {
    let turned = Cents::new(-fee.get());
    if gross.checked_sub(fee) == Some(net) {
        return fee;
    }
    if gross.checked_sub(turned) == Some(net) || fee.is_negative() != gross.is_negative() {
        return turned;
    }
    fee
}

fn two_digits(fields: Fields<'_>, field: &'static str, from: usize) -> Result<u8, LineError> {
    let number = fields.number(field, from, from + 1)?;
    // Two digits always fit.
    Ok(u8::try_from(number).unwrap_or(u8::MAX))
}
