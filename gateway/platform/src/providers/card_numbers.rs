//! Finds full card numbers in free text and masks them. None is stored or logged (PCI DSS 4.0, requirement 3.3).
//!
//! This is not a validator of cards: one numeric id in ten looks like a card number. So only free text is searched
//! (`free_text`).

use std::borrow::Cow;
use std::ops::Range;

/// ISO/IEC 7812-1: a card number has up to 19 digits; the shortest in use has 13.
const DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// The most digits that may be shown (PCI DSS 4.0, requirement 3.4.1).
const SHOWN_FIRST: usize = 6;
const SHOWN_LAST: usize = 4;

/// Whether the text contains digits that look like a full card number, also if spaces or hyphens group them.
pub fn holds_card_number(text: &str) -> bool {
    find(text).next().is_some()
}

/// Replaces the middle digits of each card number with asterisks. The length of the text does not change.
///
/// The digits that a mask leaves may look like a card number together with those that follow. They are masked as well,
/// so that masking a masked text changes nothing: a stored notice must read the same again.
pub fn mask_card_numbers(text: &str) -> Cow<'_, str> {
    let mut masked = Cow::Borrowed(text);
    while let Some(further) = masked_once(&masked) {
        masked = Cow::Owned(further);
    }
    masked
}

/// `None` if there is nothing to mask.
fn masked_once(text: &str) -> Option<String> {
    let mut masked: Option<String> = None;
    for found in find(text) {
        let hidden = hide_middle(&text[found.clone()]);
        masked
            .get_or_insert_with(|| text.to_owned())
            .replace_range(found, &hidden);
    }
    masked
}

/// An asterisk takes one byte like the digit, so that the positions of later card numbers stay valid.
fn hide_middle(number: &str) -> String {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let mut place = 0;
    number
        .chars()
        .map(|character| {
            if !character.is_ascii_digit() {
                return character;
            }
            place += 1;
            if place <= SHOWN_FIRST || place > digits - SHOWN_LAST {
                character
            } else {
                '*'
            }
        })
        .collect()
}

/// The positions of card numbers, in order.
///
/// The first digit of every payment card is 2 to 6 (the major industry identifiers of travel and banking). A time in
/// milliseconds begins with 1. A UUID is not a card number either.
fn find(text: &str) -> impl Iterator<Item = Range<usize>> {
    let runs = if may_hold_one(text) {
        digit_runs(text)
    } else {
        vec![]
    };
    runs.into_iter().flat_map(|groups| find_in_run(text, &groups))
}

/// Other digits may be next to a card number ("2 4242 4242 4242 4242"). So each sequence of groups is tried, the
/// longest first.
fn find_in_run(text: &str, groups: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut first = 0;
    while first < groups.len() {
        let longest = (first..groups.len().min(first + DIGITS.end()))
            .rev()
            .find(|last| looks_like_card(text[groups[first].start..groups[*last].end].bytes()));
        if let Some(last) = longest {
            found.push(groups[first].start..groups[last].end);
            first = last;
        }
        first += 1;
    }
    found
}

/// A fast check that excludes most texts.
fn may_hold_one(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() >= *DIGITS.start()
        && uuid::Uuid::try_parse(text.split_once('_').map_or(text, |(_, id)| id)).is_err()
}

/// Returns runs of digit groups. In a run, one space or one hyphen separates two groups.
fn digit_runs(text: &str) -> Vec<Vec<Range<usize>>> {
    let mut runs: Vec<Vec<Range<usize>>> = vec![];
    for (at, byte) in text.bytes().enumerate() {
        if !byte.is_ascii_digit() {
            continue;
        }
        let between = runs
            .last()
            .and_then(|groups| groups.last())
            .map(|group| &text.as_bytes()[group.end..at]);
        match (between, runs.last_mut()) {
            (Some([]), Some(groups)) => {
                if let Some(group) = groups.last_mut() {
                    group.end = at + 1;
                }
            }
            (Some([b' ' | b'-']), Some(groups)) => groups.push(at..at + 1),
            _ => runs.push(std::iter::once(at..at + 1).collect()),
        }
    }
    runs
}

fn looks_like_card(run: impl Iterator<Item = u8>) -> bool {
    let digits: Vec<u8> = run.filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    DIGITS.contains(&digits.len()) && matches!(digits[0], 2..=6) && passes_luhn(&digits)
}

/// ISO/IEC 7812-1, annex B.
fn passes_luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(*digit);
            if place % 2 == 0 {
                digit
            } else {
                (digit * 2) / 10 + (digit * 2) % 10
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_card_number_is_masked_however_it_is_written() {
        for (text, masked) in [
            ("4242424242424242", "424242******4242"),
            ("4242 4242 4242 4242", "4242 42** **** 4242"),
            (
                "denied: 3782-822463-10005, try again",
                "denied: 3782-82****-*0005, try again",
            ),
            ("pan=6304000000000000", "pan=630400******0000"),
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
            separator in prop_oneof![Just(" "), Just("-"), Just("")],
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
        let text = "4242 4242 4242 4242 1234 5678 9";
        let found = (0..10).map(|digit| format!("{text}{digit}"));
        for text in found {
            let masked = mask_card_numbers(&text).into_owned();
            assert_eq!(mask_card_numbers(&masked), masked);
        }
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
            "4242",
            "",
        ] {
            assert!(!holds_card_number(text), "{text}");
            assert_eq!(mask_card_numbers(text), text);
        }
    }
}
