use gateway_formats::settlement_files::boletos::{Payment, Title};
use gateway_formats::settlement_files::card_file::{
    self, CardDetail, CardEntryType, CardHeader, FileKind, ReceivableUnit,
};
use gateway_formats::settlement_files::{Layout, MovementCode, cnab240, cnab400, meaning_of};
use ledger_domain::Cents;

use super::super::reported::EntryKind;

use super::*;

fn date(text: &str) -> Option<Date> {
    text.parse().ok()
}

fn read(file: impl AsRef<[u8]>) -> Batch {
    let file = file.as_ref();
    let head = FileHead::of_beginning(file).expect("a known format");
    let mut all = Batch::default();
    let taken = read_file(head.format, file, |batch| {
        all.rows.extend(batch.rows);
        all.bad.extend(batch.bad);
        all.mended.extend(batch.mended);
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
        fee: Some(Cents::new(2_50)),
        sold_on: date("2026-11-20"),
        due: date("2026-12-21"),
    }
}

fn card_file(kind: FileKind, details: Vec<CardDetail>) -> String {
    let header = CardHeader {
        merchant: "0000000001".to_owned(),
        date: date("2026-12-21"),
        kind,
    };
    let unit = ReceivableUnit {
        line: 0,
        merchant: "0000000001".to_owned(),
        brand: "001".to_owned(),
        status: "02".to_owned(),
        gross: Cents::new(100_00),
        fee: Some(Cents::new(2_50)),
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
    let open = read(card_file(FileKind::Open, vec![detail()]));
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
    let read = read(card_file(FileKind::Sales, details.to_vec()));
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
    let read = read(card_file(
        FileKind::Sales,
        vec![canceled, without_ids, unknown_entry, too_large],
    ));
    let row = &read.rows[0];
    assert_eq!(
        (row.gross, row.cost),
        (Cents::new(-100_00), Some(Cents::new(-2_50)))
    );
    assert_eq!(row.reference, "2026-11-20-001234-A1B2C3");
    let bad: Vec<_> = read.bad.iter().map(|bad| (bad.line, bad.reason)).collect();
    assert_eq!(bad, [(4, "no_reference"), (5, "entry"), (6, "amount_too_large")]);
    assert_eq!(read.rows.len(), 1);
}

fn movement(bank: &str, code: &str, our_number: &str, paid: i64) -> BoletoMovement {
    let code = MovementCode::new(code);
    BoletoMovement {
        title: Title {
            line: 0,
            bank: bank.to_owned(),
            code,
            meaning: meaning_of(Layout::Cnab240, bank, code),
            our_number: our_number.to_owned(),
            other_numbers: vec![],
            document_number: "7K3QPXM2ZD".to_owned(),
            due: date("2026-12-10"),
            fee: Some(Cents::new(2_50)),
        },
        payment: Payment {
            paid: Cents::new(paid),
            net: Some(Cents::new((paid - 2_50).max(0))),
            event_date: date("2026-12-11"),
            credited_on: date("2026-12-14"),
        },
    }
}

fn bad_lines(batch: &Batch) -> Vec<(u64, &str)> {
    batch.bad.iter().map(|bad| (bad.line, bad.reason)).collect()
}

#[test]
fn a_return_file_gives_a_row_for_each_paid_boleto_only() {
    let movements = [
        movement("237", "02", "000123", 0),
        movement("237", "06", "000123", 149_90),
        movement("237", "06", "", 149_90),
    ];
    let read = read(cnab240::write_file("237", &movements));
    assert_eq!(read.rows.len(), 1);
    assert_eq!(read.rows[0].external_ids, ["000123", "123", "7K3QPXM2ZD"]);
    assert_eq!(read.rows[0].paid_on, date("2026-12-14"));
    assert_eq!(bad_lines(&read), [(7, "no_reference")]);
    // A number of zeros is none.
    let zeros = cnab240::write_file("237", &[movement("237", "06", "00000000", 149_90)]);
    assert_eq!(bad_lines(&self::read(zeros)), [(3, "no_reference")]);
}

/// Money that is taken back is a negative row, and money that the table of the bank does not explain waits for staff.
#[test]
fn nothing_with_money_in_it_is_skipped() {
    let movements = [
        movement("104", "46", "1", 150_00),
        movement("104", "47", "1", 150_00),
        movement("104", "44", "2", 0),
        movement("104", "99", "3", 150_00),
        movement("104", "02", "4", 150_00),
        movement("104", "06", "5", 0),
        movement("104", "28", "6", 0),
    ];
    let read = read(cnab240::write_file("104", &movements));
    let rows: Vec<_> = read
        .rows
        .iter()
        .map(|row| (row.reference.as_str(), row.entry, row.gross.get(), row.net.get()))
        .collect();
    assert_eq!(
        rows,
        [
            ("1", EntryKind::Payment, 150_00, 147_50),
            ("1", EntryKind::Cancellation, -150_00, -147_50)
        ]
    );
    assert_eq!(
        bad_lines(&read),
        [
            (7, "no_amount"),
            (9, "movement_with_amount"),
            (11, "movement_with_amount"),
            (13, "no_amount")
        ]
    );
    assert_eq!(
        read.bad[1].parameters,
        json!({ "bank": "104", "code": "99", "amount": 150_00, "reference": "3" })
    );
    let pending = cnab240::write_file("001", &[movement("001", "50", "1", 150_00)]);
    assert_eq!(bad_lines(&self::read(pending)), [(3, "pending_cheque")]);
}

#[test]
fn a_bounced_cheque_takes_its_payment_back() {
    let read = read(bank_file("bb_44_cheque_devolvido.ret"));
    let rows: Vec<_> = read
        .rows
        .iter()
        .map(|row| (row.reference.as_str(), row.entry, row.gross.get()))
        .collect();
    assert_eq!(
        rows,
        [
            ("9000000006", EntryKind::Payment, 150_00),
            ("9000000006", EntryKind::Cancellation, -150_00)
        ]
    );
    assert_eq!(read.bad, []);
}

/// The parts of a boleto are rows of their own, in one file or in several.
#[test]
fn a_boleto_that_is_paid_in_parts_has_a_row_for_each() {
    let movements = [
        movement("341", "07", "12345678", 100_00),
        movement("341", "07", "12345678", 49_90),
    ];
    let read = read(cnab400::write_file("341", &movements).expect("a known bank"));
    let rows: Vec<_> = read
        .rows
        .iter()
        .map(|row| (row.reference.as_str(), row.entry, row.gross.get()))
        .collect();
    // The file has the amounts that the bank credits, to which the fee of 2.50 is added.
    assert_eq!(
        rows,
        [
            ("12345678-2026-12-14-10000", EntryKind::Partial, 100_00),
            ("12345678-2026-12-14-4990", EntryKind::Partial, 49_90)
        ]
    );
    assert!(
        read.rows
            .iter()
            .all(|row| row.external_ids.contains(&"12345678".to_owned()))
    );
}

#[test]
fn a_fee_that_cannot_be_read_is_unknown_and_a_warning() {
    let read = read(bank_file("btg_fee_shift.ret"));
    assert_eq!(
        (read.rows.len(), &read.rows[0].cost, &read.bad),
        (1, &None, &vec![])
    );
    let expected = MendedRecord {
        reason: "fee_unknown",
        parameters: json!({}),
        line: 3,
        count: 1,
    };
    assert_eq!(read.mended, [expected]);
}

#[test]
fn lines_that_end_with_a_carriage_return_alone_are_counted() {
    assert_eq!(read(bank_file("cr_only.ret")).lines_read, 6);
    assert_eq!(read(bank_file("trim.ret")).lines_read, 6);
}

/// Lines of a real statement: the fee has a minus in the file, and is a cost.
#[test]
fn the_fee_of_a_real_card_statement_is_a_cost() {
    let read = read(bank_file("cielo04.txt"));
    assert_eq!((read.rows.len(), &read.bad, &read.mended), (1, &vec![], &vec![]));
    let row = &read.rows[0];
    assert_eq!(
        (row.gross, row.cost, row.net, row.paid_on),
        (
            Cents::new(132_11),
            Some(Cents::new(3_28)),
            Cents::new(128_83),
            date("2026-08-03")
        )
    );
}

/// The rent of a terminal, for example, is a unit without details.
#[test]
fn an_amount_of_a_unit_without_details_waits_for_staff() {
    let read = read(card_file(FileKind::Paid, vec![]));
    assert_eq!(read.rows.len(), 0);
    assert_eq!(bad_lines(&read), [(2, "unit_without_details")]);
    assert_eq!(read.bad[0].parameters, json!({ "code": 3, "amount": 97_50 }));
}

#[test]
fn a_file_far_from_today_asks() {
    let head = |made_on| FileHead {
        format: FileFormat::CardFile,
        made_on: date(made_on),
        last_paid_on: None,
    };
    let today = date("2026-11-28").expect("a date");
    for (made_on, asks) in [
        ("2026-11-28", false),
        ("2026-12-03", false),
        ("2026-12-04", true),
        ("2026-12-08", true),
        ("2025-01-01", false),
        ("2024-11-27", true),
        ("", false),
    ] {
        let asked = head(made_on).implausible_date(today);
        let expected = date(made_on).filter(|_| asks).map(ImplausibleDate::OfFile);
        assert_eq!(asked, expected, "{made_on}");
    }
}

#[test]
fn a_file_whose_payments_are_far_from_today_asks() {
    let today = date("2026-11-28").expect("a date");
    for (made_on, paid_on, asks) in [
        ("", "2026-12-03", false),
        ("", "2026-12-08", true),
        ("2026-11-28", "2026-12-08", true),
        ("", "2024-11-27", true),
        // A file of today may repeat what was paid long ago.
        ("2026-11-28", "2024-11-27", false),
    ] {
        let head = FileHead {
            format: FileFormat::CardFile,
            made_on: date(made_on),
            last_paid_on: date(paid_on),
        };
        let expected = date(paid_on).filter(|_| asks).map(ImplausibleDate::OfPayments);
        assert_eq!(head.implausible_date(today), expected, "{made_on} {paid_on}");
    }
    let mut detail = detail();
    detail.due = date("2027-01-20");
    let planned = card_file(FileKind::Open, vec![detail]);
    let head = FileHead::of_beginning(planned.as_bytes()).expect("a known format");
    assert_eq!(head.last_paid_on, None, "planned payments are in the future");
}

/// A file of the folder of files that banks and acquirers wrote.
fn bank_file(name: &str) -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/bank_files/");
    std::fs::read(format!("{path}{name}")).expect("a file")
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
