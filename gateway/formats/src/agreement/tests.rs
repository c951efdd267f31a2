use proptest::prelude::*;

use super::*;
use crate::boleto::{BankCode, FreeField};

const PIX: &str = "00020126360014br.gov.bcb.pix0114112223330001815204000053039865406149.905802BR5912LOJA DO JOAO6009SAO \
                   PAULO62140510PEDIDO00016304643F";
/// The example of the Central Bank's manual: a static code without an amount.
const MANUAL: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de \
                      Tal6008BRASILIA62070503***63041D3D";
const LINE: &str = "34191.09123 34567.890123 34567.890123 4 16560000014990";

const ORDERED: Cents = Cents::new(149_90);

fn date(text: &str) -> Date {
    text.parse().expect("a date")
}

fn ordered() -> OrderedBoleto {
    OrderedBoleto {
        amount: ORDERED,
        due: date("2026-12-10"),
    }
}

fn line(line: &str) -> AnsweredBoleto<'_> {
    AnsweredBoleto { line, barcode: None }
}

#[test]
fn a_pix_code_agrees_only_with_its_amount() {
    let code = check_pix(PIX, ORDERED).expect("they agree");
    assert_eq!(code.amount, Some(ORDERED));
    let other = check_pix(PIX, Cents::new(149_91)).expect_err("a cent more");
    assert_eq!(
        other.to_string(),
        "the PIX code is for R$ 149,90; the order is for R$ 149,91"
    );
    let open = check_pix(MANUAL, ORDERED).expect_err("no amount");
    assert_eq!(
        open.to_string(),
        "the static PIX code states no amount; the order is for R$ 149,90"
    );
    let damaged = check_pix(&PIX.replace("JOAO", "JOAQ"), ORDERED).expect_err("damaged");
    assert!(matches!(
        damaged,
        PixDisagreement::Unreadable(PixCodeError::Checksum { .. })
    ));
}

#[test]
fn a_boleto_agrees_only_with_its_amount_and_due_date() {
    let boleto = check_boleto(line(LINE), ordered()).expect("they agree");
    assert_eq!(boleto.bank.as_str(), "341");
    let other = OrderedBoleto {
        amount: Cents::new(150_00),
        due: date("2026-12-11"),
    };
    assert_eq!(
        check_boleto(line(LINE), other)
            .expect_err("both differ")
            .to_string(),
        "the boleto is for R$ 149,90; the order is for R$ 150,00; the boleto is due on 2026-12-10; the order says \
         2026-12-11"
    );
    let open = Boleto {
        due: None,
        amount: None,
        ..boleto
    };
    assert_eq!(
        check_boleto(line(open.line().expect("a line").as_str()), ordered()),
        Err(BoletoDisagreement::Differs(vec![
            BoletoDifference::AmountMissing { ordered: ORDERED },
            BoletoDifference::DueMissing {
                ordered: ordered().due
            },
        ]))
    );
}

#[test]
fn a_barcode_must_be_that_of_the_line() {
    let boleto = check_boleto(line(LINE), ordered()).expect("they agree");
    let both = |barcode: &str| {
        check_boleto(
            AnsweredBoleto {
                line: LINE,
                barcode: Some(barcode),
            },
            ordered(),
        )
    };
    let barcode = boleto.barcode().expect("a barcode");
    assert_eq!(both(barcode.as_str()), Ok(boleto.clone()));
    let other = Boleto {
        free_field: FreeField::parse(&"0".repeat(25)).expect("25 digits"),
        ..boleto
    };
    let other = other.barcode().expect("a barcode");
    assert_eq!(both(other.as_str()), Err(BoletoDisagreement::OtherBarcode));
    assert!(matches!(both("341"), Err(BoletoDisagreement::Barcode(_))));
    assert!(matches!(
        check_boleto(line("341"), ordered()),
        Err(BoletoDisagreement::Line(_))
    ));
}

proptest! {
    #[test]
    fn a_line_with_one_wrong_digit_never_agrees_as_another_boleto(
        cents in 1i64..9_999_999_999, free in "[0-9]{25}", place in 0usize..47, digit in b'0'..=b'9',
    ) {
        let boleto = Boleto {
            bank: BankCode::parse("341").expect("a bank"),
            due: Some(ordered().due),
            amount: Some(Cents::new(cents)),
            free_field: FreeField::parse(&free).expect("25 digits"),
        };
        let mut damaged = boleto.line().expect("a line").as_str().as_bytes().to_vec();
        damaged[place] = digit;
        let damaged = String::from_utf8(damaged).expect("ASCII");
        let expected = OrderedBoleto { amount: Cents::new(cents), ..ordered() };
        if let Ok(read) = check_boleto(line(&damaged), expected) {
            prop_assert_eq!(read, boleto);
        }
    }
}
