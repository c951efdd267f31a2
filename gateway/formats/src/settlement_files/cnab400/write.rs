//! Writes a return file as a bank does, for tests.

use super::{BANK, CreditPlace, LINE_LENGTH, PaidAmount, Places, SEQUENCE, places};
use crate::settlement_files::boletos::BoletoMovement;
use crate::settlement_files::write::LineWriter;

/// `None` if the bank's layout is not known. The fields `line` and `bank` of the titles are not used.
pub fn write_file(bank: &str, movements: &[BoletoMovement]) -> Option<String> {
    // Banco do Brasil has records 7 for most of its agreements.
    let record = if bank == "001" { "7" } else { "1" };
    let places = places(bank.as_bytes(), record.as_bytes()[0])?;
    let mut lines = vec![];
    let mut header = LineWriter::new(LINE_LENGTH);
    header
        .text(1, 19, "02RETORNO01COBRANCA")
        .text(BANK.0, BANK.1, bank);
    lines.push(header);
    for movement in movements {
        let mut line = LineWriter::new(LINE_LENGTH);
        line.text(1, 1, record);
        write_movement(&mut line, &places, movement);
        lines.push(line);
    }
    let mut trailer = LineWriter::new(LINE_LENGTH);
    trailer.text(1, 1, "9");
    lines.push(trailer);
    let numbered = (1..).zip(&mut lines);
    Some(
        numbered
            .map(|(number, line)| line.number(SEQUENCE.0, SEQUENCE.1, number).finish())
            .collect(),
    )
}

fn write_movement(line: &mut LineWriter, places: &Places, movement: &BoletoMovement) {
    let BoletoMovement { title, payment } = movement;
    let amount = match places.amount {
        PaidAmount::Gross => Some(payment.paid),
        PaidAmount::Net => payment.net,
    };
    line.text(places.our_number.0, places.our_number.1, &title.our_number)
        .text(places.code.0, places.code.1, &title.code.to_string())
        .text(
            places.document_number.0,
            places.document_number.1,
            &title.document_number,
        )
        .short_date(places.event_date.0, places.event_date.1, payment.event_date)
        .short_date(places.due.0, places.due.1, title.due)
        .amount(places.paid.0, places.paid.1, amount.unwrap_or_default());
    if let Some((from, to)) = places.fee {
        line.amount(from, to, title.fee.unwrap_or_default());
    }
    match places.credited_on {
        CreditPlace::Short((from, to)) => line.short_date(from, to, payment.credited_on),
        CreditPlace::Iso((from, to)) => line.iso_date(from, to, payment.credited_on),
    };
}
