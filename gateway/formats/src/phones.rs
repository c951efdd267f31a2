//! Brazilian telephone numbers as people write them. The plan of numbers is in `fixtures/phones.json`, which the panels
//! and the checkout read too: the 67 area codes (Anatel, Resolução 749/2022), and the lengths and first digits of
//! landline and mobile numbers.

use std::sync::LazyLock;

use serde::Deserialize;
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

const COUNTRY: &str = "55";
/// The digits of a non-geographic number, such as 0800 123 4567. Old ones have six digits after the code.
const NON_GEOGRAPHIC_DIGITS: std::ops::RangeInclusive<usize> = 10..=11;
/// An area code and a number.
const NATIONAL_DIGITS: std::ops::RangeInclusive<usize> = 10..=11;
/// The two digits of the carrier, which are dialed before an area code: 0 15 11 98765-4321.
const CARRIER_DIGITS: usize = 2;

#[derive(Debug, Deserialize)]
struct NumberPlan {
    area_codes: Vec<String>,
    landline: Numbers,
    mobile: Numbers,
    non_geographic: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Numbers {
    first_digits: String,
    length: usize,
}

static PLAN: LazyLock<NumberPlan> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../fixtures/phones.json"))
        .expect("a test reads the plan of numbers")
});

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PhoneError {
    #[error("the number is of another country")]
    Foreign,
    #[error("the number has no area code, or not as many digits as a number with one")]
    Incomplete,
    #[error("no area code has these two digits")]
    AreaCode,
    #[error("no number begins so after the area code")]
    Number,
    #[error("the number is non-geographic, such as an 0800")]
    NonGeographic,
}

/// Digits only. A geographic number begins with its area code, a non-geographic one with its 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone(String);

impl Phone {
    /// Reads a number with or without the country's code, the trunk prefix 0 and a carrier.
    pub fn parse(text: &str) -> Result<Self, PhoneError> {
        let text: String = text.nfkc().collect();
        let known = |c: char| c.is_ascii_digit() || c.is_whitespace() || "()+-./\u{2010}\u{2013}".contains(c);
        if !text.chars().all(known) {
            return Err(PhoneError::Incomplete);
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let national = national(&digits, text.trim_start_matches([' ', '(']).starts_with('+'))?;
        if is_non_geographic(national) {
            return Ok(Self(national.to_owned()));
        }
        if !NATIONAL_DIGITS.contains(&national.len()) {
            return Err(PhoneError::Incomplete);
        }
        let (area_code, number) = national.split_at(2);
        if !PLAN.area_codes.iter().any(|known| known == area_code) {
            return Err(PhoneError::AreaCode);
        }
        let fits = |plan: &Numbers| {
            number.len() == plan.length && number.starts_with(|c| plan.first_digits.contains(c))
        };
        if !fits(&PLAN.landline) && !fits(&PLAN.mobile) {
            return Err(PhoneError::Number);
        }
        Ok(Self(national.to_owned()))
    }

    /// A number of a person or a place. A company's 0800 cannot be dialed from everywhere, and acquirers refuse it.
    pub fn parse_geographic(text: &str) -> Result<Self, PhoneError> {
        let phone = Self::parse(text)?;
        if is_non_geographic(&phone.0) {
            return Err(PhoneError::NonGeographic);
        }
        Ok(phone)
    }

    pub fn into_digits(self) -> String {
        self.0
    }
}

/// The number without what is dialed or written before the area code.
fn national(digits: &str, has_plus: bool) -> Result<&str, PhoneError> {
    let international = if has_plus {
        Some(digits)
    } else {
        digits.strip_prefix("00")
    };
    if let Some(international) = international {
        let national = international.strip_prefix(COUNTRY).ok_or(PhoneError::Foreign)?;
        // "+55 (0) 11 …"
        return Ok(national.strip_prefix('0').unwrap_or(national));
    }
    if is_non_geographic(digits) {
        return Ok(digits);
    }
    if let Some(dialed) = digits.strip_prefix('0') {
        let with_carrier = dialed.len() >= CARRIER_DIGITS + NATIONAL_DIGITS.start();
        return Ok(if with_carrier {
            &dialed[CARRIER_DIGITS..]
        } else {
            dialed
        });
    }
    // Shorter numbers that begin with 55 have that area code.
    Ok(match digits.strip_prefix(COUNTRY) {
        Some(national) if digits.len() > *NATIONAL_DIGITS.end() => national,
        _ => digits,
    })
}

fn is_non_geographic(digits: &str) -> bool {
    NON_GEOGRAPHIC_DIGITS.contains(&digits.len())
        && PLAN
            .non_geographic
            .iter()
            .any(|code| digits.starts_with(code.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(text: &str) -> Result<String, PhoneError> {
        Phone::parse(text).map(Phone::into_digits)
    }

    #[test]
    fn the_plan_has_all_area_codes() {
        assert_eq!(PLAN.area_codes.len(), 67);
        assert!(PLAN.area_codes.is_sorted());
    }

    #[test]
    fn numbers_that_people_paste_are_read() {
        let mobile = [
            "(11) 98765-4321",
            "+55 11 98765-4321",
            "5511987654321",
            "011 98765-4321",
            "11.98765.4321",
            "０１１ ９８７６５-４３２１",
            "＋55 (11) 98765–4321",
            "0055 11 98765 4321",
            "0 15 11 98765-4321",
            "+55 (0) 11 98765 4321",
            "(+55) 11 98765-4321",
            "11\u{a0}98765\u{2009}4321",
        ];
        for text in mobile {
            assert_eq!(digits(text).as_deref(), Ok("11987654321"), "{text}");
        }
        assert_eq!(digits("+55 (55) 3222-4455").as_deref(), Ok("5532224455"));
        assert_eq!(digits("55 99988-7766").as_deref(), Ok("55999887766"));
        assert_eq!(digits("0800 123 4567").as_deref(), Ok("08001234567"));
        assert_eq!(digits("0800 123456").as_deref(), Ok("0800123456"));
    }

    #[test]
    fn each_fault_of_a_number_is_named() {
        for (text, error) in [
            ("+1 415 555 2671", PhoneError::Foreign),
            ("0054 11 4321 1234", PhoneError::Foreign),
            ("98765-4321", PhoneError::Incomplete),
            ("", PhoneError::Incomplete),
            ("11 98765-4321 ramal 2", PhoneError::Incomplete),
            ("119876543210", PhoneError::Incomplete),
            ("(10) 98765-4321", PhoneError::AreaCode),
            ("(23) 98765-4321", PhoneError::AreaCode),
            ("(55) 11987-6543", PhoneError::Number),
            ("(11) 8765-4321", PhoneError::Number),
            ("(11) 38765-4321", PhoneError::Number),
        ] {
            assert_eq!(digits(text), Err(error), "{text}");
        }
        assert_eq!(
            Phone::parse_geographic("0800 123 4567"),
            Err(PhoneError::NonGeographic)
        );
    }

    #[test]
    fn the_cases_of_reports_are_right() {
        let cases = include_str!("../../../fixtures/cases/phones.txt");
        let lines: Vec<Vec<&str>> = cases
            .lines()
            .skip(1)
            .map(|line| line.split('\t').collect())
            .collect();
        assert_eq!(lines.len(), 5);
        for line in lines {
            let typed = line[0].trim_end_matches(" (company)");
            match line[2].strip_prefix("kept as ").unwrap_or(line[2]) {
                "refused" => assert_eq!(digits(typed), Err(PhoneError::Foreign)),
                shown => {
                    let right: String = shown.chars().filter(char::is_ascii_digit).collect();
                    assert_eq!(digits(typed), Ok(right), "{typed}");
                }
            }
        }
    }
}
