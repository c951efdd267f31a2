//! Says what a file is by its first lines, so that a file that has no payments to read is refused with the name of what
//! it is.

use chrono::NaiveDate as Date;

use super::boletos::Place;
use super::encoding::{Decoded, to_latin1};
use super::fields::Fields;
use super::lines::Lines;
use super::{card_file, cnab400};

/// A format that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readable {
    Cnab240,
    Cnab400,
    CardFile,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identified {
    pub format: Readable,
    /// The date in the header on which the file was made, if it has one.
    pub made_on: Option<Date>,
}

/// A file that cannot be read as payments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    Empty,
    /// Orders to a bank about boletos (remessa).
    Remittance,
    /// What a company pays: to suppliers, salaries, taxes.
    Payments,
    /// The statement of a bank account.
    AccountStatement,
    /// A return file with other content than boletos.
    OtherReturn,
    /// A CNAB 400 return of a bank whose layout is not known.
    BankOfCnab400(String),
    /// Direct debits and bills of utilities (FEBRABAN, 150 characters).
    DirectDebits,
    /// Cielo's statement in another version.
    CieloVersion(String),
    /// Cielo's statement with other content than card payments: 15 negotiations, 16 PIX.
    CieloKind(String),
    Getnet,
    Rede,
    Ofx,
    Pdf,
    Spreadsheet,
    Compressed,
    Xml,
    Csv,
    Unknown,
}

/// Longer lines than those of any format.
const LINE_LENGTH_MAX: usize = 4_000;
/// The lines that are looked at. A batch of a return file has its first movement much earlier.
const LINES_MAX: usize = 2_000;
/// The date on which a CNAB 240 file was made, and one of CNAB 400.
const MADE_ON_240: Place = (144, 151);
const MADE_ON_400: Place = (95, 100);

/// What the file with this beginning is.
pub fn identify(beginning: &[u8]) -> Result<Identified, Unreadable> {
    if let Some(kind) = by_signature(beginning) {
        return Err(kind);
    }
    let lines = first_lines(beginning);
    let Some(first) = lines.first() else {
        return Err(Unreadable::Empty);
    };
    let header = Fields::any(first);
    if header.character(1) == '0' && header.text(43, 47) == "CIELO" {
        return card_statement(header);
    }
    if let Some(other) = other_statement(first) {
        return Err(other);
    }
    match header.text(1, 9).as_str() {
        "02RETORNO" => return cnab_400(header),
        "01REMESSA" => return Err(Unreadable::Remittance),
        _ => {}
    }
    if is_cnab_240(&lines) {
        return cnab_240(&lines);
    }
    Err(other_text(&lines))
}

/// Files of programs, which begin with certain bytes.
fn by_signature(beginning: &[u8]) -> Option<Unreadable> {
    let text = beginning.trim_ascii_start();
    let begins = |signature: &[u8]| {
        let start = text.get(..signature.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(signature))
    };
    if begins(b"%PDF") {
        Some(Unreadable::Pdf)
    } else if begins(b"OFXHEADER") || begins(b"<OFX") || begins(b"<?OFX") {
        Some(Unreadable::Ofx)
    } else if begins(b"\xD0\xCF\x11\xE0") || (begins(b"PK\x03\x04") && has_sheets(beginning)) {
        Some(Unreadable::Spreadsheet)
    } else if begins(b"PK\x03\x04") || begins(b"\x1F\x8B") || begins(b"Rar!") || begins(b"7z\xBC\xAF") {
        Some(Unreadable::Compressed)
    } else if begins(b"<?xml") || begins(b"<html") || begins(b"<!doctype") {
        Some(Unreadable::Xml)
    } else {
        None
    }
}

/// A workbook is an archive with a folder of sheets.
fn has_sheets(archive: &[u8]) -> bool {
    archive.windows(3).take(8_000).any(|name| name == b"xl/")
}

fn first_lines(beginning: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = Lines::new(Decoded::new(beginning), LINE_LENGTH_MAX);
    let mut found = vec![];
    // Memory does not fail.
    while let Ok(Some(line)) = lines.next_line() {
        found.push(to_latin1(line.bytes.unwrap_or_default()).into_owned());
        if found.len() == LINES_MAX {
            break;
        }
    }
    found
}

fn card_statement(header: Fields<'_>) -> Result<Identified, Unreadable> {
    let (kind, version) = (header.text(48, 49), header.text(71, 73));
    if !matches!(kind.as_str(), "03" | "04" | "09") {
        return Err(Unreadable::CieloKind(kind));
    }
    if version.parse() != Ok(card_file::VERSION) {
        return Err(Unreadable::CieloVersion(version));
    }
    Ok(Identified {
        format: Readable::CardFile,
        made_on: header.iso_date("the date", 12, 19).ok().flatten(),
    })
}

/// Statements of other acquirers, which name themselves in their headers.
fn other_statement(header: &[u8]) -> Option<Unreadable> {
    let text = String::from_utf8_lossy(header).to_uppercase();
    if text.contains("GETNET") || text.contains("CEADM") {
        return Some(Unreadable::Getnet);
    }
    let is_rede = text.contains("REDECARD")
        || ["EEVC", "EEVD", "EEFI", "EESA"]
            .iter()
            .any(|kind| text.contains(kind));
    is_rede.then_some(Unreadable::Rede)
}

fn cnab_400(header: Fields<'_>) -> Result<Identified, Unreadable> {
    let (from, to) = cnab400::BANK;
    let bank = header.text(from, to);
    if !cnab400::is_known_bank(bank.as_bytes()) {
        return Err(Unreadable::BankOfCnab400(bank));
    }
    let (from, to) = MADE_ON_400;
    Ok(Identified {
        format: Readable::Cnab400,
        made_on: header.short_date("the date", from, to).ok().flatten(),
    })
}

/// Bank, batch 0000 and record 0; further lines name the same bank.
fn is_cnab_240(lines: &[Vec<u8>]) -> bool {
    let Some(header) = lines.first().and_then(|line| line.get(..8)) else {
        return false;
    };
    let (bank, rest) = header.split_at(3);
    let is_bank = bank.iter().all(u8::is_ascii_digit) && bank != b"000";
    is_bank && rest == b"00000" && lines.get(1).is_none_or(|line| line.starts_with(bank))
}

fn cnab_240(lines: &[Vec<u8>]) -> Result<Identified, Unreadable> {
    let header = lines.first().map(Vec::as_slice).unwrap_or_default();
    let records = || lines.iter().map(|line| Fields::any(line));
    let segments: Vec<char> = records()
        .filter(|line| line.character(8) == '3')
        .map(|line| line.character(14))
        .collect();
    let any_segment = |names: &[char]| segments.iter().any(|segment| names.contains(segment));
    let any_operation =
        |operation: char| records().any(|line| line.character(8) == '1' && line.character(9) == operation);
    let header = Fields::any(header);
    if !any_segment(&['T', 'U']) {
        if any_segment(&['E']) || any_operation('E') {
            return Err(Unreadable::AccountStatement);
        }
        if any_segment(&['A', 'B', 'J', 'N', 'O']) || any_operation('C') || any_operation('D') {
            return Err(Unreadable::Payments);
        }
        if any_segment(&['P', 'Q']) || any_operation('R') || header.character(143) == '1' {
            return Err(Unreadable::Remittance);
        }
        if !segments.is_empty() {
            return Err(Unreadable::OtherReturn);
        }
    }
    let (from, to) = MADE_ON_240;
    Ok(Identified {
        format: Readable::Cnab240,
        made_on: header.date("the date", from, to).ok().flatten(),
    })
}

fn other_text(lines: &[Vec<u8>]) -> Unreadable {
    let first = lines.first().map(Vec::as_slice).unwrap_or_default();
    let is_150 =
        first.len() <= 150 && first.first() == Some(&b'A') && first.get(1).is_some_and(u8::is_ascii_digit);
    if is_150 && first.len() > 100 {
        return Unreadable::DirectDebits;
    }
    let separators = |line: &[u8]| {
        line.iter()
            .filter(|byte| matches!(byte, b';' | b',' | b'\t'))
            .count()
    };
    if separators(first) >= 2 && lines.get(1).is_none_or(|line| separators(line) >= 2) {
        return Unreadable::Csv;
    }
    Unreadable::Unknown
}
