//! CNAB 240, return files of collection (FEBRABAN, version 08.8): what a bank reports about boletos.
//!
//! Each movement of a boleto is two lines: segment T names the boleto, segment U has what was paid.

mod write;

use chrono::NaiveDate as Date;
use ledger_domain::Cents;

use super::fields::Fields;
use super::{BadLine, Format, Found, LineError, Records};

pub use write::write_file;

/// The length of every line.
pub const LINE_LENGTH: usize = 240;

/// The movements of a return file.
pub type ReturnFile<R> = Records<R, Cnab240>;

/// A bank's report about one boleto.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoletoMovement {
    pub title: Title,
    pub payment: Payment,
}

/// Segment T. The payer's name and document are not read: nothing needs them here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    pub line: u64,
    pub bank: String,
    pub movement: Movement,
    /// The bank's number of the boleto (nosso número).
    pub our_number: String,
    pub document_number: String,
    pub due: Option<Date>,
    pub amount: Cents,
    pub collecting_bank: String,
    /// The bank's fee for the movement.
    pub fee: Cents,
    /// Codes of two characters each, why a boleto was refused or written off.
    pub reasons: String,
}

/// Segment U.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Interest and fines.
    pub additions: Cents,
    pub discount: Cents,
    pub rebate: Cents,
    /// IOF.
    pub financial_tax: Cents,
    pub paid: Cents,
    pub net: Cents,
    pub event_date: Option<Date>,
    pub credited_on: Option<Date>,
}

/// The movement of a boleto, as a code of two digits.
///
/// Unsure: the meaning of the codes is not the same at every bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Movement {
    Registered,
    Rejected,
    Paid,
    WrittenOff,
    PaidAfterWriteOff,
    Other(u8),
}

impl Movement {
    pub const fn of(code: u8) -> Self {
        match code {
            2 => Self::Registered,
            3 => Self::Rejected,
            6 => Self::Paid,
            9 => Self::WrittenOff,
            17 => Self::PaidAfterWriteOff,
            other => Self::Other(other),
        }
    }

    pub const fn code(self) -> u8 {
        match self {
            Self::Registered => 2,
            Self::Rejected => 3,
            Self::Paid => 6,
            Self::WrittenOff => 9,
            Self::PaidAfterWriteOff => 17,
            Self::Other(code) => code,
        }
    }

    /// Whether the bank received money.
    pub const fn is_payment(self) -> bool {
        matches!(self, Self::Paid | Self::PaidAfterWriteOff)
    }
}

#[derive(Debug, Default)]
pub struct Cnab240 {
    /// A segment T that waits for its segment U.
    waiting: Option<Title>,
    records: u64,
    trailer_read: bool,
}

impl Format for Cnab240 {
    type Record = BoletoMovement;
    const LINE_LENGTH_MAX: usize = LINE_LENGTH;

    fn line(&mut self, number: u64, line: &[u8], found: &mut Found<BoletoMovement>) {
        self.records += 1;
        let read = Fields::exactly(line, LINE_LENGTH).and_then(|fields| self.read(number, fields));
        self.give_up_waiting(found);
        match read {
            Ok(Step::Wait(title)) => self.waiting = Some(title),
            Ok(Step::Found(movement)) => found.push_back(Ok(movement)),
            Ok(Step::Skip) => {}
            Err(reason) => found.push_back(Err(BadLine { number, reason })),
        }
    }

    fn unreadable_line(&mut self, found: &mut Found<BoletoMovement>) {
        self.records += 1;
        self.give_up_waiting(found);
    }

    fn end(&mut self, number: u64, found: &mut Found<BoletoMovement>) {
        self.give_up_waiting(found);
        if !self.trailer_read {
            let reason = LineError::Unfinished;
            found.push_back(Err(BadLine { number, reason }));
        }
    }
}

enum Segment {
    T,
    U,
    Trailer,
    /// Headers, trailers of batches, and other segments, such as those with addresses.
    Skipped,
}

enum Step {
    Wait(Title),
    Found(BoletoMovement),
    Skip,
}

fn segment(fields: Fields<'_>) -> Result<Segment, LineError> {
    match (fields.character(8), fields.character(14)) {
        ('3', 'T') => Ok(Segment::T),
        ('3', 'U') => Ok(Segment::U),
        ('0' | '1' | '3' | '5', _) => Ok(Segment::Skipped),
        ('9', _) => Ok(Segment::Trailer),
        (other, _) => Err(LineError::RecordType(other)),
    }
}

impl Cnab240 {
    fn read(&mut self, number: u64, fields: Fields<'_>) -> Result<Step, LineError> {
        if self.trailer_read {
            return Err(LineError::AfterTrailer);
        }
        match segment(fields)? {
            Segment::T => Ok(Step::Wait(read_title(number, fields)?)),
            Segment::U => self.read_u(fields).map(Step::Found),
            Segment::Skipped => Ok(Step::Skip),
            Segment::Trailer => {
                self.trailer_read = true;
                self.check_count(fields).map(|()| Step::Skip)
            }
        }
    }

    fn read_u(&mut self, fields: Fields<'_>) -> Result<BoletoMovement, LineError> {
        let title = self.waiting.take().ok_or(LineError::WithoutT)?;
        if title.movement != movement(fields)? {
            return Err(LineError::OtherMovement);
        }
        let payment = read_payment(fields)?;
        Ok(BoletoMovement { title, payment })
    }

    /// A segment T without its segment U is reported with the number of its own line.
    fn give_up_waiting(&mut self, found: &mut Found<BoletoMovement>) {
        if let Some(title) = self.waiting.take() {
            found.push_back(Err(BadLine {
                number: title.line,
                reason: LineError::WithoutU,
            }));
        }
    }

    /// The trailer counts all lines, itself included, in six digits.
    fn check_count(&self, fields: Fields<'_>) -> Result<(), LineError> {
        let (stated, found) = (fields.number("the record count", 24, 29)?, self.records);
        if stated == found || found > 999_999 {
            Ok(())
        } else {
            Err(LineError::Count { stated, found })
        }
    }
}

fn movement(fields: Fields<'_>) -> Result<Movement, LineError> {
    let code = fields.number("the movement", 16, 17)?;
    // Two digits always fit.
    Ok(Movement::of(u8::try_from(code).unwrap_or(u8::MAX)))
}

fn read_title(line: u64, fields: Fields<'_>) -> Result<Title, LineError> {
    Ok(Title {
        line,
        bank: fields.text(1, 3),
        movement: movement(fields)?,
        our_number: fields.text(38, 57),
        document_number: fields.text(59, 73),
        due: fields.date("the due date", 74, 81)?,
        amount: fields.amount("the amount", 82, 96)?,
        collecting_bank: fields.text(97, 99),
        fee: fields.optional_amount("the fee", 199, 213)?,
        reasons: fields.text(214, 223),
    })
}

fn read_payment(fields: Fields<'_>) -> Result<Payment, LineError> {
    Ok(Payment {
        additions: fields.optional_amount("the additions", 18, 32)?,
        discount: fields.optional_amount("the discount", 33, 47)?,
        rebate: fields.optional_amount("the rebate", 48, 62)?,
        financial_tax: fields.optional_amount("the IOF", 63, 77)?,
        paid: fields.amount("the paid amount", 78, 92)?,
        net: fields.amount("the net amount", 93, 107)?,
        event_date: fields.date("the event date", 138, 145)?,
        credited_on: fields.date("the credit date", 146, 153)?,
    })
}
