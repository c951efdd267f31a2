use super::*;

fn detail() -> CardDetail {
    CardDetail {
        line: 2,
        installment: 1,
        installments: 3,
        authorization: "A1B2C3".to_owned(),
        entry_type: CardEntryType::Installments,
        unit_key: "UR 2026-12-23".to_owned(),
        card: "5067001234".to_owned(),
        nsu: "000123".to_owned(),
        tid: "10069930690009D2A47A".to_owned(),
        gross: Cents::new(100_00),
        net: Cents::new(97_00),
        fee: Some(Cents::new(3_00)),
        sold_on: date("2026-11-23"),
        due: date("2026-12-23"),
    }
}

/// The line is not made by the writer, which could have the same wrong places as the reader.
#[test]
fn a_detail_of_a_card_file_is_read() {
    let mut line = vec![b' '; 760];
    for (from, text) in [
        (1, "E"),
        (18, "0103A1B2C303UR 2026-12-23"),
        (166, "5067001234000123"),
        (192, "10069930690009D2A47A"),
        (261, "+0000000010000+0000000009700-0000000000300"),
        (590, "23112026"),
        (630, "23122026"),
    ] {
        line[from - 1..from - 1 + text.len()].copy_from_slice(text.as_bytes());
    }
    let file = [b"\n", &line[..], b"\n900000000001\n"].concat();
    let (records, bad, mends) = read::<card_file::CardFormat>(&file);
    assert_eq!((bad, mends), (vec![], vec![mended(Mend::BlankLine, 1, 1)]));
    assert_eq!(records, [CardRecord::Detail(detail())]);
}

#[test]
fn each_fault_of_a_card_file_is_named() {
    let named = |line: &str| {
        let counted = u8::from(!line.starts_with('0'));
        let (records, bad, _) = read::<card_file::CardFormat>(format!("{line}\n9{counted:011}\n").as_bytes());
        assert_eq!((records.len(), bad.len()), (0, 1));
        bad[0].to_string()
    };
    let file = card_file::write_file(&[CardRecord::Detail(detail())]);
    let line = file.lines().next().expect("a detail");
    let changed =
        |from: usize, text: &str| format!("{}{text}{}", &line[..from - 1], &line[from - 1 + text.len()..]);
    assert_eq!(named("8PIX"), "line 1: records of type '8' are unknown");
    assert_eq!(
        named("0123"),
        "line 1: it has 4 characters, at least 73 are needed"
    );
    assert_eq!(
        named(&line[..636]),
        "line 1: it has 636 characters, at least 637 are needed"
    );
    assert_eq!(
        named(&changed(261, "0")),
        "line 1: the gross amount is \"00000000010000\", not an amount"
    );
    assert_eq!(
        named(&changed(265, ",")),
        "line 1: the gross amount is \"000,000010000\", not an amount"
    );
    assert_eq!(
        named(&changed(590, "20261123")),
        "line 1: the date of the sale is \"20261123\", not a date"
    );
    assert_eq!(
        named(&changed(18, "1x")),
        "line 1: the installment is \"1x\", not a number"
    );
    assert_eq!(
        named(&"E".repeat(2_001)),
        "line 1: it has more than 2000 characters"
    );
    let (_, bad_lines, _) = read::<card_file::CardFormat>(b"");
    assert_eq!(bad_lines, [bad(1, LineError::Unfinished)]);
}

/// A fee with the sign of its posting, one without a sign, one that is given back, and one of a payment that is taken back.
#[test]
fn a_fee_is_a_cost_whatever_its_sign_in_the_file() {
    let file = card_file::write_file(&[CardRecord::Detail(detail())]);
    let line = file.lines().next().expect("a detail");
    let cost_of = |amounts: &str| {
        let changed = format!("{}{amounts}{}\n900000000001", &line[..260], &line[302..]);
        let (records, bad, mends) = read::<card_file::CardFormat>(changed.as_bytes());
        assert_eq!((records.len(), bad), (1, vec![]));
        match records.into_iter().next() {
            Some(CardRecord::Detail(detail)) => (detail.fee.map(Cents::get), mends.len()),
            other => panic!("{other:?}"),
        }
    };
    // Gross, net, fee.
    for (amounts, cost) in [
        ("+0000000013211+0000000012883-0000000000328", 3_28),
        ("+0000000013211+0000000012883+0000000000328", 3_28),
        ("+0000000010000+0000000010100+0000000000100", -1_00),
        ("-0000000013211-0000000012883+0000000000328", -3_28),
        ("-0000000013211-0000000012883-0000000000328", -3_28),
        ("+0000000010000+0000000010000+0000000000000", 0),
        // Neither sign agrees with the net amount.
        ("+0000000010000+0000000009000-0000000000250", 2_50),
        ("+0000000010000+0000000009000+0000000000250", 2_50),
    ] {
        assert_eq!(cost_of(amounts), (Some(cost), 0), "{amounts}");
    }
    assert_eq!(cost_of("+0000000010000+0000000009700 00000000003  "), (None, 1));
}

/// Lines of a real statement, with other names and ids.
#[test]
fn a_real_statement_has_its_fees_as_costs() {
    let (records, bad, mends) = read::<card_file::CardFormat>(&bank_file("cielo04.txt"));
    assert_eq!((bad, mends), (vec![], vec![]));
    let [
        CardRecord::Header(header),
        CardRecord::Unit(unit),
        CardRecord::Detail(detail),
    ] = &records[..]
    else {
        panic!("{records:?}");
    };
    assert_eq!((header.date, header.kind), (date("2026-08-03"), FileKind::Paid));
    assert_eq!(
        (unit.gross, unit.fee, unit.net, unit.paid_on),
        (
            Cents::new(132_11),
            Some(Cents::new(3_28)),
            Cents::new(128_83),
            date("2026-08-03")
        )
    );
    assert_eq!(
        (
            detail.gross,
            detail.fee,
            detail.net,
            detail.due,
            detail.tid.as_str()
        ),
        (
            Cents::new(132_11),
            Some(Cents::new(3_28)),
            Cents::new(128_83),
            date("2026-08-03"),
            "10000000015AAAAAAAAA"
        )
    );
    assert_eq!(detail.unit_key, unit.unit_key);
}

/// Cielo writes 01/01/1001 for a credit that was not sent yet.
#[test]
fn the_year_1001_is_no_date() {
    let file = card_file::write_file(&[CardRecord::Detail(detail())]);
    let changed = with_line(&file, 1, |line| format!("{}01011001", &line[..629]));
    let (records, bad, _) = read::<card_file::CardFormat>(changed.as_bytes());
    assert_eq!(bad, []);
    let CardRecord::Detail(detail) = &records[0] else {
        panic!("{records:?}");
    };
    assert_eq!(detail.due, None);
}

/// The trailer counts all records except the header and itself.
#[test]
fn a_card_file_that_lost_a_line_is_reported_at_its_trailer() {
    let header = CardHeader {
        merchant: "0000000001".to_owned(),
        date: date("2026-12-23"),
        kind: FileKind::Paid,
    };
    let records = [
        CardRecord::Header(header),
        CardRecord::Detail(detail()),
        CardRecord::Detail(detail()),
    ];
    let file = card_file::write_file(&records);
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(lines[3], "900000000002");
    let (found, bad_lines, mends) = read::<card_file::CardFormat>(file.as_bytes());
    assert_eq!((found.len(), bad_lines, mends), (3, vec![], vec![]));
    let cut = [lines[0], lines[1], lines[3]].join("\n");
    let (found, bad_lines, mends) = read::<card_file::CardFormat>(cut.as_bytes());
    assert_eq!((found.len(), bad_lines), (2, vec![]));
    assert_eq!(mends, [mended(Mend::Count { stated: 2, found: 1 }, 3, 1)]);
    // A bad line is a line that arrived.
    let too_long = "E".repeat(2_001);
    let spoiled = [lines[0], lines[1], too_long.as_str(), lines[3]].join("\n");
    let (_, bad_lines, mends) = read::<card_file::CardFormat>(spoiled.as_bytes());
    assert_eq!(bad_lines, [bad(3, LineError::TooLong { max: 2_000 })]);
    assert_eq!(mends, []);
    let uncounted = [lines[0], "9"].join("\n");
    let (_, bad_lines, _) = read::<card_file::CardFormat>(uncounted.as_bytes());
    assert_eq!(bad_lines, [bad(2, LineError::Short { found: 1, least: 12 })]);
}
