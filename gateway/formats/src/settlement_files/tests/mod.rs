use std::io::BufReader;

use chrono::NaiveDate as Date;
use ledger_domain::Cents;

use super::boletos::{BoletoMovement, Payment, Title};
use super::card_file::{
    self, CardDetail, CardEntryType, CardFile, CardHeader, CardRecord, FileKind, ReceivableUnit,
};
use super::cnab240::{self, LINE_LENGTH, ReturnFile};
use super::{
    BadLine, Format, Layout, LineError, Meaning, Mend, Mended, MovementCode, Records, cnab400, meaning_of,
};

mod card_lines;
mod damaged;
mod identified;
mod movements;
mod of_banks;
mod properties;
mod reading;
mod return_lines;

/// Records, bad lines and mends of a file.
type Outcome<T> = (Vec<T>, Vec<BadLine>, Vec<Mended>);

fn read<F: Format>(file: &[u8]) -> Outcome<F::Record> {
    let mut outcome = (vec![], vec![], vec![]);
    let mut records = Records::<_, F>::new(BufReader::with_capacity(100, file));
    for found in records.by_ref() {
        match found.expect("memory does not fail") {
            Ok(record) => outcome.0.push(record),
            Err(bad) => outcome.1.push(bad),
        }
    }
    outcome.2 = records.take_mends();
    outcome
}

fn read_cnab(file: &str) -> Outcome<BoletoMovement> {
    without_lines(read::<cnab240::Cnab240>(file.as_bytes()))
}

/// Expected movements have no line numbers and no other numbers.
fn without_lines(mut outcome: Outcome<BoletoMovement>) -> Outcome<BoletoMovement> {
    for movement in &mut outcome.0 {
        movement.title.line = 0;
        movement.title.other_numbers.clear();
    }
    outcome
}

/// A file of the folder of files that banks and acquirers wrote.
fn bank_file(name: &str) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/bank_files/");
    std::fs::read(format!("{path}{name}")).expect("a file")
}

fn date(text: &str) -> Option<Date> {
    text.parse().ok()
}

fn paid(our_number: &str) -> BoletoMovement {
    BoletoMovement {
        title: Title {
            line: 0,
            bank: "237".to_owned(),
            code: MovementCode::new("06"),
            meaning: Meaning::Payment,
            our_number: our_number.to_owned(),
            other_numbers: vec![],
            document_number: "7K3QPXM2ZD".to_owned(),
            due: date("2026-12-10"),
            fee: Some(Cents::new(2_50)),
        },
        payment: Payment {
            paid: Cents::new(151_00),
            net: Some(Cents::new(148_50)),
            event_date: date("2026-12-11"),
            credited_on: date("2026-12-14"),
        },
    }
}

fn mended(mend: Mend, line: u64, count: u64) -> Mended {
    Mended { mend, line, count }
}

/// The lines of the file with one replaced.
fn with_line(file: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    let lines = file.lines().enumerate();
    lines
        .map(|(index, line)| {
            if index + 1 == number {
                change(line)
            } else {
                line.to_owned()
            }
        })
        .map(|line| line + "\r\n")
        .collect()
}

fn bad(number: u64, reason: LineError) -> BadLine {
    BadLine { number, reason }
}
