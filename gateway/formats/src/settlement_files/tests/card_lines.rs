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
        fee: Cents::new(-3_00),
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
    let (records, bad) = read::<card_file::CardFormat>(&file);
    assert_eq!(bad, []);
    assert_eq!(records, [CardRecord::Detail(detail())]);
}

#[test]
fn each_fault_of_a_card_file_is_named() {
    let named = |line: &str| {
        let counted = u8::from(!line.starts_with('0'));
        let (records, bad) = read::<card_file::CardFormat>(format!("{line}\n9{counted:011}\n").as_bytes());
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
        "line 1: it has 4 characters, at least 49 are needed"
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
    let (_, bad_lines) = read::<card_file::CardFormat>(b"");
    assert_eq!(bad_lines, [bad(1, LineError::Unfinished)]);
}

/// The trailer counts all records except the header and itself.
#[test]
fn a_card_file_that_lost_a_line_is_reported_at_its_trailer() {
    let header = CardHeader {
        merchant: "0000000001".to_owned(),
        date: date("2026-12-23").expect("a date"),
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
    let (found, bad_lines) = read::<card_file::CardFormat>(file.as_bytes());
    assert_eq!((found.len(), bad_lines), (3, vec![]));
    let cut = [lines[0], lines[1], lines[3]].join("\n");
    let (found, bad_lines) = read::<card_file::CardFormat>(cut.as_bytes());
    assert_eq!(found.len(), 2);
    assert_eq!(bad_lines, [bad(3, LineError::Count { stated: 2, found: 1 })]);
    // A bad line is a line that arrived.
    let too_long = "E".repeat(2_001);
    let spoiled = [lines[0], lines[1], too_long.as_str(), lines[3]].join("\n");
    let (_, bad_lines) = read::<card_file::CardFormat>(spoiled.as_bytes());
    assert_eq!(bad_lines, [bad(3, LineError::TooLong { max: 2_000 })]);
    let uncounted = [lines[0], "9"].join("\n");
    let (_, bad_lines) = read::<card_file::CardFormat>(uncounted.as_bytes());
    assert_eq!(bad_lines, [bad(2, LineError::Short { found: 1, least: 12 })]);
}
