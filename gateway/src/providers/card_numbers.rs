//! Finds full card numbers in text, so that none is ever kept or logged (PCI DSS 4.0, requirement 3.3).
//!
//! Not a validator of cards: it only has to catch what looks like one.

/// ISO/IEC 7812-1: a card number has up to 19 digits; the shortest in use has 13.
const DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// Whether the text holds, anywhere, digits that look like a full card number, also when spaces or hyphens group them.
///
/// The first digit of every payment card issued is 2 to 6 (the major industry identifiers of travel and banking), so
/// that ids made of a time, which begin with 1, are not taken for cards. A UUID is no card either.
pub fn holds_card_number(text: &str) -> bool {
    // Most texts of a notice end here.
    if text.bytes().filter(u8::is_ascii_digit).count() < *DIGITS.start() {
        return false;
    }
    if uuid::Uuid::try_parse(text.split_once('_').map_or(text, |(_, id)| id)).is_ok() {
        return false;
    }
    let mut run = Vec::with_capacity(24);
    let mut gap = false;
    for character in text.chars().chain(std::iter::once('.')) {
        match character.to_digit(10) {
            Some(digit) => {
                run.push(digit);
                gap = false;
            }
            None if matches!(character, ' ' | '-') && !gap && !run.is_empty() => gap = true,
            None => {
                if looks_like_card(&run) {
                    return true;
                }
                run.clear();
                gap = false;
            }
        }
    }
    false
}

fn looks_like_card(digits: &[u32]) -> bool {
    DIGITS.contains(&digits.len()) && matches!(digits[0], 2..=6) && passes_luhn(digits)
}

/// ISO/IEC 7812-1, annex B.
fn passes_luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            if place % 2 == 0 {
                *digit
            } else {
                (digit * 2) / 10 + (digit * 2) % 10
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_number_is_found_however_it_is_written() {
        assert!(holds_card_number("4242424242424242"));
        assert!(holds_card_number("4242 4242 4242 4242"));
        assert!(holds_card_number("denied: 3782-822463-10005, try again"));
        assert!(holds_card_number("pan=6304000000000000"));
    }

    #[test]
    fn what_only_resembles_one_passes() {
        assert!(!holds_card_number("4242424242424241"), "fails the check digit");
        assert!(!holds_card_number("424242424242"), "too short");
        assert!(!holds_card_number("42424242424242424242"), "too long");
        assert!(
            !holds_card_number("1763740800008"),
            "a time in milliseconds that passes the check digit"
        );
        assert!(!holds_card_number("sal_00000000-0000-4000-8000-424242424242"));
        assert!(!holds_card_number("4242"));
    }
}
