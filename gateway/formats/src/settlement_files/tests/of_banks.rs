//! Files that banks and other programs wrote, shortened and with other names, documents and numbers; and our own files of
//! each bank's layout.

use super::*;

pub const LAYOUTS: [(&str, Layout); 16] = [
    ("001", Layout::Cnab240),
    ("033", Layout::Cnab240),
    ("104", Layout::Cnab240),
    ("237", Layout::Cnab240),
    ("341", Layout::Cnab240),
    ("756", Layout::Cnab240),
    ("001", Layout::Cnab400),
    ("033", Layout::Cnab400),
    ("041", Layout::Cnab400),
    ("077", Layout::Cnab400),
    ("104", Layout::Cnab400),
    ("237", Layout::Cnab400),
    ("341", Layout::Cnab400),
    ("422", Layout::Cnab400),
    ("748", Layout::Cnab400),
    ("756", Layout::Cnab400),
];

pub fn read_layout(layout: Layout, file: &[u8]) -> Outcome<BoletoMovement> {
    match layout {
        Layout::Cnab240 => read::<cnab240::Cnab240>(file),
        Layout::Cnab400 => read::<cnab400::Cnab400>(file),
    }
}

/// The movement as a file of the bank and layout can have it.
pub fn of_bank(bank: &str, layout: Layout, number: &str, movement: &BoletoMovement) -> BoletoMovement {
    let mut movement = movement.clone();
    let BoletoMovement { title, payment } = &mut movement;
    title.bank = bank.to_owned();
    title.meaning = meaning_of(layout, bank, title.code);
    title.our_number = number.to_owned();
    title.document_number.truncate(10);
    if layout == Layout::Cnab400 {
        // Fees have five digits of reais in the narrowest field, and Inter's files have none.
        let fee = Cents::new(title.fee.map_or(0, |fee| fee.get() % 10_000_000));
        title.fee = Some(if bank == "077" { Cents::ZERO } else { fee });
        payment.paid = Cents::new(payment.paid.get() % 10_000_000_000_000);
        payment.net = Some(payment.paid);
        if bank == "341" {
            let fee = if title.meaning == Meaning::Information {
                0
            } else {
                fee.get()
            };
            let net = Cents::new((payment.paid.get() - fee).max(0));
            payment.net = Some(net);
            payment.paid = Cents::new(net.get() + fee);
        }
    }
    movement
}

/// The code, number, fee, paid and net amounts in cents, and credit date of each movement.
type Row = (String, String, Option<i64>, i64, Option<i64>, Option<Date>);

fn rows(name: &str) -> (Vec<Row>, Vec<Mended>) {
    let layout = if name.starts_with("cnab400") {
        Layout::Cnab400
    } else {
        Layout::Cnab240
    };
    let (movements, bad, mends) = read_layout(layout, &bank_file(name));
    assert_eq!(bad, [], "{name}");
    let row = |movement: BoletoMovement| {
        let BoletoMovement { title, payment } = movement;
        (
            format!("{} {:?}", title.code, title.meaning),
            title.our_number,
            title.fee.map(Cents::get),
            payment.paid.get(),
            payment.net.map(Cents::get),
            payment.credited_on,
        )
    };
    (movements.into_iter().map(row).collect(), mends)
}

fn row(code: &str, number: &str, fee: impl Into<Option<i64>>, paid: i64, net: i64, credit: &str) -> Row {
    (
        code.to_owned(),
        number.to_owned(),
        fee.into(),
        paid,
        Some(net),
        date(credit),
    )
}

#[test]
fn cnab_400_files_of_banks_have_their_numbers_fees_amounts_and_days() {
    for (name, expected) in [
        (
            "cnab400_001_bb.ret",
            vec![
                row(
                    "06 Payment",
                    "00000000009000011",
                    5_00,
                    9_064,
                    9_064,
                    "2009-01-22",
                ),
                row(
                    "06 Payment",
                    "00000000009000022",
                    5_00,
                    223_52,
                    223_52,
                    "2009-01-22",
                ),
            ],
        ),
        // A registration that repeats the boleto's amount, and the line of its PIX code.
        (
            "cnab400_033_santander_pix.ret",
            vec![row("02 Information", "09000011", 0, 100_00, 100_00, "")],
        ),
        (
            "cnab400_041_banrisul.ret",
            vec![row(
                "06 Payment",
                "0009000011",
                1_60,
                1_450_00,
                1_450_00,
                "2015-05-15",
            )],
        ),
        (
            "cnab400_104_caixa.ret",
            vec![row("02 Information", "00000000009000011", 0, 100_00, 100_00, "")],
        ),
        (
            "cnab400_237_bradesco.ret",
            vec![
                row("02 Information", "000009000011", 2_52, 0, 0, ""),
                row("06 Payment", "000009000022", 0, 5_00, 5_00, "2012-04-13"),
                row("17 Payment", "000009000033", 0, 2, 2, "2012-04-13"),
            ],
        ),
        // Itaú writes what it credits: the payer's amount less the fee.
        (
            "cnab400_341_itau.ret",
            vec![
                row("06 Payment", "09000011", 2_10, 40_00, 37_90, "2013-05-21"),
                row("06 Payment", "09000022", 2_10, 40_00, 37_90, "2013-05-21"),
                row("06 Payment", "09000033", 2_10, 40_00, 37_90, "2013-05-21"),
            ],
        ),
        (
            "cnab400_748_sicredi.ret",
            vec![row("02 Information", "000000009000011", 0, 100_00, 100_00, "")],
        ),
    ] {
        assert_eq!(rows(name), (expected, vec![]), "{name}");
    }
}

#[test]
fn cnab_240_files_of_banks_have_their_numbers_fees_amounts_and_days() {
    let short = |count| mended(Mend::ShortLine, 3, count);
    for (name, expected, mends) in [
        (
            "cnab240_001_bb_short.ret",
            vec![
                row(
                    "17 Payment",
                    "00000000009000011",
                    1_03,
                    344_00,
                    342_97,
                    "2012-01-02",
                ),
                row(
                    "17 Payment",
                    "00000000009000022",
                    1_03,
                    321_17,
                    320_14,
                    "2012-01-02",
                ),
            ],
            vec![short(4)],
        ),
        (
            "cnab240_085_ailos_short.ret",
            vec![row(
                "06 Payment",
                "00000000009000011",
                1_70,
                2_00,
                2_00,
                "2015-08-10",
            )],
            vec![short(2)],
        ),
        (
            "cnab240_104_caixa.ret",
            vec![
                row(
                    "06 Payment",
                    "000000000090000113",
                    1_25,
                    80_00,
                    80_00,
                    "2014-01-07",
                ),
                row(
                    "06 Payment",
                    "000000000090000223",
                    1_25,
                    80_00,
                    80_00,
                    "2014-01-07",
                ),
            ],
            vec![],
        ),
        // A byte order mark, fees with two blanks, segments T that lost some of their blanks, and a wrong trailer.
        (
            "cnab240_208_btg_bom.ret",
            vec![
                row("02 Information", "00000000009000011", None, 0, 800_00, ""),
                row(
                    "06 Payment",
                    "00000000009000022",
                    None,
                    800_00,
                    800_00,
                    "2021-06-15",
                ),
            ],
            vec![
                short(2),
                mended(Mend::ByteOrderMark, 1, 1),
                mended(Mend::Count { stated: 1, found: 8 }, 8, 1),
                mended(Mend::Field { name: "fee" }, 3, 2),
            ],
        ),
        (
            "cnab240_748_sicredi.ret",
            vec![
                row("02 Information", "00000000009000011", 0, 0, 0, ""),
                row("28 Information", "00000000009000022", 3_80, 0, 0, "2017-04-06"),
            ],
            vec![],
        ),
        (
            "cnab240_756_sicoob_short.ret",
            vec![row(
                "06 Payment",
                "00000000009000011",
                1_70,
                2_00,
                2_00,
                "2015-08-10",
            )],
            vec![short(2)],
        ),
        // The places of Santander's segment T are its own.
        (
            "santander_033_layout.ret",
            vec![row(
                "17 Payment",
                "0000000001040",
                3_24,
                11_00,
                11_00,
                "2014-06-05",
            )],
            vec![],
        ),
        (
            "itau_08_cartorio.ret",
            vec![
                row("08 Payment", "9000000001", 0, 150_00, 150_00, "2026-11-23"),
                row("06 Payment", "9000000002", 0, 150_00, 150_00, "2026-11-23"),
            ],
            vec![],
        ),
        (
            "caixa_46_online.ret",
            vec![row("46 Payment", "9000000004", 0, 150_00, 150_00, "2026-11-23")],
            vec![],
        ),
        (
            "bb_44_cheque_devolvido.ret",
            vec![
                row("06 Payment", "9000000006", 0, 150_00, 150_00, "2026-11-23"),
                row("44 BouncedCheque", "9000000006", 0, 150_00, 150_00, "2026-11-23"),
            ],
            vec![],
        ),
        (
            "btg_fee_shift.ret",
            vec![row(
                "06 Payment",
                "9000000018",
                None,
                150_00,
                150_00,
                "2026-11-23",
            )],
            vec![mended(Mend::Field { name: "fee" }, 3, 1)],
        ),
    ] {
        assert_eq!(rows(name), (expected, mends), "{name}");
    }
}

/// Sellers and banks also name a boleto without its check digit or without what stands beside the number.
#[test]
fn the_numbers_within_a_bank_s_field_are_given_too() {
    for (layout, name, expected) in [
        (
            Layout::Cnab240,
            "cnab240_104_caixa.ret",
            vec!["00000000009000011"],
        ),
        (Layout::Cnab240, "santander_033_layout.ret", vec!["000000000104"]),
        (Layout::Cnab240, "itau_08_cartorio.ret", vec!["0000001"]),
        (Layout::Cnab400, "cnab400_341_itau.ret", vec!["009000011"]),
        (Layout::Cnab400, "cnab400_237_bradesco.ret", vec!["00000900001"]),
    ] {
        let (movements, _, _) = read_layout(layout, &bank_file(name));
        let numbers = &movements.first().expect("a movement").title.other_numbers;
        assert_eq!(numbers, &expected, "{name}");
    }
}
