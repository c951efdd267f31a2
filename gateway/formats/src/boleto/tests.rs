use proptest::prelude::*;
use serde::Deserialize;

use super::*;

/// Bank 341, due 2026-12-10, R$ 149,90: the boleto of `example`.
const LINE: &str = "34191.09123 34567.890123 34567.890123 4 16560000014990";

#[derive(Deserialize)]
struct Vectors {
    boletos: Vec<Vector>,
    fator: Vec<Factor>,
}

#[derive(Deserialize)]
struct Vector {
    bank: String,
    due: Date,
    amount_cents: i64,
    free_field: String,
    barcode: String,
    linha: String,
    linha_masked: String,
}

#[derive(Deserialize)]
struct Factor {
    due: Date,
    fator: u16,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("../../../../fixtures/vectors.json")).expect("the vectors are readable")
}

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn example() -> Boleto {
    Boleto {
        bank: BankCode::parse("341").expect("a bank"),
        due: Some(date("2026-12-10")),
        amount: Some(Cents::new(149_90)),
        free_field: FreeField::parse("1091234567890123456789012").expect("25 digits"),
    }
}

fn today() -> Date {
    date("2026-11-23")
}

fn error_of(line: &str) -> String {
    Boleto::from_line(line, today()).expect_err("refused").to_string()
}

#[test]
fn boletos_made_by_independent_implementations_are_written_and_read() {
    let vectors = vectors().boletos;
    assert_eq!(vectors.len(), 30);
    for vector in vectors {
        let boleto = Boleto {
            bank: BankCode::parse(&vector.bank).expect("a bank"),
            due: Some(vector.due),
            amount: Some(Cents::new(vector.amount_cents)),
            free_field: FreeField::parse(&vector.free_field).expect("25 digits"),
        };
        let barcode = boleto.barcode().expect("a barcode");
        let line = boleto.line().expect("a line");
        assert_eq!(barcode.as_str(), vector.barcode);
        assert_eq!(line.as_str(), vector.linha);
        assert_eq!(line.to_string(), vector.linha_masked);
        assert_eq!(Barcode::parse(&vector.barcode), Ok(line.barcode()));
        for written in [&vector.linha, &vector.linha_masked] {
            assert_eq!(Boleto::from_line(written, today()), Ok(boleto.clone()));
        }
        assert_eq!(Boleto::from_barcode(&barcode, today()), Ok(boleto));
    }
}

#[test]
fn due_factors_start_again_after_9999() {
    let mut known: Vec<_> = vectors()
        .fator
        .into_iter()
        .map(|known| (known.due, known.fator))
        .collect();
    known.extend([
        (date("2025-02-22"), 1000),
        (date("2026-11-21"), 1637),
        (date("2049-10-14"), 1000),
    ]);
    for (due, factor) in known {
        let written = due_factor::write(Some(due)).expect("a factor");
        assert_eq!(written, factor.to_string());
        assert_eq!(due_factor::read(&written, due), Ok(Some(due)));
    }
    assert_eq!(
        due_factor::write(Some(date("2000-07-02"))),
        Err(BoletoError::DueDate(date("2000-07-02")))
    );
}

#[test]
fn the_reference_chooses_the_era_of_a_factor() {
    let read = |factor, reference| due_factor::read(factor, date(reference)).expect("a date");
    for reference in ["1990-01-01", "2000-07-03", "2012-10-27"] {
        assert_eq!(read("1000", reference), Some(date("2000-07-03")), "{reference}");
    }
    for reference in ["2012-10-28", "2025-02-21", "2037-06-18"] {
        assert_eq!(read("1000", reference), Some(date("2025-02-22")), "{reference}");
    }
    // A boleto that was due the day before the restart, and one that is due long after it.
    assert_eq!(read("9999", "2026-11-23"), Some(date("2025-02-21")));
    assert_eq!(read("5000", "2026-11-23"), Some(date("2036-02-05")));
    assert_eq!(read("0000", "2026-11-23"), None);
    assert_eq!(
        due_factor::read("0999", today()),
        Err(BoletoError::DueFactor("0999".to_owned()))
    );
    assert!(read("9999", &Date::MAX.to_string()).is_some(), "no overflow");
}

#[test]
fn a_boleto_may_state_no_date_and_no_amount() {
    let open = Boleto {
        due: None,
        amount: None,
        ..example()
    };
    let line = open.line().expect("a line");
    assert!(line.to_string().ends_with(" 00000000000000"), "{line}");
    assert_eq!(Boleto::from_line(line.as_str(), today()), Ok(open));
    let negative = Boleto {
        amount: Some(Cents::new(-1)),
        ..example()
    };
    assert_eq!(
        negative.line(),
        Err(BoletoError::Amount(AmountError::NotPositive))
    );
}

#[test]
fn each_fault_of_a_line_is_named() {
    assert_eq!(Boleto::from_line(LINE, today()), Ok(example()));
    assert_eq!(
        error_of(&LINE.replace(" 4 ", " 5 ")),
        "the code has the general check digit 5, and not 4"
    );
    assert_eq!(
        error_of(&LINE.replace("34191.09123", "34191.09124")),
        "field 1 has the check digit 4, and not 3"
    );
    assert_eq!(
        error_of(&LINE.replacen("34567.890123", "34567.890124", 1)),
        "field 2 has the check digit 4, and not 3"
    );
    assert_eq!(
        error_of(&LINE[..LINE.len() - 1]),
        "a digitable line has 47 digits, not 46"
    );
    assert_eq!(error_of(""), "a digitable line has 47 digits, not 0");
    assert_eq!(error_of(&LINE.replace('.', "é")), "character 6 is not a digit");
    assert_eq!(
        error_of(&format!("8{LINE}")),
        "slips for utilities and taxes are not boletos"
    );
    let utility = Barcode::parse("84660000000149901091234567890123456789012345");
    assert_eq!(utility, Err(BoletoError::Utility));
    assert_eq!(
        error_of(&LINE.replace("34191.09123", "80491.09123")),
        "field 1 has the check digit 3, and not 0"
    );
    let other_currency = format!("3418{}", &example().barcode().expect("a barcode").as_str()[4..]);
    assert_eq!(Barcode::parse(&other_currency), Err(BoletoError::Currency('8')));
    assert_eq!(
        Barcode::parse("1").map_err(|error| error.to_string()),
        Err("a barcode has 44 digits, not 1".to_owned())
    );
    assert!(BankCode::parse("34").is_err() && FreeField::parse("x").is_err());
}

fn any_boleto() -> impl Strategy<Value = Boleto> {
    (
        "[0-9]{3}",
        proptest::option::of(-4000i64..4400),
        proptest::option::of(1..=Cents::AMOUNT_MAX.get()),
        "[0-9]{25}",
    )
        .prop_map(|(bank, due, amount, free_field)| Boleto {
            bank: BankCode(bank),
            due: due.map(|days| today() + chrono::TimeDelta::days(days)),
            amount: amount.map(Cents::new),
            free_field: FreeField(free_field),
        })
}

fn reads_as(line: &[u8], boleto: &Boleto) -> bool {
    let text = std::str::from_utf8(line).expect("ASCII");
    Boleto::from_line(text, today()).as_ref() == Ok(boleto)
}

proptest! {
    #[test]
    fn a_written_boleto_reads_as_itself(boleto in any_boleto()) {
        let line = boleto.line().expect("it fits");
        prop_assert_eq!(line.barcode(), boleto.barcode().expect("it fits"));
        prop_assert_eq!(line.barcode().line(), line.clone());
        prop_assert_eq!(Boleto::from_line(&line.to_string(), today()), Ok(boleto));
    }

    #[test]
    fn no_line_with_a_wrong_digit_or_swapped_neighbors_reads_as_the_same_boleto(boleto in any_boleto()) {
        let line = boleto.line().expect("it fits").as_str().as_bytes().to_vec();
        for place in 0..line.len() {
            for digit in (b'0'..=b'9').filter(|digit| *digit != line[place]) {
                let mut wrong = line.clone();
                wrong[place] = digit;
                prop_assert!(!reads_as(&wrong, &boleto));
                // The first three fields have check digits that find every wrong digit.
                if place < 32 {
                    let text = String::from_utf8(wrong).expect("ASCII");
                    prop_assert!(Boleto::from_line(&text, today()).is_err(), "{}", text);
                }
            }
            let mut swapped = line.clone();
            swapped.swap(place, (place + 1).min(line.len() - 1));
            prop_assert!(swapped == line || !reads_as(&swapped, &boleto));
        }
    }

    #[test]
    fn parsing_never_panics(text in "\\PC{0,60}", digits in "[0-9]{44}", line in "[0-9]{47}", days in 0i32..3_000_000) {
        let reference = Date::from_num_days_from_ce_opt(days).unwrap_or(Date::MAX);
        let _ = Boleto::from_line(&text, reference);
        let _ = Boleto::from_line(&line, reference);
        let _ = Barcode::parse(&digits).and_then(|barcode| Boleto::from_barcode(&barcode, reference));
    }
}
