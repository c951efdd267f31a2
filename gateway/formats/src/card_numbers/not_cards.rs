//! Numbers that may pass the check digit of a card number by chance, and that people write in free text.

use std::ops::Range;

use ledger_domain::documents::Cnpj;

/// 13 digits: 55, the area code and a mobile number, which begins with 9. Card numbers that begin with 55 have 16.
pub(super) fn is_mobile_phone(digits: &[u8]) -> bool {
    matches!(digits, [5, 5, 1..=9, 1..=9, 9, ..]) && digits.len() == 13
}

/// 14 digits with the check digits of a CNPJ, and a branch below 1000, as nearly all have. The only card numbers with
/// 14 digits are those of Diners Club. One in a thousand of those is taken for a CNPJ.
pub(super) fn is_cnpj(digits: &str) -> bool {
    digits.len() == 14 && digits.as_bytes()[8] == b'0' && Cnpj::parse(digits).is_ok()
}

/// The places of UUIDs with hyphens, in order.
pub(super) fn uuids(text: &str) -> impl Iterator<Item = Range<usize>> {
    const LENGTH: usize = 36;
    let bytes = text.as_bytes();
    let is_part_of_word = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let mut next = 0;
    std::iter::from_fn(move || {
        while let Some(hyphen) = bytes
            .get(next..)
            .and_then(|rest| rest.iter().position(|byte| *byte == b'-'))
        {
            let hyphen = next + hyphen;
            next = hyphen + 1;
            // The first hyphen of a UUID follows eight digits.
            let Some(start) = hyphen.checked_sub(8) else {
                continue;
            };
            let place = start..start + LENGTH;
            let begins_word = start == 0 || !is_part_of_word(start - 1);
            let is_uuid = bytes
                .get(place.clone())
                .is_some_and(|bytes| uuid::Uuid::try_parse_ascii(bytes).is_ok());
            if begins_word && is_uuid && !is_part_of_word(place.end) {
                next = place.end;
                return Some(place);
            }
        }
        None
    })
}
