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
        code in "[0-9A-Z]{2}",
        texts in ("[A-Z0-9]{0,20}", "[A-Z0-9]{0,15}"),
        amounts in vec(any_cents(15), 3),
        dates in (any_date(), any_date(), any_date()),
    ) -> BoletoMovement {
        let (our_number, document_number) = texts;
        let code = MovementCode::new(&code);
        BoletoMovement {
            title: Title {
                line: 0,
                bank: "237".to_owned(),
                code,
                meaning: meaning_of(Layout::Cnab240, "237", code),
                our_number,
                other_numbers: vec![],
                document_number,
                due: dates.0,
                fee: Some(amounts[0]),
            },
            payment: Payment {
                paid: amounts[1],
                net: Some(amounts[2]),
                event_date: dates.1,
                credited_on: dates.2,
            },
        }
    }
}

fn any_signed() -> impl Strategy<Value = Cents> {
    (-999_999_999_999i64..=999_999_999_999).prop_map(Cents::new)
}

prop_compose! {
    fn any_detail()(
        installment in 0u8..100,
        installments in 0u8..100,
        code in 0u8..100,
        texts in ("[A-Z0-9]{0,6}", "[A-Z0-9]{0,100}", "[0-9]{10}", "[0-9]{6}", "[A-Z0-9]{0,20}"),
        amounts in (any_signed(), any_signed()),
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
            net: Cents::new(amounts.0.get() - amounts.1.get()),
            fee: Some(amounts.1),
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
        date: detail.due,
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
        prop_assert_eq!(read_cnab(&cnab240::write_file("237", &movements)), (movements, vec![], vec![]));
    }

    /// Of each bank with a layout of its own, with numbers that are as wide as the narrowest of its fields.
    #[test]
    fn a_written_return_file_of_each_bank_and_layout_reads_as_itself(
        movements in vec(any_movement(), 0..4),
        numbers in vec("[1-9][0-9]{7}", 4),
    ) {
        for (bank, layout) in super::of_banks::LAYOUTS {
            let movements: Vec<_> = movements.iter().zip(&numbers).map(|(movement, number)| {
                super::of_banks::of_bank(bank, layout, number, movement)
            }).collect();
            let file = match layout {
                Layout::Cnab240 => cnab240::write_file(bank, &movements),
                Layout::Cnab400 => cnab400::write_file(bank, &movements).expect("a known bank"),
            };
            let outcome = super::of_banks::read_layout(layout, file.as_bytes());
            prop_assert_eq!(without_lines(outcome), (movements, vec![], vec![]));
        }
    }

    #[test]
    fn a_written_card_file_reads_as_itself(records in vec(any_card_record(), 0..6)) {
        let (mut found, bad, mends) = read::<card_file::CardFormat>(card_file::write_file(&records).as_bytes());
        for record in &mut found {
            match record {
                CardRecord::Header(_) => {}
                CardRecord::Unit(unit) => unit.line = 0,
                CardRecord::Detail(detail) => detail.line = 0,
            }
        }
        prop_assert_eq!((found, bad, mends), (records, vec![], vec![]));
    }

    /// A line of random bytes before a movement is one bad line. The trailer states one line less than the file has.
    #[test]
    fn a_bad_line_is_reported_and_stops_no_other(before in 0usize..4, bytes in vec(any::<u8>(), 1..300)) {
        let is_blank = bytes.iter().all(|byte| matches!(byte, b' ' | 0x1A));
        prop_assume!(!bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r')) && !is_blank);
        let movements = vec![paid("1"), paid("2"), paid("3"), paid("4")];
        let text = cnab240::write_file("237", &movements);
        let mut lines: Vec<_> = text.split_inclusive('\n').map(|line| line.as_bytes().to_vec()).collect();
        // Two headers, and two lines for each earlier movement.
        let place = 2 + 2 * before;
        let junk = [&bytes[..], b"\n"].concat();
        lines.insert(place, junk);
        let (found, bad, mends) = read::<cnab240::Cnab240>(&lines.concat());
        prop_assert_eq!(found.len(), 4);
        let numbers: Vec<_> = bad.iter().map(|bad| bad.number).collect();
        prop_assert_eq!(numbers, [place as u64 + 1]);
        prop_assert!(mends.iter().any(|mended| mended.line == lines.len() as u64));
    }

    #[test]
    fn no_bytes_are_fatal(lines in vec(vec(any::<u8>(), 0..300), 0..8)) {
        let file = lines.join(&b'\n');
        let (_, _, _) = (
            read::<cnab240::Cnab240>(&file),
            read::<cnab400::Cnab400>(&file),
            read::<card_file::CardFormat>(&file),
        );
        let _ = super::super::identify::identify(&file);
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
        let four_hundred = cnab400::write_file("341", &movements).expect("a known bank");
        let (_, _, _) = (
            read::<cnab240::Cnab240>(&overwrite(cnab240::write_file("341", &movements))),
            read::<cnab400::Cnab400>(&overwrite(four_hundred)),
            read::<card_file::CardFormat>(&overwrite(card_file::write_file(&records))),
        );
    }
}
