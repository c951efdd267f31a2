//! Turns settlement files into reported payments, in batches and in bounded memory. Reading blocks the thread.

mod boletos;
mod cards;
mod notes;
mod progress;

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use chrono::TimeDelta;
use gateway_formats::settlement_files::boletos::BoletoMovement;
use gateway_formats::settlement_files::card_file::{CardFile, CardRecord};
use gateway_formats::settlement_files::cnab240::Cnab240;
use gateway_formats::settlement_files::cnab400::Cnab400;
use gateway_formats::settlement_files::identify::{Readable, identify};
use gateway_formats::settlement_files::{Format, Records};
use ledger_domain::calendar::Date;
use serde_json::{Value, json};

use self::boletos::boleto_row;
use self::cards::Units;
use self::notes::bad_record;
use self::progress::{CountingReader, Progress};
use super::reported::ReportedPayment;

pub use gateway_formats::settlement_files::identify::Unreadable as ForeignFile;

/// The rows and bad lines of a batch. The limit bounds the memory.
pub const BATCH_ROWS: usize = 2_000;
/// The longest excerpt of a bad line's field that is kept for staff.
const EXCERPT_CHARACTERS_MAX: usize = 40;

ledger_domain::words! {
    pub enum FileFormat {
        Cnab240 = "cnab240",
        Cnab400 = "cnab400",
        CardFile = "card_file",
    }
}

/// A file whose date is further in the future, in days, asks before it is imported. Banks make the file of a Friday or of
/// a day before a holiday for the next business day.
const DAYS_AHEAD_MAX: TimeDelta = TimeDelta::days(5);
/// A file that is older asks too. The last of 21 monthly installments is due about 640 days after its sale.
const DAYS_AGO_MAX: TimeDelta = TimeDelta::days(2 * 365);

/// What the beginning of a file says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHead {
    pub format: FileFormat,
    /// The date on which the file was made, if it states one.
    pub made_on: Option<Date>,
    /// The latest day of a payment in the beginning.
    pub last_paid_on: Option<Date>,
}

/// A date that is so far from today that the file is likely the wrong one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImplausibleDate {
    OfFile(Date),
    OfPayments(Date),
}

impl FileHead {
    /// Recognizes the format by the header and the first records.
    pub fn of_beginning(content: &[u8]) -> Result<Self, ForeignFile> {
        let identified = identify(content)?;
        let format = match identified.format {
            Readable::Cnab240 => FileFormat::Cnab240,
            Readable::Cnab400 => FileFormat::Cnab400,
            Readable::CardFile => FileFormat::CardFile,
        };
        Ok(Self {
            format,
            made_on: identified.made_on,
            last_paid_on: last_paid_on(format, content),
        })
    }

    /// A payment that was made cannot be in the future, whatever the file's date is. Only if the file has no date, old
    /// payments say that the file is old.
    pub fn implausible_date(&self, today: Date) -> Option<ImplausibleDate> {
        let is_ahead = |date: &Date| *date > today + DAYS_AHEAD_MAX;
        let is_old = |date: &Date| *date < today - DAYS_AGO_MAX;
        let of_file = self.made_on.filter(|date| is_ahead(date) || is_old(date));
        let of_payments = self
            .last_paid_on
            .filter(|date| is_ahead(date) || (self.made_on.is_none() && is_old(date)));
        of_file
            .map(ImplausibleDate::OfFile)
            .or(of_payments.map(ImplausibleDate::OfPayments))
    }
}

/// The beginning may end within a line. Such a line gives no row.
fn last_paid_on(format: FileFormat, beginning: &[u8]) -> Option<Date> {
    let mut last = None;
    let read = read_file(format, beginning, |batch| {
        let paid_on = batch.rows.iter().filter_map(|row| row.paid_on).max();
        last = last.max(paid_on);
        true
    });
    // Memory does not fail.
    read.ok().and(last)
}

/// A line that gives no row, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct BadRecord {
    pub line: u64,
    /// A code, for which the panel has the text.
    pub reason: &'static str,
    pub parameters: Value,
}

/// What was mended, the first line that has it, and the number of lines that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct MendedRecord {
    /// A code, for which the panel has the text.
    pub reason: &'static str,
    pub parameters: Value,
    pub line: u64,
    pub count: u64,
}

#[derive(Debug, Default)]
pub struct Batch {
    pub rows: Vec<ReportedPayment>,
    pub bad: Vec<BadRecord>,
    pub mended: Vec<MendedRecord>,
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
        FileFormat::Cnab240 => read_boletos::<_, Cnab240>(source, &progress, take),
        FileFormat::Cnab400 => read_boletos::<_, Cnab400>(source, &progress, take),
        FileFormat::CardFile => read_card_file(source, &progress, take),
    }
}

fn read_boletos<R: BufRead, F: Format<Record = BoletoMovement>>(
    source: R,
    progress: &Progress,
    mut take: impl FnMut(Batch) -> bool,
) -> io::Result<()> {
    let mut batch = Batch::default();
    let mut records = Records::<R, F>::new(source);
    while let Some(found) = records.next() {
        match found?.map_err(bad_record).map(boleto_row) {
            Ok(Ok(row)) => batch.rows.extend(row),
            Ok(Err(bad)) | Err(bad) => batch.bad.push(bad),
        }
        if batch.is_full() && !take(progress.finished(std::mem::take(&mut batch), &mut records)) {
            return Ok(());
        }
    }
    take(progress.finished(batch, &mut records));
    Ok(())
}

fn read_card_file(
    source: impl BufRead,
    progress: &Progress,
    mut take: impl FnMut(Batch) -> bool,
) -> io::Result<()> {
    let mut batch = Batch::default();
    let mut units = Units::default();
    let mut records = CardFile::new(source);
    while let Some(found) = records.next() {
        match found? {
            Ok(CardRecord::Header(header)) => units.kind = Some(header.kind),
            Ok(CardRecord::Unit(unit)) => batch.bad.extend(units.add(unit)),
            Ok(CardRecord::Detail(detail)) => match units.card_payment(detail) {
                Ok(row) => batch.rows.push(row),
                Err(bad) => batch.bad.push(bad),
            },
            Err(bad) => batch.bad.push(bad_record(bad)),
        }
        if batch.is_full() && !take(progress.finished(std::mem::take(&mut batch), &mut records)) {
            return Ok(());
        }
    }
    batch.bad.extend(units.drain());
    take(progress.finished(batch, &mut records));
    Ok(())
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

/// The texts that may be external ids, each with and without leading zeros, which may be padding.
fn names<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names = vec![];
    for text in texts.into_iter().filter(|text| !is_zeros(text)) {
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

/// Zeros fill a number that is not given.
fn is_zeros(text: &str) -> bool {
    text.bytes().all(|byte| byte == b'0')
}

fn excerpt(text: &str) -> String {
    text.chars().take(EXCERPT_CHARACTERS_MAX).collect()
}

fn bad_without_parameters(line: u64, reason: &'static str) -> BadRecord {
    BadRecord {
        line,
        reason,
        parameters: json!({}),
    }
}

#[cfg(test)]
mod tests;
