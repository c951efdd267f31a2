use chrono::Days;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

fn any_date() -> impl Strategy<Value = Option<Date>> {
    option::of(
        (0u64..20_000).prop_map(|days| Date::from_ymd_opt(2000, 1, 1).expect("a date") + Days::new(days)),
    )
}

fn any_cents(digits: u32) -> impl Strategy<Value = Cents> {
    (0..10i64.pow(digits)).prop_map(Cents::new)
}

prop_compose! {
    fn any_movement()(
        code in 0u8..100,
        texts in ("[A-Z0-9]{0,20}", "[A-Z0-9]{0,15}", "[0-9]{3}", "[A-Z0-9]{0,10}"),
        amounts in vec(any_cents(15), 8),
        dates in (any_date(), any_date(), any_date()),
    ) -> BoletoMovement {
        let (our_number, document_number, collecting_bank, reasons) = texts;
        BoletoMovement {
            title: Title {
                line: 0,
                bank: "341".to_owned(),
                movement: Movement::of(code),
                our_number,
                document_number,
                due: dates.0,
                amount: amounts[0],
                collecting_bank,
                fee: amounts[1],
                reasons,
            },
            payment: Payment {
                additions: amounts[2],
                discount: amounts[3],
                rebate: amounts[4],
                financial_tax: amounts[5],
                paid: amounts[6],
                net: amounts[7],
                event_date: dates.1,
                credited_on: dates.2,
            },
        }
    }
}

fn any_signed() -> impl Strategy<Value = Cents> {
    (-9_999_999_999_999i64..=9_999_999_999_999).prop_map(Cents::new)
}

prop_compose! {
    fn any_detail()(
        installment in 0u8..100,
        installments in 0u8..100,
        code in 0u8..100,
        texts in ("[A-Z0-9]{0,6}", "[A-Z0-9]{0,100}", "[0-9]{10}", "[0-9]{6}", "[A-Z0-9]{0,20}"),
        amounts in (any_signed(), any_signed(), any_signed()),
        dates in (any_date(), any_date()),
    ) -> CardDetail {
        CardDetail {
            line: 0,
            installment,
            installments,
            authorization: texts.0,
            entry_type: CardEntryType::of(code),
            unit_key: texts.1,
            card: texts.2,
            nsu: texts.3,
            tid: texts.4,
            gross: amounts.0,
            net: amounts.1,
            fee: amounts.2,
            sold_on: dates.0,
            due: dates.1,
        }
    }
}

fn any_card_record() -> impl Strategy<Value = CardRecord> {
    let unit = |detail: CardDetail| ReceivableUnit {
        line: 0,
        merchant: detail.card,
        brand: "001".to_owned(),
        status: "04".to_owned(),
        gross: detail.gross,
        fee: detail.fee,
        net: detail.net,
        entry_type: detail.entry_type,
        unit_key: detail.unit_key,
        paid_on: detail.sold_on,
        due: detail.due,
    };
    let header = |detail: CardDetail| CardHeader {
        merchant: detail.card,
        date: detail.due.unwrap_or_default(),
        kind: FileKind::of(detail.entry_type.code()),
    };
    prop_oneof![
        any_detail().prop_map(CardRecord::Detail),
        any_detail().prop_map(move |detail| CardRecord::Unit(unit(detail))),
        any_detail().prop_map(move |detail| CardRecord::Header(header(detail))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_written_return_file_reads_as_itself(movements in vec(any_movement(), 0..6)) {
        prop_assert_eq!(read_cnab(&cnab240::write_file("341", &movements)), (movements, vec![]));
    }

    #[test]
    fn a_written_card_file_reads_as_itself(records in vec(any_card_record(), 0..6)) {
        let (mut found, bad) = read::<card_file::CardFormat>(card_file::write_file(&records).as_bytes());
        for record in &mut found {
            match record {
                CardRecord::Header(_) => {}
                CardRecord::Unit(unit) => unit.line = 0,
                CardRecord::Detail(detail) => detail.line = 0,
            }
        }
        prop_assert_eq!((found, bad), (records, vec![]));
    }

    /// A line of random bytes before a movement is one bad line. The trailer is the other: it states one line less than
    /// the file has. Lines of the right length are left out, because random bytes can then be a header, which is
    /// skipped.
    #[test]
    fn a_bad_line_is_reported_and_stops_no_other(before in 0usize..4, bytes in vec(any::<u8>(), 1..300)) {
        // The reader drops these bytes at the end of a line.
        let last = bytes.iter().rposition(|byte| !matches!(byte, b'\r' | 0x1A));
        let length = last.map_or(0, |last| last + 1);
        prop_assume!(!bytes.contains(&b'\n') && length > 0 && length != LINE_LENGTH);
        let movements = vec![paid("1"), paid("2"), paid("3"), paid("4")];
        let text = cnab240::write_file("341", &movements);
        let mut lines: Vec<_> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
        // Two headers, and two lines for each earlier movement.
        let place = 2 + 2 * before;
        let junk = [&bytes[..], b"\n"].concat();
        lines.insert(place, junk);
        let (found, bad) = read::<cnab240::Cnab240>(&lines.concat());
        prop_assert_eq!(found.len(), 4);
        let numbers: Vec<_> = bad.iter().map(|bad| bad.number).collect();
        prop_assert_eq!(numbers, [place as u64 + 1, lines.len() as u64]);
    }

    #[test]
    fn no_bytes_are_fatal(lines in vec(vec(any::<u8>(), 0..300), 0..8)) {
        let file = lines.join(&b'\n');
        let (_, _) = (read::<cnab240::Cnab240>(&file), read::<card_file::CardFormat>(&file));
    }

    /// Overwritten bytes keep the length of most lines, so their fields are read.
    #[test]
    fn no_overwritten_bytes_are_fatal(
        movements in vec(any_movement(), 1..4),
        records in vec(any_card_record(), 1..4),
        overwritten in vec((any::<Index>(), any::<u8>()), 1..20),
    ) {
        let overwrite = |file: String| {
            let mut file = file.into_bytes();
            for (place, byte) in &overwritten {
                *place.get_mut(&mut file) = *byte;
            }
            file
        };
        let (_, _) = (
            read::<cnab240::Cnab240>(&overwrite(cnab240::write_file("341", &movements))),
            read::<card_file::CardFormat>(&overwrite(card_file::write_file(&records))),
        );
    }
}
