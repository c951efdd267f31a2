//! Percentages: exact decimals with up to 4 places, and the one rounding rule for a percentage of an amount.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use thiserror::Error;

use crate::Cents;

/// A percentage from 0 to 100 with at most 4 decimal places. In JSON it is a string such as `"3.99"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Rate(Decimal);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RateError {
    #[error("a rate has digits only, with a point before its decimals")]
    NotANumber,
    #[error("a rate has at most {} decimal places", Rate::PLACES_MAX)]
    TooManyPlaces,
    #[error("a rate is not negative")]
    Negative,
    #[error("a rate is at most 100 percent")]
    AboveHundred,
}

impl Rate {
    pub const ZERO: Self = Self(Decimal::ZERO);
    pub const PLACES_MAX: u32 = 4;
    /// The largest percentage of a fee. A fee of 100 % would leave nothing of a sale.
    pub const FEE_MAX: Self = Self(Decimal::from_parts(99, 0, 0, false, 0));

    pub fn new(percent: Decimal) -> Result<Self, RateError> {
        let percent = percent.normalize();
        if percent.is_sign_negative() && !percent.is_zero() {
            Err(RateError::Negative)
        } else if percent > Decimal::ONE_HUNDRED {
            Err(RateError::AboveHundred)
        } else if percent.scale() > Self::PLACES_MAX {
            Err(RateError::TooManyPlaces)
        } else {
            Ok(Self(percent))
        }
    }

    /// Digits, optionally with a point and more digits. No sign, no exponent, no spaces.
    pub fn parse(text: &str) -> Result<Self, RateError> {
        let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(decimals) {
            return Err(RateError::NotANumber);
        }
        let percent = Decimal::from_str_exact(text).map_err(|error| match error {
            rust_decimal::Error::Underflow | rust_decimal::Error::ScaleExceedsMaximumPrecision(_) => {
                RateError::TooManyPlaces
            }
            _ => RateError::AboveHundred,
        })?;
        Self::new(percent)
    }

    pub const fn percent(self) -> Decimal {
        self.0
    }

    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// This percentage of the amount, rounded to the cent.
    pub fn apply(self, amount: Cents) -> Cents {
        round_half_away_from_zero(self.unrounded(amount))
    }

    /// In cents with fractions, before rounding.
    pub(crate) fn unrounded(self, amount: Cents) -> Decimal {
        Decimal::from(amount.get()) * self.0 / Decimal::ONE_HUNDRED
    }

    /// Simple daily interest at this monthly rate (months of 30 days), rounded to the cent.
    pub fn interest(self, amount: Cents, days: u16) -> Cents {
        round_half_away_from_zero(self.unrounded_interest(amount, days))
    }

    pub(crate) fn unrounded_interest(self, amount: Cents, days: u16) -> Decimal {
        let days_of_rate = Decimal::from(amount.get()) * self.0 * Decimal::from(days);
        days_of_rate / Decimal::from(30 * 100)
    }
}

/// Rounds to the nearest cent, half a cent away from zero. The rule for every fee.
///
/// A result outside of `i64` becomes its nearest limit. No amount within `Cents::AMOUNT_MAX` comes near it.
pub(crate) fn round_half_away_from_zero(cents: Decimal) -> Cents {
    let rounded = cents.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    let limit = if rounded.is_sign_negative() {
        i64::MIN
    } else {
        i64::MAX
    };
    Cents::new(rounded.to_i64().unwrap_or(limit))
}

impl FromStr for Rate {
    type Err = RateError;

    fn from_str(text: &str) -> Result<Self, RateError> {
        Self::parse(text)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&<Cow<'de, str>>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal_macros::dec;

    use super::*;

    fn of(rate: &str, cents: i64) -> i64 {
        Rate::parse(rate).expect("a rate").apply(Cents::new(cents)).get()
    }

    #[test]
    fn half_a_cent_is_rounded_away_from_zero() {
        assert_eq!(of("1", 50), 1);
        assert_eq!(of("1", 150), 2);
        assert_eq!(of("1", 250), 3);
        assert_eq!(of("1", -50), -1);
        assert_eq!(of("1", 49), 0);
        assert_eq!(of("100", 123), 123);
    }

    #[test]
    fn a_rate_has_one_text_form() {
        let spelled = |text| Rate::parse(text).map(|rate| rate.to_string());
        assert_eq!(spelled("3.50"), Ok("3.5".to_owned()));
        assert_eq!(spelled("0.0000"), Ok("0".to_owned()));
        assert_eq!(spelled("100.0000"), Ok("100".to_owned()));
        assert_eq!("3.50".parse(), Rate::parse("3.5"));
        let json = serde_json::to_string(&Rate::parse("3.99").expect("a rate")).expect("rates serialize");
        assert_eq!(json, r#""3.99""#);
        assert_eq!(
            serde_json::from_str::<Rate>(&json).expect("rates read back"),
            Rate(dec!(3.99))
        );
        assert!(serde_json::from_str::<Rate>("3.99").is_err());
    }

    #[test]
    fn an_invalid_rate_is_refused() {
        for text in ["", ".", "1.", ".5", "1,5", "+1", "1e2", "1_0", " 1", "1.2.3", "٣"] {
            assert_eq!(Rate::parse(text), Err(RateError::NotANumber), "{text:?}");
        }
        assert_eq!(Rate::parse("-1"), Err(RateError::NotANumber));
        assert_eq!(Rate::new(dec!(-0.01)), Err(RateError::Negative));
        assert_eq!(Rate::parse("0.00001"), Err(RateError::TooManyPlaces));
        assert_eq!(
            Rate::parse(&format!("0.{}1", "0".repeat(40))),
            Err(RateError::TooManyPlaces)
        );
        assert_eq!(Rate::parse("100.0001"), Err(RateError::AboveHundred));
        assert_eq!(Rate::parse(&"9".repeat(60)), Err(RateError::AboveHundred));
    }

    #[test]
    fn interest_is_a_thirtieth_of_the_monthly_rate_for_each_day() {
        let interest = |days| Rate(dec!(1.50)).interest(Cents::new(97_00), days).get();
        assert_eq!(
            [interest(0), interest(29), interest(59), interest(89)],
            [0, 141, 286, 432]
        );
    }

    proptest! {
        #[test]
        fn a_percentage_is_never_more_than_its_amount(cents: i64, percent in 0i64..=1_000_000) {
            let part = Rate(Decimal::new(percent, 4)).apply(Cents::new(cents)).get();
            prop_assert!(part.unsigned_abs() <= cents.unsigned_abs());
        }

        #[test]
        fn parsing_never_panics(text in "\\PC*") {
            let _ = Rate::parse(&text);
        }
    }
}
