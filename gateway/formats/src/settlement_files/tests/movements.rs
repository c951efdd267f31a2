use super::*;

/// Each bank's codes that move money, as its manual lists them. All others are information.
#[test]
fn codes_that_move_money_differ_by_bank_and_layout() {
    use {Layout as L, Meaning as M};
    const NONE: &[&str] = &[];
    type Row = (
        Layout,
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
        &'static [&'static str],
    );
    // Payments, parts of payments, and codes that take a payment back.
    let table: [Row; 22] = [
        (L::Cnab240, "001", &["06", "17", "45"], NONE, &["44"]),
        (L::Cnab240, "033", &["06", "17"], NONE, NONE),
        (L::Cnab240, "041", &["06", "17"], NONE, NONE),
        (L::Cnab240, "077", &["06", "17", "45"], NONE, &["44"]),
        (L::Cnab240, "085", &["06", "17", "76", "77"], NONE, NONE),
        (L::Cnab240, "104", &["06", "17", "46"], NONE, &["44", "47"]),
        (L::Cnab240, "208", &["06", "17", "45"], NONE, &["44"]),
        (L::Cnab240, "237", &["06", "17", "45"], NONE, &["44"]),
        (L::Cnab240, "336", &["06", "07", "08"], &["75"], &["69"]),
        (
            L::Cnab240,
            "341",
            &["06", "08", "10", "59", "76"],
            &["07"],
            &["69"],
        ),
        (L::Cnab240, "422", &["06", "15", "41"], &["07"], NONE),
        (L::Cnab240, "748", &["06", "17"], NONE, NONE),
        (L::Cnab240, "756", &["06", "17", "45"], NONE, &["44"]),
        (L::Cnab400, "001", &["05", "06", "15"], &["07", "08"], &["44"]),
        (L::Cnab400, "033", &["06", "17"], &["07", "08"], NONE),
        (L::Cnab400, "041", &["06", "15"], &["07", "08"], NONE),
        (L::Cnab400, "104", &["21", "22"], NONE, &["33"]),
        (L::Cnab400, "237", &["06", "15", "17"], NONE, &["22", "40"]),
        (
            L::Cnab400,
            "341",
            &["06", "08", "10", "59", "76"],
            &["07"],
            &["69"],
        ),
        (L::Cnab400, "422", &["06", "15", "41"], &["07"], NONE),
        (L::Cnab400, "748", &["06", "15", "17"], NONE, NONE),
        (L::Cnab400, "756", &["05", "06", "15"], NONE, NONE),
    ];
    for (layout, bank, payments, parts, undone) in table {
        for code in (0..100).map(|code| format!("{code:02}")) {
            let is = |codes: &[&str]| codes.contains(&code.as_str());
            let meaning = meaning_of(layout, bank, MovementCode::new(&code));
            assert_eq!(meaning == M::Payment, is(payments), "{bank} {code}");
            assert_eq!(meaning == M::PartialPayment, is(parts), "{bank} {code}");
            let takes_back = matches!(meaning, M::Reversal | M::BouncedCheque);
            assert_eq!(takes_back, is(undone), "{bank} {code}");
        }
    }
}

/// A cheque that is not cleared may bounce, so it is no payment yet.
#[test]
fn a_cheque_is_pending_until_it_is_cleared_or_bounces() {
    for (layout, bank, pending) in [
        (Layout::Cnab240, "001", "50"),
        (Layout::Cnab240, "237", "50"),
        (Layout::Cnab240, "756", "50"),
        (Layout::Cnab240, "341", "65"),
        (Layout::Cnab400, "001", "46"),
        (Layout::Cnab400, "237", "16"),
    ] {
        let meaning = meaning_of(layout, bank, MovementCode::new(pending));
        assert_eq!(meaning, Meaning::PendingCheque, "{bank}");
    }
}

#[test]
fn a_code_is_two_characters_and_not_always_digits() {
    let code = MovementCode::new("AA");
    assert_eq!(code.to_string(), "AA");
    assert_eq!(meaning_of(Layout::Cnab240, "041", code), Meaning::Information);
    assert_eq!(MovementCode::new("6").to_string(), "6 ");
}
