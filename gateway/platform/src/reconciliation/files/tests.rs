use gateway_formats::settlement_files::card_file::{self, CardHeader};
use gateway_formats::settlement_files::cnab240::{self, Movement, Payment, Title};
use ledger_domain::Cents;

use super::*;

fn date(text: &str) -> Option<Date> {
    text.parse().ok()
}

fn read(file: &str) -> Batch {
    let format = FileFormat::of_beginning(file.as_bytes()).expect("a known format");
    let mut all = Batch::default();
    let taken = read_file(format, file.as_bytes(), |batch| {
        all.rows.extend(batch.rows);
        all.bad.extend(batch.bad);
        (all.bytes_read, all.lines_read) = (batch.bytes_read, batch.lines_read);
        true
    });
    taken.expect("memory does not fail");
    all
}

fn detail() -> CardDetail {
    CardDetail {
        line: 0,
        installment: 2,
        installments: 3,
        authorization: "A1B2C3".to_owned(),
        entry_type: CardEntryType::Installments,
        unit_key: "unit-1".to_owned(),
        card: "4242424242".to_owned(),
        nsu: "001234".to_owned(),
        tid: "TID-1".to_owned(),
        gross: Cents::new(100_00),
        net: Cents::new(97_50),
        fee: Cents::new(2_50),
        sold_on: date("2026-11-20"),
        due: date("2026-12-21"),
    }
}

fn card_file(kind: FileKind, details: Vec<CardDetail>) -> String {
    let header = CardHeader {
        merchant: "0000000001".to_owned(),
        date: date("2026-12-21").expect("a date"),
        kind,
    };
    let unit = ReceivableUnit {
        line: 0,
        merchant: "0000000001".to_owned(),
        brand: "001".to_owned(),
        status: "02".to_owned(),
        gross: Cents::new(100_00),
        fee: Cents::new(2_50),
        net: Cents::new(97_50),
        entry_type: CardEntryType::Installments,
        unit_key: "unit-1".to_owned(),
        paid_on: date("2026-12-22"),
        due: date("2026-12-21"),
    };
    let mut records = vec![CardRecord::Header(header), CardRecord::Unit(unit)];
    records.extend(details.into_iter().map(CardRecord::Detail));
    card_file::write_file(&records)
}

#[test]
fn an_installment_of_a_card_file_has_its_sale_s_ids_and_its_unit_s_payment_date() {
    let file = card_file(FileKind::Paid, vec![detail()]);
    let paid = read(&file);
    assert_eq!(paid.bad, []);
    let row = &paid.rows[0];
    assert_eq!(
        (row.reference.as_str(), row.installment, row.entry, row.line),
        ("TID-1", 2, EntryKind::Payment, Some(3))
    );
    assert_eq!(row.external_ids, ["TID-1", "001234", "1234"]);
    assert_eq!(
        (row.expected_on, row.paid_on),
        (date("2026-12-21"), date("2026-12-22"))
    );
    assert_eq!((paid.lines_read, paid.bytes_read), (4, file.len() as u64));
    let open = read(&card_file(FileKind::Open, vec![detail()]));
    assert_eq!(
        open.rows[0].paid_on, None,
        "a file of open receivables reports no payment"
    );
}

#[test]
fn an_entry_of_debit_credit_or_installments_is_a_payment() {
    let of_types = [
        CardEntryType::Debit,
        CardEntryType::Credit,
        CardEntryType::Installments,
    ];
    let details = of_types.map(|entry_type| CardDetail {
        entry_type,
        ..detail()
    });
    let read = read(&card_file(FileKind::Sales, details.to_vec()));
    let entries: Vec<_> = read.rows.iter().map(|row| row.entry).collect();
    assert_eq!(entries, [EntryKind::Payment; 3]);
}

#[test]
fn a_cancellation_is_negative_and_a_record_without_id_entry_or_possible_amount_is_bad() {
    let canceled = CardDetail {
        entry_type: CardEntryType::Cancellation,
        tid: String::new(),
        ..detail()
    };
    let without_ids = CardDetail {
        tid: String::new(),
        nsu: String::new(),
        ..detail()
    };
    let unknown_entry = CardDetail {
        entry_type: CardEntryType::Other(4),
        ..detail()
    };
    let too_large = CardDetail {
        gross: Cents::new(9_999_999_999_999),
        ..detail()
    };
    let read = read(&card_file(
        FileKind::Sales,
        vec![canceled, without_ids, unknown_entry, too_large],
    ));
    let row = &read.rows[0];
    assert_eq!((row.gross, row.cost), (Cents::new(-100_00), Cents::new(-2_50)));
    assert_eq!(row.reference, "2026-11-20-001234-A1B2C3");
    let bad: Vec<_> = read.bad.iter().map(|bad| (bad.line, bad.reason)).collect();
    assert_eq!(bad, [(4, "no_reference"), (5, "entry"), (6, "amount_too_large")]);
    assert_eq!(read.rows.len(), 1);
}

#[test]
fn a_return_file_gives_a_row_for_each_paid_boleto_only() {
    let movement = |movement, our_number: &str| BoletoMovement {
        title: Title {
            line: 0,
            bank: "341".to_owned(),
            movement,
            our_number: our_number.to_owned(),
            document_number: "7K3QPXM2ZD".to_owned(),
            due: date("2026-12-10"),
            amount: Cents::new(149_90),
            collecting_bank: "237".to_owned(),
            fee: Cents::new(2_50),
            reasons: String::new(),
        },
        payment: Payment {
            additions: Cents::ZERO,
            discount: Cents::ZERO,
            rebate: Cents::ZERO,
            financial_tax: Cents::ZERO,
            paid: Cents::new(149_90),
            net: Cents::new(147_40),
            event_date: date("2026-12-11"),
            credited_on: date("2026-12-14"),
        },
    };
    let movements = [
        movement(Movement::Registered, "000123"),
        movement(Movement::Paid, "000123"),
        movement(Movement::Paid, ""),
    ];
    let read = read(&cnab240::write_file("341", &movements));
    assert_eq!(read.rows.len(), 1);
    assert_eq!(read.rows[0].external_ids, ["000123", "123", "7K3QPXM2ZD"]);
    assert_eq!(read.rows[0].paid_on, date("2026-12-14"));
    assert_eq!((read.bad[0].line, read.bad[0].reason), (7, "no_reference"));
}

#[test]
fn a_first_line_of_another_format_is_refused_and_a_utf_8_header_is_recognized() {
    for content in [&b""[..], b"<html>", b"0", &[b'0'; 48], &[b'x'; 240]] {
        assert_eq!(FileFormat::of_beginning(content), None);
    }
    // A CNAB header of 240 characters in UTF-8, with a byte order mark and letters of two bytes.
    let header = format!("\u{FEFF}34100000{:64}PADARIA SÃO JOÃO{:152}\r\n", "", "");
    assert_eq!(
        FileFormat::of_beginning(header.as_bytes()),
        Some(FileFormat::Cnab240)
    );
}

#[test]
fn a_long_file_is_read_in_batches_until_the_caller_stops_it() {
    let details = (0..BATCH_ROWS * 2 + 1).map(|_| detail()).collect();
    let file = card_file(FileKind::Open, details);
    let mut sizes = vec![];
    read_file(FileFormat::CardFile, file.as_bytes(), |batch| {
        sizes.push(batch.rows.len());
        true
    })
    .expect("memory does not fail");
    assert_eq!(sizes, [BATCH_ROWS, BATCH_ROWS, 1]);
    let mut taken = 0;
    read_file(FileFormat::CardFile, file.as_bytes(), |_| {
        taken += 1;
        false
    })
    .expect("memory does not fail");
    assert_eq!(taken, 1, "the first batch was refused, so no other follows");
}
