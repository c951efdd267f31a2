use std::io::BufReader;

use chrono::NaiveDate as Date;
use ledger_domain::Cents;

use super::card_file::{
    self, CardDetail, CardEntryType, CardFile, CardHeader, CardRecord, FileKind, ReceivableUnit,
};
use super::cnab240::{self, BoletoMovement, LINE_LENGTH, Movement, Payment, ReturnFile, Title};
use super::{BadLine, Format, LineError, Records};

mod card_lines;
mod properties;
mod reading;
mod return_lines;

type Outcome<T> = (Vec<T>, Vec<BadLine>);

fn read<F: Format>(file: &[u8]) -> Outcome<F::Record> {
    let mut outcome = (vec![], vec![]);
    for found in Records::<_, F>::new(BufReader::with_capacity(100, file)) {
        match found.expect("memory does not fail") {
            Ok(record) => outcome.0.push(record),
            Err(bad) => outcome.1.push(bad),
        }
    }
    outcome
}

fn read_cnab(file: &str) -> Outcome<BoletoMovement> {
    let (mut movements, bad) = read::<cnab240::Cnab240>(file.as_bytes());
    // Expected movements have no line numbers.
    for movement in &mut movements {
        movement.title.line = 0;
    }
    (movements, bad)
}

fn date(text: &str) -> Option<Date> {
    text.parse().ok()
}

fn paid(our_number: &str) -> BoletoMovement {
    BoletoMovement {
        title: Title {
            line: 0,
            bank: "341".to_owned(),
            movement: Movement::Paid,
            our_number: our_number.to_owned(),
            document_number: "7K3QPXM2ZD".to_owned(),
            due: date("2026-12-10"),
            amount: Cents::new(149_90),
            collecting_bank: "237".to_owned(),
            fee: Cents::new(2_50),
            reasons: String::new(),
        },
        payment: Payment {
            additions: Cents::new(1_10),
            discount: Cents::ZERO,
            rebate: Cents::ZERO,
            financial_tax: Cents::ZERO,
            paid: Cents::new(151_00),
            net: Cents::new(148_50),
            event_date: date("2026-12-11"),
            credited_on: date("2026-12-14"),
        },
    }
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
