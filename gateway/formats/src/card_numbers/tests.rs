use ledger_domain::documents::Document;
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

#[test]
fn card_numbers_are_masked_with_and_without_separators() {
    for (text, masked) in [
        ("4242424242424242", "424242******4242"),
        ("4242 4242 4242 4242", "4242 42** **** 4242"),
        (
            "denied: 3782-822463-10005, try again",
            "denied: 3782-82****-*0005, try again",
        ),
        ("pan=6304000000000000", "pan=630400******0000"),
        ("4242.4242.4242.4242", "4242.42**.****.4242"),
        (
            "4242\u{2013}4242\u{2013}4242\u{2013}4242",
            "4242\u{2013}42**\u{2013}****\u{2013}4242",
        ),
        (
            "4242\u{a0}4242\u{a0}4242\u{a0}4242",
            "4242\u{a0}42**\u{a0}****\u{a0}4242",
        ),
        ("item 2.4242 4242 4242 4242", "item 2.4242 42** **** 4242"),
        ("2 4242 4242 4242 4242 12/30", "2 4242 42** **** 4242 12/30"),
        ("parcela 3-4242424242424242-1", "parcela 3-424242******4242-1"),
        (
            "ação 5555555555554444 e 4242424242424242.",
            "ação 555555******4444 e 424242******4242.",
        ),
    ] {
        assert!(holds_card_number(text), "{text}");
        assert_eq!(mask_card_numbers(text), masked);
        assert!(!holds_card_number(masked), "{masked}");
    }
}

proptest! {
    /// A stored body is parsed again at each retry and must read the same.
    #[test]
    fn masked_text_stays_as_it_is(
        groups in vec(prop_oneof![4 => "[0-9]{4}", 2 => "[0-9]{1,19}", 1 => "4242 4242 4242 4242"], 1..8),
        separator in prop_oneof![Just(" "), Just("-"), Just(""), Just("."), Just("\u{2013}")],
    ) {
        let text = groups.join(separator);
        let masked = mask_card_numbers(&text);
        prop_assert!(!holds_card_number(&masked), "{text}: {masked}");
        prop_assert_eq!(mask_card_numbers(&masked), masked.as_ref());
        prop_assert_eq!(masked.len(), text.len());
    }
}

#[test]
fn digits_that_a_mask_leaves_are_masked_if_they_look_like_a_card_number() {
    let mut masked_twice = 0;
    for last in 0..10 {
        let masked = mask_card_numbers(&format!("4242 4242 4242 4242 1234 5678 9{last}")).into_owned();
        assert_eq!(mask_card_numbers(&masked), masked);
        masked_twice += i32::from(masked != format!("4242 42** **** 4242 1234 5678 9{last}"));
    }
    assert_eq!(masked_twice, 1, "one of ten digits is a check digit");
}

#[test]
fn text_that_only_resembles_a_card_number_stays() {
    for text in [
        // Fails the check digit.
        "4242424242424241",
        // Too short, and too long.
        "424242424242",
        "42424242424242424242",
        // A time in milliseconds that passes the check digit.
        "1763740800008",
        "sal_00000000-0000-4000-8000-424242424242",
        "o pedido 42424242-4242-4242-8242-424242424242 chegou",
        // The boleto of FEBRABAN's manual: dots and spaces.
        "23793.38128 60007.827136 95000.063305 9 84660000002000",
        // A CNPJ and two mobile phones that pass the check digit.
        "33000167000101",
        "5511987654325",
        "5521999990005",
        "4242",
        "",
    ] {
        assert!(!holds_card_number(text), "{text}");
        assert_eq!(mask_card_numbers(text), text);
    }
}

/// The first digits of each brand, and a length that it has.
const BRANDS: [(&str, usize); 25] = [
    ("4", 16), // Visa
    ("4", 13),
    ("4", 19),
    ("51", 16), // Mastercard
    ("55", 16),
    ("2221", 16),
    ("2720", 16),
    ("34", 15), // American Express
    ("37", 15),
    ("300", 14), // Diners Club
    ("305", 14),
    ("36", 14),
    ("38", 14),
    ("3528", 16), // JCB
    ("6011", 16), // Discover
    ("65", 16),
    ("401178", 16), // Elo
    ("431274", 16),
    ("438935", 16),
    ("506699", 16),
    ("509000", 16),
    ("627780", 16),
    ("636368", 16),
    ("606282", 16), // Hipercard
    ("50", 16),     // Aura
];

const SEPARATORS: &str = " -.\u{a0}\u{ad}\u{2000}\u{2009}\u{200b}\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{202f}\u{205f}\u{2060}\u{2212}\u{3000}\u{feff}";

/// The digits with the check digit that makes them pass.
fn with_check_digit(digits: &str) -> String {
    let numbers: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
    (0..10)
        .find(|last| passes_luhn(&[numbers.as_slice(), &[*last]].concat()))
        .map_or_else(String::new, |last| format!("{digits}{last}"))
}

/// The digits in groups of four, with the separator between them.
fn grouped(number: &str, separator: &str) -> String {
    let groups: Vec<_> = number.as_bytes().chunks(4).map(String::from_utf8_lossy).collect();
    groups.join(separator)
}

/// The document with these first digits. `None` if they are all equal: no such document is assigned.
fn document(base: &str) -> Option<Document> {
    (0..100).find_map(|last| Document::parse(&format!("{base}{last:02}")).ok())
}

/// The digits with each separator before the digit at its position.
fn formatted(digits: &str, separators: &[(usize, &str)]) -> String {
    let before = |at: usize| {
        separators
            .iter()
            .find(|(place, _)| *place == at)
            .map_or("", |(_, text)| text)
    };
    digits
        .char_indices()
        .map(|(at, digit)| format!("{}{digit}", before(at)))
        .collect()
}

#[track_caller]
fn assert_stays(text: &str) {
    for text in [
        text.to_owned(),
        format!("O cliente {text} pediu."),
        format!("n\u{ba} {text}, {text}"),
    ] {
        assert!(!holds_card_number(&text), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// 10,000 of each.
    #[test]
    fn documents_phones_and_uuids_are_never_masked(
        cpf in "[0-9]{9}", cnpj in "[0-9]{8}0[0-9]{3}", area in "[1-9][1-9]", mobile in "9[0-9]{8}",
        landline in "[2-5][0-9]{7}", uuid in any::<u128>(),
    ) {
        for document in [document(&cpf), document(&cnpj)].into_iter().flatten() {
            assert_stays(document.unmasked());
            assert_stays(&document.to_string());
        }
        for number in [format!("55{area}{mobile}"), format!("55{area}{landline}")] {
            let hyphen = number.len() - 4;
            assert_stays(&number);
            assert_stays(&format!("+{number}"));
            assert_stays(&number[2..]);
            assert_stays(&formatted(&number, &[(2, " "), (4, " "), (hyphen, "-")]));
            assert_stays(&formatted(&number, &[(0, "+"), (2, " ("), (4, ") "), (hyphen, "-")]));
        }
        let uuid = uuid::Uuid::from_u128(uuid);
        for uuid in [uuid, uuid::Builder::from_u128(uuid.as_u128()).with_version(uuid::Version::Random).into_uuid()] {
            assert_stays(&uuid.to_string());
            assert_stays(&uuid.to_string().to_uppercase());
            prop_assert!(!holds_card_number(&uuid.simple().to_string()));
        }
    }
}

proptest! {
    /// One card number of each brand, with each separator.
    #[test]
    fn each_brand_is_masked_with_each_separator(digits in "[0-9]{18}") {
        for (prefix, length) in BRANDS {
            let number = with_check_digit(&format!("{prefix}{}", &digits[..length - prefix.len() - 1]));
            let masked = format!("{}{}{}", &number[..6], "*".repeat(length - 10), &number[length - 4..]);
            for separator in SEPARATORS.chars().map(String::from) {
                let text = grouped(&number, &separator);
                prop_assert_eq!(mask_card_numbers(&text), grouped(&masked, &separator));
            }
            // Without separators, one Diners number in a thousand is a valid CNPJ too.
            if !is_cnpj(&number) {
                prop_assert_eq!(mask_card_numbers(&number), masked);
            }
        }
    }
}
