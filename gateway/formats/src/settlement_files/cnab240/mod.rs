//! CNAB 240, return files of collection (FEBRABAN, version 08.8, with the places of banks that differ): what a bank
//! reports about boletos.
//!
//! Each movement of a boleto is two lines: segment T names the boleto, segment U has what was paid. Other segments may
//! stand between them, such as Y with the PIX code of a hybrid boleto.

mod write;

use std::borrow::Cow;

use super::boletos::{BoletoMovement, Payment, Place, Title, date_or_mend, numbers_at};
use super::fields::Fields;
use super::mends::Mend;
use super::movements::{Layout, MovementCode, meaning_of};
use super::{Format, Found, LineError, Records};

pub use write::write_file;

/// The length of every line.
pub const LINE_LENGTH: usize = 240;

/// The movements of a return file.
pub type ReturnFile<R> = Records<R, Cnab240>;

/// The places of segment T. Those of segment U are the same at all banks.
struct TitlePlaces {
    our_number: Place,
    other_numbers: &'static [Place],
    document_number: Place,
    due: Place,
    fee: Place,
}

const FEBRABAN: TitlePlaces = TitlePlaces {
    our_number: (38, 57),
    other_numbers: &[],
    document_number: (59, 73),
    due: (74, 81),
    fee: (199, 213),
};

/// Sources: eduardokum/laravel-boleto, `src/Cnab/Retorno/Cnab240/Banco`, and kivanio/brcobranca,
/// `lib/brcobranca/retorno/cnab240`, which agree where both have a bank.
const fn places(bank: &[u8]) -> TitlePlaces {
    match bank {
        // Santander.
        b"033" => TitlePlaces {
            our_number: (41, 53),
            // Without the check digit.
            other_numbers: &[(41, 52)],
            document_number: (55, 69),
            due: (70, 77),
            fee: (194, 208),
        },
        // Caixa: the number's last digit at 57 is its check digit.
        b"104" => TitlePlaces {
            other_numbers: &[(40, 56)],
            document_number: (59, 69),
            ..FEBRABAN
        },
        // Itaú: the carteira at 38 to 40, the number, its check digit.
        b"341" => TitlePlaces {
            other_numbers: &[(41, 48)],
            document_number: (59, 68),
            ..FEBRABAN
        },
        // Sicoob: the number with its check digit, then installment, modality and form.
        b"756" => TitlePlaces {
            other_numbers: &[(38, 47), (38, 46)],
            ..FEBRABAN
        },
        _ => FEBRABAN,
    }
}

#[derive(Debug, Default)]
pub struct Cnab240 {
    /// The code of the bank in the first line. Positions and movements are those of this bank.
    bank: Option<String>,
    /// A segment T that waits for its segment U.
    waiting: Option<Title>,
    records: u64,
    batches: Batches,
    trailer_read: bool,
}

/// The lines of the batch that is read, and whether all trailers of batches have counted as many.
#[derive(Debug, Default)]
struct Batches {
    records: u64,
    any_matched: bool,
    any_differed: bool,
}

impl Format for Cnab240 {
    type Record = BoletoMovement;
    /// Some banks write headers that are too long.
    const LINE_LENGTH_MAX: usize = 2 * LINE_LENGTH;

    fn line(&mut self, number: u64, line: &[u8], found: &mut Found<BoletoMovement>) {
        self.records += 1;
        match self.step(number, line, found) {
            Ok(Step::Wait(title)) => {
                self.give_up_waiting(found);
                self.waiting = Some(title);
            }
            Ok(Step::Found(movement)) => found.record(movement),
            Ok(Step::Skip) => {}
            Ok(Step::End) => self.give_up_waiting(found),
            Err(reason) => {
                self.give_up_waiting(found);
                found.bad(number, reason);
            }
        }
    }

    fn unreadable_line(&mut self, found: &mut Found<BoletoMovement>) {
        self.records += 1;
        self.give_up_waiting(found);
    }

    fn end(&mut self, number: u64, found: &mut Found<BoletoMovement>) {
        self.give_up_waiting(found);
        if !self.trailer_read {
            found.bad(number, LineError::Unfinished);
        }
    }
}

enum Step {
    Wait(Title),
    Found(BoletoMovement),
    /// The next line may still be the segment U of the segment T that waits.
    Skip,
    /// No segment U can follow.
    End,
}

impl Cnab240 {
    fn step(
        &mut self,
        number: u64,
        line: &[u8],
        found: &mut Found<BoletoMovement>,
    ) -> Result<Step, LineError> {
        if self.trailer_read {
            return Err(LineError::AfterTrailer);
        }
        let fields = Fields::any(line);
        self.check_bank(fields)?;
        self.batches.records += 1;
        match (fields.character(8), fields.character(14)) {
            ('0', _) if self.records == 1 => Ok(Step::End),
            ('1', _) => {
                self.batches.records = 1;
                Ok(Step::End)
            }
            ('3', 'T') => self.title(number, line, found).map(Step::Wait),
            ('3', 'U') => self.movement(number, line, found).map(Step::Found),
            // Data of the payer, instructions, messages, and the PIX code of hybrid boletos.
            ('3', 'P' | 'Q' | 'R' | 'S' | 'W' | 'Y') => Ok(Step::Skip),
            ('3', other) => Err(LineError::Segment(other)),
            ('5', _) => {
                self.check_batch(fields);
                Ok(Step::End)
            }
            ('9', _) => {
                self.trailer_read = true;
                self.check_count(number, fields, found);
                Ok(Step::End)
            }
            (other, _) => Err(LineError::RecordType(other)),
        }
    }

    /// All lines name the bank of the header. A line that lost characters before its fields does not.
    fn check_bank(&mut self, fields: Fields<'_>) -> Result<(), LineError> {
        let (bank, text) = (&mut self.bank, fields.text(1, 3));
        let expected = bank.get_or_insert_with(|| text.clone());
        if *expected == text {
            return Ok(());
        }
        let expected = expected.clone();
        Err(LineError::OtherBank { text, expected })
    }

    fn bank(&self) -> &str {
        self.bank.as_deref().unwrap_or_default()
    }

    fn title(&self, number: u64, line: &[u8], found: &mut Found<BoletoMovement>) -> Result<Title, LineError> {
        let whole = Whole::of(number, line, found)?;
        let (fields, bank) = (Fields::any(&whole.line), self.bank());
        let places = places(bank.as_bytes());
        let code = MovementCode::new(&fields.text(16, 17));
        let our_number = fields.text(places.our_number.0, places.our_number.1);
        let due = fields.date("the due date", places.due.0, places.due.1);
        whole.check(due.as_ref().is_ok_and(Option::is_some))?;
        let fee = fields.optional_amount("the fee", places.fee.0, places.fee.1);
        Ok(Title {
            line: number,
            bank: bank.to_owned(),
            code,
            meaning: meaning_of(Layout::Cnab240, bank, code),
            other_numbers: numbers_at(fields, places.other_numbers, &our_number),
            our_number,
            document_number: fields.text(places.document_number.0, places.document_number.1),
            due: date_or_mend(found, number, "due", due),
            fee: found.readable(number, "fee", fee),
        })
    }

    fn movement(
        &mut self,
        number: u64,
        line: &[u8],
        found: &mut Found<BoletoMovement>,
    ) -> Result<BoletoMovement, LineError> {
        let whole = Whole::of(number, line, found)?;
        let fields = Fields::any(&whole.line);
        let title = self.waiting.take().ok_or(LineError::WithoutT)?;
        if title.code != MovementCode::new(&fields.text(16, 17)) {
            return Err(LineError::OtherMovement);
        }
        let event_date = fields.date("the event date", 138, 145);
        let credited_on = fields.date("the credit date", 146, 153);
        let dates = [&event_date, &credited_on];
        let any = dates.iter().any(|date| matches!(date, Ok(Some(_))));
        whole.check(any && dates.iter().all(|date| date.is_ok()))?;
        let net = fields.amount("the net amount", 93, 107);
        let payment = Payment {
            paid: fields.amount("the paid amount", 78, 92)?,
            net: found.readable(number, "net", net),
            event_date: date_or_mend(found, number, "event_date", event_date),
            credited_on: date_or_mend(found, number, "credit_date", credited_on),
        };
        Ok(BoletoMovement { title, payment })
    }

    /// A segment T without its segment U is reported with the number of its own line.
    fn give_up_waiting(&mut self, found: &mut Found<BoletoMovement>) {
        if let Some(title) = self.waiting.take() {
            found.bad(title.line, LineError::WithoutU);
        }
    }

    /// The batch's trailer counts all lines of the batch, itself included.
    fn check_batch(&mut self, fields: Fields<'_>) {
        let stated = fields.number("the record count", 18, 23);
        if stated == Ok(self.batches.records) {
            self.batches.any_matched = true;
        } else {
            self.batches.any_differed = true;
        }
    }

    /// The trailer counts all lines, itself included, in six digits. Some banks leave the file's header and trailer
    /// out; those are believed if the batches have all their lines.
    fn check_count(&self, number: u64, fields: Fields<'_>, found: &mut Found<BoletoMovement>) {
        let records = self.records;
        let stated = fields.number("the record count", 24, 29).unwrap_or_default();
        let batches_match = self.batches.any_matched && !self.batches.any_differed;
        if stated == records || records > 999_999 || (batches_match && stated + 2 == records) {
            return;
        }
        let mend = Mend::Count {
            stated,
            found: records,
        };
        found.mend(mend, number);
    }
}

/// A line of 240 characters, with the blanks that are missing at its end.
struct Whole<'a> {
    line: Cow<'a, [u8]>,
    length: usize,
    /// Blanks are missing but not all. Then a character may be missing in the middle instead, which moves the fields
    /// behind it.
    is_doubtful: bool,
}

impl<'a> Whole<'a> {
    fn of<T>(number: u64, line: &'a [u8], found: &mut Found<T>) -> Result<Self, LineError> {
        let length = line.len();
        let rest = line.get(LINE_LENGTH..).unwrap_or_default();
        if !rest.trim_ascii().is_empty() {
            return Err(length_error(length));
        }
        if length > LINE_LENGTH {
            found.mend(Mend::LongLine, number);
        } else if length < LINE_LENGTH {
            found.mend(Mend::ShortLine, number);
        }
        let line = if length < LINE_LENGTH {
            let missing = std::iter::repeat_n(b' ', LINE_LENGTH - length);
            Cow::Owned(line.iter().copied().chain(missing).collect())
        } else {
            Cow::Borrowed(&line[..LINE_LENGTH])
        };
        Ok(Self {
            is_doubtful: length < LINE_LENGTH && line[length - 1] == b' ',
            line,
            length,
        })
    }

    /// Dates show that the fields of a doubtful line are at their places: a moved date is not one.
    const fn check(&self, has_its_dates: bool) -> Result<(), LineError> {
        if self.is_doubtful && !has_its_dates {
            Err(length_error(self.length))
        } else {
            Ok(())
        }
    }
}

const fn length_error(found: usize) -> LineError {
    LineError::Length {
        found,
        expected: LINE_LENGTH,
    }
}
