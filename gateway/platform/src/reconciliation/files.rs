//! Turns settlement files into reported payments, in batches and in bounded memory. Reading blocks the thread.

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

/// The rows and bad lines of a batch. The limit bounds the memory.
pub const BATCH_ROWS: usize = 2_000;
/// At this many units, the remembered payment dates are dropped, to bound the memory. They are no longer needed then,
/// because the records of a unit's installments follow the unit's record.
const UNITS_MAX: usize = 10_000;
/// The longest excerpt of a bad line's field that is kept for staff.
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

    /// Recognizes the format by the header in the first line. `None` if the line is a header of neither format.
    pub fn of_beginning(content: &[u8]) -> Option<Self> {
        let line = content.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = to_latin1(line.strip_suffix(b"\r").unwrap_or(line));
        // Bytes 0 to 6: the bank and the lot; byte 7: the record type, 0 for the header of the file.
        let is_cnab =
            line.len() == LINE_LENGTH && line[7] == b'0' && line[..7].iter().all(u8::is_ascii_digit);
        if is_cnab {
            return Some(Self::Cnab240);
        }
        // Byte 0: the record type, 0 for the header; bytes 11 to 18: the date; bytes 47 and 48: the kind of file.
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

/// A line that gives no row, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct BadRecord {
    pub line: u64,
    /// A code, for which the panel has the text.
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

/// Reads a file and gives its batches to `take`, which returns false to end the reading.
pub fn read_file(format: FileFormat, source: impl Read, take: impl FnMut(Batch) -> bool) -> io::Result<()> {
    let progress = Arc::new(Progress::default());
    let source = BufReader::with_capacity(
        64 * 1024,
        CountingReader {
            source,
            progress: Arc::clone(&progress),
        },
    );
    match format {
        FileFormat::Cnab240 => read_return_file(source, &progress, take),
        FileFormat::CardFile => read_card_file(source, &progress, take),
    }
}

fn read_return_file(
    source: impl BufRead,
    progress: &Progress,
    mut take: impl FnMut(Batch) -> bool,
) -> io::Result<()> {
    let mut batch = Batch::default();
    for found in ReturnFile::new(source) {
        match found? {
            Ok(movement) if movement.title.movement.is_payment() => match boleto_payment(movement) {
                Ok(row) => batch.rows.push(row),
                Err(bad) => batch.bad.push(bad),
            },
            // Other movements, such as the registration of a boleto, are no payments.
            Ok(_) => {}
            Err(bad) => batch.bad.push(bad_record(bad)),
        }
        if batch.is_full() && !take(progress.with_progress(std::mem::take(&mut batch))) {
            return Ok(());
        }
    }
    take(progress.with_progress(batch));
    Ok(())
}

fn read_card_file(
    source: impl BufRead,
    progress: &Progress,
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
        if batch.is_full() && !take(progress.with_progress(std::mem::take(&mut batch))) {
            return Ok(());
        }
    }
    take(progress.with_progress(batch));
    Ok(())
}

/// A boleto has one installment. Its gross is the amount that the payer paid, with fines and discounts.
fn boleto_payment(movement: BoletoMovement) -> Result<ReportedPayment, BadRecord> {
    let BoletoMovement { title, payment } = movement;
    if !is_storable_id(&title.our_number) {
        return Err(bad_without_parameters(title.line, "no_reference"));
    }
    let expected_on = payment.credited_on.or(payment.event_date);
    if expected_on.is_none() {
        return Err(bad_without_parameters(title.line, "no_date"));
    }
    with_possible_amounts(ReportedPayment {
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

fn with_possible_amounts(payment: ReportedPayment) -> Result<ReportedPayment, BadRecord> {
    if payment.has_possible_amounts() {
        return Ok(payment);
    }
    Err(bad_without_parameters(
        payment.line.unwrap_or_default(),
        "amount_too_large",
    ))
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
            CardEntryType::Debit | CardEntryType::Credit | CardEntryType::Installments => EntryKind::Payment,
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
        let reference = reference_of(&detail).ok_or_else(|| bad_without_parameters(line, "no_reference"))?;
        let paid_on = self.paid_on.get(&detail.unit_key).copied().flatten();
        if detail.due.or(paid_on).is_none() {
            return Err(bad_without_parameters(line, "no_date"));
        }
        // In the other kinds of file the unit's date is only planned.
        let paid_on = paid_on.filter(|_| matches!(self.kind, Some(FileKind::Paid | FileKind::Pix)));
        with_possible_amounts(ReportedPayment {
            external_ids: names([&detail.tid, &detail.nsu]),
            reference,
            // A sale without installments has the number 0 or 1.
            installment: detail.installment.max(1),
            entry,
            sale_id: None,
            authorization_code: Some(detail.authorization).filter(|code| is_storable_id(code)),
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

/// A TID is unique. An NSU is unique only together with its day and authorization.
fn reference_of(detail: &CardDetail) -> Option<String> {
    if is_storable_id(&detail.tid) {
        return Some(detail.tid.clone());
    }
    let sold_on = detail.sold_on?;
    let reference = format!("{sold_on}-{}-{}", detail.nsu, detail.authorization);
    (is_storable_id(&detail.nsu) && is_storable_id(&reference)).then_some(reference)
}

/// The texts that may be external ids, each with and without leading zeros, which may be padding.
fn names<const N: usize>(texts: [&str; N]) -> Vec<String> {
    let mut names = vec![];
    for text in texts {
        for name in [text, text.trim_start_matches('0')] {
            if is_storable_id(name) && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Whether the text can be stored as an id. A line may contain any bytes.
fn is_storable_id(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

fn bad_without_parameters(line: u64, reason: &'static str) -> BadRecord {
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

/// How far the file was read, including the bytes that wait in the buffer.
#[derive(Default)]
struct Progress {
    bytes: AtomicU64,
    lines: AtomicU64,
}

impl Progress {
    fn with_progress(&self, batch: Batch) -> Batch {
        Batch {
            bytes_read: self.bytes.load(Ordering::Relaxed),
            lines_read: self.lines.load(Ordering::Relaxed),
            ..batch
        }
    }
}

struct CountingReader<R> {
    source: R,
    progress: Arc<Progress>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        let lines = buffer[..read].iter().filter(|byte| **byte == b'\n').count();
        self.progress.bytes.fetch_add(read as u64, Ordering::Relaxed);
        self.progress.lines.fetch_add(lines as u64, Ordering::Relaxed);
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
