//! Turns settlement files into reported payments, in batches and in bounded memory. Blocks on its source.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use gateway_formats::settlement_files::card_file::{
    CardDetail, CardEntryType, CardFile, CardRecord, FileKind, ReceivableUnit,
};
use gateway_formats::settlement_files::cnab240::{BoletoMovement, LINE_LENGTH, ReturnFile};
use gateway_formats::settlement_files::{BadLine, LineError, to_latin1};
use ledger_domain::calendar::Date;
use serde_json::{Value, json};

use super::reported::{EntryKind, ReportedPayment};
use crate::columns::column_words;

/// Rows and bad lines of a batch. Memory is bounded by it.
pub const BATCH_ROWS: usize = 2_000;
/// At this many units, the remembered dates of payment are dropped. This bounds the memory; the records of a unit's
/// installments follow its own.
const UNITS_MAX: usize = 10_000;
/// The longest excerpt of a bad line.
const EXCERPT_CHARACTERS_MAX: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    Cnab240,
    CardFile,
}

impl FileFormat {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cnab240 => "cnab240",
            Self::CardFile => "card_file",
        }
    }

    /// By the first line, which both formats begin with a header. `None` if it is of neither.
    pub fn of_beginning(content: &[u8]) -> Option<Self> {
        let line = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = to_latin1(line.strip_suffix(b"\r").unwrap_or(line));
        let is_cnab =
            line.len() == LINE_LENGTH && line[7] == b'0' && line[..7].iter().all(u8::is_ascii_digit);
        if is_cnab {
            return Some(Self::Cnab240);
        }
        let is_card_file = line.len() >= 49
            && line[0] == b'0'
            && line[11..19].iter().all(u8::is_ascii_digit)
            && line[47..49].iter().all(u8::is_ascii_digit);
        is_card_file.then_some(Self::CardFile)
    }
}

column_words! {
    FileFormat = "file format"
        |word| [Self::Cnab240, Self::CardFile].into_iter().find(|format| format.as_str() == word);
}

/// A line that was not taken.
#[derive(Debug, Clone, PartialEq)]
pub struct BadRecord {
    pub line: u64,
    /// A code.
    pub reason: &'static str,
    pub parameters: Value,
}

#[derive(Debug, Default)]
pub struct Batch {
    pub rows: Vec<ReportedPayment>,
    pub bad: Vec<BadRecord>,
    /// From the start of the file.
    pub bytes_read: u64,
    pub lines_read: u64,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.rows.len() + self.bad.len() >= BATCH_ROWS
    }
}

/// Reads a whole file. `take` gets each batch and returns false to end the reading.
pub fn read_file(format: FileFormat, source: impl Read, take: impl FnMut(Batch) -> bool) -> io::Result<()> {
    let counted = Arc::new(Counted::default());
    let source = BufReader::with_capacity(
        64 * 1024,
        Counting {
            source,
            counted: Arc::clone(&counted),
        },
    );
    match format {
        FileFormat::Cnab240 => read_return_file(source, &counted, take),
        FileFormat::CardFile => read_card_file(source, &counted, take),
    }
}

fn read_return_file(
    source: impl BufRead,
    counted: &Counted,
    mut take: impl FnMut(Batch) -> bool,
) -> io::Result<()> {
    let mut batch = Batch::default();
    for found in ReturnFile::new(source) {
        match found? {
            Ok(movement) if movement.title.movement.is_payment() => match boleto_payment(movement) {
                Ok(row) => batch.rows.push(row),
                Err(bad) => batch.bad.push(bad),
            },
            // A boleto that was registered, refused or written off is no payment.
            Ok(_) => {}
            Err(bad) => batch.bad.push(bad_record(bad)),
        }
        if batch.is_full() && !take(counted.complete(std::mem::take(&mut batch))) {
            return Ok(());
        }
    }
    take(counted.complete(batch));
    Ok(())
}

fn read_card_file(
    source: impl BufRead,
    counted: &Counted,
    mut take: impl FnMut(Batch) -> bool,
) -> io::Result<()> {
    let mut batch = Batch::default();
    let mut units = Units::default();
    for found in CardFile::new(source) {
        match found? {
            Ok(CardRecord::Header(header)) => units.kind = Some(header.kind),
            Ok(CardRecord::Unit(unit)) => units.add(unit),
            Ok(CardRecord::Detail(detail)) => match units.card_payment(detail) {
                Ok(row) => batch.rows.push(row),
                Err(bad) => batch.bad.push(bad),
            },
            Err(bad) => batch.bad.push(bad_record(bad)),
        }
        if batch.is_full() && !take(counted.complete(std::mem::take(&mut batch))) {
            return Ok(());
        }
    }
    take(counted.complete(batch));
    Ok(())
}

/// A boleto has one installment. Its gross is the amount that the payer paid, with fines and discounts.
fn boleto_payment(movement: BoletoMovement) -> Result<ReportedPayment, BadRecord> {
    let BoletoMovement { title, payment } = movement;
    if !is_name(&title.our_number) {
        return Err(no_value(title.line, "no_reference"));
    }
    let expected_on = payment.credited_on.or(payment.event_date);
    if expected_on.is_none() {
        return Err(no_value(title.line, "no_date"));
    }
    possible(ReportedPayment {
        external_ids: names([&title.our_number, &title.document_number]),
        reference: title.our_number,
        installment: 1,
        entry: EntryKind::Payment,
        sale_id: None,
        authorization_code: None,
        sold_on: None,
        gross: payment.paid,
        cost: title.fee,
        net: payment.net,
        expected_on,
        paid_on: payment.credited_on,
        canceled: false,
        line: Some(title.line),
    })
}

fn possible(payment: ReportedPayment) -> Result<ReportedPayment, BadRecord> {
    if payment.has_possible_amounts() {
        return Ok(payment);
    }
    Err(no_value(payment.line.unwrap_or_default(), "amount_too_large"))
}

/// The receivable units of a card file: their records come before those of their installments.
#[derive(Default)]
struct Units {
    kind: Option<FileKind>,
    paid_on: HashMap<String, Option<Date>>,
}

impl Units {
    fn add(&mut self, unit: ReceivableUnit) {
        if self.paid_on.len() >= UNITS_MAX {
            self.paid_on.clear();
        }
        self.paid_on.insert(unit.unit_key, unit.paid_on);
    }

    fn card_payment(&self, detail: CardDetail) -> Result<ReportedPayment, BadRecord> {
        let line = detail.line;
        let entry = match detail.entry_type {
            CardEntryType::Credit | CardEntryType::Installments => EntryKind::Payment,
            CardEntryType::Cancellation => EntryKind::Cancellation,
            CardEntryType::Chargeback => EntryKind::Chargeback,
            CardEntryType::Other(code) => {
                return Err(BadRecord {
                    line,
                    reason: "entry",
                    parameters: json!({ "code": code }),
                });
            }
        };
        let reference = reference_of(&detail).ok_or_else(|| no_value(line, "no_reference"))?;
        let paid_on = self.paid_on.get(&detail.unit_key).copied().flatten();
        if detail.due.or(paid_on).is_none() {
            return Err(no_value(line, "no_date"));
        }
        // Only a file of payments says that something was paid.
        let paid_on = paid_on.filter(|_| matches!(self.kind, Some(FileKind::Paid | FileKind::Pix)));
        possible(ReportedPayment {
            external_ids: names([&detail.tid, &detail.nsu]),
            reference,
            // A sale without installments has none or the first.
            installment: detail.installment.max(1),
            entry,
            sale_id: None,
            authorization_code: Some(detail.authorization).filter(|code| is_name(code)),
            sold_on: detail.sold_on,
            gross: entry.signed(detail.gross),
            cost: entry.signed(detail.fee),
            net: entry.signed(detail.net),
            expected_on: detail.due,
            paid_on,
            canceled: false,
            line: Some(line),
        })
    }
}

/// The TID names a charge for good; an NSU only together with its day.
fn reference_of(detail: &CardDetail) -> Option<String> {
    if is_name(&detail.tid) {
        return Some(detail.tid.clone());
    }
    let sold_on = detail.sold_on?;
    let reference = format!("{sold_on}-{}-{}", detail.nsu, detail.authorization);
    (is_name(&detail.nsu) && is_name(&reference)).then_some(reference)
}

/// The texts that may be external ids, with and without the zeros that a field of fixed length puts before them.
fn names<const N: usize>(texts: [&str; N]) -> Vec<String> {
    let mut names = vec![];
    for text in texts {
        for name in [text, text.trim_start_matches('0')] {
            if is_name(name) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// A text that can be stored and searched. Lines may have any bytes.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

fn no_value(line: u64, reason: &'static str) -> BadRecord {
    BadRecord {
        line,
        reason,
        parameters: json!({}),
    }
}

fn bad_record(bad: BadLine) -> BadRecord {
    let field = |field: &str, text: &str| {
        let excerpt: String = text.chars().take(EXCERPT_CHARACTERS_MAX).collect();
        json!({ "field": field, "text": excerpt })
    };
    let (reason, parameters) = match bad.reason {
        LineError::TooLong { max } => ("too_long", json!({ "max": max })),
        LineError::Length { found, expected } => ("length", json!({ "found": found, "expected": expected })),
        LineError::Short { found, least } => ("short", json!({ "found": found, "least": least })),
        LineError::Number { field: name, text } => ("number", field(name, &text)),
        LineError::Amount { field: name, text } => ("amount", field(name, &text)),
        LineError::Date { field: name, text } => ("date", field(name, &text)),
        LineError::RecordType(code) => ("record_type", json!({ "code": code.to_string() })),
        LineError::WithoutU => ("without_u", json!({})),
        LineError::WithoutT => ("without_t", json!({})),
        LineError::OtherMovement => ("other_movement", json!({})),
        LineError::Count { stated, found } => ("count", json!({ "stated": stated, "found": found })),
        LineError::Unfinished => ("unfinished", json!({})),
        LineError::AfterTrailer => ("after_trailer", json!({})),
    };
    BadRecord {
        line: bad.number,
        reason,
        parameters,
    }
}

/// How far a source was read.
#[derive(Default)]
struct Counted {
    bytes: AtomicU64,
    lines: AtomicU64,
}

impl Counted {
    fn complete(&self, batch: Batch) -> Batch {
        Batch {
            bytes_read: self.bytes.load(Ordering::Relaxed),
            lines_read: self.lines.load(Ordering::Relaxed),
            ..batch
        }
    }
}

struct Counting<R> {
    source: R,
    counted: Arc<Counted>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let lines = buffer[..read].iter().filter(|byte| **byte == b'\n').count();
        self.counted.bytes.fetch_add(read as u64, Ordering::Relaxed);
        self.counted.lines.fetch_add(lines as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
