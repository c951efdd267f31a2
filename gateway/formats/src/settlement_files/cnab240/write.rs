//! Writes a return file as a bank does, for tests.

use super::{LINE_LENGTH, TitlePlaces, places};
use crate::settlement_files::boletos::BoletoMovement;
use crate::settlement_files::write::LineWriter;

/// A file with one batch. The fields `line` and `bank` of the titles are not used.
pub fn write_file(bank: &str, movements: &[BoletoMovement]) -> String {
    let mut file = String::new();
    let mut records = 0;
    let mut add = |batch: &str, kind: &str, fill: &dyn Fn(&mut LineWriter)| {
        records += 1;
        let mut line = LineWriter::new(LINE_LENGTH);
        line.text(1, 3, bank).text(4, 7, batch).text(8, 8, kind);
        fill(&mut line);
        if kind == "9" {
            line.number(18, 23, 1).number(24, 29, records);
        }
        file.push_str(&line.finish());
    };
    add("0000", "0", &|_| {});
    add("0001", "1", &|_| {});
    for (sequence, movement) in (1u64..).step_by(2).zip(movements) {
        add("0001", "3", &|line| {
            title(line, sequence, &places(bank.as_bytes()), movement)
        });
        add("0001", "3", &|line| payment(line, sequence + 1, movement));
    }
    add("0001", "5", &|line| {
        line.number(18, 23, movements.len() as u64 * 2 + 2);
    });
    add("9999", "9", &|_| {});
    file
}

fn title(line: &mut LineWriter, sequence: u64, places: &TitlePlaces, movement: &BoletoMovement) {
    let title = &movement.title;
    line.number(9, 13, sequence % 100_000)
        .text(14, 14, "T")
        .text(16, 17, &title.code.to_string())
        .text(places.our_number.0, places.our_number.1, &title.our_number)
        .text(
            places.document_number.0,
            places.document_number.1,
            &title.document_number,
        )
        .date(places.due.0, places.due.1, title.due)
        .amount(places.fee.0, places.fee.1, title.fee.unwrap_or_default());
}

fn payment(line: &mut LineWriter, sequence: u64, movement: &BoletoMovement) {
    let payment = &movement.payment;
    line.number(9, 13, sequence % 100_000)
        .text(14, 14, "U")
        .text(16, 17, &movement.title.code.to_string())
        .amount(78, 92, payment.paid)
        .amount(93, 107, payment.net.unwrap_or_default())
        .date(138, 145, payment.event_date)
        .date(146, 153, payment.credited_on);
}
