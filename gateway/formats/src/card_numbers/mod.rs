//! Finds full card numbers in free text and masks them.
//!
//! This is not a validator of cards: some other numbers look like card numbers. So only free text is searched.
//! `not_cards` knows numbers that people write in it, such as CNPJs and mobile phones.

mod not_cards;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ops::Range;

use not_cards::{is_cnpj, is_mobile_phone, uuids};

/// ISO/IEC 7812-1: a card number has up to 19 digits; the shortest in use has 13.
const DIGITS: std::ops::RangeInclusive<usize> = 13..=19;

/// The digits that a mask leaves. PCI DSS 4.0, requirement 3.4.1, allows the BIN and the last four.
const SHOWN_FIRST: usize = 6;
const SHOWN_LAST: usize = 4;

/// Whether the text contains digits that look like a full card number, also if spaces, dashes or dots group them.
pub fn holds_card_number(text: &str) -> bool {
    find(text).next().is_some()
}

/// Like `holds_card_number`, and also finds numbers with the digits of `DIGIT_ZEROS`, or grouped by signs of `GROUPING`
/// or by several spaces.
pub fn holds_written_card_number(text: &str) -> bool {
    if holds_card_number(text) {
        return true;
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        let digit = DIGIT_ZEROS.iter().find_map(|zero| {
            let value = u32::from(character).checked_sub(u32::from(*zero))?;
            char::from_digit(value, 10)
        });
        match digit {
            Some(digit) => plain.push(digit),
            None if GROUPING.contains(character) || character.is_whitespace() => {
                if !plain.ends_with(' ') {
                    plain.push(' ');
                }
            }
            None => plain.push(character),
        }
    }
    holds_card_number(&plain)
}

/// The zeros of the digits of full width (of Japanese keyboards), Arabic, Persian and Devanagari.
const DIGIT_ZEROS: [char; 4] = ['\u{ff10}', '\u{660}', '\u{6f0}', '\u{966}'];
const GROUPING: &str = "_,;/|*·";

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
fn find(text: &str) -> impl Iterator<Item = Range<usize>> {
    let runs = if may_hold_one(text) {
        digit_runs(text)
    } else {
        vec![]
    };
    runs.into_iter().flat_map(|groups| find_in_run(text, &groups))
}

/// Digits without anything between them.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    place: Range<usize>,
    /// Whether a dot separates the group from the one before it.
    after_dot: bool,
}

/// Other digits may be next to a card number ("2 4242 4242 4242 4242"). So each sequence of groups is tried, the
/// longest first.
fn find_in_run(text: &str, groups: &[Group]) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut first = 0;
    while first < groups.len() {
        let longest = (first..groups.len().min(first + DIGITS.end()))
            .rev()
            .find(|last| is_card(text, &groups[first..=*last]));
        if let Some(last) = longest {
            found.push(groups[first].place.start..groups[last].place.end);
            first = last;
        }
        first += 1;
    }
    found
}

/// A card number is written with dots or with other separators. A line of digits of a boleto has both, and could
/// otherwise contain a card number by chance.
fn is_card(text: &str, groups: &[Group]) -> bool {
    let [first, others @ ..] = groups else {
        return false;
    };
    let end = others.last().unwrap_or(first).place.end;
    let has_one_style = others
        .windows(2)
        .all(|pair| pair[0].after_dot == pair[1].after_dot);
    has_one_style && looks_like_card(&text[first.place.start..end], others.is_empty())
}

/// A fast check that excludes most texts.
fn may_hold_one(text: &str) -> bool {
    text.bytes().filter(u8::is_ascii_digit).count() >= *DIGITS.start()
        && uuid::Uuid::try_parse(text.split_once('_').map_or(text, |(_, id)| id)).is_err()
}

/// Returns runs of digit groups. In a run, one separator is between two groups. The digits of UUIDs are in no run.
fn digit_runs(text: &str) -> Vec<Vec<Group>> {
    let mut uuids = uuids(text).peekable();
    let mut runs: Vec<Vec<Group>> = vec![];
    for (at, byte) in text.bytes().enumerate() {
        while uuids.next_if(|uuid| uuid.end <= at).is_some() {}
        if !byte.is_ascii_digit() || uuids.peek().is_some_and(|uuid| uuid.contains(&at)) {
            continue;
        }
        let between = runs
            .last()
            .and_then(|groups| groups.last())
            .map(|group| &text[group.place.end..at]);
        let new = |after_dot| Group {
            place: at..at + 1,
            after_dot,
        };
        match (between, runs.last_mut()) {
            (Some(""), Some(groups)) => {
                if let Some(group) = groups.last_mut() {
                    group.place.end = at + 1;
                }
            }
            (Some("."), Some(groups)) => groups.push(new(true)),
            (Some(between), Some(groups)) if is_separator(between) => groups.push(new(false)),
            _ => runs.push(vec![new(false)]),
        }
    }
    runs
}

/// Whether the text is one separator: white space, a hyphen, a dash or an invisible character. Word processors and
/// telephones replace the ASCII ones.
fn is_separator(text: &str) -> bool {
    let mut characters = text.chars();
    let (Some(only), None) = (characters.next(), characters.next()) else {
        return false;
    };
    only.is_whitespace()
        || matches!(only, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
        // Invisible: a soft hyphen, spaces and joiners without width.
        || matches!(only, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// `is_one_group`: nothing is between the digits.
///
/// The numbers of the brands in use begin with 2 to 6. A time in milliseconds begins with 1.
fn looks_like_card(run: &str, is_one_group: bool) -> bool {
    let digits = run.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
    let digits: Vec<u8> = digits.collect();
    DIGITS.contains(&digits.len())
        && matches!(digits[0], 2..=6)
        && passes_luhn(&digits)
        && !is_mobile_phone(&digits)
        && !(is_one_group && is_cnpj(run))
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
